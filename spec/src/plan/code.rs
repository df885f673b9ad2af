//! Compiled expressions.

use super::Slot;
use crate::expression::{BinaryOperator, UnaryOperator};
use crate::schema::Encoding;

/// The index of a compiled expression. `CodeId::NONE` where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CodeId(pub u32);

impl CodeId {
    /// No expression.
    pub const NONE: Self = Self(u32::MAX);

    /// As a position in the plan's array.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a row comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSource {
    /// A field that names a row has left it in this slot.
    Slot(Slot),
    /// Looked up by key.
    Lookup {
        /// Index of the table.
        table: u32,
        /// The key.
        key: CodeId,
    },
    /// A register that holds a row.
    Register(u32),
}

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnRef {
    /// Index of the table.
    pub table: u32,
    /// Index into the table's columns.
    pub column: u32,
}

/// Something that is read as if it were a file of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamRef {
    /// The part around, so many parts further out.
    Around(u32),
    /// The file.
    File,
    /// A part that has been read, from the one slot to the other.
    Part(Slot, Slot),
}

/// What is asked of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamPart {
    /// Where reading is in it.
    Position,
    /// Its bytes.
    Size,
    /// Nothing is left of it.
    AtEnd,
}

/// What is asked of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// Characters.
    Length,
    /// Bytes.
    Size,
    /// Code units of 16 bits.
    Units16,
    /// The text is a decimal number.
    IsDecimal,
    /// The number that it is, in a radix.
    Number(u8),
}

/// A compiled expression. Operands come before what uses them.
#[derive(Clone, Debug, PartialEq)]
pub enum Code {
    /// An integer.
    Int(i128),
    /// A float.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A text: index into the plan's constants.
    Text(u32),
    /// No value.
    Absent,
    /// A list without elements.
    NoElements,
    /// The value under test.
    This,
    /// What a slot holds.
    Slot(Slot),
    /// What a register holds.
    Register(u32),
    /// A value of a row; absent where there is no row.
    Column(RowSource, ColumnRef),
    /// There is such a row.
    HasRow(RowSource),
    /// Bytes between two slots.
    Between(Slot, Slot),
    /// The number of elements of the list that a slot holds the number of.
    Length(CodeId),
    /// The number of the element in the nearest repetition that is so many levels outward.
    Index(u32),
    /// Something of a stream.
    Stream(StreamRef, StreamPart),
    /// Something of a text in an encoding; of bytes where there is none.
    OfText(TextPart, CodeId, Option<Encoding>),
    /// One operand.
    Unary(UnaryOperator, CodeId),
    /// Two operands.
    Binary(BinaryOperator, CodeId, CodeId),
    /// Either of two.
    Conditional(CodeId, CodeId, CodeId),
    /// The first that is present.
    Else(CodeId, CodeId),
    /// There is a value.
    IsPresent(CodeId),
    /// The least or greatest of two.
    Extreme {
        /// The greatest.
        greatest: bool,
        /// One.
        left: CodeId,
        /// The other.
        right: CodeId,
    },
    /// A bit mask of an integer is set.
    HasBits(CodeId, u64),
    /// A text or bytes contain this byte.
    ContainsByte(CodeId, u8),
    /// A text is a number in decimal digits.
    IsDecimal(CodeId),
    /// Eight numbers, from the year to the millisecond, are a date and time: what holds them.
    IsDate(Box<[CodeId; 8]>),
}
