//! Alternative readings of a trace that the description allows in addition to the decoder's default
//! reading.

use tracegauge_decoder::Verdict;
use tracegauge_spec::plan::Plan;
use tracegauge_spec::schema::Continuation;

use super::{Read, read};
use crate::case::{Expected, ExpectedVerdict};

/// Maximum number of rules in a trace whose alternatives are combined with each other. For any
/// further rule only the default is used.
const COMBINED: usize = 4;

/// Decodes `bytes` with every combination of alternatives. A reader chooses one alternative for
/// each rule and uses it for the whole trace.
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

/// Merges the expectations of all readings. A reader may answer according to any of them.
pub(super) fn together(mut expected: Expected, others: Vec<Read>) -> Expected {
    for other in others {
        let is_rejected = other.verdict.violation().is_some();
        match (expected.verdict, is_rejected) {
            // A reader that chooses this alternative rejects the trace.
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
