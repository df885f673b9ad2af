//! Makes the traces that a search has found plainer (closer to what typical writers produce) and
//! shorter, as long as they still serve their purpose.
//!
//! Random choices that lead to a rare combination usually cause many other unusual properties. A
//! case should be unusual only in the property that it tests, so that a reader that fails the case
//! does so for only one reason.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tracegauge_generator::Generator;
use tracegauge_generator::fault::{self, Malformed, Site, Twin};
use tracegauge_generator::minimize::plainer;
use tracegauge_plan::Plan;

use super::is_accepted;
use super::trace::{Origin, Trace, Valid};
use crate::parallel;
use crate::score::{Measured, Meter};

/// The maximum length in bytes of traces that are made plainer. Longer traces are long on purpose,
/// and each candidate would take a long time.
const LONGEST: usize = 1 << 14;

/// The twin of a malformed trace (the valid trace that it was made from) is left unchanged if it
/// has at most this many departures. Every twin that is made plainer becomes an additional case.
const TWIN_DEPARTURES: usize = 1;

/// The number of places in a trace where the search tries to plant a fault.
const PLACES: usize = 4;

/// The criteria for comparing two traces. Smaller values are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Better {
    /// Fewer departures, and then fewer places with departures.
    Plainer,
    /// Fewer departures, then fewer places with departures, and then fewer bytes.
    Shorter,
}

impl Better {
    fn rank(self, measured: &Measured, bytes: &[u8]) -> (usize, u64, usize) {
        let length = match self {
            Self::Plainer => 0,
            Self::Shorter => bytes.len(),
        };
        (measured.departures.len(), measured.places, length)
    }
}

/// Returns a better trace that is similar to `bytes`, that every conforming reader accepts and that
/// satisfies `serves`, or `None` if there is none among the first `most` candidates.
pub(super) fn better(
    generator: &Generator,
    meter: &Meter<'_>,
    bytes: &[u8],
    (better, most): (Better, usize),
    serves: &dyn Fn(&Measured, &[u8]) -> bool,
) -> Option<(Trace, Measured)> {
    if bytes.len() > LONGEST || most == 0 {
        return None;
    }
    let mut found: Option<Measured> = None;
    let mut rank = better.rank(&meter.measure_whole(bytes), bytes);
    let mut candidates = 0;
    let made = plainer(generator, bytes, &mut |candidate| {
        candidates += 1;
        if candidates > most {
            return None;
        }
        // Judging takes a fraction of the time of measuring, and most candidates are invalid.
        if candidate.len() > LONGEST || !is_accepted(generator.plan(), candidate) {
            return Some(false);
        }
        let measured = meter.measure_whole(candidate);
        let improves = measured.accepted
            && better.rank(&measured, candidate) < rank
            && serves(&measured, candidate);
        if improves {
            rank = better.rank(&measured, candidate);
            found = Some(measured);
        }
        Some(improves)
    });
    let measured = found?;
    let trace = Trace {
        bytes: made.bytes.into(),
        origin: Origin::Stored,
        departures: Arc::new(measured.departures.clone()),
    };
    Some((trace, measured))
}

/// Searches for plainer twins of the malformed traces in `cases`. The plainer twins allow the same
/// faults to be planted. A plainer twin becomes a case only if a malformed trace is made from it.
/// The plainer twins are numbered from `first`. `candidates` limits the search for each fault.
pub(super) fn twins(
    generator: &Generator,
    meter: &Meter<'_>,
    cases: &[(&[u8], &Malformed)],
    (first, candidates): (usize, usize),
) -> Vec<Valid> {
    let plan = &**generator.plan();
    // Faults with the same twin are considered together, because one plainer trace may be suitable
    // for several of them.
    let mut by_twin: BTreeMap<&[u8], Vec<&Malformed>> = BTreeMap::new();
    for (twin, case) in cases {
        by_twin.entry(*twin).or_default().push(*case);
    }
    let by_twin: Vec<(&[u8], Vec<&Malformed>)> = by_twin.into_iter().collect();
    let made = parallel::map(&by_twin, |(twin, cases)| {
        let departures = meter.measure_whole(twin).departures.len();
        if departures <= TWIN_DEPARTURES {
            return Vec::new();
        }
        let mut made: Vec<Trace> = Vec::new();
        for case in cases {
            let is_plain = |trace: &&Trace| trace.departures.len() <= TWIN_DEPARTURES;
            let mut plain = made.iter().filter(is_plain);
            if plain.any(|trace| allows(plan, &trace.bytes, &case.site)) {
                continue;
            }
            let serves = |_: &Measured, bytes: &[u8]| allows(plan, bytes, &case.site);
            let better = (Better::Plainer, candidates);
            made.extend(self::better(generator, meter, twin, better, &serves).map(|made| made.0));
        }
        made
    });
    let made: Vec<Trace> = made.into_iter().flatten().collect();
    let mut known = BTreeSet::new();
    let fresh = made
        .into_iter()
        .filter(|trace| known.insert(Arc::clone(&trace.bytes)));
    let numbered = fresh.zip(first..);
    numbered
        .map(|(trace, number)| Valid::twin(plan, trace, number))
        .collect()
}

/// Returns the highest number of a plainer twin in `valid`, or zero if there are none.
pub(super) fn last_number(plan: &Plan, valid: &[Valid]) -> usize {
    let prefix = format!("{}/twin/", plan.format);
    let numbers = valid
        .iter()
        .filter_map(|trace| trace.id.strip_prefix(&prefix)?.parse().ok());
    numbers.max().unwrap_or_default()
}

/// Returns true if the fault described by `site` can be planted in a trace.
fn allows(plan: &Plan, bytes: &[u8], site: &Site) -> bool {
    let twins = fault::decoded(plan, [bytes.to_vec()]);
    let Some(trace) = twins.first() else {
        return false;
    };
    let twin = Twin::new(plan, &trace.bytes, &trace.tree);
    let nodes = twin.nodes_of(site.op).iter().rev().take(PLACES);
    let mut made = nodes.filter_map(|node| fault::apply(&twin, site, *node).ok());
    made.any(|case| fault::confirm(plan, &case).is_ok())
}
