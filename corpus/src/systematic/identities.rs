//! Assigns identities to valid traces.

use std::collections::{HashMap, HashSet};

use tracegauge_plan::Plan;

use crate::case::CaseId;
use crate::score::Obligation;

/// A trace of more than this many bytes is large and has `large/` in its identity.
const LARGE: usize = 1 << 16;
/// Assigns identities to valid traces according to their purpose.
pub(super) struct Identities<'p> {
    format: &'p str,
    /// Identities that are already assigned to other traces.
    taken: &'p HashSet<CaseId>,
    numbers: HashMap<String, usize>,
}

impl<'p> Identities<'p> {
    pub(super) fn new(plan: &'p Plan, taken: &'p HashSet<CaseId>) -> Self {
        Self {
            format: &plan.format,
            taken,
            numbers: HashMap::new(),
        }
    }

    /// Returns an identity for a trace of `length` bytes that meets `obligation`, which `what`
    /// describes.
    pub(super) fn of(&mut self, obligation: Obligation, what: &str, length: usize) -> CaseId {
        let class = obligation.class().name();
        self.unused(class, &what.replace(" → ", ">"), length)
    }

    /// Returns an identity for a pack, a trace that contains several combinations of features that must
    /// occur together. `what` describes the first combination.
    pub(super) fn of_pack(&mut self, what: &str, length: usize) -> CaseId {
        self.unused("packs", &what.replace(" → ", ">"), length)
    }

    /// Returns an identity for a trace with an unusual value.
    pub(super) fn of_departure(&mut self, what: &str, length: usize) -> CaseId {
        self.unused("departures", &what.replace(": ", " "), length)
    }

    fn unused(&mut self, class: &str, what: &str, length: usize) -> CaseId {
        let name = format!("{class}/{}", what.replace(' ', "-"));
        let apart = if length > LARGE { "large/" } else { "" };
        // Several places of a description may have the same name.
        let number = self.numbers.entry(name.clone()).or_default();
        loop {
            *number += 1;
            let id = match *number {
                1 => format!("{}/valid/{apart}{name}", self.format),
                number => format!("{}/valid/{apart}{name}/{number}", self.format),
            };
            if !self.taken.contains(&id) {
                return id;
            }
        }
    }
}
