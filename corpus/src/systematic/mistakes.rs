//! Searches for valid traces that detect the mistakes of readers that no other case detects.
//!
//! The obligations of a trace follow from the parts of a description one by one, but many mistakes
//! show only if two parts meet: for example, if a record repeats a field of an earlier row, and
//! this field is negative. The mutants of the plan ([`tracegauge_plan::mutate`]) are such mistakes.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use tracegauge_generator::mutate::{InputKind, InputNumber, SHARED, Supply};
use tracegauge_generator::plain::{Allowed, Departure, Unusual};
use tracegauge_generator::{Generator, Target};
use tracegauge_plan::mutate::{Mutant, compared_fields, mutants};
use tracegauge_plan::{HintPlan, OpId, Plan};

use super::effort::Limits;
use super::is_accepted;
use super::plainer::{self, Better};
use super::targets;
use super::trace::{MISTAKES, Origin, Recipe, Trace, Valid};
use crate::case::{Case, ExpectedVerdict};
use crate::generated::admit;
use crate::mutation_score::{Prepared, deep};
use crate::parallel;
use crate::score::{Boundary, Measured, Meter, Obligation, Values, rules_of};
use crate::seeds;

/// The number of traces to generate in parallel. Mutants that one of these traces detects are not
/// run against the next traces.
const AT_ONCE: usize = 64;

/// The number of rounds of traces about the fields that mutants change. In each of these traces,
/// only one field may have an unusual value.
const ABOUT_FIELD: usize = 4;

/// The first seed of the traces about one field.
const FIRST_ABOUT_FIELD: u64 = 1 << 24;

/// The number of different trace sizes, in steps of 6 bytes.
const SIZES: u64 = 250;

/// The number of traces about the constants that an expression compares fields with.
const NEAR: u64 = 24;

/// The kinds of inputs that are often valid traces.
const VARIED: [InputKind; 3] = [InputKind::Valid, InputKind::Spliced, InputKind::OfMutant];

/// The maximum length in bytes of the cases that traces are varied from.
const LONGEST_VARIED: usize = 1 << 12;

/// Returns valid traces that detect the mutants of the plan that none of `cases` detects, and the
/// names of the mutants that none of the traces detects. The result does not depend on the number of
/// threads.
pub(super) fn traces(
    generator: &Generator,
    cases: &[Case],
    limits: Limits,
) -> (Vec<Valid>, HashSet<String>) {
    if limits.mistake_traces == 0 {
        return (Vec::new(), HashSet::new());
    }
    let plan = &**generator.plan();
    let mut bare = plan.clone();
    bare.forget_programs();
    let search = Search {
        generator,
        bare: &bare,
        limits,
    };
    deep(|| search.traces(cases))
}

struct Search<'s> {
    generator: &'s Generator,
    /// The plan that mutants are made of.
    bare: &'s Plan,
    limits: Limits,
}

/// A mutant, and a trace that detects it.
struct Detected<'m> {
    mutant: &'m Mutant,
    trace: Trace,
}

impl Search<'_> {
    fn plan(&self) -> &Plan {
        self.generator.plan()
    }

    fn traces(&self, cases: &[Case]) -> (Vec<Valid>, HashSet<String>) {
        let all = mutants(self.plan());
        let mut missed = self.missed(&all, cases);
        let mut found = Vec::new();
        let recipes = self.recipes(&missed);
        let pools = recipes.chunks(AT_ONCE);
        let pools = pools.map(|recipes| self.pool(recipes));
        self.detect(&mut missed, pools, &mut found);
        let compared = self.compared(&missed);
        let pools = compared.iter().map(|fields| self.near(fields));
        self.detect(&mut missed, pools, &mut found);
        if !missed.is_empty() {
            self.detect(&mut missed, self.variations(cases), &mut found);
        }
        let missed = missed.iter().map(|mutant| mutant.name().to_owned());
        (self.plainest(found), missed.collect())
    }

    /// Moves the mutants that traces of the pools detect from `missed` to `found`.
    fn detect<'m>(
        &self,
        missed: &mut Vec<&'m Mutant>,
        pools: impl Iterator<Item = Pool>,
        found: &mut Vec<Detected<'m>>,
    ) {
        let mut left = self.limits.mistake_operations;
        for pool in pools {
            let pool = parallel::filter_map(&pool, |(trace, case)| {
                Some((trace, Prepared::new(self.plan(), case)))
            });
            let each = left / missed.len().max(1) as u64;
            let runs = parallel::map(missed, |mutant| {
                let traces = pool.iter().map(|(_, one)| one);
                first_wrong(self.bare, mutant, traces, each)
            });
            let mut still_missed = Vec::new();
            for (mutant, run) in missed.drain(..).zip(runs) {
                left = left.saturating_sub(run.operations);
                match run.end {
                    End::Wrong(at) => found.push(Detected {
                        mutant,
                        trace: pool[at].0.clone(),
                    }),
                    End::Right | End::Unknown => still_missed.push(mutant),
                }
            }
            *missed = still_missed;
            if missed.is_empty() || left == 0 {
                break;
            }
        }
    }

    /// Returns the mutants that no case detects. A mutant that takes too long to run against all
    /// cases is left out.
    fn missed<'m>(&self, all: &'m [Mutant], cases: &[Case]) -> Vec<&'m Mutant> {
        let mut prepared = parallel::map(cases, |case| Prepared::new(self.plan(), case));
        prepared.sort_by_key(|one| (one.case.bytes.len(), &one.case.id));
        let each = self.limits.missed_operations / all.len().max(1) as u64;
        parallel::filter_map(all, |mutant| {
            let touches = mutant.touches();
            let (likely, others): (Vec<_>, Vec<_>) =
                prepared.iter().partition(|one| one.blames(touches));
            let run = first_wrong(self.bare, mutant, likely.into_iter().chain(others), each);
            matches!(run.end, End::Right).then_some(mutant)
        })
    }

    /// Returns the recipes of the traces to try: first plain ones in which only a field that a
    /// mutant changes is unusual, and then random ones.
    fn recipes(&self, missed: &[&Mutant]) -> Vec<Recipe> {
        let answers = self.generator.answers();
        let touched = missed.iter().flat_map(|mutant| mutant.touches()).copied();
        let touched: BTreeSet<OpId> = touched.collect();
        let values = Values::new(self.plan());
        let mut recipes = Vec::new();
        let rounds = (0..ABOUT_FIELD).flat_map(|round| touched.iter().map(move |op| (round, *op)));
        for (round, op) in rounds {
            let unusual = unusual(&values, op);
            let mut targets = targets::toward(self.plan(), &unusual, round);
            targets.push(Target::default());
            for target in targets {
                let field = Departure::Field(answers.field(op), Unusual::Other);
                recipes.push(Recipe {
                    seed: FIRST_ABOUT_FIELD + recipes.len() as u64,
                    bytes: target
                        .bytes
                        .unwrap_or(size(round as u64 * SIZES / ABOUT_FIELD as u64)),
                    target: Some(target),
                    allowed: Some(Allowed::only([field])),
                });
            }
        }
        recipes.truncate(usize::try_from(self.limits.mistake_traces).unwrap_or(usize::MAX));
        let random = (0..self.limits.mistake_traces).map(|seed| Recipe {
            seed,
            bytes: size(seed),
            target: None,
            allowed: seeds::allowed(self.generator, seed),
        });
        recipes.extend(random);
        recipes
    }

    /// Generates traces, and returns the valid ones, plain and short ones first.
    fn pool(&self, recipes: &[Recipe]) -> Pool {
        let pool = parallel::filter_map(recipes, |recipe| {
            let made = recipe.make(self.generator, self.limits.largest).ok()?;
            let origin = Origin::Recipe(Arc::new(recipe.clone()));
            self.candidate(&recipe.seed.to_string(), made.bytes, origin)
        });
        plainest_first(pool)
    }

    /// Returns the fields that the expressions of mutants compare with constants, and the constants,
    /// together for each mutant.
    fn compared(&self, missed: &[&Mutant]) -> Vec<BTreeSet<(OpId, i128)>> {
        let compared = compared_fields(self.plan());
        let fields = missed.iter().map(|mutant| {
            let fields = mutant.touches().iter().filter_map(|op| compared.get(op));
            fields.flatten().copied().collect()
        });
        let fields: BTreeSet<BTreeSet<(OpId, i128)>> = fields.collect();
        let most = usize::try_from(self.limits.mistake_traces / NEAR).unwrap_or(usize::MAX);
        let fields = fields.into_iter().filter(|fields| !fields.is_empty());
        fields.take(most).collect()
    }

    /// Returns traces whose fields often have values next to the constants that an expression compares
    /// them with. The generator rarely chooses such values for several fields of a trace, unless each
    /// of them is preferred.
    fn near(&self, fields: &BTreeSet<(OpId, i128)>) -> Pool {
        let mut plan = self.plan().clone();
        for (field, _) in fields {
            let near = fields.iter().filter(|(other, _)| other == field);
            let near = near
                .flat_map(|(_, value)| [value.saturating_sub(1), *value, value.saturating_add(1)]);
            plan.infos[field.index()].hints = HintPlan {
                integers: near.collect(),
                ..HintPlan::default()
            };
        }
        let generator = Generator::new(Arc::new(plan));
        let seeds: Vec<u64> = (0..NEAR).collect();
        let pool = parallel::filter_map(&seeds, |seed| {
            let made = seeds::make(&generator, *seed, SIZES).ok()?;
            self.candidate(&seed.to_string(), made.bytes, Origin::Stored)
        });
        plainest_first(pool)
    }

    /// Returns an iterator over pools of valid traces made by changing and combining traces,
    /// including those of the cases. Numbers next to powers of two are frequent, and the same number
    /// often occurs in several fields: for example, in a key and in the references to it.
    fn variations(&self, cases: &[Case]) -> impl Iterator<Item = Pool> {
        let samples = cases.iter().filter(|case| {
            case.bytes.len() <= LONGEST_VARIED && case.expected.verdict == ExpectedVerdict::Accept
        });
        let samples: Vec<Vec<u8>> = samples.map(|case| case.bytes.to_vec()).collect();
        let supply = Supply::new(self.generator.clone(), 0).with_samples(&samples);
        let rounds = self.limits.mistake_traces.div_ceil(SHARED);
        let rounds: Vec<u64> = (0..rounds).collect();
        let rounds: Vec<Vec<u64>> = rounds
            .chunks(AT_ONCE / SHARED as usize)
            .map(<[u64]>::to_vec)
            .collect();
        rounds.into_iter().map(move |rounds| {
            let made = parallel::map(&rounds, |round| {
                let mut maker = supply.maker();
                let numbers = (round * SHARED..(round + 1) * SHARED)
                    .flat_map(|count| VARIED.map(|kind| InputNumber::of(kind, count)));
                let made = numbers.filter_map(|number| {
                    let bytes = maker.make(number).bytes;
                    self.candidate(&number.0.to_string(), bytes, Origin::Stored)
                });
                made.collect::<Vec<_>>()
            });
            plainest_first(made.into_iter().flatten().collect())
        })
    }

    /// Returns a trace with its case if every reader must accept it.
    fn candidate(&self, id: &str, bytes: Vec<u8>, origin: Origin) -> Option<(Trace, Case)> {
        if !is_accepted(self.plan(), &bytes) {
            return None;
        }
        let trace = Trace::new(self.generator, &bytes, origin)?;
        let candidate = super::accepted(id.to_owned(), String::new(), bytes);
        Some((trace, admit(self.plan(), candidate).ok()?))
    }

    /// Makes the traces as plain and as short as possible. One trace may detect several mutants.
    fn plainest(&self, found: Vec<Detected<'_>>) -> Vec<Valid> {
        let meter = Meter::new(self.plan());
        let mut chosen: Vec<Valid> = Vec::new();
        for detected in found {
            let mutated = detected.mutant.of(self.bare);
            let detects = |bytes: &[u8]| self.detects(&mutated, bytes);
            if chosen.iter().any(|trace| detects(&trace.bytes)) {
                continue;
            }
            let serves = |_: &Measured, bytes: &[u8]| detects(bytes);
            let better = (Better::Shorter, self.limits.mistake_candidates);
            let bytes = &detected.trace.bytes;
            let plainer = plainer::better(self.generator, &meter, bytes, better, &serves);
            let trace = plainer.map_or(detected.trace, |(trace, _)| trace);
            chosen.push(self.valid(detected.mutant, trace));
        }
        chosen
    }

    fn detects(&self, mutated: &Plan, bytes: &[u8]) -> bool {
        let candidate = super::accepted(String::new(), String::new(), bytes.to_vec());
        let Ok(case) = admit(self.plan(), candidate) else {
            return false;
        };
        let one = Prepared::new(self.plan(), &case);
        one.detects(mutated)
    }

    fn valid(&self, mutant: &Mutant, trace: Trace) -> Valid {
        let format = &self.plan().format;
        let touched = mutant.touches().iter();
        Valid {
            id: format!("{format}/valid/{MISTAKES}/{}", mutant.name()),
            why: format!("A trace that detects a reader that {}.", mutant.in_words()),
            about: touched.flat_map(|op| rules_of(self.plan(), *op)).collect(),
            bytes: trace.bytes.to_vec(),
            origin: trace.origin,
            departures: trace.departures,
            redundant: false,
        }
    }
}

/// Valid traces with their cases.
type Pool = Vec<(Trace, Case)>;

fn plainest_first(mut pool: Pool) -> Pool {
    pool.sort_by_cached_key(|(trace, case)| (trace.rank(), case.id.clone()));
    pool
}

/// Returns the obligations of a field to have values that a reader may read incorrectly: negative
/// ones, and those that an incorrect reader may take for negative ones.
fn unusual(values: &Values, field: OpId) -> Vec<Obligation> {
    let Some((low, high)) = values.of(field) else {
        return Vec::new();
    };
    let negative = (low < 0).then_some(Boundary::Negative);
    let top = high.checked_ilog2().and_then(|top| u8::try_from(top).ok());
    let boundaries = negative.into_iter().chain(top.map(Boundary::MoreThan));
    let obligations = boundaries.map(|boundary| Obligation::Value(field, boundary));
    obligations.collect()
}

/// Returns the size in bytes of the trace of a seed.
fn size(seed: u64) -> u64 {
    24 + seed % SIZES * 6
}

/// The result of running a mutant against cases.
struct Run {
    end: End,
    /// The number of operations that the unmodified plan runs for the cases that were tried.
    operations: u64,
}

enum End {
    /// The case with this index detects the mutant.
    Wrong(usize),
    /// No case detects the mutant.
    Right,
    /// The mutant was not run against all cases.
    Unknown,
}

/// Runs a mutant against one case after another until a case detects it, or until the cases that
/// were tried have taken more than `most` operations.
fn first_wrong<'c, 'p: 'c>(
    bare: &Plan,
    mutant: &Mutant,
    cases: impl Iterator<Item = &'c Prepared<'p>>,
    most: u64,
) -> Run {
    let mutated = mutant.of(bare);
    let touches = mutant.touches();
    let mut operations = 0;
    for (index, one) in cases.enumerate() {
        if !touches.is_empty() && !touches.iter().any(|op| one.touches(*op)) {
            continue;
        }
        if operations > most {
            let end = End::Unknown;
            return Run { end, operations };
        }
        operations += one.work;
        if one.detects(&mutated) {
            let end = End::Wrong(index);
            return Run { end, operations };
        }
    }
    Run {
        end: End::Right,
        operations,
    }
}
