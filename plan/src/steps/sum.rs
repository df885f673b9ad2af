//! How steps compute a field whose value depends on an earlier value.

use super::fuse::Fuser;
use crate::CarryPlan;
use crate::formula::{Formula, NumberId};

/// The computation of a carried value with 64-bit integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// The place of the earlier value, or of 0 if the number in the trace replaces it.
    pub base: NumberId,
    /// The amount that is added in any case.
    pub then: Option<Formula>,
    /// The bits that remain if the sum wraps around.
    pub mask: Option<u64>,
    /// The maximum value of a sum that does not wrap around.
    pub greatest: u64,
    /// The register that receives the value.
    pub moves: Option<NumberId>,
    /// Whether the tests of the value depend only on the value and on the existence of rows, so that
    /// a value that stays the same passes them again.
    pub is_stable: bool,
}

impl Fuser<'_> {
    /// Converts a computation.
    pub(super) fn sum(&mut self, carry: &CarryPlan) -> Sum {
        let layout = self.formulas.layout;
        let base = match (carry.register, carry.previous) {
            _ if !carry.add => self.formulas.constant(0),
            (Some(register), _) => layout.register(register),
            (None, Some(slot)) => layout.slot(slot),
            (None, None) => self.formulas.constant(0),
        };
        let mask = |bits: u32| match bits {
            0..64 => (1 << bits) - 1,
            _ => u64::MAX,
        };
        Sum {
            base,
            then: carry.then.map(|then| self.formula(then)),
            mask: carry.wraps.map(|bits| mask(u32::from(bits))),
            greatest: u64::try_from(carry.greatest.max(0)).unwrap_or(u64::MAX),
            moves: carry.moved().map(|register| layout.register(register)),
            is_stable: false,
        }
    }
}
