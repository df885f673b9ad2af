//! Updates a baseline from the results of a complete run.

use std::fmt;

use tracegauge_results::{
    CaseResult, Cause, Detail, Outcome, ReaderResult, ReaderState, RunResult,
};

use super::{Baseline, Entry, OneOrMore, is_about_findings};
use tracegauge_corpus::pattern::Pattern;

/// The reason why a run cannot update a baseline.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UpdateError {
    /// Only some of the cases were selected.
    Partial,
    /// The reader did not run.
    NotRun(String),
    /// The run ended early. The field is the number of cases that were not run.
    Unfinished(usize),
}

impl fmt::Display for UpdateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Partial => f.write_str(
                "the run was filtered, sharded or limited to some formats; a baseline requires a \
                 complete run",
            ),
            Self::NotRun(why) => write!(f, "the reader did not run: {why}"),
            Self::Unfinished(1) => f.write_str("1 case was not run"),
            Self::Unfinished(cases) => write!(f, "{cases} cases were not run"),
        }
    }
}

impl std::error::Error for UpdateError {}

/// Returns a baseline that lists every failure of `reader` in `run`.
///
/// Entries of `old` keep their reasons, the patterns that still match, and those about findings of
/// fuzzing campaigns. If only some of the cases
/// that a pattern selects still fail, their names replace the pattern. An entry with no failing
/// cases left is dropped. Entries that differ only in their patterns are merged. Failures that no
/// entry lists are added as unexplained entries, one for each cause found in the run, with the
/// simplest case of that cause.
///
/// # Errors
/// Returns an error if the run did not cover all cases.
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
    for cause in &reader.causes {
        new.entries.extend(of_cause(cause, &new, &reader.cases));
    }
    // A failure that belongs to no cause, because it does not affect the verdict of the run, is
    // still listed.
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

/// Returns `entry` with patterns that select only the cases that still fail in the listed way, or
/// `None` if there are none. An entry with a simplest case keeps every pattern that matches at
/// least one case that still fails.
fn narrowed(entry: &Entry, cases: &[CaseResult]) -> Option<Entry> {
    let is_loose = entry.simplest.is_some();
    let mut kept: Option<OneOrMore<String>> = None;
    for pattern in entry.patterns() {
        let is_meant =
            |case: &&CaseResult| entry.is_about_rule(case) && pattern.matches(&case.case);
        let meant: Vec<&CaseResult> = cases.iter().filter(is_meant).collect();
        let fitting = meant.iter().filter(|case| entry.fits(case));
        let fitting = OneOrMore::new(fitting.map(|case| case.case.clone()));
        let names = match fitting {
            None if is_about_findings(pattern.text()) => pattern.text().to_owned().into(),
            Some(_) if is_loose || meant.iter().all(|case| entry.fits(case)) => {
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
    let mut kept = Entry {
        case: kept?,
        ..entry.clone()
    };
    if is_loose {
        kept.simplest = simplest(&kept, cases);
    }
    Some(kept)
}

/// Returns the simplest case that fails as the entry describes: the case that the entry already
/// names or, if it names none, the case with the fewest departures from plain traces.
fn simplest(entry: &Entry, cases: &[CaseResult]) -> Option<String> {
    let is_named = |case: &&CaseResult| entry.simplest.as_ref() == Some(&case.case);
    let listed = || cases.iter().filter(|case| lists(entry, case));
    let found = listed()
        .find(is_named)
        .or_else(|| listed().min_by_key(|case| (case.departures.len(), &case.case)));
    found.map(|case| case.case.clone())
}

/// Returns whether two entries are the same except for their cases.
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

/// Returns whether `entry` is unexplained and already lists one of `cases` with the same outcome
/// and rule as `case`.
fn is_alike(entry: &Entry, case: &CaseResult, cases: &[CaseResult]) -> bool {
    let fails_alike = |it: &CaseResult| {
        (it.outcome, it.rule()) == (case.outcome, case.rule()) && lists(entry, it)
    };
    entry.unexplained && entry.rule.is_none() && entry.fits(case) && cases.iter().any(fails_alike)
}

/// Returns an entry for the failures of `cause` that `known` does not list, if there are any. A
/// case with several causes is listed under the first one.
fn of_cause(cause: &Cause, known: &Baseline, cases: &[CaseResult]) -> Option<Entry> {
    let is_new = |case: &&CaseResult| {
        let mut entries = known.entries.iter();
        case.outcome.is_failure() && !entries.any(|entry| lists(entry, case))
    };
    let of_cause: Vec<&CaseResult> = cause
        .cases
        .iter()
        .filter_map(|id| cases.iter().find(|case| case.case == *id))
        .collect();
    let new: Vec<&CaseResult> = of_cause.iter().copied().filter(is_new).collect();
    // The cases of a cause are sorted by departures, plainest first.
    let simplest = *new.first()?;
    let mut outcomes: Vec<Outcome> = new.iter().map(|case| case.outcome).collect();
    outcomes.sort();
    outcomes.dedup();
    let reason = match &cause.rule {
        Some(rule) if !cause.headline.contains(rule.as_str()) => {
            format!("{} ({rule}, {})", cause.headline, cause.confidence)
        }
        _ => format!("{} ({})", cause.headline, cause.confidence),
    };
    Some(Entry {
        reason: format!("{reason}; {}", observed(simplest)),
        unexplained: true,
        outcome: OneOrMore::new(outcomes)?,
        rule: None,
        about: None,
        simplest: Some(simplest.case.clone()),
        case: OneOrMore::new(patterns(&new, &of_cause, cases))?,
    })
}

/// Returns patterns that match the cases in `new`. If all cases in a folder belong to the cause, a
/// single pattern for the folder replaces their names.
fn patterns(new: &[&CaseResult], of_cause: &[&CaseResult], cases: &[CaseResult]) -> Vec<String> {
    let mut patterns: Vec<String> = Vec::new();
    for case in new {
        let is_covered = |pattern: &String| Pattern::new(pattern).matches(&case.case);
        if patterns.iter().any(is_covered) {
            continue;
        }
        let below = |folder: &str, other: &CaseResult| {
            let rest = other.case.strip_prefix(folder);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        let is_whole = |folder: &&str| {
            let mut all = cases.iter().filter(|other| below(folder, other));
            all.all(|other| of_cause.iter().any(|it| it.case == other.case))
        };
        let folders = case.case.match_indices('/').map(|(at, _)| &case.case[..at]);
        // Skip the first two folders of a name, the format and the part of the corpus, so that a
        // pattern never selects as much as that.
        let whole = folders.skip(2).find(is_whole);
        let several = whole.filter(|folder| new.iter().filter(|it| below(folder, it)).count() > 1);
        patterns.push(match several {
            Some(folder) => format!("{folder}/*"),
            None => case.case.clone(),
        });
    }
    patterns.sort();
    patterns
}

/// Returns an entry for a failure that is not listed yet.
fn unexplained(case: &CaseResult) -> Entry {
    Entry {
        reason: observed(case),
        unexplained: true,
        outcome: case.outcome.into(),
        rule: None,
        about: about(case).cloned().map(OneOrMore::from),
        simplest: None,
        case: case.case.clone().into(),
    }
}

/// Returns the rule that the difference is related to if the outcome is wrong records, and `None`
/// for other outcomes.
fn about(case: &CaseResult) -> Option<&String> {
    let rule = case.about_difference().first();
    rule.filter(|_| case.outcome == Outcome::WrongRecords)
}

/// Describes a failure: its outcome, rule, byte, and the expected and actual values.
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
