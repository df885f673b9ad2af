//! Steps: what a plain reader runs instead of operations.
//!
//! Most values of a trace are ordinary: they are there, hold what they may, and nobody asks
//! where they stand. For parts of a plan that change nothing but slots there is a short
//! program of steps with all questions answered beforehand: which values nobody looks at,
//! which length belongs to which text, how a value is shown. A program changes nothing that
//! reading the same bytes again would not set anew, and it gives up at the first oddity; the
//! operations are run then, and they know every rule. So what a trace means is said in one
//! place only, and the steps are merely the fast way through what is right.

mod bits;
mod fields;
mod fuse;
mod live;
mod marks;
mod pure;
mod shown;
mod single;

pub(super) use fuse::fuse;
pub use pure::each_code;
pub(super) use pure::{pure_test, slots_of};

use super::{CodeId, NameId, OpId, Slot};
use crate::plan::{Ending, Integer};
use crate::schema::{Encoding, VariableKind};

/// Steps of a plan, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepRange {
    /// The first.
    pub first: u32,
    /// One past the last.
    pub end: u32,
}

impl StepRange {
    /// As positions in the plan's steps.
    pub fn indexes(self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// The programs of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Programs {
    /// Reads it, where no records are wanted.
    pub read: Option<StepRange>,
    /// Reads it, and the record that it is or is part of.
    pub recorded: Option<StepRange>,
    /// Reads it and shows its value in a record.
    pub shown: Option<StepRange>,
    /// Reads it and the siblings up to an operation.
    pub run: Option<(StepRange, u32)>,
    /// Of a type code that holds others: what is read of it besides what it holds.
    pub nests: Option<Nests>,
    /// Of what shows a list of code units as text: the text.
    pub units: Option<Units>,
}

/// What is read of a type code that holds others, besides what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nests {
    /// The number of elements, where it stands before them, and its slot if anyone asks.
    pub count: Option<(Integer, Slot)>,
}

/// Code units that are shown as one text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// Their encoding.
    pub encoding: Encoding,
    /// The text where it is not shown.
    pub read: Leaf,
    /// The text where it is.
    pub shown: Leaf,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// So many bytes that nobody looks at.
    Skip(u32),
    /// An integer or float of whole bytes.
    Integer(Integer, Leaf),
    /// A variable-length integer of at most so many bits.
    Variable(VariableKind, u8, Leaf),
    /// Text in an encoding, or bytes.
    Text(TextSize, Option<Encoding>, Leaf),
    /// Text or bytes right behind their length, which goes into a slot where one is wanted.
    Prefixed(Integer, Slot, Option<Encoding>, Leaf),
    /// Text right behind the number of its code units, which have so many bytes each.
    Units(Integer, Slot, u8, Encoding, Leaf),
    /// Text or bytes up to a terminator.
    Terminated(Ending, Leaf),
    /// An integer without a sign of which the steps after it take bits.
    Word(Integer),
    /// Bits of the last such integer: distance from the least significant one, and how many.
    Bits(u8, u8, Leaf),
    /// The step after it only where this holds; else the value is carried over.
    Over(When, Leaf),
    /// Steps that take all of so many bytes.
    Part(TextSize, StepRange),
    /// The steps right after it, so many; then where they begin and end goes into slots.
    Span(Slot, Slot, u32),
    /// The tests at the end of a structure: index into the plan's effects.
    Holds(u32),
    /// What a structure sets when it ends: index into the plan's effects.
    Sets(u32),
    /// Elements: how many, what number means that there are none, how they are shown, and how
    /// many of the steps right after it are one element.
    Each(Counted, Option<i32>, ListShow, u32),
    /// Described fields that are shown by name: so many of the steps right after it.
    Pairs(u32),
    /// Elements: index into the plan's lists.
    List(u32),
    /// The program of the arm that a value selects: index into the plan's switches.
    Switch(u32),
    /// The described fields of a row: a layout of the plan, and the operation.
    Layout(u32, OpId),
    /// A record begins.
    Begin,
    /// Steps that show a member of the record before its turn; where it begins goes into the
    /// slot.
    Ahead(Slot, StepRange),
    /// The record is complete: index into the plan's records.
    Record(u32),
    /// The steps right after it, so many, only where this holds; else the slot has no value.
    If(When, Slot, u32),
    /// A structure that is shown with names.
    Object(StepRange),
    /// The name of a member.
    Name(NameId),
    /// The code that a described field is read by: layout and code of the plan.
    Code(u32, u32),
    /// The name of a described field: number among those of its row.
    FieldName(u32),
}

/// A condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// An expression holds.
    Holds(CodeId),
    /// A bit of the last [`Step::Word`] is set.
    Bit(u8),
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// What is said of it.
    pub op: OpId,
    /// Where it goes, if anyone asks.
    pub slot: Slot,
    /// What is asked of it.
    pub tests: Tests,
    /// The value that it is carried from: index into the plan's carries.
    pub carry: Option<u32>,
    /// How it is shown.
    pub show: Show,
}

/// How many bytes a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextSize {
    /// Always as many.
    Fixed(u32),
    /// As many as an expression says.
    Computed(CodeId),
}

/// What is asked of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tests {
    /// Nothing.
    None,
    /// To be a member of this enumeration.
    Member(u32),
    /// To be one of the numbers whose bits are set here.
    Among(u32),
    /// To name a row: index into the plan's references.
    Reference(u32),
    /// Any tests.
    Any,
}

/// How a value is shown in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// Not at all.
    Mute,
    /// A number that is not negative.
    Unsigned,
    /// A number.
    Signed,
    /// A truth value.
    Bool,
    /// 32 bits of a float.
    Float32,
    /// 64 bits of a float.
    Float64,
    /// A number as its presentation says.
    Presented,
    /// The row that it names, by the column that its presentation says.
    Row,
    /// Text, or bytes where it has no encoding.
    Text,
    /// A GUID.
    Guid,
}

/// The elements of a list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elements {
    /// The repetition.
    pub op: OpId,
    /// How many.
    pub count: Counted,
    /// One element.
    pub body: StepRange,
    /// Bytes of each element, where the body is one step that always takes as many; else 0.
    pub size: u32,
    /// By what elements differ.
    pub unique: Option<CodeId>,
    /// How they are shown.
    pub list: ListShow,
}

/// Where the number of elements comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Counted {
    /// An expression.
    By(CodeId),
    /// An integer right before them, which goes into a slot where one is wanted.
    Before(Integer, Slot),
    /// Always as many.
    Fixed(u32),
}

/// How a list is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListShow {
    /// Not at all.
    Mute,
    /// As a list.
    List,
    /// As names and values.
    Pairs,
}
