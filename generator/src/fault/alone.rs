//! Prefers faults that are alone: a reader that does not enforce the violated rule accepts the trace.
//!
//! Most rules have such a fault, but the first trace found for it may have another fault as a
//! consequence: a number that is too large is a size that extends past the end of the part, and a
//! row that is missing is referred to again. A reader that lacks a check rejects such a trace because
//! of the other fault, so the case says nothing about the check.
//!
//! A reader may ignore a rule altogether, or lack one of several checks of the rule.

use std::collections::{BTreeMap, HashSet};

use tracegauge_decoder::{Judgement, judge};
use tracegauge_plan::mutate::{mutants, rules_off};
use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{OpId, Plan};

use super::apply::{Malformed, apply, consistent};
use super::confirm::confirm;
use super::dialect::OtherFormats;
use super::mend::Mender;
use super::operator::Site;
use super::systematic::{Systematic, TestedCheck, mended};
use super::twin::Twin;

/// The maximum number of nodes tried in a twin for a site.
const MOST_PLACES: usize = 8;

/// The limit on the number of bytes tried for a site, where each node tried counts as many bytes as
/// its twin has.
const MOST_BYTES: usize = 1 << 16;

/// The maximum number of sites tried for a check.
const MOST_SITES: usize = 8;

/// For each rule and each operator that violates it, and for each check of a rule: if all cases have
/// further faults, replaces one of them by a case with this fault alone, if one can be found.
pub(super) fn prefer_alone(
    plan: &Plan,
    twins: &[&[(usize, Twin<'_>)]],
    (others, mender): (&OtherFormats, &Mender<'_>),
    done: &mut Systematic,
) {
    let mut search = Search {
        plan,
        twins,
        others,
        mender,
        known: done
            .cases
            .iter()
            .map(|(_, case)| case.bytes.clone())
            .collect(),
    };
    search.without_rules(done);
    search.without_checks(done);
}

struct Search<'s> {
    plan: &'s Plan,
    twins: &'s [&'s [(usize, Twin<'s>)]],
    others: &'s OtherFormats,
    mender: &'s Mender<'s>,
    /// The bytes of all cases.
    known: HashSet<Vec<u8>>,
}

impl Search<'_> {
    /// Looks for faults that readers without any check of a rule accept.
    fn without_rules(&mut self, done: &mut Systematic) {
        let mut cases: BTreeMap<RuleId, BTreeMap<&str, Vec<usize>>> = BTreeMap::new();
        for (number, (_, case)) in done.cases.iter().enumerate() {
            if let Some(rule) = rejecting(case) {
                let by_operator = cases.entry(rule).or_default();
                by_operator.entry(case.operator).or_default().push(number);
            }
        }
        for (rule, mutant) in rules_off(self.plan) {
            let Some(by_operator) = cases.get(&rule) else {
                continue;
            };
            let lenient = mutant.of(self.plan);
            for (operator, cases) in by_operator {
                let name = format!("{}/{operator}", mutant.name());
                self.improve((name, &lenient), cases, done);
            }
        }
    }

    /// Looks for faults that readers without one check of a rule accept.
    fn without_checks(&mut self, done: &mut Systematic) {
        let mut cases: BTreeMap<(RuleId, OpId), Vec<usize>> = BTreeMap::new();
        for (number, (_, case)) in done.cases.iter().enumerate() {
            let verdict = judge(self.plan, &case.bytes);
            if let (Some(rule), Some(violation)) = (rejecting(case), verdict.violation()) {
                cases.entry((rule, violation.op)).or_default().push(number);
            }
        }
        for mutant in mutants(self.plan) {
            let Some(rule) = mutant.place().rule.filter(|_| mutant.is_lenient()) else {
                continue;
            };
            let touched = mutant.touches().iter();
            let touched = touched.filter_map(|op| cases.get(&(rule, *op))).flatten();
            let touched: Vec<usize> = touched.copied().collect();
            if !touched.is_empty() {
                let check = (mutant.name().to_owned(), &mutant.of(self.plan));
                self.improve(check, &touched, done);
            }
        }
    }

    /// If a reader without the check accepts none of the cases, replaces one of them by a case that
    /// it accepts.
    fn improve(&mut self, check: (String, &Plan), cases: &[usize], done: &mut Systematic) {
        let (name, lenient) = check;
        let is_alone =
            |case: &Malformed| judge(lenient, &case.bytes).judgement == Judgement::Accepted;
        let known = cases.iter().copied();
        let mut known = known.filter(|number| is_alone(&done.cases[*number].1));
        let sites = cases.iter().take(MOST_SITES);
        let sites = sites.map(|number| done.cases[*number].1.site.clone());
        let sites: Vec<Site> = sites.collect();
        let alone = known.next().or_else(|| {
            let (number, found) = cases.iter().zip(&sites).find_map(|(number, site)| {
                let found = self.case_alone(site, &is_alone)?;
                (!self.known.contains(&found.1.bytes)).then_some((*number, found))
            })?;
            self.known.insert(found.1.bytes.clone());
            done.cases[number] = found;
            Some(number)
        });
        done.checks.push(TestedCheck { name, alone, sites });
    }

    /// Returns a case for `site` that satisfies `is_alone`, with the index of its twin.
    fn case_alone(
        &self,
        site: &Site,
        is_alone: &dyn Fn(&Malformed) -> bool,
    ) -> Option<(usize, Malformed)> {
        let mut looked = 0;
        for (index, twin) in self.twins.iter().copied().flatten() {
            for node in twin.nodes_of(site.op).iter().rev().take(MOST_PLACES) {
                looked += twin.bytes.len();
                if looked >= MOST_BYTES {
                    return None;
                }
                let cases = [consistent(twin, site, *node), apply(twin, site, *node).ok()];
                let cases = cases.into_iter().flatten();
                let mut cases = cases.map(|case| mended(self.plan, self.mender, case));
                let found = cases.find(|case| {
                    !self.others.claim(&case.bytes)
                        && confirm(self.plan, case).is_ok()
                        && is_alone(case)
                });
                if let Some(case) = found {
                    return Some((*index, case));
                }
            }
        }
        None
    }
}

/// Returns the rule because of which all readers must reject the trace.
fn rejecting(case: &Malformed) -> Option<RuleId> {
    let rule = case.expected.first()?.rule?;
    (case.duty == ReaderDuty::Reject).then_some(rule)
}
