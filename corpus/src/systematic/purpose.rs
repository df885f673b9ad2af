//! Records why each trace is kept, and which obligations the chosen traces meet.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tracegauge_generator::plain::Departure;

use super::trace::Trace;
use crate::score::{Measured, Obligation};

/// The reason for keeping a trace.
pub(super) enum Purpose {
    /// The obligations that no trace chosen earlier meets.
    Obligations(BTreeSet<Obligation>),
    /// An unusual value that the trace contains, and the obligations that no trace chosen earlier
    /// meets.
    Unusual(Departure, BTreeSet<Obligation>),
}

impl Purpose {
    pub(super) fn is_served(&self, measured: &Measured) -> bool {
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
pub(super) struct Met(BTreeMap<Obligation, Vec<Arc<BTreeSet<Departure>>>>);

impl Met {
    pub(super) fn add(&mut self, met: BTreeSet<Obligation>, trace: &Trace) {
        for obligation in met {
            let departures = Arc::clone(&trace.departures);
            self.0.entry(obligation).or_default().push(departures);
        }
    }

    /// Returns true if a trace chosen earlier meets the obligation and has only departures that
    /// `trace` also has.
    pub(super) fn has(&self, obligation: &Obligation, trace: &Trace) -> bool {
        let known = self.0.get(obligation).into_iter().flatten();
        known
            .into_iter()
            .any(|known| known.is_subset(&trace.departures))
    }

    pub(super) fn all(self) -> BTreeSet<Obligation> {
        self.0.into_keys().collect()
    }
}
