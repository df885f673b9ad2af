//! What to mend first: failures that look alike are mostly one mistake, and the mistake that most
//! cases show comes before the others.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;

use super::data::{Text, outcome_letter};
use super::texts::Texts;
use crate::model::{CaseResult, ReaderResult};
use crate::outcome::Outcome;
use crate::text::anywhere;

/// So many are named of those that break the reader down, and as many of the others.
const NAMED: usize = 8;

/// What to mend first in one reader.
#[derive(Serialize, Default)]
pub(super) struct Fixes {
    /// Crashes, hangs and whatever else gave no clean answer.
    breakdowns: Vec<Fix>,
    /// Answers that are wrong.
    answers: Vec<Fix>,
    /// How many more there are than are named.
    more: usize,
}

/// Failures that look alike.
#[derive(Serialize)]
struct Fix {
    /// The letter of their outcome.
    outcome: char,
    /// How many cases show it.
    cases: usize,
    /// The first of them.
    first: usize,
    /// The place of their rule, in the first of the dialects that have it; of breakdowns none, which
    /// have many.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<usize>,
    /// What they have in common besides: the member that differs, or how the reader broke down.
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<Text>,
}

/// What tells mistakes apart: the outcome, format and id of the rule, and what they have in common.
type Kind = (Outcome, Option<(String, String)>, String);

/// The failures of a kind.
struct Alike {
    cases: usize,
    first: usize,
    rule: Option<usize>,
    outcome: char,
}

impl Fixes {
    /// What to mend first in `reader`. `place` gives the number of a case and that of the rule under
    /// which it stands; a rule that dialects of a format share is one.
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

/// What failures have in common that are one mistake, besides their rule.
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
