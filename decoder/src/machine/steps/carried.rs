//! Reads fields whose value is computed from the previous element. This code is part of the
//! decoder's fast path.

use tracegauge_plan::formula::number;
use tracegauge_plan::{CarryId, Leaf, Sum, Tests};

use super::Change;
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
        self.sum(sum, before, wire)
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

    /// Adds two numbers and the amount that is added in any case.
    #[inline(always)]
    fn sum(&mut self, sum: &Sum, before: u64, wire: u64) -> Option<u64> {
        let then = match sum.then {
            None => 0,
            Some(then) => u64::try_from(self.integer_of(then).unwrap_or(0)).ok()?,
        };
        match sum.mask {
            Some(mask) => Some(before.wrapping_add(wire).wrapping_add(then) & mask),
            None => {
                let value = before.checked_add(wire)?.checked_add(then)?;
                (value <= sum.greatest).then_some(value)
            }
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
        let before = self.memory.number(place);
        let known = match before {
            plain @ 0.. => plain.cast_unsigned(),
            _ => return self.carried_oddly(leaf),
        };
        let value = match (sum.then, sum.mask) {
            (None, None) => known,
            (None, Some(mask)) => known & mask,
            (Some(_), Some(_)) => self.sum(sum, known, 0)?,
            // An omitted field has no limit.
            (Some(then), None) => known.checked_add(self.amount_of(then)?)?,
        };
        if value != known {
            self.undone.push(Change::Number(place, before));
            self.memory.set_unsigned(place, value);
        }
        if leaf.tests != Tests::None {
            let number = number::of_unsigned(value);
            self.tested_plainly(leaf, self.position, value, number, false)?;
        }
        Some(())
    }

    /// Computes the value of an omitted field if the previous value is absent or needs 64 bits.
    #[cold]
    fn carried_oddly(&mut self, leaf: &Leaf) -> Option<()> {
        let sum = &self.plan.sums[leaf.carry?];
        let place = self.memory.layout().slot(leaf.slot);
        let known = match self.memory.value(place) {
            Value::Int(value) => u64::try_from(value).ok()?,
            // A value that is not a number stays.
            Value::Bytes { .. } | Value::Aside(_) | Value::Constant(_) => {
                return (leaf.tests == Tests::None).then_some(());
            }
            _ => 0,
        };
        let then = match sum.then {
            None => 0,
            Some(then) => u64::try_from(self.integer_of(then).unwrap_or(0)).ok()?,
        };
        let value = match sum.mask {
            Some(mask) => known.wrapping_add(then) & mask,
            None => known.checked_add(then)?,
        };
        self.note_change(place);
        self.memory.set_unsigned(place, value);
        if leaf.tests != Tests::None {
            let number = number::of_unsigned(value);
            self.tested_plainly(leaf, self.position, value, number, false)?;
        }
        Some(())
    }
}
