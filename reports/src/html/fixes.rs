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
    /// The place of their rule; of breakdowns none, which have many.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<usize>,
    /// What they have in common besides: the member that differs, or how the reader broke down.
    #[serde(skip_serializing_if = "Option::is_none")]
    what: Option<Text>,
}

/// What tells mistakes apart.
type Kind = (Outcome, Option<usize>, String);

impl Fixes {
    /// What to mend first in `reader`. `place` gives the number of a case and that of the rule under
    /// which it stands.
    pub(super) fn of(
        reader: &ReaderResult,
        place: impl Fn(&CaseResult) -> Option<(usize, usize)>,
        texts: &mut Texts,
    ) -> Self {
        let mut kinds: BTreeMap<Kind, (usize, usize, char)> = BTreeMap::new();
        for case in reader.cases.iter().filter(|case| case.fails_the_run()) {
            let Some((index, rule)) = place(case) else {
                continue;
            };
            let rule = (!case.outcome.is_breakdown()).then_some(rule);
            let new = (0, index, outcome_letter(case));
            let known = kinds.entry((case.outcome, rule, what(case))).or_insert(new);
            known.0 += 1;
            known.1 = known.1.min(index);
        }
        let mut sorted: Vec<_> = kinds.into_iter().collect();
        sorted.sort_by_key(|(_, (cases, first, _))| (Reverse(*cases), *first));
        let mut fixes = Self::default();
        for ((outcome, rule, what), (cases, first, letter)) in sorted {
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
                outcome: letter,
                cases,
                first,
                rule,
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
