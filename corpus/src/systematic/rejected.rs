//! Searches for traces that readers must reject although readers with a typical mistake accept them.
//!
//! A fault operator changes a value of a valid trace, but some violations need more: if a type code is
//! forbidden in the current state, what follows the type code must be of this type, too, so that a
//! reader that lacks the check has no other reason to reject the trace. To a mutant that lacks the
//! check, such traces are valid, so the mutant's generator writes them.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::Arc;

use tracegauge_decoder::{Violation, judge_small};
use tracegauge_generator::minimize::minimize;
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::mutate::{Mutant, mutants};
use tracegauge_plan::terms::ReaderDuty;
use tracegauge_plan::{HintPlan, OpId, Plan, RulePlan};

use super::effort::Limits;
use super::trace::{MISTAKES, Rejected};
use crate::case::{Case, ExpectedVerdict};
use crate::mutation_score::{Prepared, answer, deep};
use crate::parallel;
use crate::seeds;

/// The number of different trace sizes, in steps of 6 bytes.
const SIZES: u64 = 120;

/// The number of choices after which a trace is given up. The next seed is more likely to succeed than
/// another attempt.
const MOST_CHOICES: usize = 1 << 10;

/// The number of steps after which a trace is given up, because a mutant may never end a list.
const MOST_STEPS: u64 = 1 << 14;

/// The number of traces of which the shortest one is used.
const ENOUGH: usize = 16;

/// The maximum length in bytes of the cases that mutants are compared with.
const LONGEST: usize = 1 << 12;

/// The maximum number of operations of a mutant for one trace.
const MOST_OPERATIONS: u64 = 1 << 20;

/// The number of seeds of random traces for each mutant that lacks a check, and the number of these
/// traces that are kept.
const RANDOM_SEEDS: Range<u64> = 1 << 16..(1 << 16) + 24;
const RANDOM: usize = 2;

/// The part of the identities of random traces.
const RANDOM_PART: &str = "random";

/// Returns traces that a mutant of the plan accepts and that readers must reject: for each mutant that
/// lacks a check or that requires a wrong value, unless it accepts one of `cases` that violates the
/// rule, and for each mutant in `missed`. Without such a trace, a reader that requires a wrong value
/// only rejects valid traces, which many mistakes explain. Further random traces for each mutant that lacks a check have the fault behind
/// other data, where a reader may have a different state.
pub(super) fn traces(
    generator: &Generator,
    cases: &[Case],
    missed: &HashSet<String>,
    limits: Limits,
) -> Vec<Rejected> {
    if limits.rejected_seeds == 0 {
        return Vec::new();
    }
    let plan = &**generator.plan();
    let mut bare = plan.clone();
    bare.forget_programs();
    let search = Search {
        plan,
        bare: &bare,
        limits,
        twins: twins(plan, cases),
    };
    deep(|| {
        let all = mutants(plan);
        let is_wanted = parallel::map(&all, |mutant| {
            missed.contains(mutant.name()) || !search.accepts(mutant, cases)
        });
        let wanted = all.iter().zip(is_wanted);
        let wanted = wanted.filter_map(|(mutant, is_wanted)| is_wanted.then_some(mutant));
        let mut found = search.traces(&wanted.collect::<Vec<_>>());
        let lenient: Vec<&Mutant> = all.iter().filter(|it| search.lacks_check(it)).collect();
        found.extend(search.random(&lenient));
        found
    })
}

/// Returns true if a mutant accepts a trace within a limited number of operations.
fn is_accepted(mutated: &Plan, bytes: &[u8]) -> bool {
    let answer = answer(mutated, bytes, MOST_OPERATIONS);
    answer.verdict == ExpectedVerdict::Accept && !answer.endless
}

/// Generates the trace of a seed with one of the generators.
fn made(generators: &[Generator; 2], seed: u64) -> Option<Vec<u8>> {
    let [usual, unusual] = generators;
    let generator = match seed / 8 % 2 {
        0 => usual,
        _ => unusual,
    };
    let options = Options {
        choices: MOST_CHOICES,
        steps: MOST_STEPS,
        ..seeds::options(seed, SIZES)
    };
    Some(seeds::make_with(generator, seed, options).ok()?.bytes)
}

/// The cases that readers must accept.
fn twins<'c>(plan: &'c Plan, cases: &'c [Case]) -> Vec<Prepared<'c>> {
    let cases = cases.iter().filter(|case| {
        case.expected.verdict == ExpectedVerdict::Accept && case.bytes.len() <= LONGEST
    });
    let cases: Vec<&Case> = cases.collect();
    parallel::map(&cases, |case| Prepared::new(plan, case))
}

struct Search<'s> {
    plan: &'s Plan,
    /// The plan that mutants are made of.
    bare: &'s Plan,
    limits: Limits,
    twins: Vec<Prepared<'s>>,
}

impl Search<'_> {
    /// Returns the rule some of whose violations the mutant accepts although readers must reject
    /// them: the mutant lacks a check of the rule, or requires a wrong value.
    fn broken_rule(&self, mutant: &Mutant) -> Option<&RulePlan> {
        let place = mutant.place();
        let rule = self.plan.rules.get(place.rule?)?;
        let breaks = mutant.is_lenient() || place.computes;
        (breaks && rule.duty == ReaderDuty::Reject).then_some(rule)
    }

    /// Returns true if the mutant lacks a check of a rule that readers must enforce.
    fn lacks_check(&self, mutant: &Mutant) -> bool {
        mutant.is_lenient() && self.broken_rule(mutant).is_some()
    }

    /// Returns true if the mutant breaks no rule, or accepts a case that violates the rule.
    fn accepts(&self, mutant: &Mutant, cases: &[Case]) -> bool {
        let Some(rule) = self.broken_rule(mutant) else {
            return true;
        };
        let mutated = mutant.of(self.bare);
        let mut about = cases.iter().filter(|case| {
            let violated = case.expected.violation.as_ref();
            violated.is_some_and(|violated| violated.rules.first() == Some(&rule.id))
                && case.expected.verdict == ExpectedVerdict::Reject
                && case.bytes.len() <= LONGEST
        });
        about.any(|case| is_accepted(&mutated, &case.bytes))
    }

    fn traces(&self, wanted: &[&Mutant]) -> Vec<Rejected> {
        let found = parallel::filter_map(wanted, |mutant| Some((*mutant, self.shortest(mutant)?)));
        let mut chosen: Vec<Rejected> = Vec::new();
        for (mutant, bytes) in found {
            let mutated = mutant.of(self.bare);
            if !chosen
                .iter()
                .any(|trace| is_accepted(&mutated, &trace.bytes))
            {
                let name = format!("{MISTAKES}/{}", mutant.name());
                chosen.extend(self.rejected(mutant, bytes, &name));
            }
        }
        chosen
    }

    /// Returns the shortest trace found that the mutant accepts and that readers must reject.
    fn shortest(&self, mutant: &Mutant) -> Option<Vec<u8>> {
        let generators = self.generators(mutant);
        let is_required = self.broken_rule(mutant).is_some();
        // A wrong value shows in most traces that contain the field.
        let (seeds, enough) = match mutant.is_lenient() || !is_required {
            true => (self.limits.rejected_seeds, ENOUGH),
            false => (self.limits.rejected_seeds / 4, ENOUGH / 4),
        };
        let seeds = 0..seeds;
        let traces = seeds.filter_map(|seed| {
            let bytes = made(&generators, seed)?;
            let violation = self.violation(&bytes)?;
            let is_own = !is_required || violation.rule == mutant.place().rule;
            is_own.then_some((bytes.len(), bytes, (violation.rule, violation.op)))
        });
        let (_, bytes, place) = traces.take(enough).min()?;
        let mut left = self.limits.mistake_candidates;
        let [generator, _] = &generators;
        let made = minimize(generator, &bytes, &mut |bytes| {
            left = left.checked_sub(1)?;
            let same = self.violation(bytes);
            let same = same.is_some_and(|violation| (violation.rule, violation.op) == place);
            Some(same && is_accepted(generator.plan(), bytes))
        });
        Some(made.bytes)
    }

    /// Returns two generators of a mutant. The second one ignores the usual values of the fields that
    /// the mutant changes, because usual values are rarely forbidden.
    fn generators(&self, mutant: &Mutant) -> [Generator; 2] {
        let mutated = mutant.of(self.bare);
        let mut unusual = mutated.clone();
        for op in mutant.touches() {
            unusual.infos[op.index()].hints = HintPlan::default();
        }
        [mutated, unusual].map(|plan| Generator::new(Arc::new(plan)))
    }

    /// Returns random traces that mutants accept and that readers must reject. The later the fault, the
    /// more a reader has read before.
    fn random(&self, lenient: &[&Mutant]) -> Vec<Rejected> {
        let made = parallel::map(lenient, |mutant| {
            let generators = self.generators(mutant);
            let traces = RANDOM_SEEDS.filter_map(|seed| {
                let bytes = made(&generators, seed)?;
                let violation = self.violation(&bytes)?;
                let is_own = violation.rule == mutant.place().rule;
                is_own.then_some((Reverse(violation.span.start), bytes))
            });
            let latest: BTreeSet<(Reverse<u64>, Vec<u8>)> = traces.collect();
            let latest = latest.into_iter().take(RANDOM).zip(1..);
            let latest = latest.filter_map(|((_, bytes), number)| {
                let name = format!("{RANDOM_PART}-{number}/{}", mutant.name());
                self.rejected(mutant, bytes, &name)
            });
            latest.collect::<Vec<_>>()
        });
        let mut known = HashSet::new();
        let mut made: Vec<Rejected> = made.into_iter().flatten().collect();
        made.retain(|trace| known.insert(trace.bytes.clone()));
        made
    }

    /// Returns the violation because of which readers must reject a trace.
    fn violation(&self, bytes: &[u8]) -> Option<Violation> {
        let verdict = judge_small(self.plan, bytes)?;
        let violation = verdict.violation()?;
        let rule = self.plan.rules.get(violation.rule?)?;
        (rule.duty == ReaderDuty::Reject).then(|| violation.clone())
    }

    fn rejected(&self, mutant: &Mutant, bytes: Vec<u8>, name: &str) -> Option<Rejected> {
        let violation = self.violation(&bytes)?;
        let rule = &self.plan.rules[violation.rule?].id;
        let format = &self.plan.format;
        Some(Rejected {
            id: format!("{format}/malformed/{rule}/{name}"),
            why: format!(
                "A trace that a reader accepts that {}: {}.",
                mutant.in_words(),
                violation.path
            ),
            rule: rule.clone(),
            path: violation.path.clone(),
            start: violation.span.start,
            twin: self.twin(&bytes, violation.op)?,
            bytes,
        })
    }

    /// Returns the valid case that has most in common with the trace among those that contain the
    /// field of the violation.
    fn twin(&self, bytes: &[u8], op: OpId) -> Option<String> {
        let twins = self.twins.iter();
        let best = twins.min_by_key(|twin| {
            let twin_bytes = &twin.case.bytes;
            let common = twin_bytes.iter().zip(bytes).take_while(|(a, b)| a == b);
            let common = common.count();
            (
                !twin.touches(op),
                Reverse(common),
                twin_bytes.len(),
                &twin.case.id,
            )
        });
        best.map(|twin| twin.case.id.clone())
    }
}
