//! The readings that the description allows besides the decoder's own.

use tracegauge_decoder::Verdict;
use tracegauge_spec::plan::Plan;
use tracegauge_spec::schema::Continuation;

use super::{Read, read};
use crate::case::{Expected, ExpectedVerdict};

/// Rules of one trace whose ways are combined with each other; of further ones the first way is
/// taken.
const COMBINED: usize = 4;

/// What the other readings of `bytes` come to. A reader goes one way with each rule, all through
/// a trace.
pub(super) fn others(plan: &Plan, verdict: &Verdict, bytes: &[u8]) -> Vec<Read> {
    let shown = verdict.shown.iter().map(|shown| shown.rule);
    let several = shown.filter(|rule| !plan.rules[*rule as usize].alternatives().is_empty());
    let mut ways: Vec<Vec<(u32, Continuation)>> = vec![Vec::new()];
    for rule in several.take(COMBINED) {
        let alternatives = plan.rules[rule as usize].alternatives();
        let more: Vec<_> = ways
            .iter()
            .flat_map(|way| {
                alternatives.iter().map(move |how| {
                    let mut way = way.clone();
                    way.push((rule, *how));
                    way
                })
            })
            .collect();
        ways.extend(more);
    }
    let others = ways.iter().filter(|way| !way.is_empty());
    others.map(|way| read_by(plan, way, bytes)).collect()
}

fn read_by(plan: &Plan, way: &[(u32, Continuation)], bytes: &[u8]) -> Read {
    let mut other = None;
    for (rule, how) in way {
        other = Some(other.as_ref().unwrap_or(plan).reading(*rule, *how));
    }
    read(other.as_ref().unwrap_or(plan), bytes)
}

/// The expectation that holds for all readings: a reader may answer by any of them.
pub(super) fn together(mut expected: Expected, others: Vec<Read>) -> Expected {
    for other in others {
        let is_rejected = other.verdict.violation().is_some();
        match (expected.verdict, is_rejected) {
            // Whoever reads it so rejects it.
            (ExpectedVerdict::Accept, true) => {
                expected.verdict = ExpectedVerdict::Either;
                continue;
            }
            (ExpectedVerdict::Either, true) => continue,
            (ExpectedVerdict::Reject, false) => {
                expected.verdict = ExpectedVerdict::Either;
                expected.violation = None;
                expected.due = None;
                expected.records.clear();
                expected.open = false;
            }
            (ExpectedVerdict::Reject, true)
            | (ExpectedVerdict::Accept | ExpectedVerdict::Either, false) => {}
        }
        expected.open |= other.open;
        if !expected.records.contains(&other.records) {
            expected.records.push(other.records);
        }
    }
    expected
}
