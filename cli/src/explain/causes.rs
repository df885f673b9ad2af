//! Explains the failures of readers, grouped by the causes that `run` reports.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::Write;

use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::matrix::Limited;
use tracegauge_corpus::progress::Messages;
use tracegauge_judge::compared_with_mistakes;
use tracegauge_plan::Plan;
use tracegauge_reports::causes;
use tracegauge_reports::headline::uncounted;
use tracegauge_results::text::counted;
use tracegauge_results::{CaseResult, Cause, ReaderResult, RunResult};

use super::cause::{self, Answers};
use super::outcomes::{Traces, outcomes};
use super::reader_name;
use crate::corpus::{CommandError, Scope};

/// Maximum number of causes described for each reader and format.
const CAUSES: usize = 12;
/// Maximum number of cases listed for each cause.
pub(super) const CASES: usize = 3;

/// Returns the formats of all cases that any reader in `runs` fails.
pub(super) fn formats(runs: &[RunResult]) -> BTreeSet<String> {
    let readers = runs.iter().flat_map(|run| &run.readers);
    let cases = readers.flat_map(|reader| &reader.cases);
    let failing = cases.filter(|case| case.outcome.is_failure());
    failing.map(|case| case.format.clone()).collect()
}

/// Explains the failures in `runs`. `asked` returns whether the user selected a format.
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
    let readers = runs
        .iter()
        .flat_map(|run| run.readers.iter().map(move |it| (run, it)));
    for (run, reader) in readers {
        unknown.add_other_formats(reader, formats, asked);
        let mut causes = causes_of(run, reader);
        for plan in formats.plans() {
            let failing = failing(reader, &plan.format);
            if failing.is_empty() {
                continue;
            }
            let limited = outcomes((plan, scope), reader, &mut traces, messages)?;
            let is_unknown = |it: &&&CaseResult| !limited.matrix.has(&it.case, it.version);
            let others = failing.iter().filter(is_unknown).count();
            unknown.add(&plan.format, others);
            if others == failing.len() {
                continue;
            }
            if !std::mem::take(&mut nothing) {
                writeln!(out)?;
            }
            let name = reader_name(&reader.reader.name, reader.reader.version.as_deref());
            let count = counted(failing.len() - others, "case");
            let fails_the_run = |case: &&&CaseResult| case.known.is_some() || case.fails_the_run();
            let excused = failing.len() - failing.iter().filter(fails_the_run).count();
            let excused = match excused {
                0 => String::new(),
                excused => format!("; {}", uncounted(excused)),
            };
            writeln!(out, "{name} fails {count} of {}{excused}", plan.format)?;
            if reader.tail.remembers {
                writeln!(out, "  {}", causes::REMEMBERS)?;
                continue;
            }
            causes = compared_with_mistakes((plan, &limited.matrix), reader, causes);
            let causes = causes.iter().filter(|it| it.format == plan.format);
            let causes: Vec<&Cause> = causes.collect();
            write((plan, &limited), (reader, &failing), &causes, out)?;
        }
    }
    unknown.finish(nothing, out)
}

/// Returns the causes of all failures, including the known failures.
fn causes_of(run: &RunResult, reader: &ReaderResult) -> Vec<Cause> {
    let mut all = reader.clone();
    for found in &mut all.cases {
        found.known = None;
    }
    causes::of(&run.run, &all)
}

fn write(
    (plan, limited): (&Plan, &Limited),
    (reader, failing): (&ReaderResult, &[&CaseResult]),
    causes: &[&Cause],
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let answers = Answers {
        plan,
        matrix: &limited.matrix,
        reader,
        failing,
    };
    for cause in causes.iter().take(CAUSES) {
        cause::write(&answers, cause, out)?;
    }
    let more = causes.len().saturating_sub(CAUSES);
    if more > 0 {
        let more = counted(more, "more cause");
        writeln!(out, "  and {more}, which `run --all-rules` lists")?;
    }
    if limited.left_out > 0 {
        writeln!(
            out,
            "  {} mutants were not run, because there is no stored outcome matrix for this \
             description and running all mutants would take too long",
            limited.left_out
        )?;
    }
    Ok(())
}

/// Returns the failing cases of a format.
fn failing<'r>(reader: &'r ReaderResult, format: &str) -> Vec<&'r CaseResult> {
    let of_format = reader.cases.iter().filter(|found| found.format == format);
    of_format.filter(|it| it.outcome.is_failure()).collect()
}

/// The number of failing cases in the results that are missing from this corpus or differ from the
/// version in this corpus, by format.
#[derive(Default)]
struct Unknown(BTreeMap<String, usize>);

impl Unknown {
    fn add(&mut self, format: &str, count: usize) {
        if count > 0 {
            *self.0.entry(format.to_owned()).or_default() += count;
        }
    }

    /// Adds the failing cases of formats that the user selected but that are missing from
    /// `formats`.
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

    /// Prints how many failing cases are missing from this corpus. Returns an error if `nothing` is
    /// true, which means that no other output was printed.
    fn finish(self, nothing: bool, out: &mut dyn Write) -> Result<(), CommandError> {
        let formats: Vec<String> = self.0.keys().cloned().collect();
        match (nothing, self.0.is_empty()) {
            (true, true) => writeln!(
                out,
                "no reader in the results fails any case of this corpus"
            )?,
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

/// Prints the first few of `cases`, and the number of remaining cases.
pub(super) fn some(
    cases: &[impl Display],
    most: usize,
    indent: &str,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    for case in cases.iter().take(most) {
        writeln!(out, "{indent}{case}")?;
    }
    if cases.len() > most {
        writeln!(out, "{indent}… and {} more", cases.len() - most)?;
    }
    Ok(())
}
