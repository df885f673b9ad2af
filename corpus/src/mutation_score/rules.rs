//! Checks, for every rule, that some case detects a reader that ignores the rule.

use serde::Serialize;
use tracegauge_plan::mutate::rules_off;
use tracegauge_plan::terms::{ReaderDuty, RuleId};

use super::Killer;
use super::Wrong;
use super::measure::Bench;
use crate::case::ExpectedVerdict;
use crate::parallel;
use crate::score::{Exclusions, Names, Obligation, feasible};

/// The result of ignoring one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleKill {
    /// The rule.
    pub rule: String,
    /// The first case found that detects a reader that ignores the rule or, if readers must accept
    /// traces that trigger the rule, a reader that rejects such traces.
    pub killer: Option<Killer>,
}

/// Returns the rules that a file can violate or trigger, each with a case that detects a reader
/// that ignores it. Rules that let readers choose the verdict are omitted.
pub(super) fn kills(bench: &Bench<'_>, exclusions: &Exclusions) -> Vec<RuleKill> {
    let names = Names::new(bench.plan);
    let mut wanted: Vec<RuleId> = feasible(bench.plan)
        .obligations
        .into_iter()
        .filter(|obligation| exclusions.reason(&names.obligation(*obligation)).is_none())
        .filter_map(|obligation| match obligation {
            Obligation::Broken(rule) | Obligation::Shown(rule) => Some(rule),
            _ => None,
        })
        .collect();
    wanted.sort_unstable();
    wanted.dedup();
    let off = rules_off(bench.plan);
    let kill = |number: &RuleId| {
        let rule = &bench.plan.rules[*number];
        let off = off.iter().find(|(of, _)| of == number);
        let killer = match (rule.duty, off) {
            (ReaderDuty::Either, _) => return None,
            (_, Some((_, mutant))) => bench.killer(mutant, true),
            (ReaderDuty::Accept, None) => shown(bench, *number),
            (ReaderDuty::Reject | ReaderDuty::None, None) => return None,
        };
        Some(RuleKill {
            rule: rule.id.clone(),
            killer,
        })
    };
    parallel::filter_map(&wanted, kill)
}

/// Returns a case whose trace triggers the rule and must nevertheless be accepted. Such a case
/// detects a reader that wrongly rejects traces because of the rule.
fn shown(bench: &Bench<'_>, rule: RuleId) -> Option<Killer> {
    let accepted = |verdict| verdict == ExpectedVerdict::Accept;
    let mut cases = bench.cases.iter();
    let found = cases.find(|one| accepted(one.case.expected.verdict) && one.shown.contains(&rule));
    found.map(|one| Killer {
        case: one.case.id.clone(),
        wrong: Wrong::Verdict,
    })
}
