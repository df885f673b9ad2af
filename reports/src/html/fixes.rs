//! Decides which mistakes to fix first. Similar failures usually have the same cause, and the cause
//! with the most failures comes first.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;
use tracegauge_results::text::anywhere;
use tracegauge_results::{CaseResult, Outcome, ReaderResult};

use super::data::{Text, outcome_letter};
use super::texts::Texts;

/// The maximum number of groups to list, separately for wrong answers and for outcomes without a
/// valid answer.
const NAMED: usize = 8;

/// The mistakes to fix first in one reader.
#[derive(Serialize, Default)]
pub(super) struct Fixes {
    /// Crashes, hangs and other outcomes without a valid answer.
    breakdowns: Vec<Fix>,
    /// Wrong answers.
    answers: Vec<Fix>,
    /// The number of groups that are not listed.
    more: usize,
}

/// A group of similar failures.
#[derive(Serialize)]
struct Fix {
    /// The letter of the outcome.
    outcome: char,
    /// The number of cases in the group.
    cases: usize,
    /// The index of the first case.
    first: usize,
    /// The index of the rule, in the first dialect that defines it. Crashes, hangs and similar
    /// outcomes have no rule, because they can occur under many rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<usize>,
    /// A second common property: the member that differs, or how the reader crashed or otherwise
    /// failed to answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<Text>,
}

/// The key for grouping failures: the outcome, the format and id of the rule, and the second common
/// property.
type Kind = (Outcome, Option<(String, String)>, String);

/// The failures of a group.
struct Alike {
    cases: usize,
    first: usize,
    rule: Option<usize>,
    outcome: char,
}

impl Fixes {
    /// Groups the failures of `reader`. `place` returns the index of a case and the index of the
    /// rule that the case is listed under. A rule that several dialects of a format share counts as
    /// one rule.
    pub(super) fn of(
        reader: &ReaderResult,
        place: impl Fn(&CaseResult) -> Option<(usize, usize)>,
        texts: &mut Texts,
    ) -> Self {
        let mut kinds: BTreeMap<Kind, Alike> = BTreeMap::new();
        for case in reader.cases.iter().filter(|case| case.fails_the_run()) {
            let Some((first, rule)) = place(case) else {
                continue;
            };
            let rule = (!case.outcome.is_breakdown()).then_some(rule);
            let named = rule.map(|_| {
                let dialect = case.format.split_once('@');
                let format = dialect.map_or(&*case.format, |(format, _)| format);
                (
                    format.to_owned(),
                    case.rule().unwrap_or_default().to_owned(),
                )
            });
            let alike = kinds.entry((case.outcome, named, what(case)));
            let alike = alike.or_insert(Alike {
                cases: 0,
                first,
                rule,
                outcome: outcome_letter(case),
            });
            alike.cases += 1;
            if first < alike.first {
                (alike.first, alike.rule) = (first, rule);
            }
        }
        let mut sorted: Vec<_> = kinds.into_iter().collect();
        sorted.sort_by_key(|(_, alike)| (Reverse(alike.cases), alike.first));
        let mut fixes = Self::default();
        for ((outcome, _, what), alike) in sorted {
            let list = if outcome.is_breakdown() {
                &mut fixes.breakdowns
            } else {
                &mut fixes.answers
            };
            if list.len() == NAMED {
                fixes.more += 1;
                continue;
            }
            list.push(Fix {
                outcome: alike.outcome,
                cases: alike.cases,
                first: alike.first,
                rule: alike.rule,
                what: (!what.is_empty()).then(|| texts.add(&what)),
            });
        }
        fixes
    }
}

/// Returns the property, besides the rule, that failures with the same cause share.
fn what(case: &CaseResult) -> String {
    let Some(detail) = case.detail.as_deref() else {
        return String::new();
    };
    match &detail.difference {
        _ if case.outcome.is_breakdown() => detail.actual.clone(),
        Some(difference) => anywhere(&difference.path),
        None => String::new(),
    }
}
