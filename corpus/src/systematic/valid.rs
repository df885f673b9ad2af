//! Searches for the smallest valid traces that meet each obligation.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;
use tracegauge_decoder::verdict::Judgement;
use tracegauge_generator::fault;
use tracegauge_generator::plain::{Allowed, Answers, Departure, Unusual};
use tracegauge_generator::{GenerateError, Generated, Generator, Target};
use tracegauge_spec::plan::Plan;

use super::covering_set::CoveringSet;
use super::effort::{Effort, Limits};
use super::plainer::{self, Better};
use super::recipe::{Origin, Recipe};
use super::targets;
use crate::case::CaseId;
use crate::score::{Measured, Meter, Names, Obligation, feasible};
use crate::source::{Built, Problem};

/// The sizes of the traces repeat after this many seeds.
const SIZES: u64 = 1000;

/// The maximum number of seeds for plain traces.
const PLAIN: u64 = 1000;

/// The first seed of the traces with a single departure.
const FIRST_SINGLE: u64 = 1 << 21;

/// The numbers of departures that random traces may have, used in turn. Zero means that all choices
/// are random.
const SWARMS: [usize; 6] = [2, 3, 0, 4, 8, 16];

/// The number of traces to generate in parallel. The traces are examined in the order of their
/// seeds.
const AT_ONCE: usize = 64;

/// The size in bytes of traces that target type codes, if each type consists only of its code.
const AIMED_FEW: u64 = 1_500;

/// The numbers of departures that traces that target type codes may have in addition to the target,
/// by round. `None` means that all other choices are random.
const AIMED_SWARMS: [Option<usize>; 3] = [Some(0), Some(4), None];

/// The first seed of traces with a target, for a search that alternates between plain and other
/// traces.
const FIRST_AIMED: u64 = 3000;

/// The first seed of plain traces with a target.
const FIRST_AIMED_PLAIN: u64 = 1 << 22;

/// The first seed of random traces with a target.
const FIRST_AIMED_RANDOM: u64 = 1 << 23;

/// The number of combinations that one trace should contain.
const PACKED: usize = 4;

/// The number of traces to generate for each group of combinations.
const PACKED_SEEDS: usize = 4;

/// The number of bytes in a trace that should contain several combinations.
const PACKED_BYTES: u64 = 6_000;

/// The first seed of traces that should contain several combinations.
const FIRST_PACKED: u64 = 1 << 20;

/// A trace of more than this many bytes is large and has `large/` in its identity.
const LARGE: usize = 1 << 16;

/// A valid trace.
#[derive(Clone, Debug)]
pub(super) struct Valid {
    /// The identity of the trace.
    pub id: CaseId,
    /// The purpose of the trace.
    pub why: String,
    /// Ids of the rules that the trace tests, as far as they are known in advance.
    pub about: Vec<String>,
    /// The bytes of the trace.
    pub bytes: Vec<u8>,
    /// How to rebuild the trace without a search.
    pub origin: Origin,
    /// The departures of the trace from what typical writers produce, if a search found the trace.
    pub departures: Arc<BTreeSet<Departure>>,
    /// True if the trace is redundant. A redundant trace is not a case, but malformed traces are
    /// still generated from it.
    pub redundant: bool,
}

/// A trace found by the search.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// The bytes of the trace.
    pub bytes: Arc<[u8]>,
    /// How to rebuild the trace without a search. The trace may be a prefix of the trace that a
    /// recipe generates.
    pub origin: Origin,
    /// The departures of the trace from what typical writers produce.
    pub departures: Arc<BTreeSet<Departure>>,
}

impl Trace {
    /// Returns the rank of the trace: traces with fewer departures come first, and then shorter
    /// traces.
    fn rank(&self) -> (usize, usize) {
        (self.departures.len(), self.bytes.len())
    }
}

/// Returns the smallest trace that meets each obligation, except for obligations that other
/// returned traces meet.
pub(super) fn traces(plan: &Arc<Plan>, effort: Effort, built: &mut Built) -> Vec<Valid> {
    let generator = Generator::new(Arc::clone(plan));
    let mut search = Search::new(plan, effort.limits());
    plain(&generator, &mut search, built);
    single(&generator, &mut search, built);
    by_aim(&generator, &mut search, built, AimedAt::Plain);
    by_chance(&generator, &mut search, built);
    by_aim(&generator, &mut search, built, AimedAt::Any);
    by_aim(&generator, &mut search, built, AimedAt::Random);
    packed(&generator, &mut search, built);
    built.left_out.extend(search.left_out());
    make_plainer(&generator, &mut search);
    search.kept(&generator)
}

/// Tries plain traces of every size until no new obligations are met.
fn plain(generator: &Generator, search: &mut Search<'_>, built: &mut Built) {
    let mut fruitless = 0;
    let seeds: Vec<u64> = (0..PLAIN).collect();
    for seeds in seeds.chunks(AT_ONCE) {
        let before = search.best.len();
        let recipe = |seed: &u64| Recipe {
            seed: *seed,
            bytes: size(*seed),
            target: None,
            allowed: Some(Allowed::default()),
        };
        search.look_at(generator, seeds.iter().map(recipe).collect(), built);
        fruitless = match search.best.len() > before {
            true => 0,
            false => fruitless + seeds.len() as u64,
        };
        if fruitless >= search.limits.plain_patience {
            break;
        }
    }
}

/// Tries traces that may each have a single departure.
fn single(generator: &Generator, search: &mut Search<'_>, built: &mut Built) {
    let all = Allowed::everything(generator.plan(), generator.answers());
    let rules = all.rules.into_iter().map(Departure::Rule);
    let fields = all.fields.into_iter();
    let fields = fields.map(|op| Departure::Field(op, Unusual::Other));
    let mut seed = FIRST_SINGLE;
    let mut recipes = Vec::new();
    for departure in rules.chain(fields) {
        for _ in 0..search.limits.single {
            recipes.push(Recipe {
                seed,
                bytes: size(seed),
                target: None,
                allowed: Some(Allowed::only([departure])),
            });
            seed += 1;
        }
    }
    for recipes in recipes.chunks(AT_ONCE) {
        search.look_at(generator, recipes.to_vec(), built);
    }
}

/// Returns the size of the trace for a seed. The sizes repeat after [`SIZES`] seeds.
fn size(seed: u64) -> u64 {
    24 + seed % SIZES * 5
}

/// Tries random traces of every size until no new obligations are met.
fn by_chance(generator: &Generator, search: &mut Search<'_>, built: &mut Built) {
    let (plan, answers) = (generator.plan(), generator.answers());
    let mut fruitless = 0;
    let seeds: Vec<u64> = (0..search.limits.random).collect();
    for seeds in seeds.chunks(AT_ONCE) {
        let before = search.best.len();
        let recipe = |seed: &u64| Recipe {
            seed: *seed,
            bytes: size(*seed),
            target: None,
            allowed: swarm(plan, answers, *seed),
        };
        search.look_at(generator, seeds.iter().map(recipe).collect(), built);
        fruitless = match search.best.len() > before {
            true => 0,
            false => fruitless + seeds.len() as u64,
        };
        if fruitless >= search.limits.random_patience {
            break;
        }
    }
}

/// Returns the departures that the random trace of a seed may have: a few departures, or all of
/// them. The choices of some traces are completely random.
fn swarm(plan: &Plan, answers: &Answers, seed: u64) -> Option<Allowed> {
    match SWARMS[usize::try_from(seed).unwrap_or_default() % SWARMS.len()] {
        0 => None,
        count => Some(Allowed::swarm(plan, answers, seed, count)),
    }
}

/// The kind of traces that are generated to meet an obligation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AimedAt {
    /// Traces that make the choices of typical writers except where the target requires other
    /// choices.
    Plain,
    /// Plain traces and other traces in turn, because an obligation may require a departure.
    Any,
    /// Random traces, because an obligation may require an unlikely combination.
    Random,
}

impl AimedAt {
    /// Returns the first seed, and how many consecutive rounds without a new obligation end the
    /// search.
    fn limits(self, limits: Limits) -> (u64, usize) {
        let [plain, any, random] = limits.rounds_in_vain;
        match self {
            Self::Plain => (FIRST_AIMED_PLAIN, plain),
            Self::Any => (FIRST_AIMED, any),
            Self::Random => (FIRST_AIMED_RANDOM, random),
        }
    }

    /// Returns the departures that the traces of a round may have in addition to the target.
    fn allowed(self, generator: &Generator, round: usize, seed: u64) -> Option<Allowed> {
        let (plan, answers) = (generator.plan(), generator.answers());
        match AIMED_SWARMS[round % AIMED_SWARMS.len()] {
            _ if self == Self::Plain => Some(Allowed::default()),
            _ if self == Self::Random => None,
            Some(count) => Some(Allowed::swarm(plan, answers, seed, count)),
            None => None,
        }
    }
}

/// Tries traces that target the missed obligations.
fn by_aim(generator: &Generator, search: &mut Search<'_>, built: &mut Built, at: AimedAt) {
    let plan = generator.plan();
    let (mut seed, most_in_vain) = at.limits(search.limits);
    let target_bytes = search.limits.target_bytes;
    let (mut fruitless, mut left) = (0, search.limits.targeted);
    for round in 0..search.limits.rounds {
        let missed = search.missed_by(at);
        if fruitless >= most_in_vain || left == 0 {
            break;
        }
        let targets = targets::toward(plan, &missed, round);
        let recipe = |(seed, target): (u64, Target)| Recipe {
            seed,
            bytes: target.bytes.unwrap_or(match plan.describes.is_empty() {
                true => AIMED_FEW,
                false => target_bytes[round % target_bytes.len()],
            }),
            target: Some(target),
            allowed: at.allowed(generator, round, seed),
        };
        let recipes: Vec<Recipe> = (seed..).zip(targets).take(left).map(recipe).collect();
        left -= recipes.len();
        seed += recipes.len() as u64;
        for recipes in recipes.chunks(AT_ONCE) {
            search.look_at(generator, recipes.to_vec(), built);
        }
        fruitless = match search.missed_by(at).len() < missed.len() {
            true => 0,
            false => fruitless + 1,
        };
    }
}

/// Tries traces that contain several combinations each. So far, these combinations were found only
/// in separate traces.
fn packed(generator: &Generator, search: &mut Search<'_>, built: &mut Built) {
    let plan = generator.plan();
    let mut seed = FIRST_PACKED;
    let mut before = usize::MAX;
    for round in 0..search.limits.packings {
        let scarce = search.packs.scarce(&search.best, &search.meter);
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
            allowed: (!round.is_multiple_of(2)).then(Allowed::default),
        };
        let recipes: Vec<Recipe> = (seed..).zip(targets).map(recipe).collect();
        seed += recipes.len() as u64;
        for recipes in recipes.chunks(AT_ONCE) {
            search.look_at(generator, recipes.to_vec(), built);
        }
    }
}

/// Makes the trace for each obligation and for each unusual value as plain and as short as
/// possible. A long trace has too many parts to try removing each of them, but irrelevant parts are
/// removed early.
fn make_plainer(generator: &Generator, search: &mut Search<'_>) {
    let unusual = search.best.iter();
    let unusual = unusual.filter(|(_, trace)| !trace.departures.is_empty());
    let mut obligations: Vec<Obligation> = unusual.map(|(obligation, _)| *obligation).collect();
    // A trace with many departures may also become the best one for other obligations.
    obligations.sort_by_key(|obligation| {
        let trace = search.best.get(obligation);
        std::cmp::Reverse(trace.map_or(0, |trace| trace.departures.len()))
    });
    for obligations in obligations.chunks(AT_ONCE) {
        let looking = &*search;
        let made = obligations.par_iter().map(|obligation| {
            let trace = looking.best.get(obligation)?;
            if trace.departures.is_empty() {
                return None;
            }
            let serves = |measured: &Measured, _: &[u8]| measured.met.contains(obligation);
            looking.plainer(generator, trace, &serves)
        });
        let made: Vec<Option<(Trace, Measured)>> = made.collect();
        search.take(made);
    }
    let several = search.unusual.iter();
    let several = several.filter(|(_, trace)| trace.departures.len() > 1);
    let departures: Vec<Departure> = several.map(|(departure, _)| *departure).collect();
    for departures in departures.chunks(AT_ONCE) {
        let looking = &*search;
        let made = departures.par_iter().map(|departure| {
            let trace = looking.unusual.get(departure)?;
            let serves = |measured: &Measured, _: &[u8]| measured.departures.contains(departure);
            looking.plainer(generator, trace, &serves)
        });
        let made: Vec<Option<(Trace, Measured)>> = made.collect();
        search.take(made);
    }
}

/// The result of generating a trace.
enum Made {
    /// No useful result: either the random choices yield no trace, or the trace meets no new
    /// obligation.
    Nothing,
    /// A trace and the obligations that it meets.
    Trace(Box<Generated>, Recipe, Measured),
    /// The trace would be too large.
    TooLarge(GenerateError),
    /// The generator failed for this seed.
    Failed(u64, GenerateError),
}

/// The plainest trace found so far for each obligation. Among equally plain traces, the smallest is
/// kept.
struct Search<'p> {
    plan: &'p Plan,
    limits: Limits,
    meter: Meter<'p>,
    wanted: BTreeSet<Obligation>,
    best: BTreeMap<Obligation, Trace>,
    /// The plainest trace found so far for each unusual value of a field. An obligation may be met
    /// without any unusual value, but readers also have to handle unusual values.
    unusual: BTreeMap<Departure, Trace>,
    packs: CoveringSet,
    /// The number of traces abandoned because of their size, by location and reason.
    too_large: BTreeMap<String, usize>,
}

impl<'p> Search<'p> {
    fn new(plan: &'p Plan, limits: Limits) -> Self {
        let wanted: BTreeSet<Obligation> = feasible(plan).obligations.into_iter().collect();
        Self {
            plan,
            limits,
            meter: Meter::new(plan),
            packs: CoveringSet::new(plan, &wanted),
            wanted,
            best: BTreeMap::new(),
            unusual: BTreeMap::new(),
            too_large: BTreeMap::new(),
        }
    }

    /// Describes the boundaries and traces that were skipped because the traces would be too large.
    /// Returns one line for each field.
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
            let largest = self.limits.largest;
            format!("{format}: gave up on {number} {traces} of more than {largest} bytes: {why}")
        });
        unaffordable.chain(too_large).collect()
    }

    /// Returns the obligations that are not met yet or, if only plain traces count, that no plain
    /// trace meets.
    fn missed_by(&self, at: AimedAt) -> Vec<Obligation> {
        let is_plain = |trace: &Trace| at != AimedAt::Plain || trace.departures.is_empty();
        let wanted = self.wanted.iter().copied();
        wanted
            .filter(|obligation| !self.best.get(obligation).is_some_and(is_plain))
            .collect()
    }

    fn missed(&self) -> Vec<Obligation> {
        let wanted = self.wanted.iter().copied();
        wanted
            .filter(|obligation| !self.best.contains_key(obligation))
            .collect()
    }

    /// Generates traces, and examines them in the order of their recipes.
    fn look_at(&mut self, generator: &Generator, recipes: Vec<Recipe>, built: &mut Built) {
        let looking = &*self;
        let made: Vec<Made> = recipes
            .into_par_iter()
            .map(|recipe| looking.made(generator, recipe))
            .collect();
        for made in made {
            match made {
                Made::Nothing => {}
                Made::Trace(trace, recipe, measured) => {
                    self.offer(&trace, &Arc::new(recipe), measured);
                }
                Made::TooLarge(error) => {
                    *self.too_large.entry(error.to_string()).or_default() += 1;
                }
                Made::Failed(seed, error) => built.problems.push(Problem::Generate {
                    format: self.plan.format.clone(),
                    wanted: format!("a valid trace generated from seed {seed}"),
                    why: error.to_string(),
                }),
            }
        }
    }

    /// Generates a trace. Because the tree of the trace may be large, the trace is returned only if
    /// it is useful.
    fn made(&self, generator: &Generator, recipe: Recipe) -> Made {
        match recipe.make(generator, self.limits.largest) {
            Ok(trace) => {
                let measured = self.meter.measure_whole(&trace.bytes);
                let rank = (measured.departures.len(), trace.bytes.len());
                let mut met = measured.met.iter();
                let better = met.any(|known| self.better(known, rank))
                    || self.shows_better(&measured.departures, rank);
                match better || self.packs.wants(&measured.met, rank) {
                    true => Made::Trace(Box::new(trace), recipe, measured),
                    false => Made::Nothing,
                }
            }
            Err(error) if error.is_too_large() => Made::TooLarge(error),
            Err(GenerateError::Refused { .. }) => Made::Nothing,
            Err(error) => Made::Failed(recipe.seed, error),
        }
    }

    /// Registers a trace and its prefixes as candidates for every obligation that they meet.
    fn offer(&mut self, made: &Generated, recipe: &Arc<Recipe>, measured: Measured) {
        let accepted = made.verdict.judgement == Judgement::Accepted;
        let rank = (measured.departures.len(), made.bytes.len());
        let trace = |bytes: &[u8], departures: &BTreeSet<Departure>| Trace {
            bytes: bytes.into(),
            origin: Origin::Recipe(Arc::clone(recipe)),
            departures: Arc::new(departures.clone()),
        };
        if accepted && self.packs.wants(&measured.met, rank) {
            let trace = trace(&made.bytes, &measured.departures);
            self.packs.keep(&measured.met, trace);
        }
        let mut met = measured.met.iter();
        let better = met.any(|known| self.better(known, rank));
        if !better && !self.shows_better(&measured.departures, rank) {
            return;
        }
        let plan = self.plan;
        let mut prefixes = fault::prefixes(plan, &made.bytes, &made.tree);
        prefixes.truncate(self.limits.prefixes);
        let look = |prefix: Vec<u8>| (self.meter.measure_whole(&prefix), prefix);
        let prefixes: Vec<(Measured, Vec<u8>)> = prefixes.into_par_iter().map(look).collect();
        for (measured, prefix) in &prefixes {
            self.keep(&measured.met, &trace(prefix, &measured.departures));
        }
        if accepted {
            self.keep(&measured.met, &trace(&made.bytes, &measured.departures));
        }
    }

    /// Returns a better trace that is similar to `trace` and serves the same purpose. Returns
    /// `None` if no better trace is found.
    fn plainer(
        &self,
        generator: &Generator,
        trace: &Trace,
        serves: &dyn Fn(&Measured, &[u8]) -> bool,
    ) -> Option<(Trace, Measured)> {
        let better = (Better::Shorter, self.limits.candidates);
        plainer::better(generator, &self.meter, &trace.bytes, better, serves)
    }

    /// Registers traces that were made plainer as candidates for the obligations that they meet.
    fn take(&mut self, made: Vec<Option<(Trace, Measured)>>) {
        for (trace, measured) in made.into_iter().flatten() {
            if self.packs.wants(&measured.met, trace.rank()) {
                self.packs.keep(&measured.met, trace.clone());
            }
            self.keep(&measured.met, &trace);
        }
    }

    fn keep(&mut self, met: &BTreeSet<Obligation>, trace: &Trace) {
        for obligation in met {
            if self.better(obligation, trace.rank()) {
                self.best.insert(*obligation, trace.clone());
            }
        }
        for departure in trace.departures.iter() {
            let known = self.unusual.get(departure);
            let is_better = known.is_none_or(|known| trace.rank() < known.rank());
            if is_better && matches!(departure, Departure::Field(..)) {
                self.unusual.insert(*departure, trace.clone());
            }
        }
    }

    /// Returns true if a trace with these departures and this rank improves on the best trace found
    /// so far for an unusual value.
    fn shows_better(&self, departures: &BTreeSet<Departure>, rank: (usize, usize)) -> bool {
        let mut fields = departures
            .iter()
            .filter(|departure| matches!(departure, Departure::Field(..)));
        fields.any(|departure| {
            let known = self.unusual.get(departure);
            known.is_none_or(|known| rank < known.rank())
        })
    }

    /// Returns true if a trace with this rank improves on the best trace found so far for an
    /// obligation.
    fn better(&self, obligation: &Obligation, rank: (usize, usize)) -> bool {
        let known = self.best.get(obligation);
        let better = |known: &Trace| rank < known.rank();
        known.is_none_or(better) && self.wanted.contains(obligation)
    }

    /// Returns the traces to keep: one for each obligation that the previous traces do not meet.
    /// Each trace is as short as its obligations allow.
    fn kept(self, generator: &Generator) -> Vec<Valid> {
        let chosen = self.chosen();
        let shorter = chosen.into_par_iter().map(|(mut kept, purpose)| {
            let trace = Trace {
                bytes: kept.bytes.as_slice().into(),
                origin: kept.origin.clone(),
                departures: Arc::clone(&kept.departures),
            };
            let serves = |measured: &Measured, _: &[u8]| purpose.is_served(measured);
            if let Some((trace, _)) = self.plainer(generator, &trace, &serves) {
                kept.bytes = trace.bytes.to_vec();
                kept.origin = trace.origin;
                kept.departures = trace.departures;
            }
            kept
        });
        let mut kept: Vec<Valid> = shorter.collect();
        // Two traces may become identical when they are made shorter.
        let mut known = BTreeSet::new();
        kept.retain(|trace| known.insert(trace.bytes.clone()));
        kept
    }

    /// Chooses the traces to keep, each with its purpose.
    fn chosen(&self) -> Vec<(Valid, Purpose)> {
        let plan = self.plan;
        let names = Names::new(plan);
        let mut met = Met::default();
        let mut kept: Vec<(Valid, Purpose)> = Vec::new();
        let mut named = Identities::new(plan);
        // Start with plain traces and, among equally plain ones, with the obligations that only
        // long traces meet, because these traces may make short ones unnecessary. A later trace
        // never makes an earlier one unnecessary.
        let alone = self.best.iter();
        let alone = alone.filter(|(obligation, _)| !self.packs.has(obligation));
        let mut order: Vec<(&Obligation, &Trace)> = alone.collect();
        order.sort_by_key(|(obligation, trace)| {
            let (departures, bytes) = trace.rank();
            (departures, std::cmp::Reverse(bytes), **obligation)
        });
        for (obligation, trace) in order {
            if met.has(obligation, trace) {
                continue;
            }
            let purpose = Purpose::Obligations(self.added(&mut met, trace));
            let what = names.obligation(*obligation);
            let id = named.of(*obligation, &what, trace.bytes.len());
            let why = format!(
                "The most typical generated trace {}.",
                names.clause(*obligation)
            );
            kept.push((valid((id, why, obligation.rules(plan)), trace), purpose));
        }
        for (departure, trace) in &self.unusual {
            let mut shown = kept.iter().map(|(kept, _)| &kept.departures);
            if shown.any(|known| known.contains(departure) && known.is_subset(&trace.departures)) {
                continue;
            }
            let purpose = Purpose::Unusual(*departure, self.added(&mut met, trace));
            let what = departure.name(plan);
            let id = named.of_departure(&what, trace.bytes.len());
            let why = format!("The most typical generated trace with {what}.");
            kept.push((valid((id, why, Vec::new()), trace), purpose));
        }
        for (trace, obligations) in self.packs.chosen(&self.best, &met.all(), &self.meter) {
            let Some(first) = obligations.first() else {
                continue;
            };
            let what = names.obligation(*first);
            let id = match obligations.len() {
                1 => named.of(*first, &what, trace.bytes.len()),
                _ => named.of_pack(&what, trace.bytes.len()),
            };
            let clause = names.clause(*first);
            let why = match obligations.len() {
                1 => format!("A trace {clause}."),
                2 => {
                    format!(
                        "A trace {clause}. The trace also contains another combination of elements \
                         or values."
                    )
                }
                number => format!(
                    "A trace {clause}. The trace also contains {} other combinations of elements \
                     or values.",
                    number - 1
                ),
            };
            let about = first.rules(plan);
            let purpose = Purpose::Obligations(obligations.into_iter().collect());
            kept.push((valid((id, why, about), &trace), purpose));
        }
        kept
    }

    /// Adds the obligations that a trace meets to `met`. Returns the new obligations. [`Met::has`]
    /// decides whether an obligation is new.
    fn added(&self, met: &mut Met, trace: &Trace) -> BTreeSet<Obligation> {
        let all = self.meter.measure(&trace.bytes);
        let new = all.intersection(&self.wanted);
        let new = new
            .filter(|obligation| !met.has(obligation, trace))
            .copied();
        let new = new.collect();
        met.add(all, trace);
        new
    }
}

/// The reason for keeping a trace.
enum Purpose {
    /// The obligations that no trace chosen earlier meets.
    Obligations(BTreeSet<Obligation>),
    /// An unusual value that the trace contains, and the obligations that no trace chosen earlier
    /// meets.
    Unusual(Departure, BTreeSet<Obligation>),
}

impl Purpose {
    fn is_served(&self, measured: &Measured) -> bool {
        match self {
            Self::Obligations(obligations) => obligations.is_subset(&measured.met),
            Self::Unusual(departure, obligations) => {
                measured.departures.contains(departure) && obligations.is_subset(&measured.met)
            }
        }
    }
}

/// For each obligation, the departures of every chosen trace that meets it.
#[derive(Default)]
struct Met(BTreeMap<Obligation, Vec<Arc<BTreeSet<Departure>>>>);

impl Met {
    fn add(&mut self, met: BTreeSet<Obligation>, trace: &Trace) {
        for obligation in met {
            let departures = Arc::clone(&trace.departures);
            self.0.entry(obligation).or_default().push(departures);
        }
    }

    /// Returns true if a trace chosen earlier meets the obligation and has only departures that
    /// `trace` also has.
    fn has(&self, obligation: &Obligation, trace: &Trace) -> bool {
        let known = self.0.get(obligation).into_iter().flatten();
        known
            .into_iter()
            .any(|known| known.is_subset(&trace.departures))
    }

    fn all(self) -> BTreeSet<Obligation> {
        self.0.into_keys().collect()
    }
}

fn valid((id, why, about): (CaseId, String, Vec<String>), trace: &Trace) -> Valid {
    Valid {
        id,
        why,
        about,
        bytes: trace.bytes.to_vec(),
        origin: trace.origin.clone(),
        departures: Arc::clone(&trace.departures),
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

    /// Returns an identity without spaces for a trace of length `length`.
    fn of(&mut self, obligation: Obligation, what: &str, length: usize) -> CaseId {
        let class = obligation.class().name();
        self.unused(class, &what.replace(" → ", ">"), length)
    }

    /// Returns an identity for a trace with several combinations. `what` describes the first
    /// combination.
    fn of_pack(&mut self, what: &str, length: usize) -> CaseId {
        self.unused("packs", &what.replace(" → ", ">"), length)
    }

    /// Returns an identity for a trace with an unusual value.
    fn of_departure(&mut self, what: &str, length: usize) -> CaseId {
        self.unused("departures", &what.replace(": ", " "), length)
    }

    fn unused(&mut self, class: &str, what: &str, length: usize) -> CaseId {
        let name = format!("{class}/{}", what.replace(' ', "-"));
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
