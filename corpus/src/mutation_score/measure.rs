//! Runs mutants against cases.

use tracegauge_plan::mutate::{Mutant, mutants};
use tracegauge_plan::{OpId, Plan};

use super::prepared::Prepared;
use super::{Answer, Fate, Killer, MutationScore, Oracle, Reasons, Wrong, rules};
use crate::case::{Case, ExpectedVerdict};
use crate::parallel;
use crate::score::{Exclusions, Names, Obligation};

/// Measures the mutation score of `cases`, which all have the format of `plan`. Each mutant is run
/// only until a case detects it; its answers to all cases are in the outcome matrix. The result
/// does not depend on the number of threads.
pub fn mutation_score(
    plan: &Plan,
    cases: &[&Case],
    oracle: &dyn Oracle,
    reasons: &Reasons,
    exclusions: &Exclusions,
) -> MutationScore {
    super::deep(|| measured(plan, cases, oracle, reasons, exclusions))
}

fn measured(
    plan: &Plan,
    cases: &[&Case],
    oracle: &dyn Oracle,
    reasons: &Reasons,
    exclusions: &Exclusions,
) -> MutationScore {
    let mut prepared = parallel::map(cases, |case| Prepared::new(plan, case));
    // Small cases are the fastest to read, so try them first.
    prepared.sort_by_key(|one| (one.case.bytes.len(), &one.case.id));
    let unsound = prepared
        .iter()
        .filter(|one| oracle.wrong(one.case, &one.truth).is_some());
    let unsound = unsound.map(|one| one.case.id.clone()).collect();
    let mut bare = plan.clone();
    bare.forget_programs();
    let names = Names::new(plan);
    let bench = Bench {
        plan: &bare,
        cases: &prepared,
        oracle,
    };
    let fate = |mutant: &Mutant| Fate {
        mutant: mutant.name().to_owned(),
        described: match mutant.touches().first() {
            Some(op) => names.described(Obligation::Operation(*op)),
            None => String::new(),
        },
        killer: bench.killer(mutant, false),
        equivalent: reasons.equivalent.of(mutant.name()).map(str::to_owned),
        surviving: reasons.surviving.of(mutant.name()).map(str::to_owned),
    };
    MutationScore {
        format: plan.format.clone(),
        cases: cases.len(),
        mutants: parallel::map(&mutants(plan), fate),
        rules: rules::kills(&bench, exclusions),
        accepts_all: oracle.dumb(cases, ExpectedVerdict::Accept),
        rejects_all: oracle.dumb(cases, ExpectedVerdict::Reject),
        unsound,
    }
}

/// The unmodified plan and the cases that mutants are run against.
pub(crate) struct Bench<'b> {
    pub(crate) plan: &'b Plan,
    pub(crate) cases: &'b [Prepared<'b>],
    pub(crate) oracle: &'b dyn Oracle,
}

impl Bench<'_> {
    /// Returns a case that detects a mutant. A case that the mutant fails takes precedence over a
    /// case that the mutant passes with a less accurate answer. If `named` is true, a difference
    /// only in the rule or field reported for a fault also counts.
    pub(super) fn killer(&self, mutant: &Mutant, named: bool) -> Option<Killer> {
        let mutated = mutant.of(self.plan);
        let touches = self.seen(mutant.touches());
        let touched =
            |one: &&Prepared<'_>| touches.is_empty() || touches.iter().any(|op| one.touches(*op));
        let likely = self.cases.iter().filter(|one| one.blames(&touches));
        let others = self.cases.iter().filter(|one| !one.blames(&touches));
        let mut weaker: Option<Killer> = None;
        for one in likely.chain(others.filter(touched)) {
            let Some(wrong) = self.wrong(&mutated, one, named) else {
                continue;
            };
            let killer = Killer {
                case: one.case.id.clone(),
                wrong,
            };
            if wrong.fails() {
                return Some(killer);
            }
            weaker.get_or_insert(killer);
        }
        weaker
    }

    /// Returns what is wrong with a mutant's answer to a case.
    pub(super) fn wrong(&self, mutated: &Plan, one: &Prepared<'_>, named: bool) -> Option<Wrong> {
        let found = self.other_answer(mutated, one)?;
        let wrong = self.oracle.wrong(one.case, &found);
        let other = found.violation != one.truth.violation;
        wrong.or_else(|| (named && other).then_some(Wrong::Named))
    }

    /// Returns a mutant's answer to a case. Returns `None` if the unmodified plan gives the same
    /// answer.
    pub(crate) fn other_answer(&self, mutated: &Plan, one: &Prepared<'_>) -> Option<Answer> {
        one.other_answer(mutated)
    }

    /// Returns the operations that a mutant changes. If some of these operations do not occur in
    /// any case, returns an empty list, so that every case is tried.
    fn seen(&self, touches: &[OpId]) -> Vec<OpId> {
        let marked = |op: &OpId| self.cases.iter().any(|one| one.touches(*op));
        match touches.iter().all(marked) {
            true => touches.to_vec(),
            false => Vec::new(),
        }
    }
}
