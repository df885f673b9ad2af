//! The state of a search for valid traces: the best trace found so far for each obligation.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use tracegauge_decoder::verdict::Judgement;
use tracegauge_generator::fault;
use tracegauge_generator::plain::Departure;
use tracegauge_generator::{GenerateError, Generated, Generator};
use tracegauge_plan::Plan;

use super::covering_set::CoveringSet;
use super::effort::Limits;
use super::identities::Identities;
use super::plainer::{self, Better};
use super::purpose::{Met, Purpose};
use super::targets;
use super::trace::{Origin, Recipe, Trace, Valid};
use crate::case::CaseId;
use crate::parallel;
use crate::score::{Measured, Meter, Names, Obligation, feasible, rules_of_content};
use crate::source::{Built, Problem};

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
pub(super) struct Search<'p> {
    plan: &'p Plan,
    pub limits: Limits,
    pub meter: Meter<'p>,
    wanted: BTreeSet<Obligation>,
    pub best: BTreeMap<Obligation, Trace>,
    /// The plainest trace found so far for each unusual value of a field. An obligation may be met
    /// without any unusual value, but readers also have to handle unusual values.
    pub unusual: BTreeMap<Departure, Trace>,
    pub packs: CoveringSet,
    /// The unusual values in the given traces. The search does not look for other traces with these
    /// values.
    shown: BTreeSet<Departure>,
    /// The identities of the given traces.
    taken: HashSet<CaseId>,
    /// The number of traces abandoned because of their size, by location and reason.
    too_large: BTreeMap<String, usize>,
}

impl<'p> Search<'p> {
    /// Creates a search for traces that meet the obligations that no trace in `given` meets.
    pub(super) fn new(plan: &'p Plan, limits: Limits, given: &[Valid]) -> Self {
        let mut wanted: BTreeSet<Obligation> = feasible(plan).obligations.into_iter().collect();
        let meter = Meter::new(plan);
        let given_measured = parallel::map(given, |trace| meter.measure_whole(&trace.bytes));
        let mut shown = BTreeSet::new();
        for measured in given_measured {
            wanted.retain(|obligation| !measured.met.contains(obligation));
            shown.extend(measured.departures);
        }
        Self {
            plan,
            limits,
            meter,
            packs: CoveringSet::new(plan, &wanted),
            wanted,
            shown,
            taken: given.iter().map(|trace| trace.id.clone()).collect(),
            best: BTreeMap::new(),
            unusual: BTreeMap::new(),
            too_large: BTreeMap::new(),
        }
    }

    /// Describes what was skipped because traces would be too large: one line for each boundary,
    /// and one for each location and reason that made the search abandon traces.
    pub(super) fn left_out(&self) -> Vec<String> {
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

    /// Returns the obligations that no plain trace meets yet.
    pub(super) fn without_plain_trace(&self) -> Vec<Obligation> {
        let is_plain = |trace: &Trace| trace.departures.is_empty();
        let wanted = self.wanted.iter().copied();
        wanted
            .filter(|obligation| !self.best.get(obligation).is_some_and(is_plain))
            .collect()
    }

    /// Returns the obligations that are not met yet.
    pub(super) fn missed(&self) -> Vec<Obligation> {
        let wanted = self.wanted.iter().copied();
        wanted
            .filter(|obligation| !self.best.contains_key(obligation))
            .collect()
    }

    /// Generates traces, and examines them in the order of their recipes.
    pub(super) fn look_at(
        &mut self,
        generator: &Generator,
        recipes: Vec<Recipe>,
        built: &mut Built,
    ) {
        let looking = &*self;
        let made = parallel::map_owned(recipes, |recipe| looking.made(generator, recipe));
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
        let prefixes: Vec<(Measured, Vec<u8>)> = parallel::map_owned(prefixes, look);
        for (measured, prefix) in &prefixes {
            self.keep(&measured.met, &trace(prefix, &measured.departures));
        }
        if accepted {
            self.keep(&measured.met, &trace(&made.bytes, &measured.departures));
        }
    }

    /// Returns a better trace that is similar to `trace` and serves the same purpose. Returns
    /// `None` if no better trace is found.
    pub(super) fn plainer(
        &self,
        generator: &Generator,
        trace: &Trace,
        serves: &dyn Fn(&Measured, &[u8]) -> bool,
    ) -> Option<(Trace, Measured)> {
        let better = (Better::Shorter, self.limits.candidates);
        plainer::better(generator, &self.meter, &trace.bytes, better, serves)
    }

    /// Registers traces that were made plainer as candidates for the obligations that they meet.
    pub(super) fn take(&mut self, made: Vec<Option<(Trace, Measured)>>) {
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
            if is_better && self.wants_shown(departure) {
                self.unusual.insert(*departure, trace.clone());
            }
        }
    }

    /// Returns true if the departure is an unusual value that none of the given traces contains.
    fn wants_shown(&self, departure: &Departure) -> bool {
        matches!(departure, Departure::Field(..)) && !self.shown.contains(departure)
    }

    /// Returns true if a trace with these departures and this rank improves on the best trace found
    /// so far for an unusual value.
    fn shows_better(&self, departures: &BTreeSet<Departure>, rank: (usize, usize)) -> bool {
        let mut fields = departures
            .iter()
            .filter(|departure| self.wants_shown(departure));
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
    pub(super) fn kept(self, generator: &Generator) -> Vec<Valid> {
        let chosen = self.chosen();
        let mut kept: Vec<Valid> = parallel::map_owned(chosen, |(mut kept, purpose)| {
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
        let mut named = Identities::new(plan, &self.taken);
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
            kept.push((valid((id, why, about(plan, *obligation)), trace), purpose));
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
            let about = about(plan, *first);
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

/// Returns the rules that an obligation is about, most characteristic first.
fn about(plan: &Plan, obligation: Obligation) -> Vec<String> {
    let mut about = rules_of_content(plan, obligation);
    for rule in obligation.rules(plan) {
        if !about.contains(&rule) {
            about.push(rule);
        }
    }
    about
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
