//! The smallest valid traces that meet each obligation.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use rayon::prelude::*;
use tracegauge_decoder::verdict::Judgement;
use tracegauge_generator::fault;
use tracegauge_generator::{Aim, GenerateError, Generated, Generator, Options};
use tracegauge_spec::plan::Plan;

use super::aims;
use crate::case::CaseId;
use crate::score::{Meter, Names, Obligation, feasible};
use crate::source::{Built, Problem};

/// Most seeds from which valid traces are made. Each meets new obligations or is not kept.
const SEEDS: u64 = 3000;

/// The sizes of the traces come again after so many seeds.
const SIZES: u64 = 1000;

/// Traces that are made at once; the order in which they are looked at is that of their seeds.
const AT_ONCE: usize = 64;

/// So many seeds without anything new end the search.
const PATIENCE: u64 = SIZES;

/// Bytes of traces that are made for certain type codes, in turn: with rows and events of them.
const AIMED_BYTES: [u64; 3] = [12_000, 3_000, 6_000];

/// The same where types are given by their codes alone.
const AIMED_FEW: u64 = 1_500;

/// So many times what chance has not given is aimed at.
const ROUNDS: usize = 48;

/// So many traces are made for that at most.
const AIMED: usize = 2500;

/// So many times in a row nothing may have come of them.
const ROUNDS_IN_VAIN: usize = 12;

/// Larger traces stand apart.
const LARGE: usize = 1 << 16;

/// A valid trace: its identity, what it is for, and its bytes.
pub(super) type Valid = (CaseId, String, Vec<u8>);

/// For each obligation the smallest trace that meets it, unless one that is kept already does.
pub(super) fn traces(plan: &Arc<Plan>, built: &mut Built) -> Vec<Valid> {
    let generator = Generator::new(Arc::clone(plan));
    let mut search = Search::new(plan);
    by_chance(&generator, &mut search, built);
    by_aim(&generator, &mut search, built);
    search.kept()
}

/// Traces of every size, until nothing new is met.
fn by_chance(generator: &Generator, search: &mut Search<'_>, built: &mut Built) {
    let mut fruitless = 0;
    let seeds: Vec<u64> = (0..SEEDS).collect();
    for seeds in seeds.chunks(AT_ONCE) {
        let before = search.smallest.len();
        let make = |seed: &u64| {
            let options = Options {
                bytes: 24 + seed % SIZES * 5,
                fill: true,
                ..Options::default()
            };
            (*seed, generator.from_seed(*seed, options))
        };
        search.look_at(seeds, make, built);
        fruitless = match search.smallest.len() > before {
            true => 0,
            false => fruitless + seeds.len() as u64,
        };
        if fruitless >= PATIENCE {
            break;
        }
    }
}

/// Traces that are made for what chance has not given.
fn by_aim(generator: &Generator, search: &mut Search<'_>, built: &mut Built) {
    let plan = generator.plan();
    let mut seed = SEEDS;
    let (mut fruitless, mut left) = (0, AIMED);
    for round in 0..ROUNDS {
        let missed = search.missed();
        if fruitless >= ROUNDS_IN_VAIN || left == 0 {
            break;
        }
        let aims = match round {
            0 => [aims::toward(plan, &missed, round), aims::large(plan)].concat(),
            _ => aims::toward(plan, &missed, round),
        };
        let aims: Vec<(u64, Aim)> = (seed..).zip(aims).take(left).collect();
        left -= aims.len();
        seed += aims.len() as u64;
        let make = |(seed, aim): &(u64, Aim)| {
            let options = Options {
                bytes: aim.bytes.unwrap_or(match plan.describes.is_empty() {
                    true => AIMED_FEW,
                    false => AIMED_BYTES[round % AIMED_BYTES.len()],
                }),
                fill: true,
                ..Options::default()
            };
            (*seed, generator.toward(*seed, options, aim))
        };
        for aims in aims.chunks(AT_ONCE) {
            search.look_at(aims, make, built);
        }
        fruitless = match search.missed().len() < missed.len() {
            true => 0,
            false => fruitless + 1,
        };
    }
}

/// What a seed has made.
enum Made {
    /// Nothing of use: this tape leads nowhere, or to what is known.
    Nothing,
    /// A trace, and what it meets.
    Trace(Box<Generated>, BTreeSet<Obligation>),
    /// The generator is at fault.
    Failed(u64, GenerateError),
}

/// The smallest trace that was found for each obligation.
struct Search<'p> {
    plan: &'p Plan,
    meter: Meter<'p>,
    wanted: BTreeSet<Obligation>,
    smallest: BTreeMap<Obligation, Arc<[u8]>>,
}

impl<'p> Search<'p> {
    fn new(plan: &'p Plan) -> Self {
        Self {
            plan,
            meter: Meter::new(plan),
            wanted: feasible(plan).obligations.into_iter().collect(),
            smallest: BTreeMap::new(),
        }
    }

    fn missed(&self) -> Vec<Obligation> {
        let wanted = self.wanted.iter().copied();
        wanted
            .filter(|obligation| !self.smallest.contains_key(obligation))
            .collect()
    }

    /// Makes traces, and looks at them in the order of `wanted`.
    fn look_at<T: Sync>(
        &mut self,
        wanted: &[T],
        make: impl Fn(&T) -> (u64, Result<Generated, GenerateError>) + Sync,
        built: &mut Built,
    ) {
        let looking = &*self;
        let made: Vec<Made> = wanted
            .par_iter()
            .map(|wanted| looking.made(make(wanted)))
            .collect();
        for made in made {
            match made {
                Made::Nothing => {}
                Made::Trace(trace, met) => self.offer(&trace, &met),
                Made::Failed(seed, error) => built.problems.push(Problem::Generate {
                    format: self.plan.format.clone(),
                    wanted: format!("a valid trace from seed {seed}"),
                    why: error.to_string(),
                }),
            }
        }
    }

    /// What is of use of a trace: its tree may be large.
    fn made(&self, (seed, made): (u64, Result<Generated, GenerateError>)) -> Made {
        match made {
            Ok(trace) => {
                let met = self.meter.measure(&trace.bytes);
                match met
                    .iter()
                    .any(|known| self.better(known, trace.bytes.len()))
                {
                    true => Made::Trace(Box::new(trace), met),
                    false => Made::Nothing,
                }
            }
            Err(GenerateError::Refused { .. }) => Made::Nothing,
            Err(error) => Made::Failed(seed, error),
        }
    }

    /// Offers a trace and its beginnings for every obligation that they meet.
    fn offer(&mut self, made: &Generated, met: &BTreeSet<Obligation>) {
        if !met.iter().any(|known| self.better(known, made.bytes.len())) {
            return;
        }
        let plan = self.plan;
        let prefixes = fault::prefixes(plan, &made.bytes, &made.tree);
        let measured = |prefix: Vec<u8>| (self.meter.measure(&prefix), prefix);
        let prefixes: Vec<(BTreeSet<Obligation>, Vec<u8>)> =
            prefixes.into_par_iter().map(measured).collect();
        for (met, prefix) in &prefixes {
            self.keep(met, prefix);
        }
        if made.verdict.judgement == Judgement::Accepted {
            self.keep(met, &made.bytes);
        }
    }

    fn keep(&mut self, met: &BTreeSet<Obligation>, bytes: &[u8]) {
        let mut shared: Option<Arc<[u8]>> = None;
        for obligation in met {
            if self.better(obligation, bytes.len()) {
                let bytes = shared.get_or_insert_with(|| bytes.into());
                self.smallest.insert(*obligation, Arc::clone(bytes));
            }
        }
    }

    /// Whether a trace of so many bytes is wanted for an obligation.
    fn better(&self, obligation: &Obligation, length: usize) -> bool {
        let known = self.smallest.get(obligation);
        known.is_none_or(|known| length < known.len()) && self.wanted.contains(obligation)
    }

    /// A trace for each obligation that those before it do not meet.
    fn kept(self) -> Vec<Valid> {
        let plan = self.plan;
        let names = Names::new(plan);
        let mut met: BTreeSet<Obligation> = BTreeSet::new();
        let mut kept: Vec<Valid> = Vec::new();
        let mut named: HashMap<String, usize> = HashMap::new();
        // What only long traces meet comes first: the short ones may then be spared. None of these is
        // spare after all: what meets its obligation later is shorter, and would be the smallest.
        let mut order: Vec<(&Obligation, &Arc<[u8]>)> = self.smallest.iter().collect();
        order.sort_by_key(|(obligation, bytes)| (std::cmp::Reverse(bytes.len()), **obligation));
        for (obligation, bytes) in order {
            if met.contains(obligation) {
                continue;
            }
            met.extend(self.meter.measure(bytes));
            let what = names.obligation(*obligation);
            let name = identity(obligation.class().name(), &what);
            // Several places of a description may have one name.
            let number = named.entry(name.clone()).or_default();
            *number += 1;
            let apart = if bytes.len() > LARGE { "large/" } else { "" };
            let id = match *number {
                1 => format!("{}/valid/{apart}{name}", plan.format),
                number => format!("{}/valid/{apart}{name}/{number}", plan.format),
            };
            let why = format!("The smallest trace found that has {what}.");
            kept.push((id, why, bytes.to_vec()));
        }
        kept
    }
}

/// An identity without blanks.
fn identity(class: &str, what: &str) -> String {
    format!("{class}/{}", what.replace(" → ", ">").replace(' ', "-"))
}
