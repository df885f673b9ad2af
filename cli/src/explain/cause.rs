//! Prints a cause: its rule, a known mistake (the planted bug of a mutant) with the same effect,
//! and the wrong values.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;

use tracegauge_corpus::matrix::Matrix;
use tracegauge_judge::compare::other_than_pairs;
use tracegauge_judge::mistake_of;
use tracegauge_plan::Plan;
use tracegauge_results::text::{anywhere, counted, first_of, folded};
use tracegauge_results::{CaseResult, Cause, Confidence, Outcome, ReaderResult};

use super::super::one_line;
use super::alike;
use super::causes::{CASES, some};
use super::mistake;
use crate::corpus::CommandError;

/// The indentation of the cases of a cause.
const INDENT: &str = "        ";

/// The answers of a reader to the cases of a format.
pub(super) struct Answers<'r> {
    pub(super) plan: &'r Plan,
    pub(super) matrix: &'r Matrix,
    pub(super) reader: &'r ReaderResult,
    pub(super) failing: &'r [&'r CaseResult],
}

/// Prints a cause.
pub(super) fn write(
    answers: &Answers<'_>,
    cause: &Cause,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let count = counted(cause.cases.len(), "case");
    let headline = one_line(&folded(&cause.headline));
    writeln!(out, "  {count}: {}: {headline}", cause.impact)?;
    write_rules(answers.plan, cause, out)?;
    if !cause.operators.is_empty() {
        let operators = cause.operators.join(", ");
        writeln!(
            out,
            "      only for these violations: {}",
            one_line(&operators)
        )?;
    }
    answers.write_shapes(cause, out)?;
    match mistake_of(answers.matrix, answers.reader, cause) {
        Some(found) => {
            mistake::write(answers.matrix, &found, cause.cases.len(), out)?;
            some(&cause.cases, CASES, INDENT, out)
        }
        None => alike::write(&answers.of(cause), out),
    }
}

/// Prints the rule that the reader probably breaks, or the rules that it may break.
fn write_rules(plan: &Plan, cause: &Cause, out: &mut dyn Write) -> Result<(), CommandError> {
    let certainty = &cause.confidence;
    let (word, names): (String, Vec<&str>) = match certainty {
        Confidence::Proven | Confidence::Likely => {
            let names = cause.rule.as_deref().into_iter().collect();
            (certainty.to_string(), names)
        }
        Confidence::OneOf(names) => {
            let word = match names.len() {
                1 => "possibly",
                _ => "one of these",
            };
            (word.to_owned(), names.iter().map(String::as_str).collect())
        }
    };
    for name in names {
        let rule = plan.description.rules.iter().find(|rule| rule.id == *name);
        let says = rule.map_or_else(String::new, |rule| format!(" ({})", one_line(&rule.says)));
        writeln!(out, "      {word}: {}{says}", one_line(name))?;
    }
    Ok(())
}

impl<'r> Answers<'r> {
    /// Returns the failing cases of a cause.
    fn of(&self, cause: &Cause) -> Vec<&'r CaseResult> {
        let cases: HashSet<&str> = cause.cases.iter().map(String::as_str).collect();
        let failing = self.failing.iter().copied();
        failing
            .filter(|it| cases.contains(it.case.as_str()))
            .collect()
    }

    /// Prints the members whose values cannot be compared because the reader does not write them as
    /// name-value pairs, the JSON shape that the protocol requires.
    fn write_shapes(&self, cause: &Cause, out: &mut dyn Write) -> Result<(), CommandError> {
        let mut shapes: BTreeMap<(String, &str), Vec<String>> = BTreeMap::new();
        for found in self.of(cause) {
            let difference = found.detail.as_ref().and_then(|it| it.difference.as_ref());
            let records = difference.filter(|_| found.outcome == Outcome::WrongRecords);
            if let Some(it) = records
                && let Some((wanted, came)) = other_than_pairs(it)
            {
                let paths = shapes.entry((one_line(came), wanted)).or_default();
                paths.push(format!("`{}`", one_line(&anywhere(&it.path))));
            }
        }
        for ((came, wanted), mut paths) in shapes {
            let count = counted(paths.len(), "case");
            paths.sort_unstable();
            paths.dedup();
            let paths = first_of(&paths, CASES);
            writeln!(
                out,
                "      in {count}, the reader writes {paths} as {came} instead of {wanted}"
            )?;
        }
        Ok(())
    }
}
