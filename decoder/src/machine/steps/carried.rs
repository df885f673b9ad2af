//! Reads fields whose value is computed from the previous element. This code is part of the
//! decoder's fast path.

use tracegauge_plan::formula::number;
use tracegauge_plan::{CarryId, Leaf, Sum, Tests};

use crate::input::Input;
use crate::machine::Machine;
use crate::value::Value;
use crate::visitor::Visitor;

impl<I: Input, V: Visitor> Machine<'_, I, V> {
    /// Computes a value from the previous value and the number stored in the trace. Returns `None`
    /// if the result is out of range.
    #[inline(always)]
    pub(super) fn plain_carry(&mut self, index: CarryId, wire: u64) -> Option<u64> {
        let sum = &self.plan.sums[index];
        let before = self.before(sum)?;
        let value = self.sum(sum, before, wire)?;
        (sum.mask.is_some() || value <= sum.greatest).then_some(value)
    }

    /// Returns the earlier value, or `None` if it is negative.
    #[inline(always)]
    fn before(&self, sum: &Sum) -> Option<u64> {
        match self.memory.number(sum.base) {
            plain @ 0.. => Some(plain.cast_unsigned()),
            number::ABSENT => Some(0),
            _ => match self.memory.value(sum.base) {
                Value::Int(integer) => u64::try_from(integer).ok(),
                _ => Some(0),
            },
        }
    }

    /// Adds two numbers and the amount that is added in any case. Returns `None` if the sum has more
    /// than 64 bits and does not wrap around.
    #[inline(always)]
    fn sum(&mut self, sum: &Sum, before: u64, wire: u64) -> Option<u64> {
        let then = match sum.then {
            None => 0,
            Some(then) => u64::try_from(self.integer_of(then).unwrap_or(0)).ok()?,
        };
        match sum.mask {
            Some(mask) => Some(before.wrapping_add(wire).wrapping_add(then) & mask),
            None => before.checked_add(wire)?.checked_add(then),
        }
    }

    /// Stores a carried value, so that the next value can be computed from it.
    #[inline(always)]
    pub(super) fn carry_on(&mut self, index: CarryId, bits: u64) {
        if let Some(register) = self.plan.sums[index].moves {
            self.note_change(register);
            self.memory.set_unsigned(register, bits);
        }
    }

    /// Computes the value of an omitted field, based on the field's value in the previous element.
    #[inline(always)]
    pub(super) fn carried_plainly(&mut self, leaf: &Leaf) -> Option<()> {
        let sum = &self.plan.sums[leaf.carry?];
        let place = self.memory.layout().slot(leaf.slot);
        let (known, is_stored) = match self.memory.number(place) {
            plain @ 0.. => (plain.cast_unsigned(), true),
            _ => match self.memory.value(place) {
                Value::Int(integer) => (u64::try_from(integer).ok()?, true),
                // A value that is not a number stays.
                Value::Bytes { .. } | Value::Aside(_) | Value::Constant(_) => {
                    return (leaf.tests == Tests::None).then_some(());
                }
                _ => (0, false),
            },
        };
        let value = self.sum(sum, known, 0)?;
        (sum.mask.is_some() || value <= sum.greatest).then_some(())?;
        if value != known || !is_stored {
            self.note_change(place);
            self.memory.set_unsigned(place, value);
        }
        if leaf.tests != Tests::None {
            let number = number::of_unsigned(value);
            self.tested_plainly(leaf, self.position, value, number, false)?;
        }
        Some(())
    }
}
