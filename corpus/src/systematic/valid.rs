//! Searches for the smallest valid traces that meet each obligation.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;
use tracegauge_decoder::verdict::Judgement;
use tracegauge_generator::fault;
use tracegauge_generator::{GenerateError, Generated, Generator, Target};
use tracegauge_spec::plan::Plan;

use super::covering_set::CoveringSet;
use super::recipe::{LARGEST, Recipe, has_spare};
use super::targets;
use crate::case::CaseId;
use crate::score::{Meter, Names, Obligation, feasible};
use crate::source::{Built, Problem};

/// Maximum number of seeds for random traces. A trace is kept only if it meets new obligations.
const SEEDS: u64 = 3000;

/// Number of seeds after which the sizes of the traces repeat.
const SIZES: u64 = 1000;

/// Number of traces to generate in parallel. They are examined in the order of their seeds.
const AT_ONCE: usize = 64;

/// Number of seeds without a new obligation after which the search ends.
const PATIENCE: u64 = SIZES;

/// Number of bytes in traces for particular type codes, which vary by round. They have to contain
/// rows and events with these codes.
const AIMED_BYTES: [u64; 3] = [12_000, 3_000, 6_000];

/// Number of bytes in such traces if types are given by their codes alone.
const AIMED_FEW: u64 = 1_500;

/// Maximum number of rounds that target missed obligations.
const ROUNDS: usize = 96;

/// Maximum number of traces generated in these rounds.
const AIMED: usize = 8000;

/// Number of consecutive rounds without a new obligation after which they end.
const ROUNDS_IN_VAIN: usize = 12;

/// Maximum number of rounds that pack scarce combinations together.
const PACKINGS: usize = 24;

/// Number of combinations to pack into one trace.
const PACKED: usize = 4;

/// Number of traces to generate for each pack.
const PACKED_SEEDS: usize = 4;

/// Number of bytes in a packed trace.
const PACKED_BYTES: u64 = 6_000;

/// First seed of packed traces.
const FIRST_PACKED: u64 = 1 << 20;

/// Number of bytes above which a trace is large and has `large/` in its identity.
const LARGE: usize = 1 << 16;

/// A valid trace.
#[derive(Clone, Debug)]
pub(super) struct Valid {
    /// Identity of the trace.
    pub id: CaseId,
    /// Purpose of the trace.
    pub why: String,
    /// Ids of the rules that the trace tests, as far as they are known in advance.
    pub about: Vec<String>,
    /// The bytes of the trace.
    pub bytes: Vec<u8>,
    /// The recipe that generates the trace.
    pub recipe: Arc<Recipe>,
    /// True if the trace is redundant. It is not a case then, but malformed traces are still
    /// generated from it.
    pub redundant: bool,
}

/// A trace found by the search.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// The bytes of the trace.
    pub bytes: Arc<[u8]>,
    /// The recipe of the generated trace, of which this trace is a prefix.
    pub recipe: Arc<Recipe>,
}

/// Returns the smallest trace that meets each obligation, except for obligations that other kept
/// traces meet.
pub(super) fn traces(plan: &Arc<Plan>, built: &mut Built) -> Vec<Valid> {
    let generator = Generator::new(Arc::clone(plan));
    let mut search = Search::new(plan);
    by_chance(&generator, &mut search, built);
    by_aim(&generator, &mut search, built);
    packed(&generator, &mut search, built);
    built.left_out.extend(search.left_out());
    search.kept()
}

/// Tries random traces of every size until no new obligations are met.
fn by_chance(generator: &Generator, search: &mut Search<'_>, built: &mut Built) {
    let tidy = has_spare(generator.plan());
    let mut fruitless = 0;
    let seeds: Vec<u64> = (0..SEEDS).collect();
    for seeds in seeds.chunks(AT_ONCE) {
        let before = search.smallest.len();
        let recipe = |seed: &u64| Recipe {
            seed: *seed,
            bytes: 24 + seed % SIZES * 5,
            target: None,
            tidy,
        };
        search.look_at(generator, seeds.iter().map(recipe).collect(), built);
        fruitless = match search.smallest.len() > before {
            true => 0,
            false => fruitless + seeds.len() as u64,
        };
        if fruitless >= PATIENCE {
            break;
        }
    }
}

/// Tries traces that target the obligations missed by random traces.
fn by_aim(generator: &Generator, search: &mut Search<'_>, built: &mut Built) {
    let plan = generator.plan();
    let tidy = has_spare(plan);
    let mut seed = SEEDS;
    let (mut fruitless, mut left) = (0, AIMED);
    for round in 0..ROUNDS {
        let missed = search.missed();
        if fruitless >= ROUNDS_IN_VAIN || left == 0 {
            break;
        }
        let targets = targets::toward(plan, &missed, round);
        let recipe = |(seed, target): (u64, Target)| Recipe {
            seed,
            bytes: target.bytes.unwrap_or(match plan.describes.is_empty() {
                true => AIMED_FEW,
                false => AIMED_BYTES[round % AIMED_BYTES.len()],
            }),
            target: Some(target),
            tidy,
        };
        let recipes: Vec<Recipe> = (seed..).zip(targets).take(left).map(recipe).collect();
        left -= recipes.len();
        seed += recipes.len() as u64;
        for recipes in recipes.chunks(AT_ONCE) {
            search.look_at(generator, recipes.to_vec(), built);
        }
        fruitless = match search.missed().len() < missed.len() {
            true => 0,
            false => fruitless + 1,
        };
    }
}

/// Tries traces that contain several combinations so far found only in separate traces.
fn packed(generator: &Generator, search: &mut Search<'_>, built: &mut Built) {
    let plan = generator.plan();
    let tidy = has_spare(plan);
    let mut seed = FIRST_PACKED;
    let mut before = usize::MAX;
    for round in 0..PACKINGS {
        let scarce = search.packs.scarce(&search.smallest, &search.meter);
        if scarce.len() < 2 || scarce.len() == before {
            break;
        }
        before = scarce.len();
        let targets = scarce.chunks(PACKED);
        let targets = targets.map(|chunk| targets::together(plan, chunk, round));
        let targets = targets.flat_map(|target| std::iter::repeat_n(target, PACKED_SEEDS));
        let recipe = |(seed, target): (u64, Target)| Recipe {
            seed,
            bytes: PACKED_BYTES,
            target: Some(target),
            tidy,
        };
        let recipes: Vec<Recipe> = (seed..).zip(targets).map(recipe).collect();
        seed += recipes.len() as u64;
        for recipes in recipes.chunks(AT_ONCE) {
            search.look_at(generator, recipes.to_vec(), built);
        }
    }
}

/// The result of generating a trace.
enum Made {
    /// Nothing useful: the tape leads to no trace or to nothing new.
    Nothing,
    /// A trace and the obligations that it meets.
    Trace(Box<Generated>, Recipe, BTreeSet<Obligation>),
    /// The trace would be too large.
    TooLarge(GenerateError),
    /// The generator failed for this seed.
    Failed(u64, GenerateError),
}

/// The smallest trace found so far for each obligation.
struct Search<'p> {
    plan: &'p Plan,
    meter: Meter<'p>,
    wanted: BTreeSet<Obligation>,
    smallest: BTreeMap<Obligation, Trace>,
    packs: CoveringSet,
    /// Number of traces abandoned because of their size, by location and reason.
    too_large: BTreeMap<String, usize>,
}

impl<'p> Search<'p> {
    fn new(plan: &'p Plan) -> Self {
        let wanted: BTreeSet<Obligation> = feasible(plan).obligations.into_iter().collect();
        Self {
            plan,
            meter: Meter::new(plan),
            packs: CoveringSet::new(plan, &wanted),
            wanted,
            smallest: BTreeMap::new(),
            too_large: BTreeMap::new(),
        }
    }

    /// Describes what was not searched for or was abandoned because it would be too large, with one
    /// line per field.
    fn left_out(&self) -> Vec<String> {
        let (plan, names) = (self.plan, Names::new(self.plan));
        let format = &plan.format;
        let unaffordable = targets::unaffordable(plan, &self.missed()).into_iter();
        let unaffordable = unaffordable.map(|(obligation, most)| {
            let what = names.obligation(obligation);
            format!(
                "{format}: no case with {what}: the value would have to exceed {most}, which \
                takes too much data to generate"
            )
        });
        let too_large = self.too_large.iter();
        let too_large = too_large.map(|(why, number)| {
            let traces = if *number == 1 { "trace" } else { "traces" };
            format!("{format}: gave up on {number} {traces} of more than {LARGEST} bytes: {why}")
        });
        unaffordable.chain(too_large).collect()
    }

    fn missed(&self) -> Vec<Obligation> {
        let wanted = self.wanted.iter().copied();
        wanted
            .filter(|obligation| !self.smallest.contains_key(obligation))
            .collect()
    }

    /// Generates traces and examines them in the order of their recipes.
    fn look_at(&mut self, generator: &Generator, recipes: Vec<Recipe>, built: &mut Built) {
        let looking = &*self;
        let made: Vec<Made> = recipes
            .into_par_iter()
            .map(|recipe| looking.made(generator, recipe))
            .collect();
        for made in made {
            match made {
                Made::Nothing => {}
                Made::Trace(trace, recipe, met) => self.offer(&trace, &Arc::new(recipe), &met),
                Made::TooLarge(error) => {
                    *self.too_large.entry(error.to_string()).or_default() += 1;
                }
                Made::Failed(seed, error) => built.problems.push(Problem::Generate {
                    format: self.plan.format.clone(),
                    wanted: format!("a valid trace from seed {seed}"),
                    why: error.to_string(),
                }),
            }
        }
    }

    /// Generates a trace and returns it only if it is useful, because its tree may be large.
    fn made(&self, generator: &Generator, recipe: Recipe) -> Made {
        match recipe.make(generator) {
            Ok(trace) => {
                let met = self.meter.measure(&trace.bytes);
                let length = trace.bytes.len();
                let better = met.iter().any(|known| self.better(known, length));
                match better || self.packs.wants(&met, length) {
                    true => Made::Trace(Box::new(trace), recipe, met),
                    false => Made::Nothing,
                }
            }
            Err(error) if error.is_too_large() => Made::TooLarge(error),
            Err(GenerateError::Refused { .. }) => Made::Nothing,
            Err(error) => Made::Failed(recipe.seed, error),
        }
    }

    /// Offers a trace and its prefixes for every obligation that they meet.
    fn offer(&mut self, made: &Generated, recipe: &Arc<Recipe>, met: &BTreeSet<Obligation>) {
        let accepted = made.verdict.judgement == Judgement::Accepted;
        if accepted && self.packs.wants(met, made.bytes.len()) {
            let trace = Trace {
                bytes: made.bytes.as_slice().into(),
                recipe: Arc::clone(recipe),
            };
            self.packs.keep(met, trace);
        }
        if !met.iter().any(|known| self.better(known, made.bytes.len())) {
            return;
        }
        let plan = self.plan;
        let prefixes = fault::prefixes(plan, &made.bytes, &made.tree);
        let measured = |prefix: Vec<u8>| (self.meter.measure(&prefix), prefix);
        let prefixes: Vec<(BTreeSet<Obligation>, Vec<u8>)> =
            prefixes.into_par_iter().map(measured).collect();
        for (met, prefix) in &prefixes {
            self.keep(met, prefix, recipe);
        }
        if accepted {
            self.keep(met, &made.bytes, recipe);
        }
    }

    fn keep(&mut self, met: &BTreeSet<Obligation>, bytes: &[u8], recipe: &Arc<Recipe>) {
        let mut shared: Option<Trace> = None;
        for obligation in met {
            if self.better(obligation, bytes.len()) {
                let trace = shared.get_or_insert_with(|| Trace {
                    bytes: bytes.into(),
                    recipe: Arc::clone(recipe),
                });
                self.smallest.insert(*obligation, trace.clone());
            }
        }
    }

    /// Returns true if a trace of this length improves on the one known for an obligation.
    fn better(&self, obligation: &Obligation, length: usize) -> bool {
        let known = self.smallest.get(obligation);
        let better = |known: &Trace| length < known.bytes.len() && !self.packs.has(obligation);
        known.is_none_or(better) && self.wanted.contains(obligation)
    }

    /// Returns the traces to keep: one for each obligation that the previous ones do not meet.
    fn kept(self) -> Vec<Valid> {
        let plan = self.plan;
        let names = Names::new(plan);
        let mut met: BTreeSet<Obligation> = BTreeSet::new();
        let mut kept: Vec<Valid> = Vec::new();
        let mut named = Identities::new(plan);
        // Start with the obligations that only long traces meet, because these traces may make
        // short ones unnecessary. A later trace never makes an earlier one unnecessary: it is
        // shorter, so if it met the same obligation it would be the smallest trace for it.
        let alone = self.smallest.iter();
        let alone = alone.filter(|(obligation, _)| !self.packs.has(obligation));
        let mut order: Vec<(&Obligation, &Trace)> = alone.collect();
        order.sort_by_key(|(obligation, trace)| {
            (std::cmp::Reverse(trace.bytes.len()), **obligation)
        });
        for (obligation, trace) in order {
            if met.contains(obligation) {
                continue;
            }
            met.extend(self.meter.measure(&trace.bytes));
            let what = names.obligation(*obligation);
            let id = named.of(*obligation, &what, trace.bytes.len());
            let why = format!("The smallest trace found with {what}.");
            kept.push(valid((id, why, obligation.rules(plan)), trace));
        }
        for (trace, obligations) in self.packs.chosen(&self.smallest, &met, &self.meter) {
            let Some(first) = obligations.first() else {
                continue;
            };
            let what = names.obligation(*first);
            let id = named.of(*first, &what, trace.bytes.len());
            let why = match obligations.len() {
                1 => format!("A trace with {what}."),
                2 => format!("A trace with {what} and another combination like it."),
                number => format!(
                    "A trace with {what} and {} other combinations like it.",
                    number - 1
                ),
            };
            kept.push(valid((id, why, first.rules(plan)), &trace));
        }
        kept
    }
}

fn valid((id, why, about): (CaseId, String, Vec<String>), trace: &Trace) -> Valid {
    Valid {
        id,
        why,
        about,
        bytes: trace.bytes.to_vec(),
        recipe: Arc::clone(&trace.recipe),
        redundant: false,
    }
}

/// Assigns identities to valid traces according to their purpose.
struct Identities<'p> {
    format: &'p str,
    numbers: HashMap<String, usize>,
}

impl<'p> Identities<'p> {
    fn new(plan: &'p Plan) -> Self {
        Self {
            format: &plan.format,
            numbers: HashMap::new(),
        }
    }

    /// Returns an identity without spaces for a trace of the given length.
    fn of(&mut self, obligation: Obligation, what: &str, length: usize) -> CaseId {
        let class = obligation.class().name();
        let name = format!("{class}/{}", what.replace(" → ", ">").replace(' ', "-"));
        // Several places of a description may have the same name.
        let number = self.numbers.entry(name.clone()).or_default();
        *number += 1;
        let apart = if length > LARGE { "large/" } else { "" };
        match *number {
            1 => format!("{}/valid/{apart}{name}", self.format),
            number => format!("{}/valid/{apart}{name}/{number}", self.format),
        }
    }
}
