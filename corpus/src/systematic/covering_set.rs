//! Covers many combinations with few traces. Combinations are obligations such as two consecutive
//! elements of given kinds. Because there are many combinations and each matters little by itself,
//! one trace covers many of them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tracegauge_plan::Plan;

use super::targets;
use super::trace::Trace;
use crate::parallel;
use crate::score::{Class, Meter, Obligation};

/// The number of traces to retain because they contain the most combinations. Traces that were the
/// first to contain a combination are also retained.
const RICHEST: usize = 24;

/// The maximum length in bytes of a trace. Longer traces are hard to read.
const LONGEST: usize = 1 << 13;

/// A chosen trace that adds at most this many combinations is not worth keeping if its combinations
/// can be packed into another trace.
const FEW: usize = 2;

/// A collection of traces that contain many combinations.
#[derive(Debug)]
pub(super) struct CoveringSet {
    combinations: BTreeSet<Obligation>,
    met: BTreeSet<Obligation>,
    /// Combinations that occur in some plain trace.
    plain: BTreeSet<Obligation>,
    traces: Vec<(Trace, BTreeSet<Obligation>)>,
    /// Numbers of combinations in the richest traces, in ascending order.
    richest: Vec<usize>,
    /// Combinations covered only by chosen traces that add at most `FEW` combinations.
    scarce: BTreeSet<Obligation>,
}

impl CoveringSet {
    pub(super) fn new(plan: &Plan, wanted: &BTreeSet<Obligation>) -> Self {
        let combinations = wanted.iter().copied();
        Self {
            combinations: combinations
                .filter(|obligation| is_combination(plan, *obligation))
                .collect(),
            met: BTreeSet::new(),
            plain: BTreeSet::new(),
            traces: Vec::new(),
            richest: Vec::new(),
            scarce: BTreeSet::new(),
        }
    }

    /// Returns true if the obligation is a combination, and therefore needs no trace of its own.
    pub(super) fn has(&self, obligation: &Obligation) -> bool {
        self.combinations.contains(obligation)
    }

    /// Returns true if a trace that meets the obligations `met` is worth keeping: it contains a new
    /// combination, several scarce ones, or many combinations, or it is plain and contains a
    /// combination that no plain trace contains yet. `rank` is the trace's number of departures and
    /// its length.
    pub(super) fn wants(&self, met: &BTreeSet<Obligation>, rank: (usize, usize)) -> bool {
        let (departures, length) = rank;
        if length > LONGEST {
            return false;
        }
        let (mut number, mut scarce, mut new) = (0, 0, false);
        for obligation in met.intersection(&self.combinations) {
            number += 1;
            scarce += usize::from(self.scarce.contains(obligation));
            new |= !self.met.contains(obligation);
        }
        // A plain trace is worth keeping if all earlier traces with one of its combinations have
        // departures.
        let plainer = departures == 0
            && met
                .intersection(&self.combinations)
                .any(|known| !self.plain.contains(known));
        new || plainer
            || scarce > 1
            || (number > 0 && (self.richest.len() < RICHEST || number > self.richest[0]))
    }

    pub(super) fn keep(&mut self, met: &BTreeSet<Obligation>, trace: Trace) {
        let met: BTreeSet<Obligation> = met.intersection(&self.combinations).copied().collect();
        let at = self.richest.partition_point(|number| *number <= met.len());
        self.richest.insert(at, met.len());
        if self.richest.len() > RICHEST {
            self.richest.remove(0);
        }
        self.met.extend(met.iter().copied());
        if trace.departures.is_empty() {
            self.plain.extend(met.iter().copied());
        }
        self.traces.push((trace, met));
    }

    /// Returns the combinations covered only by chosen traces that add few combinations.
    pub(super) fn scarce(
        &mut self,
        best: &BTreeMap<Obligation, Trace>,
        meter: &Meter<'_>,
    ) -> Vec<Obligation> {
        let chosen = self.chosen(best, &BTreeSet::new(), meter).into_iter();
        let alone = chosen.filter(|(_, obligations)| obligations.len() <= FEW);
        let alone: Vec<Obligation> = alone.flat_map(|(_, obligations)| obligations).collect();
        self.scarce = alone.iter().copied().collect();
        alone
    }

    /// Chooses traces that together contain every combination that is not met yet. Returns each
    /// trace with the combinations that it adds. `best` contains a trace for each combination.
    pub(super) fn chosen(
        &self,
        best: &BTreeMap<Obligation, Trace>,
        met: &BTreeSet<Obligation>,
        meter: &Meter<'_>,
    ) -> Vec<(Trace, Vec<Obligation>)> {
        let wanted = best.iter();
        let wanted = wanted.filter(|(obligation, _)| self.has(obligation));
        let wanted = wanted.filter(|(obligation, _)| !met.contains(obligation));
        let single: BTreeMap<&[u8], &Trace> = wanted
            .clone()
            .map(|(_, trace)| (&*trace.bytes, trace))
            .collect();
        let single = single.into_values().collect();
        let measured: Vec<(&Trace, BTreeSet<Obligation>)> =
            parallel::map_owned(single, |trace| (trace, meter.measure(&trace.bytes)));
        let rich = self.traces.iter().map(|(trace, met)| (trace, met));
        let single = measured.iter().map(|(trace, met)| (*trace, met));
        let traces: Vec<(&Trace, &BTreeSet<Obligation>)> = rich.chain(single).collect();
        // Combinations that occur in plain traces are taken from plain traces, those that need one
        // departure from traces with at most one departure, and so on.
        let fewest = |wanted: &Obligation| {
            let with = traces.iter().filter(|(_, met)| met.contains(wanted));
            with.map(|(trace, _)| trace.departures.len()).min()
        };
        let mut by_departures: BTreeMap<usize, BTreeSet<Obligation>> = BTreeMap::new();
        for (wanted, _) in wanted {
            let level = by_departures.entry(fewest(wanted).unwrap_or(usize::MAX));
            level.or_default().insert(*wanted);
        }
        let mut chosen = Vec::new();
        for (departures, mut left) in by_departures {
            while !left.is_empty() {
                let plain = traces.iter();
                let plain = plain.filter(|(trace, _)| trace.departures.len() <= departures);
                let counted =
                    plain.map(|(trace, met)| (left.intersection(met).count(), *trace, *met));
                let best = counted.max_by_key(|(new, trace, _)| {
                    let bytes = &trace.bytes;
                    (*new, std::cmp::Reverse((bytes.len(), Arc::clone(bytes))))
                });
                let Some((_, trace, met)) = best.filter(|(new, ..)| *new > 0) else {
                    break;
                };
                let new: Vec<Obligation> = left.intersection(met).copied().collect();
                left.retain(|obligation| !met.contains(obligation));
                chosen.push((trace.clone(), new));
            }
        }
        chosen
    }
}

fn is_combination(plan: &Plan, obligation: Obligation) -> bool {
    match obligation {
        Obligation::Edge(from, to) => {
            targets::is_among_values(plan, from) && targets::is_among_values(plan, to)
        }
        _ => matches!(obligation.class(), Class::Sequences | Class::Pairs),
    }
}
