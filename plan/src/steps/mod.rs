//! Steps: a fast path that replaces operations if the decoder computes only the verdict and the
//! records of a trace.
//!
//! Most values of a trace are ordinary: they are present and valid, and nothing depends on their
//! position. For parts of a plan that neither add nor remove table rows, this module builds short
//! programs and decides in advance which values are unused, which length belongs to which text, and
//! how a record presents a value. A program gives up at the first irregularity. All changes that it
//! has made by then can be undone, or are overwritten if the same bytes are read again. The decoder
//! then runs the operations, which enforce every rule. The operations alone therefore define the
//! meaning of a trace, and the steps are only a faster way to read valid data.

mod bits;
mod ends;
mod fields;
mod fuse;
mod live;
mod marks;
mod member;
mod pure;
mod shown;
mod single;
mod special;
mod stable;
mod sum;
mod test;

pub use ends::{Assignment, Target};
pub use fuse::fuse;
pub use member::{
    FormPart, ImageForm, ImageId, MemberForm, NumberForm, Origin, Preferred, RecordForm, RowForm,
};
pub use pure::each_code;
pub(super) use pure::pure_test;
pub use pure::slots_of;
pub use special::{WordId, specialize};
pub use sum::Sum;
pub use test::{StepTest, StepTestKind, StepTests, StepTestsId};

use super::{CodeId, NameId, OpId, Slot};
use crate::arena::id;
use crate::formula::Formula;
use crate::terms::{Encoding, EnumId, VariableKind};
use crate::{CarryId, EffectsId, Ending, Integer, LayoutUseId, RecordUseId, RefsId, SwitchId};

/// A contiguous range of a plan's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepRange {
    /// The index of the first step.
    pub first: u32,
    /// The index just past the last step.
    pub end: u32,
}

impl StepRange {
    /// Converts the range to indexes into the plan's steps.
    pub fn indexes(self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// The programs of one operation. A program is a sequence of steps that replaces the operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Programs {
    /// Reads the operation when no records are requested.
    pub read: Option<StepRange>,
    /// Reads the operation when records are requested. Completes the operation's record, or adds to
    /// the record that contains it.
    pub recorded: Option<StepRange>,
    /// Reads the operation and adds its value to a record.
    pub shown: Option<StepRange>,
    /// Reads the operation and the siblings after it, up to the operation with the given index.
    pub run: Option<(StepRange, u32)>,
    /// For a type code whose values contain other values: the data that programs need besides the
    /// contained values.
    pub nests: Option<Nests>,
    /// For an operation that presents a list of code units: the string that it produces.
    pub units: Option<Units>,
}

/// The data that a program needs about a type code whose values contain other values, in addition
/// to the contained values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nests {
    /// The encoding of the element count and the slot that receives it, if the count precedes the
    /// elements.
    pub count: Option<(Integer, Slot)>,
}

/// Code units that are presented as a single string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units {
    /// The encoding of the code units.
    pub encoding: Encoding,
    /// How the string is handled if the record does not contain it.
    pub read: Leaf,
    /// How the string is handled if the record contains it.
    pub shown: Leaf,
}

id!(/** A list that a step reads. */ ElementsId);

/// One step of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Skips bytes whose value is not used.
    Skip(u32),
    /// Reads an integer or float that occupies a whole number of bytes.
    Integer(Integer, Leaf),
    /// Reads a variable-length integer with at most this many bits.
    Variable(VariableKind, u8, Leaf),
    /// Reads text in an encoding, or bytes if no encoding is given.
    Text(TextSize, Option<Encoding>, Leaf),
    /// Reads text or bytes that directly follow their length. The slot receives the length unless
    /// the slot is [`Slot::NONE`].
    Prefixed(Integer, Slot, Option<Encoding>, Leaf),
    /// Reads a string that directly follows the number of its code units. The third field is the
    /// size of a code unit in bytes, and the fourth field is the encoding.
    Units(Integer, Slot, u8, Encoding, Leaf),
    /// Reads text or bytes up to a terminator.
    Terminated(Ending, Leaf),
    /// Reads an unsigned integer that the following [`Step::Bits`] extract bits from.
    Word(Integer),
    /// Runs a program for the value of the last [`Step::Word`], which replaces the given number of
    /// following steps.
    ByWord(WordId, u32),
    /// Extracts bits from the last [`Step::Word`]: the distance from the least significant bit and
    /// the number of bits.
    Bits(u8, u8, Leaf),
    /// Runs the next step only if the condition holds. If the condition does not hold, the value of
    /// the previous element remains in effect.
    Over(When, Leaf),
    /// Computes the value of an omitted field from the value of the previous element.
    Carried(Leaf),
    /// Makes a slot absent.
    Clear(Slot),
    /// Runs steps on a part of this size, which an operation describes.
    Part(TextSize, StepRange, OpId),
    /// Runs the given number of following steps and stores the start and end positions in the two
    /// slots.
    Span(Slot, Slot, u32),
    /// Runs the tests at the end of a structure.
    Holds(EffectsId, StepTestsId),
    /// Applies the assignments at the end of a structure.
    Assign(EffectsId),
    /// Repeats the given number of following steps for each element. The other fields are the
    /// element count, the count that denotes the absence of a list, and the presentation of the
    /// list.
    Each(Counted, Option<i32>, ListShow, u32),
    /// Adds the fields that a row describes to the record as name-value pairs, using the given
    /// number of following steps.
    Pairs(u32),
    /// Reads a list.
    List(ElementsId),
    /// Runs the program of the arm of a switch that a value selects.
    Switch(SwitchId, Formula),
    /// Reads the fields that a row describes. The values are the use of the layout set, the operation
    /// that reads the fields, and the key of the row, if the row is looked up.
    Layout(LayoutUseId, OpId, Option<Formula>),
    /// Begins a record.
    Begin,
    /// Reads a member earlier than the members that precede it in the record. The slot receives the
    /// position of the member's first item in the record.
    Ahead(Slot, StepRange),
    /// Completes a record.
    Record(RecordUseId),
    /// Runs the given number of following steps only if the condition holds. If the condition does
    /// not hold, the slot becomes absent.
    If(When, Slot, u32),
    /// Adds a structure to the record as an object with named members.
    Object(StepRange),
    /// Adds the name of a member to the record.
    Name(NameId),
    /// Adds the type code of a described field to the record: the use of the layout set and the
    /// index of the code within it.
    Code(LayoutUseId, u32),
    /// Adds the name of a described field to the record: its index among the fields of its row.
    FieldName(u32),
}

/// A condition of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The value of a formula is true.
    Holds(Formula),
    /// The given bit of the last [`Step::Word`] is set.
    Bit(u8),
}

/// How a single value is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The operation that describes the value.
    pub op: OpId,
    /// The slot that receives the value, or [`Slot::NONE`] if no expression reads it.
    pub slot: Slot,
    /// The tests of the value.
    pub tests: Tests,
    /// The index into the plan's carries, if the value is computed from an earlier value.
    pub carry: Option<CarryId>,
    /// The presentation of the value.
    pub show: Show,
}

/// The size of a string or part in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextSize {
    /// A constant number of bytes.
    Fixed(u32),
    /// The number of bytes that the formula yields.
    Computed(Formula),
}

/// The tests of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tests {
    /// No tests.
    None,
    /// The value is a member of this enumeration.
    Member(EnumId),
    /// The value is one of the small numbers whose bits are set in this mask.
    Among(u32),
    /// The value refers to an existing row, as specified by an entry of the plan's refs.
    Reference(RefsId),
    /// A list of tests that formulas can express, and perhaps a reference.
    Listed(StepTestsId),
    /// A list of tests that formulas can express, perhaps a reference, and rules that the value may
    /// exercise. A step runs these tests like any others.
    Shows(StepTestsId),
    /// Any other combination of tests.
    Any,
}

/// The presentation of a value in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// The record does not contain the value.
    Mute,
    /// A nonnegative integer.
    Unsigned,
    /// An integer that may be negative.
    Signed,
    /// A Boolean.
    Bool,
    /// A 32-bit float.
    Float32,
    /// A 64-bit float.
    Float64,
    /// A number, formatted according to its [`Presentation`](crate::Presentation).
    Presented,
    /// A column of the row that the value refers to.
    Row,
    /// Text, or bytes if the value has no encoding.
    Text,
    /// A GUID.
    Guid,
}

/// A list that steps can read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elements {
    /// The repetition.
    pub op: OpId,
    /// The number of elements.
    pub count: Counted,
    /// The program for one element.
    pub body: StepRange,
    /// The size of each element in bytes if the program is a single step of constant size,
    /// otherwise 0.
    pub size: u32,
    /// The key that must be unique among the elements.
    pub unique: Option<CodeId>,
    /// The presentation of the list.
    pub list: ListShow,
}

/// The source of the number of elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Counted {
    /// The value of a formula.
    By(Formula),
    /// An integer directly before the elements. The slot receives this integer unless the slot is
    /// [`Slot::NONE`].
    Before(Integer, Slot),
    /// A constant number of elements.
    Fixed(u32),
}

/// The presentation of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListShow {
    /// The record does not contain the list.
    Mute,
    /// A list of values.
    List,
    /// Name-value pairs.
    Pairs,
}
