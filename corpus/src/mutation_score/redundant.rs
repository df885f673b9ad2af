//! Finds redundant cases.

use std::collections::{HashMap, HashSet};

use tracegauge_plan::Plan;
use tracegauge_plan::mutate::mutants;

use super::measure::Bench;
use super::prepared::Prepared;
use super::{Killer, Oracle, rules};
use crate::case::{Case, CaseId, ExpectedVerdict};
use crate::parallel;
use crate::score::{Exclusions, Meter, Obligation, feasible};

/// Returns the redundant cases among `candidates`. All returned cases can be removed at once: the
/// remaining accepted cases still meet the same obligations, and all remaining cases together still
/// detect the same mutants, including readers that ignore a rule.
///
/// A case that is the twin of another case is never redundant. If either of two cases can be
/// removed, but not both, the larger case is redundant.
pub fn redundant(
    plan: &Plan,
    cases: &[&Case],
    candidates: &HashSet<CaseId>,
    oracle: &dyn Oracle,
    exclusions: &Exclusions,
) -> Vec<CaseId> {
    let gone = meets_nothing_alone(plan, cases, candidates);
    if gone.is_empty() {
        return Vec::new();
    }
    let needed = super::deep(|| needed_to_kill(plan, cases, &gone, oracle, exclusions));
    let mut redundant: Vec<CaseId> = gone
        .into_iter()
        .filter(|id| !needed.contains(*id))
        .map(str::to_owned)
        .collect();
    redundant.sort_unstable();
    redundant
}

/// Returns the candidates that can be removed without losing coverage: every obligation is still
/// met by a remaining accepted case.
fn meets_nothing_alone<'c>(
    plan: &Plan,
    cases: &[&'c Case],
    candidates: &HashSet<CaseId>,
) -> HashSet<&'c str> {
    let wanted: HashSet<Obligation> = feasible(plan).obligations.into_iter().collect();
    let meter = Meter::new(plan);
    let met: Vec<(&'c Case, Vec<Obligation>)> = parallel::filter_map(cases, |case| {
        if case.expected.verdict != ExpectedVerdict::Accept {
            return None;
        }
        let met = meter.measure(&case.bytes).into_iter();
        let met = met.filter(|obligation| wanted.contains(obligation));
        Some((*case, met.collect()))
    });
    let mut times: HashMap<Obligation, usize> = HashMap::new();
    for obligation in met.iter().flat_map(|(_, obligations)| obligations) {
        *times.entry(*obligation).or_default() += 1;
    }
    let twins: HashSet<&str> = cases
        .iter()
        .filter_map(|case| case.twin.as_deref())
        .collect();
    let mut spare: Vec<&(&Case, Vec<Obligation>)> = met
        .iter()
        .filter(|(case, _)| candidates.contains(&case.id) && !twins.contains(case.id.as_str()))
        .collect();
    spare.sort_by_key(|(case, _)| (std::cmp::Reverse(case.bytes.len()), &case.id));
    let mut gone = HashSet::new();
    for (case, obligations) in spare {
        let alone = |obligation: &Obligation| times.get(obligation) == Some(&1);
        if obligations.iter().any(alone) {
            continue;
        }
        for obligation in obligations {
            if let Some(times) = times.get_mut(obligation) {
                *times -= 1;
            }
        }
        gone.insert(case.id.as_str());
    }
    gone
}

/// Returns the cases among `gone` that cannot be removed after all. Without these cases, a mutant
/// or a reader that ignores a rule would not be detected, or a mutant would be detected only by a
/// less accurate answer, not by a failed case.
fn needed_to_kill<'c>(
    plan: &Plan,
    cases: &[&'c Case],
    gone: &HashSet<&'c str>,
    oracle: &dyn Oracle,
    exclusions: &Exclusions,
) -> HashSet<String> {
    let mut bare = plan.clone();
    bare.forget_programs();
    let prepared = parallel::map(cases, |case| Prepared::new(plan, case));
    let (mut going, mut staying): (Vec<_>, Vec<_>) = prepared
        .into_iter()
        .partition(|one| gone.contains(one.case.id.as_str()));
    // Small cases are the fastest to read, so try them first.
    for list in [&mut going, &mut staying] {
        list.sort_by_key(|one| (one.case.bytes.len(), &one.case.id));
    }
    let bench = |cases| Bench {
        plan: &bare,
        cases,
        oracle,
    };
    let (going, staying) = (bench(&going), bench(&staying));
    let fails = |killer: &Option<Killer>| killer.as_ref().is_some_and(|one| one.wrong.fails());
    let of_mutants: Vec<String> = parallel::filter_map(&mutants(plan), |mutant| {
        let stays = staying.killer(mutant, false);
        if fails(&stays) {
            return None;
        }
        let goes = going.killer(mutant, false)?;
        (stays.is_none() || goes.wrong.fails()).then_some(goes.case)
    });
    let killed_by_rest = rules::kills(&staying, exclusions);
    let lost: HashSet<&str> = killed_by_rest
        .iter()
        .filter(|rule| rule.killer.is_none())
        .map(|rule| rule.rule.as_str())
        .collect();
    let of_rules = rules::kills(&going, exclusions)
        .into_iter()
        .filter(|rule| lost.contains(rule.rule.as_str()))
        .filter_map(|rule| Some(rule.killer?.case));
    of_mutants.into_iter().chain(of_rules).collect()
}
