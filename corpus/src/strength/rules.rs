//! Rules that are not judged: each must make a difference.

use rayon::prelude::*;
use serde::Serialize;
use tracegauge_spec::plan::mutate::rules_off;
use tracegauge_spec::schema::ReaderDuty;

use super::Killer;
use super::Wrong;
use super::measure::Bench;
use crate::case::ExpectedVerdict;
use crate::score::{Exclusions, Names, Obligation, feasible};

/// Whether it is seen when a rule is not judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleKill {
    /// The rule.
    pub rule: String,
    /// The first case found that tells a reader apart which does not judge it, or which rejects
    /// what it tolerates.
    pub killer: Option<Killer>,
}

/// The rules that a file can show, with the case that kills each.
pub(super) fn kills(bench: &Bench<'_>, exclusions: &Exclusions) -> Vec<RuleKill> {
    let names = Names::new(bench.plan);
    let mut wanted: Vec<u32> = feasible(bench.plan)
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
    let kill = |number: &u32| {
        let rule = &bench.plan.rules[*number as usize];
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
    wanted.par_iter().filter_map(kill).collect()
}

/// A reader that rejects what a rule tolerates is told apart by any trace that shows the rule
/// and must be accepted.
fn shown(bench: &Bench<'_>, rule: u32) -> Option<Killer> {
    let accepted = |verdict| verdict == ExpectedVerdict::Accept;
    let mut cases = bench.cases.iter();
    let found = cases.find(|one| accepted(one.case.expected.verdict) && one.shown.contains(&rule));
    found.map(|one| Killer {
        case: one.case.id.clone(),
        wrong: Wrong::Verdict,
    })
}
