//! A baseline, rewritten from a whole run.

use std::fmt;

use tracegauge_reports::{CaseResult, Detail, Outcome, ReaderResult, ReaderState, RunResult};

use super::{Baseline, Entry, OneOrMore};
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

/// The baseline that makes every failure of `reader` in `run` a known one. Entries of `old` keep
/// their reasons and those of their patterns that still hold; where a pattern holds for some of its
/// cases only, those take its place, and where none fails any more, the entry is dropped. Entries
/// that differ in their patterns alone become one. Failures that no entry lists are added as
/// unexplained, those with one outcome and rule together.
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
    let mut new = Baseline::default();
    for entry in &old.entries {
        if let Some(kept) = narrowed(entry, &reader.cases) {
            match new.entries.iter_mut().find(|it| is_same(it, &kept)) {
                Some(same) => same.case.extend(kept.case),
                None => new.entries.push(kept),
            }
        }
    }
    let failing = reader.cases.iter().filter(|case| case.outcome.is_failure());
    for case in failing {
        if new.entries.iter().any(|entry| lists(entry, case)) {
            continue;
        }
        let alike = |entry: &&mut Entry| is_alike(entry, case, &reader.cases);
        match new.entries.iter_mut().find(alike) {
            Some(entry) => entry.case.extend(case.case.clone().into()),
            None => new.entries.push(unexplained(case)),
        }
    }
    Ok(new)
}

/// `entry` with patterns for those of its cases that still fail as it says; nothing where none
/// does.
fn narrowed(entry: &Entry, cases: &[CaseResult]) -> Option<Entry> {
    let mut kept: Option<OneOrMore<String>> = None;
    for pattern in entry.patterns() {
        let is_meant =
            |case: &&CaseResult| entry.is_about_rule(case) && pattern.matches(&case.case);
        let meant: Vec<&CaseResult> = cases.iter().filter(is_meant).collect();
        let fitting = meant.iter().filter(|case| entry.fits(case));
        let fitting = OneOrMore::new(fitting.map(|case| case.case.clone()));
        let names = match fitting {
            Some(_) if meant.iter().all(|case| entry.fits(case)) => {
                pattern.text().to_owned().into()
            }
            Some(fitting) => fitting,
            None => continue,
        };
        match &mut kept {
            Some(kept) => kept.extend(names),
            None => kept = Some(names),
        }
    }
    kept.map(|case| Entry {
        case,
        ..entry.clone()
    })
}

/// Whether two entries say the same of different cases.
fn is_same(one: &Entry, other: &Entry) -> bool {
    let other = Entry {
        case: one.case.clone(),
        ..other.clone()
    };
    *one == other
}

fn lists(entry: &Entry, case: &CaseResult) -> bool {
    let is_named = |pattern: &Pattern| pattern.matches(&case.case);
    entry.is_about_rule(case) && entry.patterns().iter().any(is_named) && entry.fits(case)
}

/// Whether nobody has explained `entry` yet, and `case` fails as one of `cases` that it lists:
/// with its outcome, by its rule.
fn is_alike(entry: &Entry, case: &CaseResult, cases: &[CaseResult]) -> bool {
    let fails_alike = |it: &CaseResult| {
        (it.outcome, it.rule()) == (case.outcome, case.rule()) && lists(entry, it)
    };
    entry.unexplained && entry.rule.is_none() && entry.fits(case) && cases.iter().any(fails_alike)
}

/// The entry for a failure that is new.
fn unexplained(case: &CaseResult) -> Entry {
    Entry {
        reason: observed(case),
        unexplained: true,
        outcome: case.outcome.into(),
        rule: None,
        about: about(case).cloned().map(OneOrMore::from),
        case: case.case.clone().into(),
    }
}

/// What is wrong in records; how far a reader came that rejects a trace is not pinned.
fn about(case: &CaseResult) -> Option<&String> {
    let rule = case.about_difference().first();
    rule.filter(|_| case.outcome == Outcome::WrongRecords)
}

/// What was seen of a failure: its outcome, rule and byte, what was expected and what came.
fn observed(case: &CaseResult) -> String {
    let mut parts = vec![case.outcome.to_string()];
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
