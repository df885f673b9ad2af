//! Routines: programs of steps as instructions on the memory of numbers.
//!
//! Most steps read a number, combine numbers, or test them. A routine has a few simple instructions
//! for each of these steps, without the decisions that a step makes anew for every value. If an
//! instruction meets anything unusual, such as a number that does not fit or a test that fails, the
//! decoder undoes what the instructions of the same step have changed, runs the step itself
//! ([`Source`]), and continues with the next. Routines therefore never reject anything, and always
//! have the same effect as the steps.

mod compile;
mod join;
#[cfg(test)]
mod tests;

use crate::formula::{NumberId, Operation};
use crate::steps::{Step, StepRange, TextSize};
use crate::terms::{EnumId, VariableKind};
use crate::{ColumnRef, EffectsId, Integer, OpId, RecordUseId, RefsId, RepeatId, Slot};

/// An instruction. Places are those of the memory of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Instruction {
    /// Skips bytes.
    Skip(u32),
    /// Reads an integer that occupies a whole number of bytes.
    Fixed(Integer, NumberId),
    /// Reads a variable-length integer with at most this many bits.
    Variable(VariableKind, u8, NumberId),
    /// Reads a variable-length integer, like [`Self::Variable`], and notes the number that it
    /// replaces.
    Replace(VariableKind, u8, NumberId),
    /// Notes the number at a place, so that it can be restored if the program gives up.
    Note(NumberId),
    /// Adds numbers, and notes the number that the sum replaces.
    Sum(Addition),
    /// Reads an unsigned variable-length integer with at most this many bits, and adds it to an
    /// earlier value like [`Self::Sum`]. The place of the number that was read does not receive it.
    Advance(u8, Addition),
    /// Requires that a number is at most this number.
    Limit(NumberId, i64),
    /// Stores a constant.
    Store(NumberId, i64),
    /// Stores the number at the second place, which must be plain or absent, at the first.
    Copy(NumberId, NumberId),
    /// Stores the greater of two numbers at the first place. Both must be plain.
    Maximum(NumberId, NumberId, NumberId),
    /// Stores the lesser of two numbers at the first place. Both must be plain.
    Minimum(NumberId, NumberId, NumberId),
    /// Stores the third number at the first place if the second is true, otherwise the fourth.
    Choose(NumberId, NumberId, NumberId, NumberId),
    /// Stores a number like [`Self::Choose`]. The number must be plain or absent.
    Select(NumberId, NumberId, NumberId, NumberId),
    /// Stores the second number at the first place if it is present, otherwise the third.
    Else(NumberId, NumberId, NumberId),
    /// Stores a column of the row that a reference field stored in a slot.
    RowColumn(NumberId, Slot, ColumnRef),
    /// Performs any other operation of a formula.
    Operate(Operation),
    /// Passes over the given number of instructions unless the number at the place is true.
    Unless(NumberId, u32),
    /// Requires that the number at the first place is at least the number at the second, if that is
    /// present.
    Least(NumberId, NumberId),
    /// Requires that the number at the first place is at most the number at the second, if that is
    /// present.
    Greatest(NumberId, NumberId),
    /// Requires that two numbers are equal.
    Equal(NumberId, NumberId),
    /// Requires that two plain numbers are not equal.
    Differ(NumberId, NumberId),
    /// Requires that a number is true.
    True(NumberId),
    /// Requires that a number is false.
    False(NumberId),
    /// Requires that a number is a member of an enumeration.
    Member(EnumId, NumberId),
    /// Requires that a number is one of the small numbers whose bits are set in the mask.
    Among(u32, NumberId),
    /// Requires that a number is the key of a row, and stores the row if an expression needs it.
    Reference(RefsId, NumberId),
    /// Stores a number in a column of the row with a key. Without such a row, nothing is stored.
    Column {
        /// The place of the key.
        key: NumberId,
        /// The column.
        column: ColumnRef,
        /// The place of the number.
        value: NumberId,
    },
    /// Runs steps on a part of this size, which an operation describes.
    Part(TextSize, StepRange, OpId),
    /// Reads a member of a record early, like [`Step::Ahead`].
    Ahead(Slot, StepRange),
    /// Completes a record.
    Record(RecordUseId),
    /// Lets the source of the instruction do the work.
    Leave,
}

/// An addition of numbers that are not negative. A number that is absent counts as 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Addition {
    /// The place of the sum.
    pub to: NumberId,
    /// The place of the earlier value.
    pub base: NumberId,
    /// The place of the number that was read.
    pub wire: NumberId,
    /// The place of the amount that is added in any case.
    pub then: NumberId,
    /// The number of bits that remain if the sum wraps around, or 0 if it does not.
    pub bits: u8,
}

/// The work that an instruction is a part of, and its place in this work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The work that the instruction is a part of.
    pub source: Source,
    /// The number of preceding instructions of the same source that note a number.
    pub notes: u8,
    /// Whether the source reads a value.
    pub reads: bool,
    /// The index of the first instruction of the next source.
    pub next: u32,
}

/// The work that some instructions replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A number of steps of the routine, with the index of the first.
    Steps(u32, u32),
    /// An assignment of a structure, with its index.
    Set(EffectsId, u32),
    /// A query over a list, with its index.
    Fold(RepeatId, u32),
    /// A value that the next element of a list may refer to, with its index.
    Previous(RepeatId, u32),
}

/// A program of steps as instructions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Routine {
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// For each instruction, where it comes from.
    pub origins: Vec<Origin>,
    /// The steps.
    pub steps: Vec<Step>,
}
