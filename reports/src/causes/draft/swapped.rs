//! Recognizes members that a reader swaps: each has the value of the other.

use std::collections::{BTreeMap, BTreeSet};

use tracegauge_results::{AlignedDifference, CaseResult, Difference, Symptom};

use super::{Draft, Drafts};
use crate::causes::sighting::differences;
use crate::causes::symptom::member;

/// The names of two members of the same part of a record, in alphabetical order. Nested structures have
/// the same members at several depths.
pub(super) type Pair = (String, String);

/// The number of failures from which two members count as swapped.
const SEVERAL: usize = 2;

/// The members are swapped if at most one in this many failures that concern them contradicts it.
const NEARLY_ALL: usize = 5;

impl Drafts<'_, '_> {
    /// Joins the causes of wrong members that are swapped. The members may look wrong for many
    /// reasons, such as an absent value in place of a present one.
    pub(super) fn join_swapped(&mut self) {
        let mut found: BTreeMap<Pair, usize> = BTreeMap::new();
        let cases = || self.list.iter().flat_map(Draft::cases);
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for case in cases() {
            if known.insert(&case.case) {
                for pair in pairs(case) {
                    *found.entry(pair).or_default() += 1;
                }
            }
        }
        let is_swapped = |pair: &Pair, count: usize| {
            let concerned = cases().filter(|case| concerns(case, pair));
            let concerned: BTreeSet<&str> = concerned.map(|case| &*case.case).collect();
            let others = concerned.len().saturating_sub(count);
            count >= SEVERAL && NEARLY_ALL * others <= concerned.len()
        };
        let swapped = found
            .into_iter()
            .filter(|(pair, count)| is_swapped(pair, *count));
        let swapped: Vec<Pair> = swapped.map(|(pair, _)| pair).collect();
        for pair in swapped {
            let (mut mine, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.list)
                .into_iter()
                .partition(|draft| draft.is_about(&pair));
            self.list = others;
            if mine.is_empty() {
                continue;
            }
            let mut first = mine.remove(0);
            for draft in mine {
                first.absorb_sign(draft);
            }
            let (one, other) = pair;
            first.told = Some(format!(
                "`{one}` and `{other}` are swapped: each has the value of the other"
            ));
            self.list.push(first);
        }
    }
}

impl Draft<'_> {
    /// Returns whether the cause is about one of two members, and most of its cases swap them.
    fn is_about(&self, pair: &Pair) -> bool {
        let symptoms = [&self.symptom].into_iter().chain(&self.also);
        let mut members = symptoms.filter_map(|symptom| match symptom {
            Symptom::Records { fault, member } if fault.is_about_member() => Some(member),
            _ => None,
        });
        let swapping = self.cases().filter(|case| pairs(case).contains(pair));
        self.told.is_none()
            && members.any(|member| is_one_of(pair, member))
            && 2 * swapping.count() > self.size()
    }
}

/// Returns the wrong members of a case.
fn wrong_members(case: &CaseResult) -> impl Iterator<Item = &Difference> {
    let all = differences(case).map_or(&[][..], |all| &all.list);
    let about_members = all.iter().filter(|it| it.fault.is_about_member());
    about_members.map(|AlignedDifference { difference, .. }| difference)
}

/// Returns whether a case shows a wrong value of one of two members.
fn concerns(case: &CaseResult, pair: &Pair) -> bool {
    let mut members = wrong_members(case).map(member);
    members.any(|member| is_one_of(pair, &member))
}

fn is_one_of((one, other): &Pair, member: &str) -> bool {
    let name = last(member);
    name == one || name == other
}

/// Returns the name of a member without the path to it.
fn last(member: &str) -> &str {
    member.rsplit('.').next().unwrap_or(member)
}

/// Returns the members that have each other's values in a record of the case.
fn pairs(case: &CaseResult) -> Vec<Pair> {
    let around = |path: &str| path.rsplit_once('.').map(|(around, _)| around.to_owned());
    let mut found = Vec::new();
    let all: Vec<&Difference> = wrong_members(case).collect();
    for (at, one) in all.iter().enumerate() {
        for other in &all[at + 1..] {
            let is_together =
                one.record == other.record && around(&one.path) == around(&other.path);
            let is_same =
                |value: &str, other: &str| value == other || is_nothing(value) && is_nothing(other);
            let is_swapped =
                is_same(&one.expected, &other.actual) && is_same(&one.actual, &other.expected);
            let (first, second) = (member(one), member(other));
            let (first, second) = (last(&first), last(&second));
            if is_together && is_swapped && first != second {
                let pair = (first.min(second).to_owned(), first.max(second).to_owned());
                if !found.contains(&pair) {
                    found.push(pair);
                }
            }
        }
    }
    found
}

/// Returns whether a difference shows null or a missing member.
fn is_nothing(value: &str) -> bool {
    matches!(value, "null" | "no such member")
}
