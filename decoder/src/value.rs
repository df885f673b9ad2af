//! Values of expressions and slots during decoding.

use tracegauge_plan::ConstantId;
use tracegauge_plan::evaluate::Scalar;
use tracegauge_plan::terms::{ColumnId, TableId};

/// A value of an expression or a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Absent,
    /// An integer of more than 128 bits, which is too large to represent.
    Beyond,
    /// An integer.
    Int(i128),
    /// A Boolean.
    Bool(bool),
    /// A float.
    Float(f64),
    /// Bytes of the input, which may be text.
    Bytes {
        /// The position of the first byte.
        start: u64,
        /// The number of bytes.
        length: u64,
    },
    /// Bytes that the input has discarded, given as an index into the machine's copies of such
    /// bytes.
    Aside(u32),
    /// A value that the current record already contains, given as the index of its first item.
    Shown(u32),
    /// A constant of the plan, given as its index.
    Constant(ConstantId),
    /// A part of the trace, given as the index of its node in the tree.
    Node(u32),
    /// Nodes selected from a list, given as an index into the machine's selections.
    Picked(u32),
    /// A row, given as its index in its table.
    Row(u32),
    /// Text, or a part of the trace, in a cell of a row.
    Cell {
        /// The index of the table.
        table: TableId,
        /// The row's index.
        row: u32,
        /// The column.
        column: ColumnId,
    },
}

/// Converts a size, a count or a distance to an unsigned number, or returns `None` if it is
/// negative. A number of more than 64 bits becomes `u64::MAX`, because no trace has that many
/// bytes.
#[inline]
pub fn amount(number: i128) -> Option<u64> {
    (number >= 0).then(|| u64::try_from(number).unwrap_or(u64::MAX))
}

impl Value {
    /// Returns the value as the operators of expressions see it, without text.
    #[inline(always)]
    fn scalar(self) -> Scalar<'static> {
        match self {
            Self::Absent => Scalar::Absent,
            Self::Int(value) => Scalar::Int(value),
            Self::Bool(value) => Scalar::Bool(value),
            Self::Float(value) => Scalar::Float(value),
            _ => Scalar::Part,
        }
    }

    /// Returns the value as an integer, if it is an integer or a Boolean.
    #[inline]
    pub fn integer(self) -> Option<i128> {
        self.scalar().integer()
    }

    /// Returns the value as a float, if it is a number.
    #[inline]
    pub fn float(self) -> Option<f64> {
        self.scalar().float()
    }

    /// Returns the value as a Boolean. An absent value and the integer zero are false; all other
    /// values except `false` are true.
    #[inline]
    pub fn truth(self) -> bool {
        self.scalar().truth()
    }
}
