//! Compiled expressions, which the decoder and the generator evaluate.
//!
//! An expression can read slots, which store the values of earlier fields; registers, which are
//! named variables of the decoder's state; and the rows of tables, which structures in the file
//! define.

use super::{ConstantId, Plan, Slot};
use crate::arena::id;
use crate::operator::{BinaryOperator, UnaryOperator};
use crate::terms::{ColumnId, Encoding, RegisterId, TableId};

id!(/** The index of a compiled expression, or `CodeId::NONE` if there is no expression. */ CodeId);

impl CodeId {
    /// The id that indicates the absence of an expression.
    pub const NONE: Self = Self(u32::MAX);
}

/// The source of a table row that an expression reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowSource {
    /// The slot in which a reference field stored the row that it refers to.
    Slot(Slot),
    /// The row found by looking up a key.
    Lookup {
        /// The index of the table.
        table: TableId,
        /// The key to look up.
        key: CodeId,
    },
    /// The row that a register refers to.
    Register(RegisterId),
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnRef {
    /// The index of the table.
    pub table: TableId,
    /// The index into the table's columns.
    pub column: ColumnId,
}

/// A stream: a range of bytes that can be read as if it were a separate file. A part is a stream
/// inside the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamRef {
    /// An enclosing part, counted outward from 0 for the innermost part.
    Around(u32),
    /// The whole file.
    File,
    /// A part that has already been read, given by the slots with its start and end positions.
    Part(Slot, Slot),
}

/// A property of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamPart {
    /// The current reading position within the stream.
    Position,
    /// The size in bytes.
    Size,
    /// Whether the stream has no bytes left.
    AtEnd,
}

/// A property of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextPart {
    /// The number of characters.
    Length,
    /// The number of bytes.
    Size,
    /// The number of 16-bit code units.
    Units16,
    /// Whether the string is a decimal number.
    IsDecimal,
    /// The number that the string represents in this radix.
    Number(u8),
}

impl TextPart {
    /// Returns whether this is a number of characters, bytes or code units.
    pub fn is_length(self) -> bool {
        matches!(self, Self::Length | Self::Size | Self::Units16)
    }
}

/// A compiled expression. Operands precede the expressions that use them.
#[derive(Clone, Debug, PartialEq)]
pub enum Code {
    /// An integer constant.
    Int(i128),
    /// A floating-point constant.
    Float(f64),
    /// A Boolean constant.
    Bool(bool),
    /// A string constant, as an index into the plan's constants.
    Text(ConstantId),
    /// The absent value.
    Absent,
    /// An empty list.
    NoElements,
    /// The value under test, which descriptions write as `_`.
    This,
    /// The value stored in a slot.
    Slot(Slot),
    /// The value stored in a register.
    Register(RegisterId),
    /// The value of a column of a row, or the absent value if the row does not exist.
    Column(RowSource, ColumnRef),
    /// Whether a row exists.
    HasRow(RowSource),
    /// A row, rather than one of its columns.
    Row(RowSource),
    /// The number that identifies the kind of a row of this table, or −1 if the row has no kind.
    RowKind(TableId, RowSource),
    /// The bytes between two positions, which are stored in slots.
    Between(Slot, Slot),
    /// The length of a list, given by the expression that computes the number of its elements.
    Length(CodeId),
    /// The index of the current element in an enclosing repetition. Repetitions are counted outward
    /// from 0 for the innermost repetition.
    Index(u32),
    /// A property of a stream.
    Stream(StreamRef, StreamPart),
    /// A property of a string in this encoding, or of a byte string if the encoding is `None`.
    OfText(TextPart, CodeId, Option<Encoding>),
    /// A unary operation.
    Unary(UnaryOperator, CodeId),
    /// A binary operation.
    Binary(BinaryOperator, CodeId, CodeId),
    /// The second operand if the first is true, otherwise the third.
    Conditional(CodeId, CodeId, CodeId),
    /// The first operand if it is present, otherwise the second.
    Else(CodeId, CodeId),
    /// Whether a value is present.
    IsPresent(CodeId),
    /// The minimum or maximum of two operands.
    Extreme {
        /// Whether to take the maximum.
        greatest: bool,
        /// The first operand.
        left: CodeId,
        /// The second operand.
        right: CodeId,
    },
    /// Whether any bit of a mask is set in an integer.
    HasBits(CodeId, u64),
    /// Whether a string or byte string contains this byte.
    ContainsByte(CodeId, u8),
    /// Whether a string is a number that consists of decimal digits.
    IsDecimal(CodeId),
    /// Whether eight numbers, from the year to the millisecond, form a valid date and time.
    IsDate(Box<[CodeId; 8]>),
}

impl Code {
    /// Returns the direct operands of the expression, including the key of a row that it looks up.
    pub fn operands(&self) -> Vec<CodeId> {
        let mut copy = self.clone();
        let operands = copy.operands_mut().into_iter();
        operands.map(|operand| *operand).collect()
    }

    /// Returns a copy of the expression in which all operands are [`CodeId::NONE`].
    fn without_operands(&self) -> Self {
        let mut copy = self.clone();
        for operand in copy.operands_mut() {
            *operand = CodeId::NONE;
        }
        copy
    }

    fn operands_mut(&mut self) -> Vec<&mut CodeId> {
        match self {
            Self::Column(source, _)
            | Self::HasRow(source)
            | Self::Row(source)
            | Self::RowKind(_, source) => match source {
                RowSource::Lookup { key, .. } => vec![key],
                RowSource::Slot(_) | RowSource::Register(_) => Vec::new(),
            },
            Self::Length(operand)
            | Self::OfText(_, operand, _)
            | Self::Unary(_, operand)
            | Self::IsPresent(operand)
            | Self::HasBits(operand, _)
            | Self::ContainsByte(operand, _)
            | Self::IsDecimal(operand) => vec![operand],
            Self::Binary(_, left, right)
            | Self::Else(left, right)
            | Self::Extreme { left, right, .. } => vec![left, right],
            Self::Conditional(condition, then, otherwise) => vec![condition, then, otherwise],
            Self::IsDate(parts) => parts.iter_mut().collect(),
            Self::Int(_)
            | Self::Float(_)
            | Self::Bool(_)
            | Self::Text(_)
            | Self::Absent
            | Self::NoElements
            | Self::This
            | Self::Slot(_)
            | Self::Register(_)
            | Self::Between(..)
            | Self::Index(_)
            | Self::Stream(..) => Vec::new(),
        }
    }
}

impl Plan {
    /// Returns whether two expressions are identical.
    pub fn is_same_expression(&self, a: CodeId, b: CodeId) -> bool {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            if a == b {
                continue;
            }
            let (a, b) = (&self.codes[a.index()], &self.codes[b.index()]);
            let (inside_a, inside_b) = (a.operands(), b.operands());
            if inside_a.len() != inside_b.len() || a.without_operands() != b.without_operands() {
                return false;
            }
            open.extend(inside_a.into_iter().zip(inside_b));
        }
        true
    }

    /// Returns the expression `code` and all expressions in it, each before its operands.
    pub fn expressions_in(&self, code: CodeId) -> impl Iterator<Item = &Code> {
        let mut open = vec![code];
        std::iter::from_fn(move || {
            let code = &self.codes[open.pop()?.index()];
            open.extend(code.operands().into_iter().rev());
            Some(code)
        })
    }
}
