//! Values while a trace is decoded.

/// A value of an expression or a slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Absent,
    /// An integer of more than 128 bits, which cannot be held.
    Beyond,
    /// An integer.
    Int(i128),
    /// A truth value.
    Bool(bool),
    /// A float.
    Float(f64),
    /// Bytes of the input, text or not.
    Bytes {
        /// First byte.
        start: u64,
        /// Number of bytes.
        length: u64,
    },
    /// Bytes that were in the input and are no longer at hand: number among the texts that
    /// the machine has put aside.
    Aside(u32),
    /// Shown in the record already: number of the first item.
    Shown(u32),
    /// A constant of the plan.
    Constant(u32),
    /// A part that is kept: index of its node.
    Node(u32),
    /// Parts that were picked from a list: index into what the machine has picked.
    Picked(u32),
    /// A row that was found: its place in its table.
    Row(u32),
    /// A text or part of a row.
    Cell {
        /// Index of the table.
        table: u32,
        /// The row's place.
        row: u32,
        /// The column.
        column: u32,
    },
}

impl Value {
    /// As an integer.
    pub fn integer(self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(value),
            Self::Bool(value) => Some(i128::from(value)),
            _ => None,
        }
    }

    /// As a float, where it is a number.
    pub fn float(self) -> Option<f64> {
        match self {
            Self::Float(value) => Some(value),
            #[expect(
                clippy::cast_precision_loss,
                reason = "a float compares with what is nearest"
            )]
            Self::Int(value) => Some(value as f64),
            _ => None,
        }
    }

    /// As a truth value: absent is false, a number is true unless zero.
    pub fn truth(self) -> bool {
        match self {
            Self::Bool(value) => value,
            Self::Int(value) => value != 0,
            Self::Absent => false,
            _ => true,
        }
    }
}
