//! Which mistakes the failures of readers look like.

use std::collections::BTreeSet;
use std::io::Write;

use tracegauge_corpus::commands::CommandError;
use tracegauge_corpus::progress::Messages;
use tracegauge_corpus::strength::{Cause, Outcome as Seen, Wrong, causes};
use tracegauge_corpus::suite::Suite;
use tracegauge_reports::model::{ReaderResult, RunResult};
use tracegauge_reports::outcome::Outcome;

use super::reader_name;
use crate::judge::Referee;

/// So many mistakes are named of each reader and format.
const NAMED: usize = 6;
/// So many cases of each.
const CASES: usize = 3;

/// The formats in which a reader of `runs` fails.
pub(super) fn formats(runs: &[RunResult]) -> BTreeSet<String> {
    let readers = runs.iter().flat_map(|run| &run.readers);
    let cases = readers.flat_map(|reader| &reader.cases);
    let failing = cases.filter(|case| case.outcome.is_failure());
    failing.map(|case| case.format.clone()).collect()
}

pub(super) fn explain(
    suite: &Suite,
    runs: &[RunResult],
    out: &mut dyn Write,
    messages: &mut Messages<'_>,
) -> Result<(), CommandError> {
    let mut nothing = true;
    for reader in runs.iter().flat_map(|run| &run.readers) {
        for plan in suite.formats.plans() {
            let seen = seen(suite, reader, &plan.format);
            let failures = seen.iter().filter(|seen| seen.wrong.is_some()).count();
            if failures == 0 {
                continue;
            }
            if !std::mem::take(&mut nothing) {
                writeln!(out)?;
            }
            let found = causes(plan, &seen, &Referee, NAMED, messages.progress);
            let name = reader_name(&reader.reader.name, reader.reader.version.as_deref());
            writeln!(out, "{name} fails {failures} cases of {}", plan.format)?;
            write(&found, failures, out)?;
        }
    }
    if nothing {
        writeln!(out, "no reader of the result fails a case of this corpus")?;
    }
    Ok(())
}

fn write(causes: &[Cause], failures: usize, out: &mut dyn Write) -> Result<(), CommandError> {
    let mut left = failures;
    for cause in causes {
        let explained = cause.explains.len();
        left -= explained;
        write!(out, "  {explained} as with {}", cause.mutant)?;
        match cause.contradicted.len() {
            0 => writeln!(out)?,
            1 => writeln!(out, "; but it passes 1 case that this fails")?,
            more => writeln!(out, "; but it passes {more} cases that this fails")?,
        }
        if !cause.described.is_empty() {
            let places = cause.described.iter().take(CASES).cloned();
            let places: Vec<String> = places.collect();
            let more = match cause.described.len().saturating_sub(CASES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            writeln!(out, "      {}{more}", places.join(", "))?;
        }
        for case in cause.explains.iter().take(CASES) {
            writeln!(out, "      {case}")?;
        }
        if explained > CASES {
            writeln!(out, "      and {} more", explained - CASES)?;
        }
    }
    if left > 0 {
        writeln!(out, "  {left} look like no single mistake that was tried")?;
    }
    Ok(())
}

/// What the reader did with the cases of a format, as far as they are the same here.
fn seen<'s>(suite: &'s Suite, reader: &ReaderResult, format: &str) -> Vec<Seen<'s>> {
    let cases = reader.cases.iter().filter(|found| found.format == format);
    cases
        .filter_map(|found| {
            let case = suite.case(&found.case)?;
            if case.version != found.version {
                return None;
            }
            let wrong = match found.outcome {
                Outcome::Pass | Outcome::Unsupported => None,
                Outcome::WrongRecords => Some(Wrong::Records),
                Outcome::WrongReject | Outcome::WrongAccept => Some(Wrong::Verdict),
                // No mutant crashes; that it fails at all is all that can be alike.
                _ => Some(Wrong::Endless),
            };
            Some(Seen { case, wrong })
        })
        .collect()
}
