//! Formulas: expressions in a form that is evaluated with 64-bit integers.
//!
//! Nearly every number in a trace fits in 64 bits, and most expressions combine a few of them. The
//! decoder therefore stores numbers in a flat memory of 64-bit integers, with one place for each
//! slot, register and constant ([`Layout`]). A formula is a short list of operations on this memory.
//! A few integers at the lower end of the range stand for values that are not numbers ([`number`]).
//! If a result is [`number::OTHER`], the caller evaluates the expression itself
//! ([`crate::evaluate`]). Otherwise, the formula yields what the expression yields.

mod compile;
pub mod number;
mod run;
#[cfg(test)]
mod tests;

pub use compile::Compiler;
pub use run::Rows;

use crate::arena::id;
use crate::operator::BinaryOperator;
use crate::terms::RegisterId;
use crate::{CodeId, ColumnRef, Plan, Slot};

id!(/** A place in the decoder's memory of numbers. */ NumberId);

/// The maximum number of operations in a formula.
const MOST: u32 = 8;

/// The order of the decoder's memory of numbers: slots, registers, the results of the operations of
/// one formula, the value under test, and constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    slots: u32,
    registers: u32,
}

impl Layout {
    /// Returns the layout of the memory of a plan.
    pub fn of(plan: &Plan) -> Self {
        Self {
            slots: plan.slots,
            registers: u32::try_from(plan.registers.len()).unwrap_or(u32::MAX),
        }
    }

    /// Returns the place of a slot.
    #[inline(always)]
    pub fn slot(self, slot: Slot) -> NumberId {
        NumberId(slot.0)
    }

    /// Returns the place of a register.
    #[inline(always)]
    pub fn register(self, register: RegisterId) -> NumberId {
        NumberId(self.slots + register.0)
    }

    /// Returns the number of slots and registers.
    pub fn variables(self) -> u32 {
        self.slots + self.registers
    }

    /// Returns the place of the result of an operation.
    fn result(self, operation: u32) -> NumberId {
        NumberId(self.variables() + operation)
    }

    /// Returns the place of the value under test, which descriptions write as `_`.
    #[inline(always)]
    pub fn this(self) -> NumberId {
        NumberId(self.variables() + MOST)
    }

    /// Returns whether a place contains a constant.
    pub fn is_constant(self, place: NumberId) -> bool {
        place >= self.constant(0)
    }

    /// Returns whether a place is that of a slot or register.
    pub fn is_variable(self, place: NumberId) -> bool {
        place.0 < self.variables()
    }

    /// Returns the constant at a place, given all constants of a plan.
    pub fn constant_at(self, place: NumberId, constants: &[i64]) -> Option<i64> {
        let index = place.index().checked_sub(self.constant(0).index())?;
        constants.get(index).copied()
    }

    /// Returns the place of a constant, given all constants of a plan.
    pub fn place_of(self, constant: i64, constants: &[i64]) -> Option<NumberId> {
        let index = constants.iter().position(|known| *known == constant)?;
        Some(self.constant(u32::try_from(index).ok()?))
    }

    /// Returns the place of a constant.
    fn constant(self, index: u32) -> NumberId {
        NumberId(self.variables() + MOST + 1 + index)
    }

    /// Returns the initial memory of a decoder, in which no slot and no register has a value.
    pub fn memory(self, constants: &[i64]) -> Vec<i64> {
        let mut numbers = vec![number::ABSENT; self.constant(0).index()];
        numbers.extend(constants);
        numbers
    }
}

/// An expression and its formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The expression.
    pub code: CodeId,
    /// The index of the first operation in the plan's list.
    pub first: u32,
    /// The index after the last operation.
    pub end: u32,
    /// The place of the result.
    pub result: NumberId,
}

/// An operation, which stores a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The place of the result.
    pub result: NumberId,
    /// The number that is stored.
    pub action: Action,
}

/// The computation of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// An operator with two operands. Operands have no effect, so `and` and `or` use both.
    Binary(BinaryOperator, NumberId, NumberId),
    /// Whether the operand is false.
    Not(NumberId),
    /// The second operand if the first is true, otherwise the third.
    Conditional(NumberId, NumberId, NumberId),
    /// The first operand if it is present, otherwise the second.
    Else(NumberId, NumberId),
    /// Whether a value is present.
    IsPresent(NumberId),
    /// The greater of two operands.
    Greatest(NumberId, NumberId),
    /// The lesser of two operands.
    Least(NumberId, NumberId),
    /// Whether the first operand contains any bit of the second.
    HasBits(NumberId, NumberId),
    /// A column of the row with this key.
    Column(NumberId, ColumnRef),
    /// A column of the row that a reference field stored in a slot.
    RowColumn(Slot, ColumnRef),
    /// The index of the current element in an enclosing list, counted outward from 0.
    Index(u32),
}

impl Action {
    /// Returns whether the computation uses the number at a place.
    pub fn reads(&self, place: NumberId) -> bool {
        match *self {
            Self::Binary(_, a, b)
            | Self::Else(a, b)
            | Self::Greatest(a, b)
            | Self::Least(a, b)
            | Self::HasBits(a, b) => a == place || b == place,
            Self::Conditional(a, b, c) => a == place || b == place || c == place,
            Self::Not(a) | Self::IsPresent(a) | Self::Column(a, _) => a == place,
            Self::RowColumn(slot, _) => slot.0 == place.0,
            Self::Index(_) => false,
        }
    }
}
