//! Searches for the plainest and, among equally plain traces, the shortest valid trace that meets
//! each obligation.

use tracegauge_generator::plain::{Allowed, Answers, Departure, Unusual};
use tracegauge_generator::{Generator, Target};
use tracegauge_plan::Plan;

use super::effort::Limits;
use super::search::Search;
use super::targets;
use super::trace::{Recipe, Valid};
use crate::parallel;
use crate::score::{Measured, Obligation};
use crate::source::Built;

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

/// The default size in bytes of traces with a target, for a format whose traces contain no
/// structures that describe types.
const AIMED_FEW: u64 = 1_500;

/// For each round, the number of departures that a trace targeting type codes may have besides its
/// target. `None` means that all other choices are random.
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

/// Returns, for each obligation, a trace that meets it and is as plain and as short as possible.
/// Obligations that traces in `given` or other returned traces meet get no trace of their own. If
/// any traces are given, few obligations are left, so the search only targets those obligations.
pub(super) fn traces(
    generator: &Generator,
    limits: Limits,
    given: &[Valid],
    built: &mut Built,
) -> Vec<Valid> {
    let mut search = Search::new(generator.plan(), limits, given);
    let is_whole = given.is_empty();
    if is_whole {
        plain(generator, &mut search, built);
        single(generator, &mut search, built);
    }
    by_aim(generator, &mut search, built, AimedAt::Plain);
    if is_whole {
        by_chance(generator, &mut search, built);
    }
    by_aim(generator, &mut search, built, AimedAt::Any);
    by_aim(generator, &mut search, built, AimedAt::Random);
    packed(generator, &mut search, built);
    built.left_out.extend(search.left_out());
    make_plainer(generator, &mut search);
    search.kept(generator)
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

/// Returns the departures that the random trace of a seed may have, or `None` if all choices of the
/// trace are random.
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

    /// Returns the obligations that traces of this kind should meet.
    fn missed(self, search: &Search<'_>) -> Vec<Obligation> {
        match self {
            Self::Plain => search.without_plain_trace(),
            Self::Any | Self::Random => search.missed(),
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
        let missed = at.missed(search);
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
        fruitless = match at.missed(search).len() < missed.len() {
            true => 0,
            false => fruitless + 1,
        };
    }
}

/// Tries to pack several combinations into one trace. Each of these combinations is covered only by
/// a chosen trace that adds few combinations.
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

/// Makes the best trace for each obligation and for each unusual value plainer and shorter, unless
/// it is already as plain as possible. A long trace has more parts than there are candidates to
/// try, but because large ranges of parts are tried first, most irrelevant parts are removed.
fn make_plainer(generator: &Generator, search: &mut Search<'_>) {
    let unusual = search.best.iter();
    let unusual = unusual.filter(|(_, trace)| !trace.departures.is_empty());
    let mut obligations: Vec<Obligation> = unusual.map(|(obligation, _)| *obligation).collect();
    // Start with the traces that have the most departures: made plainer, such a trace may also
    // become the best one for other obligations.
    obligations.sort_by_key(|obligation| {
        let trace = search.best.get(obligation);
        std::cmp::Reverse(trace.map_or(0, |trace| trace.departures.len()))
    });
    for obligations in obligations.chunks(AT_ONCE) {
        let looking = &*search;
        let made = parallel::map(obligations, |obligation| {
            let trace = looking.best.get(obligation)?;
            if trace.departures.is_empty() {
                return None;
            }
            let serves = |measured: &Measured, _: &[u8]| measured.met.contains(obligation);
            looking.plainer(generator, trace, &serves)
        });
        search.take(made);
    }
    let several = search.unusual.iter();
    let several = several.filter(|(_, trace)| trace.departures.len() > 1);
    let departures: Vec<Departure> = several.map(|(departure, _)| *departure).collect();
    for departures in departures.chunks(AT_ONCE) {
        let looking = &*search;
        let made = parallel::map(departures, |departure| {
            let trace = looking.unusual.get(departure)?;
            let serves = |measured: &Measured, _: &[u8]| measured.departures.contains(departure);
            looking.plainer(generator, trace, &serves)
        });
        search.take(made);
    }
}
