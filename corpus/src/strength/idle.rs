//! Cases without which nothing would be lost.

use std::collections::{BTreeMap, HashSet};

use rayon::prelude::*;
use tracegauge_spec::plan::Plan;
use tracegauge_spec::plan::mutate::mutants;

use super::Referee;
use super::measure::Bench;
use super::prepared::Prepared;
use crate::case::{Case, ExpectedVerdict, Source};
use crate::score::{Meter, Obligation, feasible};

/// The valid generated cases that are nobody's twin, and neither meet an obligation that no
/// other accepted case meets nor tell a mutant apart that no other case does.
///
/// Each malformed case is an obligation of its own: a rule broken by an operator at a place.
pub fn idle(plan: &Plan, cases: &[&Case], referee: &dyn Referee) -> Vec<String> {
    let prepared: Vec<Prepared<'_>> = cases
        .par_iter()
        .map(|case| Prepared::new(plan, case))
        .collect();
    let mut bare = plan.clone();
    bare.forget_programs();
    let bench = Bench {
        plan: &bare,
        cases: &prepared,
        referee,
    };
    let alone = mutants(plan);
    let alone: HashSet<String> = alone
        .par_iter()
        .filter_map(|mutant| match bench.killers(mutant, 2).as_slice() {
            [only] => Some((*only).to_owned()),
            _ => None,
        })
        .collect();
    let mut needed = alone;
    needed.extend(meets_alone(plan, cases).into_iter().map(str::to_owned));
    let twins: HashSet<&str> = cases
        .iter()
        .filter(|case| case.expected.verdict != ExpectedVerdict::Accept)
        .filter_map(|case| case.twin.as_deref())
        .collect();
    let spare = |case: &&&Case| {
        case.provenance.source == Source::Valid
            && !needed.contains(&case.id)
            && !twins.contains(case.id.as_str())
    };
    cases
        .iter()
        .filter(spare)
        .map(|case| case.id.clone())
        .collect()
}

/// The accepted cases that meet an obligation which no other of them meets.
fn meets_alone<'c>(plan: &Plan, cases: &[&'c Case]) -> HashSet<&'c str> {
    let wanted: HashSet<Obligation> = feasible(plan).obligations.into_iter().collect();
    let meter = Meter::new(plan);
    let accepted = cases.par_iter();
    let met: Vec<(&str, Vec<Obligation>)> = accepted
        .filter(|case| case.expected.verdict == ExpectedVerdict::Accept)
        .map(|case| {
            let met = meter.measure(&case.bytes).into_iter();
            let met = met.filter(|obligation| wanted.contains(obligation));
            (case.id.as_str(), met.collect())
        })
        .collect();
    let mut by: BTreeMap<Obligation, (usize, &str)> = BTreeMap::new();
    for (id, obligations) in met {
        for obligation in obligations {
            let entry = by.entry(obligation).or_insert((0, id));
            entry.0 += 1;
        }
    }
    let alone = by.into_values().filter(|(count, _)| *count == 1);
    alone.map(|(_, id)| id).collect()
}
