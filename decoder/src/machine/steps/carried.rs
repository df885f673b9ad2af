//! Reads fields whose value is computed from the previous element. This code is part of the
//! decoder's fast path.

use tracegauge_plan::{CarryId, Leaf, Tests};

use super::Change;
use crate::input::Input;
use crate::machine::Machine;
use crate::value::Value;
use crate::visitor::Visitor;

/// The sum of two integers between 0 and this value always fits in a `u64`.
const PLAIN: i128 = u64::MAX as i128 / 2;

impl<I: Input, V: Visitor> Machine<'_, I, V> {
    /// Computes a value from the previous value and the difference stored in the trace. Returns
    /// `None` if the result is out of range.
    #[inline]
    pub(super) fn plain_carry(&mut self, index: CarryId, wire: u64) -> Option<u64> {
        let carry = &self.plan.carries[index];
        let before = match (carry.register, carry.previous) {
            (Some(register), _) => self.state.registers[register].unwrap_or(0),
            (None, Some(slot)) => match self.slots[slot.index()] {
                Value::Int(value) => value,
                _ => 0,
            },
            (None, None) => 0,
        };
        if let (true, None, None, 0..=PLAIN) = (carry.add, carry.then, carry.wraps, before)
            && wire <= u64::MAX / 2
            && carry.greatest >= i128::from(u64::MAX)
        {
            return Some(u64::try_from(before).unwrap_or_default() + wire);
        }
        let mut value = i128::from(wire);
        if carry.add {
            value = value.saturating_add(before);
        }
        if let Some(then) = carry.then {
            value = value.saturating_add(self.evaluate(then, Value::Absent).integer().unwrap_or(0));
        }
        match carry.wraps {
            Some(bits) => value &= (1_i128 << bits) - 1,
            None if value > carry.greatest => return None,
            None => {}
        }
        u64::try_from(value).ok()
    }

    /// Stores a carried value, so that the next value can be computed from it.
    #[inline]
    pub(super) fn carry_on(&mut self, index: CarryId, bits: u64) {
        if let Some(register) = self.plan.carries[index].moved() {
            let before = self.state.registers[register];
            self.undone.push(Change::Register(register, before));
            self.state.registers[register] = Some(i128::from(bits));
        }
    }

    /// Computes the value of an omitted field, based on the field's value in the previous element.
    #[inline]
    pub(super) fn carried_plainly(&mut self, leaf: &Leaf) -> Option<()> {
        let carry = &self.plan.carries[leaf.carry?];
        let before = self.slots[leaf.slot.index()];
        let mut value = match before {
            Value::Int(value) => value,
            _ => 0,
        };
        if let Some(then) = carry.then {
            value = value.saturating_add(self.evaluate(then, Value::Absent).integer().unwrap_or(0));
        }
        if let Some(bits) = carry.wraps {
            value &= (1_i128 << bits) - 1;
        }
        if carry.then.is_some() || before != Value::Int(value) {
            self.undone.push(Change::Slot(leaf.slot, before));
            self.slots[leaf.slot.index()] = Value::Int(value);
        }
        if leaf.tests != Tests::None {
            let bits = u64::try_from(value).ok()?;
            self.tested_plainly(leaf, self.position, Value::Int(value), bits)?;
        }
        Some(())
    }
}
