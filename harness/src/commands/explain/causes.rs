//! Finds mistakes in readers that would explain their failures.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Display;
use std::io::Write;

use tracegauge_corpus::commands::{CommandError, Scope};
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::matrix::{Explained, Limited};
use tracegauge_corpus::progress::Messages;
use tracegauge_reports::model::{CaseResult, ReaderResult, RunResult};
use tracegauge_reports::outcome::{Expectation, Outcome};
use tracegauge_reports::text::{anywhere, counted};
use tracegauge_spec::plan::Plan;

use super::super::one_line;
use super::leftover::{self, Leftover};
use super::outcomes::{Traces, outcomes};
use super::{mistake, reader_name};
use crate::compare::other_than_pairs;
use crate::judge::explained;
use crate::runner::shared_by_rejected;

/// The message that replaces all explanations if a reader keeps state between traces.
const REMEMBERS: &str = "  the reader keeps state from one trace to the next: a new process answers \
                         differently. The resulting failures look like other mistakes, so fix this \
                         first, or use `mode: once`, which starts a process for each trace";

/// Maximum number of mistakes named for each reader and format.
const NAMED: usize = 12;
/// Maximum number of cases listed for each mistake.
pub(super) const CASES: usize = 3;

/// The formats in which a reader of `runs` fails.
pub(super) fn formats(runs: &[RunResult]) -> BTreeSet<String> {
    let readers = runs.iter().flat_map(|run| &run.readers);
    let cases = readers.flat_map(|reader| &reader.cases);
    let failing = cases.filter(|case| case.outcome.is_failure());
    failing.map(|case| case.format.clone()).collect()
}

/// Explains the failures of `runs`. `asked` returns whether the user selected a format.
pub(super) fn explain(
    (formats, scope): (&Formats, &Scope),
    runs: &[RunResult],
    asked: &dyn Fn(&str) -> bool,
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<(), CommandError> {
    let mut nothing = true;
    let mut unknown = Unknown::default();
    let mut traces = Traces::new(scope, formats);
    for reader in runs.iter().flat_map(|run| &run.readers) {
        unknown.add_other_formats(reader, formats, asked);
        for plan in formats.plans() {
            let failing = failing(reader, &plan.format);
            if failing.is_empty() {
                continue;
            }
            let limited = outcomes((plan, scope), reader, &mut traces, messages)?;
            let mut found = explained(&limited.matrix, reader, NAMED);
            let is_unknown = |it: &&&CaseResult| !limited.matrix.has(&it.case, it.version);
            found.unknown = failing
                .iter()
                .filter(is_unknown)
                .map(|it| &*it.case)
                .collect();
            unknown.add(&plan.format, found.unknown.len());
            let count = failing.len() - found.unknown.len();
            if count == 0 {
                continue;
            }
            if !std::mem::take(&mut nothing) {
                writeln!(out)?;
            }
            let name = reader_name(&reader.reader.name, reader.reader.version.as_deref());
            let count = counted(count, "case");
            writeln!(out, "{name} fails {count} of {}", plan.format)?;
            if reader.tail.remembers {
                writeln!(out, "{REMEMBERS}")?;
                continue;
            }
            let mut answers = Answers {
                plan,
                reader,
                shapes: shapes(reader, &found, &plan.format),
                alike: None,
            };
            answers.find_alike();
            found
                .explanations
                .retain(|it| !answers.is_part_of_alike(&it.exact, it.same_records));
            answers.write((&limited, &found), out)?;
        }
    }
    unknown.finish(nothing, out)
}

/// The failing cases of a format.
fn failing<'r>(reader: &'r ReaderResult, format: &str) -> Vec<&'r CaseResult> {
    let of_format = reader.cases.iter().filter(|found| found.format == format);
    of_format.filter(|it| it.outcome.is_failure()).collect()
}

/// The numbers of failing cases that the corpus does not contain in the version that the result
/// names, by format.
#[derive(Default)]
struct Unknown(BTreeMap<String, usize>);

impl Unknown {
    fn add(&mut self, format: &str, count: usize) {
        if count > 0 {
            *self.0.entry(format.to_owned()).or_default() += count;
        }
    }

    /// Adds the cases of formats that the user selected but that do not exist.
    fn add_other_formats(
        &mut self,
        reader: &ReaderResult,
        formats: &Formats,
        asked: &dyn Fn(&str) -> bool,
    ) {
        let failing = reader.cases.iter().filter(|it| it.outcome.is_failure());
        let is_other = |it: &&CaseResult| formats.plan(&it.format).is_none() && asked(&it.format);
        for found in failing.filter(is_other) {
            self.add(&found.format, 1);
        }
    }

    /// Prints how many cases are unknown. It is an error if `nothing` else was printed.
    fn finish(self, nothing: bool, out: &mut dyn Write) -> Result<(), CommandError> {
        let formats: Vec<String> = self.0.keys().cloned().collect();
        match (nothing, self.0.is_empty()) {
            (true, true) => writeln!(out, "no reader of the results fails a case of this corpus")?,
            (true, false) => return Err(CommandError::OtherCorpus(formats)),
            (false, true) => {}
            (false, false) => {
                let formats = formats.join(", ");
                let count: usize = self.0.values().sum();
                writeln!(
                    out,
                    "\n{count} more cases of {formats} fail, but this corpus does not contain them \
                     or contains another version of them"
                )?;
            }
        }
        Ok(())
    }
}

/// Prints the first of `cases`, and how many more there are.
pub(super) fn some(
    cases: &[impl Display],
    most: usize,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    for case in cases.iter().take(most) {
        writeln!(out, "      {case}")?;
    }
    if cases.len() > most {
        writeln!(out, "      … and {} more", cases.len() - most)?;
    }
    Ok(())
}

/// Cases in which a reader writes pairs in another JSON shape, by member, expected shape and actual
/// shape. The values inside cannot be compared.
type Shapes<'r> = BTreeMap<(String, String, String), Vec<&'r str>>;

fn shapes<'r>(reader: &'r ReaderResult, found: &Explained<'_>, format: &str) -> Shapes<'r> {
    let unknown: HashSet<&str> = found.unknown.iter().copied().collect();
    let mut shapes = Shapes::new();
    for found in failing(reader, format) {
        let difference = found.detail.as_ref().and_then(|it| it.difference.as_ref());
        let records = difference.filter(|_| found.outcome == Outcome::WrongRecords);
        let shape = records.and_then(|it| Some((&it.path, other_than_pairs(it)?)));
        if let Some((path, (wanted, came))) = shape
            && !unknown.contains(found.case.as_str())
        {
            let key = (anywhere(path), wanted.to_owned(), one_line(came));
            shapes.entry(key).or_default().push(&found.case);
        }
    }
    shapes
}

/// The answers of a reader to the cases of a format.
struct Answers<'r> {
    plan: &'r Plan,
    reader: &'r ReaderResult,
    shapes: Shapes<'r>,
    /// The wrongly rejected valid traces, and a property that all of them have and no valid trace
    /// that the reader passes.
    alike: Option<(HashSet<&'r str>, String)>,
}

impl<'r> Answers<'r> {
    /// Looks up whether the run found a property of the valid traces that the reader rejects. Such a
    /// property is a better explanation than a mistake that rejects only some of them.
    fn find_alike(&mut self) {
        let of_format = failing(self.reader, &self.plan.format).into_iter();
        let rejected = of_format.filter(|it| {
            it.expected == Expectation::Accept
                && it.outcome == Outcome::WrongReject
                && it.about_difference().is_empty()
                && it.known.is_none()
        });
        let rejected: HashSet<&str> = rejected.map(|it| it.case.as_str()).collect();
        let notes = &self.reader.tail.notes;
        let what = shared_by_rejected(notes, &self.plan.format, rejected.len());
        self.alike = what.map(|what| (rejected, what.to_owned()));
    }

    /// Returns the results of the valid traces that the reader passes.
    fn passed(&self) -> Vec<&'r CaseResult> {
        let results = self.reader.cases.iter();
        let passed = results.filter(|it| {
            it.format == self.plan.format
                && it.expected == Expectation::Accept
                && it.outcome == Outcome::Pass
        });
        passed.collect()
    }

    /// Returns true if a mistake explains only some of the rejected traces that are all alike.
    fn is_part_of_alike(&self, explained: &[&str], same_records: usize) -> bool {
        self.alike.as_ref().is_some_and(|(rejected, _)| {
            same_records == 0
                && explained.len() < rejected.len()
                && explained.iter().all(|case| rejected.contains(case))
        })
    }

    fn write(
        &self,
        (limited, found): (&Limited, &Explained<'_>),
        out: &mut dyn Write,
    ) -> Result<(), CommandError> {
        for ((path, wanted, came), cases) in &self.shapes {
            writeln!(
                out,
                "  {}: the reader writes `{path}` as {came} instead of {wanted}",
                counted(cases.len(), "case")
            )?;
            some(cases, CASES, out)?;
        }
        let left = self.left(found);
        // Start with the largest group of failures, whether or not a mistake explains it.
        let most = found.explanations.iter().map(|it| it.exact.len()).max();
        let is_most = most.is_none_or(|most| left.len() > most);
        if is_most {
            self.write_left(&left, out)?;
        }
        for explanation in &found.explanations {
            let is_all = |(rejected, _): &&(HashSet<&str>, String)| {
                explanation.same_records == 0 && explanation.exact.len() == rejected.len()
            };
            let common = self.alike.as_ref().filter(is_all);
            let common = common.map(|(_, what)| what.as_str());
            mistake::write((self.plan, &limited.matrix), explanation, common, out)?;
        }
        if !is_most {
            self.write_left(&left, out)?;
        }
        if limited.left_out > 0 {
            writeln!(
                out,
                "  {} mistakes were not tried, because there is no stored outcome matrix of this \
                 description and trying all mistakes would take too long",
                limited.left_out
            )?;
        }
        Ok(())
    }

    /// The failures that nothing explains.
    fn left(&self, found: &Explained<'_>) -> Vec<&'r CaseResult> {
        let explanations = found.explanations.iter();
        let explained = explanations.flat_map(|it| it.exact.iter().chain(&it.near));
        let others = self.shapes.values().flatten().chain(&found.unknown);
        let gone: HashSet<&str> = explained.chain(others).copied().collect();
        let mut left = failing(self.reader, &self.plan.format);
        left.retain(|it| !gone.contains(it.case.as_str()));
        left
    }

    /// Prints the failures that no single mistake explains.
    fn write_left(&self, left: &[&CaseResult], out: &mut dyn Write) -> Result<(), CommandError> {
        if left.is_empty() {
            return Ok(());
        }
        let count = counted(left.len(), "case");
        writeln!(out, "  {count}: not explained by any single known mistake")?;
        let leftover = Leftover {
            plan: self.plan,
            left: left.to_vec(),
            passed: self.passed(),
            rejected: self.alike.as_ref(),
        };
        leftover::write(&leftover, out)
    }
}
