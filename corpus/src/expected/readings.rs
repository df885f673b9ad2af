//! Decodes a trace in the alternative ways that the description allows, in addition to the
//! decoder's default reading.

use tracegauge_decoder::{Verdict, judge};
use tracegauge_plan::Plan;
use tracegauge_plan::terms::{Continuation, RuleId};

use super::{Read, read};
use crate::case::{Expected, ExpectedVerdict};

/// If a trace triggers several rules that offer alternatives, the alternatives of at most this many
/// rules are combined. All further rules use their default alternative.
const COMBINED: usize = 4;

/// Decodes `bytes` with every combination of alternatives. A reader chooses one alternative for
/// each rule and uses it for the whole trace.
pub(super) fn others(plan: &Plan, verdict: &Verdict, bytes: &[u8]) -> Vec<Read> {
    let others = plans(plan, verdict);
    others.iter().map(|other| read(other, bytes)).collect()
}

/// Returns the plan of an alternative reading that does not reject `bytes`, together with its
/// verdict. `verdict` is the verdict of the default reading.
pub fn accepting(plan: &Plan, verdict: &Verdict, bytes: &[u8]) -> Option<(Plan, Verdict)> {
    let judged = plans(plan, verdict).into_iter().map(|other| {
        let verdict = judge(&other, bytes);
        (other, verdict)
    });
    let mut accepting = judged.filter(|(_, verdict)| verdict.violation().is_none());
    accepting.next()
}

/// Returns the plans of all alternative readings of a trace.
fn plans(plan: &Plan, verdict: &Verdict) -> Vec<Plan> {
    let shown = verdict.shown.iter().map(|shown| shown.rule);
    let several = shown.filter(|rule| !plan.rules[*rule].alternatives().is_empty());
    let mut ways: Vec<Vec<(RuleId, Continuation)>> = vec![Vec::new()];
    for rule in several.take(COMBINED) {
        let alternatives = plan.rules[rule].alternatives();
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
    others.map(|way| plan_of(plan, way)).collect()
}

fn plan_of(plan: &Plan, way: &[(RuleId, Continuation)]) -> Plan {
    let mut other = None;
    for (rule, how) in way {
        other = Some(other.as_ref().unwrap_or(plan).reading(*rule, *how));
    }
    other.unwrap_or_else(|| plan.clone())
}

/// Merges the expectations of all readings. A reader may answer according to any of the readings.
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
