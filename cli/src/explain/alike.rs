//! Groups the failures that share a cause by similarity if no known mistake (the planted bug of a
//! mutant) explains them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

use tracegauge_results::text::{anywhere, first_of, folded, shortened, visible};
use tracegauge_results::{CaseResult, Difference, Outcome};

use super::super::one_line;
use super::causes::some;
use crate::corpus::CommandError;

/// Maximum number of groups that are described one by one.
const GROUPS: usize = 4;
/// Maximum number of cases listed for each group.
const CASES: usize = 2;
/// The indentation of cases in a group.
const INDENT: &str = "          ";
/// Maximum number of characters shown for each value.
const VALUE: usize = 60;
/// Maximum number of characters shown for each message from the reader.
const SAID: usize = 160;

/// The property that the failures of a group share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Alike {
    /// The wrong value and the expected value, in whichever member they occur.
    Values,
    /// The first member that differs, regardless of its index in a list.
    Member,
    /// A missing or additional record.
    Record,
    /// The rule that a wrongly accepted trace violates.
    Rule,
    /// The outcome.
    Outcome,
}

/// Prints the failures by group.
pub(super) fn write(failing: &[&CaseResult], out: &mut dyn Write) -> Result<(), CommandError> {
    let mut groups: BTreeMap<(Alike, String), Vec<&CaseResult>> = BTreeMap::new();
    let exchanged = exchanged(failing);
    for found in failing {
        let pair = difference(found)
            .map(pair)
            .filter(|it| exchanged.contains(it));
        let key = match pair {
            Some((came, expected)) => (Alike::Values, values_told(came, expected)),
            None => alike(found),
        };
        groups.entry(key).or_default().push(found);
    }
    let mut groups: Vec<((Alike, String), Vec<&CaseResult>)> = groups.into_iter().collect();
    groups.sort_by_key(|(_, cases)| std::cmp::Reverse(cases.len()));
    for ((alike, name), cases) in groups.iter().take(GROUPS) {
        writeln!(out, "      {}", told(*alike, name, cases))?;
        if *alike == Alike::Outcome {
            write_last_words(cases, out)?;
        }
        let names: Vec<&str> = cases.iter().map(|it| it.case.as_str()).collect();
        some(&names, CASES, INDENT, out)?;
    }
    let more = groups.iter().skip(GROUPS);
    let more: Vec<&str> = more
        .flat_map(|(_, cases)| cases.iter().map(|it| it.case.as_str()))
        .collect();
    if !more.is_empty() {
        writeln!(out, "      {} other failures", more.len())?;
        some(&more, CASES, INDENT, out)?;
    }
    Ok(())
}

/// Describes a group whose cases have only the outcome in common: prints what one of the cases
/// tests, and what the reader answered. The case with the shortest description is used.
fn write_last_words(cases: &[&CaseResult], out: &mut dyn Write) -> Result<(), CommandError> {
    let details = cases.iter().filter_map(|found| found.detail.as_ref());
    let Some(detail) = details.min_by_key(|detail| detail.why.len()) else {
        return Ok(());
    };
    if !detail.why.is_empty() {
        writeln!(
            out,
            "        one of them tests: {}",
            one_line(&folded(&detail.why))
        )?;
    }
    writeln!(
        out,
        "        actual: {}",
        visible(&shortened(&detail.actual, SAID))
    )?;
    Ok(())
}

fn difference(found: &CaseResult) -> Option<&Difference> {
    let detail = found.detail.as_ref()?;
    let difference = detail.difference.as_ref()?;
    (found.outcome == Outcome::WrongRecords).then_some(difference)
}

/// Returns the actual and the expected value of a difference.
fn pair(difference: &Difference) -> (&str, &str) {
    (&difference.actual, &difference.expected)
}

/// Returns pairs of wrong and expected values that occur in several members and in most failures.
/// Such a pair indicates one mistake that affects several members.
fn exchanged<'r>(failing: &[&'r CaseResult]) -> BTreeSet<(&'r str, &'r str)> {
    let mut members: BTreeMap<(&str, &str), (usize, BTreeSet<String>)> = BTreeMap::new();
    for difference in failing.iter().filter_map(|found| difference(found)) {
        if !difference.path.is_empty() {
            let (count, paths) = members.entry(pair(difference)).or_default();
            *count += 1;
            paths.insert(anywhere(&difference.path));
        }
    }
    let most = members.into_iter();
    let most = most.filter(|(_, (count, paths))| paths.len() > 1 && 2 * count > failing.len());
    most.map(|(pair, _)| pair).collect()
}

fn alike(found: &CaseResult) -> (Alike, String) {
    match (difference(found), found.outcome, found.rule()) {
        (Some(it), ..) if it.path.is_empty() => (Alike::Record, it.actual.clone()),
        (Some(it), ..) => (Alike::Member, format!("`{}`", anywhere(&it.path))),
        (None, Outcome::WrongAccept, Some(rule)) => (Alike::Rule, rule.to_owned()),
        (None, outcome, _) => (Alike::Outcome, outcome.to_string()),
    }
}

fn told(alike: Alike, name: &str, cases: &[&CaseResult]) -> String {
    let count = cases.len();
    let differ = |one: &str, many: &str| {
        if count == 1 {
            one.to_owned()
        } else {
            many.to_owned()
        }
    };
    match alike {
        Alike::Values => format!(
            "{count} {} {name}, in {}",
            differ("reports", "report"),
            members(cases)
        ),
        Alike::Member => format!(
            "{count} {} first in {}, {}",
            differ("differs", "differ"),
            one_line(&folded(name)),
            values(cases)
        ),
        Alike::Record => match cases.first().and_then(|found| difference(found)) {
            Some(it) if it.owed.is_some() => {
                format!(
                    "{count} {} before an expected record",
                    differ("ends", "end")
                )
            }
            _ => format!("{count} with an unexpected record"),
        },
        Alike::Rule => format!(
            "{count} {} a trace that breaks {}",
            differ("accepts", "accept"),
            one_line(name)
        ),
        Alike::Outcome => format!("{count}: {name}"),
    }
}

fn values_told(came: &str, expected: &str) -> String {
    let plain = |text: &str| visible(&shortened(text, VALUE)).into_owned();
    format!("{}, expected {}", plain(came), plain(expected))
}

/// Returns the paths of the first few members that differ.
fn members(cases: &[&CaseResult]) -> String {
    let paths = cases.iter().filter_map(|found| difference(found));
    let paths: BTreeSet<String> = paths.map(|it| anywhere(&it.path)).collect();
    let paths: Vec<String> = paths
        .iter()
        .map(|path| format!("`{}`", one_line(&folded(path))))
        .collect();
    first_of(&paths, CASES)
}

/// Describes the actual and the expected values: the pair that all of `cases` share or, if there is
/// none, the shortest pair as an example.
fn values(cases: &[&CaseResult]) -> String {
    let pairs = cases.iter().filter_map(|found| difference(found));
    let mut pairs: Vec<(&str, &str)> = pairs.map(pair).collect();
    pairs.sort_unstable_by_key(|(came, expected)| (came.len() + expected.len(), *came, *expected));
    let Some((came, expected)) = pairs.first() else {
        return String::new();
    };
    let plainest = values_told(came, expected);
    pairs.dedup();
    let hints = cases
        .iter()
        .map(|found| found.detail.as_ref()?.hint.as_deref());
    let hints: BTreeSet<Option<&str>> = hints.collect();
    let hint = hints.first().copied().flatten();
    match (pairs.len(), hint.filter(|_| hints.len() == 1)) {
        (1, _) if cases.len() > 1 => format!("always {plainest}"),
        (1, None) => plainest,
        (1, Some(hint)) => format!("{plainest}; {hint}"),
        (_, None) => format!("for example {plainest}"),
        (_, Some(hint)) => format!("for example {plainest}; {hint}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_repeats_a_step_stays_short() {
        let why = format!(
            "The trace ends in `records[0].{}kind`.",
            "inner[0].".repeat(4000)
        );
        let found: CaseResult = serde_json::from_value(serde_json::json!({
            "case": "toy/1", "version": 1, "format": "toy", "rules": [], "expected": "accept",
            "outcome": "crash", "detail": {"why": why, "expected": "accept", "actual": "crash"},
        }))
        .unwrap();
        let mut out = Vec::new();
        write_last_words(&[&found], &mut out).unwrap();
        let told = String::from_utf8(out).unwrap();
        let wanted = "one of them tests: The trace ends in `records[0].inner[0]×4000.kind`.\n";
        assert!(told.contains(wanted), "{told}");
    }
}
