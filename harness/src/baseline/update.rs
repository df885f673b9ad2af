//! A baseline, rewritten from a whole run.

use std::fmt;

use tracegauge_reports::{CaseResult, Detail, Outcome, ReaderResult, ReaderState, RunResult};

use super::{Baseline, Entry};
use tracegauge_corpus::pattern::Pattern;

/// Why a baseline is not rewritten from a run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UpdateError {
    /// Only a part of the cases was chosen.
    Partial,
    /// The reader did not run.
    NotRun(String),
    /// The run ended before all cases were run.
    Unfinished(usize),
}

impl fmt::Display for UpdateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Partial => f.write_str(
                "the run was filtered, sharded or of some formats only; a baseline is made from \
                 a whole run",
            ),
            Self::NotRun(why) => write!(f, "the reader did not run: {why}"),
            Self::Unfinished(cases) => write!(f, "{cases} cases were not run"),
        }
    }
}

impl std::error::Error for UpdateError {}

/// The baseline that makes every failure of `reader` in `run` a known one. Entries of `old`
/// that still hold are kept as they are; where an entry holds for some of its cases only,
/// those are listed one by one with its reason.
///
/// # Errors
/// The run was not a whole one.
pub fn updated(
    old: &Baseline,
    run: &RunResult,
    reader: &ReaderResult,
) -> Result<Baseline, UpdateError> {
    match &reader.state {
        ReaderState::Ran => {}
        ReaderState::Skipped(why) | ReaderState::Failed(why) => {
            return Err(UpdateError::NotRun(why.clone()));
        }
    }
    if !run.run.selection.is_whole() {
        return Err(UpdateError::Partial);
    }
    if reader.tail.not_run.cases > 0 {
        return Err(UpdateError::Unfinished(reader.tail.not_run.cases));
    }
    let kept: Vec<&Entry> = old
        .entries
        .iter()
        .filter(|e| holds(e, &reader.cases))
        .collect();
    let is_kept = |case: &CaseResult| kept.iter().any(|entry| fits(entry, case));
    let mut entries: Vec<Entry> = kept.iter().map(|entry| (*entry).clone()).collect();
    let failing = reader.cases.iter().filter(|case| case.outcome.is_failure());
    for case in failing.filter(|case| !is_kept(case)) {
        let former = old.entries.iter().find(|entry| fits(entry, case));
        entries.push(Entry {
            case: case.case.clone(),
            outcome: case.outcome,
            rule: former.and_then(|entry| entry.rule.clone()),
            about: about(case).cloned(),
            reason: former.map_or_else(|| reason(case), |entry| entry.reason.clone()),
        });
    }
    entries.sort_by(|a, b| a.case.cmp(&b.case));
    Ok(Baseline { entries })
}

/// What is wrong in records; how far a reader came that rejects a trace is not pinned.
fn about(case: &CaseResult) -> Option<&String> {
    let rule = case.about_difference().first();
    rule.filter(|_| case.outcome == Outcome::WrongRecords)
}

/// Whether an entry is about some case, and right about all that it is about.
fn holds(entry: &Entry, cases: &[CaseResult]) -> bool {
    let pattern = Pattern::new(entry.case.clone());
    let mut about = cases
        .iter()
        .filter(|case| entry.is_about(&pattern, case))
        .peekable();
    about.peek().is_some()
        && about.all(|case| case.outcome == entry.outcome && entry.speaks_of(case))
}

fn fits(entry: &Entry, case: &CaseResult) -> bool {
    let pattern = Pattern::new(entry.case.clone());
    entry.is_about(&pattern, case) && case.outcome == entry.outcome && entry.speaks_of(case)
}

/// What is known about a new failure: its rule, its byte, what was expected and what came.
fn reason(case: &CaseResult) -> String {
    let mut parts = Vec::new();
    parts.extend(case.rule().map(|rule| format!("rule {rule}")));
    let Some(detail) = &case.detail else {
        return parts.join("; ");
    };
    parts.extend(
        detail
            .fault
            .as_ref()
            .map(|fault| format!("byte {}", fault.start)),
    );
    let Detail {
        expected,
        actual,
        difference,
        ..
    } = detail.as_ref();
    let difference = difference.as_ref();
    match difference.filter(|_| case.outcome == Outcome::WrongRecords) {
        Some(difference) => {
            let place = format!("record {} {}", difference.record, difference.path);
            let (expected, actual) = (&difference.expected, &difference.actual);
            parts.push(format!(
                "expected {} = {expected}, got {actual}",
                place.trim_end()
            ));
        }
        None => parts.push(format!("expected {expected}, got {actual}")),
    }
    parts.join("; ")
}
