//! Recognizes faults that occur in the records of nearly every trace, regardless of its contents.
//!
//! If a reader never reports the last record, the missing record can be of any kind. The kind of a
//! record that is missing, surplus or displaced in nearly every trace therefore says nothing about
//! the cause.

use std::collections::BTreeSet;

use tracegauge_results::{Outcome, RecordFault, Symptom};

use super::choice::SEVERAL;
use super::sighting::View;

/// A fault counts as occurring everywhere if at most one in this many traces lacks it.
const NEARLY_ALL: usize = 10;

/// Returns the faults of whole records that occur in nearly all accepted valid traces. Traces
/// without records count only for surplus records, because no record can be missing from them.
pub(super) fn everywhere(valid: &[View<'_>]) -> BTreeSet<RecordFault> {
    let faults: BTreeSet<RecordFault> = valid.iter().flat_map(View::record_faults).collect();
    let is_everywhere = |fault: &RecordFault| {
        let is_able = |view: &&View<'_>| {
            matches!(view.case.outcome, Outcome::Pass | Outcome::WrongRecords)
                && (view.case.records > 0 || *fault == RecordFault::Extra)
        };
        let able = valid.iter().filter(is_able).count();
        let shows = |view: &View<'_>| view.record_faults().any(|it| it == *fault);
        let showing = valid.iter().filter(|view| shows(view)).count();
        showing >= SEVERAL && NEARLY_ALL * showing >= (NEARLY_ALL - 1) * able
    };
    faults.into_iter().filter(is_everywhere).collect()
}

impl View<'_> {
    /// Returns the faults that affect whole records.
    fn record_faults(&self) -> impl Iterator<Item = RecordFault> {
        let faults = self.sightings.iter().map(|it| it.symptom.record_fault());
        faults.flatten()
    }

    /// Removes the record kinds from those faults that occur in nearly all traces.
    pub(super) fn generalize(&mut self, everywhere: &BTreeSet<RecordFault>) {
        let mut seen: Vec<RecordFault> = Vec::new();
        self.sightings.retain_mut(|it| {
            let fault = it.symptom.record_fault();
            let Some(fault) = fault.filter(|fault| everywhere.contains(fault)) else {
                return true;
            };
            it.about = &[];
            it.symptom = Symptom::Records {
                fault,
                member: String::new(),
            };
            let is_first = !seen.contains(&fault);
            seen.push(fault);
            is_first
        });
    }
}
