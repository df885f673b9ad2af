//! Prefers faults that are alone: a reader that does not enforce the violated rule accepts the trace.
//!
//! Most rules have such a fault, but the first trace found for it may have another fault as a
//! consequence: a number that is too large is a size that extends past the end of the part, and a
//! row that is missing is referred to again. A reader that lacks a check rejects such a trace because
//! of the other fault, so the case says nothing about the check.

use std::collections::{BTreeMap, HashSet};

use tracegauge_decoder::{Judgement, judge};
use tracegauge_plan::Plan;
use tracegauge_plan::mutate::rules_off;
use tracegauge_plan::terms::{ReaderDuty, RuleId};

use super::apply::{Malformed, apply, consistent};
use super::confirm::confirm;
use super::dialect::OtherFormats;
use super::mend::Mender;
use super::operator::Site;
use super::systematic::{Systematic, mended};
use super::twin::Twin;

/// The maximum number of nodes tried in a twin for a site.
const MOST_PLACES: usize = 8;

/// The limit on the number of bytes tried for a site, where each node tried counts as many bytes as
/// its twin has.
const MOST_BYTES: usize = 1 << 16;

/// For each rule and each operator that violates it: if all cases have further faults, replaces one
/// of them by a case with this fault alone, if one can be found.
pub(super) fn prefer_alone(
    plan: &Plan,
    twins: &[&[(usize, Twin<'_>)]],
    (others, mender): (&OtherFormats, &Mender<'_>),
    done: &mut Systematic,
) {
    let mut cases: BTreeMap<RuleId, BTreeMap<&str, Vec<usize>>> = BTreeMap::new();
    for (number, (_, case)) in done.cases.iter().enumerate() {
        let rule = case.expected.first().and_then(|expected| expected.rule);
        if let Some(rule) = rule.filter(|_| case.duty == ReaderDuty::Reject) {
            let by_operator = cases.entry(rule).or_default();
            by_operator.entry(case.operator).or_default().push(number);
        }
    }
    let bytes = done.cases.iter().map(|(_, case)| case.bytes.clone());
    let mut known: HashSet<Vec<u8>> = bytes.collect();
    for (rule, mutant) in rules_off(plan) {
        let Some(by_operator) = cases.get(&rule) else {
            continue;
        };
        let lenient = mutant.of(plan);
        let is_alone =
            |case: &Malformed| judge(&lenient, &case.bytes).judgement == Judgement::Accepted;
        for cases in by_operator.values() {
            if cases.iter().any(|case| is_alone(&done.cases[*case].1)) {
                continue;
            }
            let found = cases.iter().find_map(|number| {
                let site = &done.cases[*number].1.site;
                let found = case_alone(plan, twins, (others, mender), site, &is_alone)?;
                (!known.contains(&found.1.bytes)).then_some((*number, found))
            });
            if let Some((number, found)) = found {
                known.insert(found.1.bytes.clone());
                done.cases[number] = found;
            }
        }
    }
}

/// Returns a case for `site` that satisfies `is_alone`, with the index of its twin.
fn case_alone(
    plan: &Plan,
    twins: &[&[(usize, Twin<'_>)]],
    (others, mender): (&OtherFormats, &Mender<'_>),
    site: &Site,
    is_alone: &dyn Fn(&Malformed) -> bool,
) -> Option<(usize, Malformed)> {
    let mut looked = 0;
    for (index, twin) in twins.iter().copied().flatten() {
        for node in twin.nodes_of(site.op).iter().rev().take(MOST_PLACES) {
            looked += twin.bytes.len();
            if looked >= MOST_BYTES {
                return None;
            }
            let cases = [consistent(twin, site, *node), apply(twin, site, *node).ok()];
            let cases = cases.into_iter().flatten();
            let mut cases = cases.map(|case| mended(plan, mender, case));
            let found = cases.find(|case| {
                !others.claim(&case.bytes) && confirm(plan, case).is_ok() && is_alone(case)
            });
            if let Some(case) = found {
                return Some((*index, case));
            }
        }
    }
    None
}
