//! Runs mutants over cases.

use rayon::prelude::*;
use tracegauge_spec::plan::mutate::{Mutant, mutants};
use tracegauge_spec::plan::{OpId, Plan};

use super::prepared::Prepared;
use super::{Fate, Killer, Reasons, Referee, Strength, Wrong, answer, rules};
use crate::case::{Case, ExpectedVerdict};
use crate::score::{Exclusions, Names, Obligation};

/// How strong `cases` are, all of the format of `plan`; the same with any number of threads.
pub fn strength(
    plan: &Plan,
    cases: &[&Case],
    referee: &dyn Referee,
    reasons: &Reasons,
    exclusions: &Exclusions,
) -> Strength {
    super::deep(|| measured(plan, cases, referee, reasons, exclusions))
}

fn measured(
    plan: &Plan,
    cases: &[&Case],
    referee: &dyn Referee,
    reasons: &Reasons,
    exclusions: &Exclusions,
) -> Strength {
    let mut prepared: Vec<Prepared<'_>> = cases
        .par_iter()
        .map(|case| Prepared::new(plan, case))
        .collect();
    // Small cases are read soonest.
    prepared.sort_by_key(|one| (one.case.bytes.len(), &one.case.id));
    let unsound = prepared
        .iter()
        .filter(|one| referee.wrong(one.case, &one.truth).is_some());
    let unsound = unsound.map(|one| one.case.id.clone()).collect();
    let mut bare = plan.clone();
    bare.forget_programs();
    let names = Names::new(plan);
    let bench = Bench {
        plan: &bare,
        cases: &prepared,
        referee,
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
    Strength {
        format: plan.format.clone(),
        cases: cases.len(),
        mutants: mutants(plan).par_iter().map(fate).collect(),
        rules: rules::kills(&bench, exclusions),
        accepts_all: referee.dumb(cases, ExpectedVerdict::Accept),
        rejects_all: referee.dumb(cases, ExpectedVerdict::Reject),
        unsound,
    }
}

/// The truth and the cases.
pub(super) struct Bench<'b> {
    pub(super) plan: &'b Plan,
    pub(super) cases: &'b [Prepared<'b>],
    pub(super) referee: &'b dyn Referee,
}

impl Bench<'_> {
    /// The first case that tells a mutant apart. With `named`, the rule and the field of a
    /// fault count too.
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

    /// In what a mutant answers a case wrong.
    pub(super) fn wrong(&self, mutated: &Plan, one: &Prepared<'_>, named: bool) -> Option<Wrong> {
        let found = answer(mutated, &one.case.bytes, one.operations);
        if found == one.truth {
            return None;
        }
        let wrong = self.referee.wrong(one.case, &found);
        let other = found.violation != one.truth.violation;
        wrong.or_else(|| (named && other).then_some(Wrong::Named))
    }

    /// What a mutant touches, as far as it can be seen to run; nothing where some cannot.
    fn seen(&self, touches: &[OpId]) -> Vec<OpId> {
        let marked = |op: &OpId| self.cases.iter().any(|one| one.touches(*op));
        match touches.iter().all(marked) {
            true => touches.to_vec(),
            false => Vec::new(),
        }
    }
}
