//! Tests for rules that allow several interpretations of the bytes or several forms of a value:
//! each of them must pass, and nothing else may pass.

use std::collections::{BTreeMap, BTreeSet};

use tracegauge_corpus::case::{Case, Source};
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::vector;
use tracegauge_plan::terms::Continuation;
use tracegauge_plan::{Plan, RulePlan};

use super::*;

/// Returns the vectors about rules that allow several interpretations.
fn vectors_about(plan: &Plan) -> impl Iterator<Item = (String, Case)> {
    let vectors = vector::load(&Store::Embedded, Source::Vector, &plan.format).expect("vectors");
    let several = plan.rules.iter();
    let several = several.filter(|rule| !rule.alternatives().is_empty());
    let several: BTreeSet<String> = several.map(|rule| rule.id.clone()).collect();
    let (cases, disagreements) = vector::check(plan, &vectors);
    assert!(disagreements.is_empty(), "{}", disagreements[0]);
    cases.into_iter().filter_map(move |case| {
        let mut rules = case.provenance.rules.iter();
        let rule = rules.find(|rule| several.contains(*rule))?.clone();
        (case.expected.verdict != ExpectedVerdict::Reject).then_some((rule, case))
    })
}

fn lines(records: &[Record]) -> Vec<Json> {
    let lines = records.iter().map(ToString::to_string);
    lines
        .map(|line| serde_json::from_str(&line).expect("records are JSON"))
        .collect()
}

/// Replaces the first value in which two answers differ with a third value. Returns `false` if they
/// do not differ.
fn spoil(one: &mut Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Array(some), Json::Array(others)) if some.len() == others.len() => {
            let mut pairs = some.iter_mut().zip(others);
            pairs.any(|(one, other)| spoil(one, other))
        }
        (Json::Object(some), Json::Object(others)) if some.keys().eq(others.keys()) => {
            let mut pairs = some.iter_mut().zip(others.values());
            pairs.any(|((_, one), other)| spoil(one, other))
        }
        (one, other) if one == other => false,
        (one, _) => {
            *one = json!("neither of them");
            true
        }
    }
}

#[test]
fn each_right_way_passes_and_no_other() {
    let formats = Formats::bundled(&[]).expect("the bundled formats");
    let mut shown: BTreeMap<String, usize> = BTreeMap::new();
    for plan in formats.plans() {
        // Rules about bytes that readers may skip are excluded, because the rest of the trace makes
        // sense in only one interpretation.
        let of_values = |rule: &&RulePlan| {
            let mut others = rule.alternatives().iter();
            others.any(|how| *how != Continuation::Skip)
        };
        for rule in plan.rules.iter().filter(of_values) {
            shown.entry(rule.id.clone()).or_default();
        }
        for (rule, case) in vectors_about(plan) {
            let ways = &case.expected.records;
            for way in ways {
                let seen = seen(&case.expected, &Reporting::default(), &lines(way));
                assert_eq!(seen.whole, None, "{}", case.id);
            }
            let [first, second, ..] = ways.as_slice() else {
                continue;
            };
            let (mut neither, second) = (lines(first), lines(second));
            let mut pairs = neither.iter_mut().zip(&second);
            assert!(pairs.any(|(one, other)| spoil(one, other)), "{}", case.id);
            let seen = seen(&case.expected, &Reporting::default(), &neither);
            assert!(seen.whole.is_some(), "{}", case.id);
            *shown.entry(rule).or_default() += 1;
        }
    }
    let unseen: Vec<_> = shown.iter().filter(|(_, count)| **count == 0).collect();
    assert!(!shown.is_empty() && unseen.is_empty(), "{unseen:?}");
}
