//! Type codes that hold others.

use super::{NameId, OpId, Slot};
use crate::schema::LocatedFrom;

/// A type code whose values hold values of described types.
#[derive(Clone, Debug)]
pub struct NestedPlan {
    /// Index of the layout whose code it is.
    pub layout: u32,
    /// What its values look like.
    pub form: NestedForm,
    /// Names from the described type to what it holds: described fields, or one type.
    pub inside: Vec<NameId>,
    /// The number of elements that means that there is no value.
    pub none: Option<i128>,
    /// Where the number of elements goes.
    pub length_slot: Option<Slot>,
}

/// What the values of a type code that holds others look like.
#[derive(Clone, Debug)]
pub enum NestedForm {
    /// Described fields, one after the other.
    Fields,
    /// Elements behind their number, which the operation reads.
    Counted(OpId),
    /// As many elements as the description says: names from the described type.
    Described(Vec<NameId>),
    /// Elements that stand elsewhere.
    Located(LocatedPlan),
}

/// Where located elements stand.
#[derive(Clone, Copy, Debug)]
pub struct LocatedPlan {
    /// The field that says where.
    pub word: OpId,
    /// Its bits that are the offset: shift and width.
    pub offset: (u8, u8),
    /// Its bits that are the number of bytes: shift and width.
    pub size: (u8, u8),
    /// What the offset counts from.
    pub from: LocatedFrom,
    /// The rule that a size which is no multiple of the element's breaks.
    pub multiple: Option<u32>,
}

impl LocatedPlan {
    /// Offset and number of bytes that a word names.
    pub fn split(&self, word: u64) -> (u64, u64) {
        (field(word, self.offset), field(word, self.size))
    }

    /// The word for an offset and a number of bytes; `None` where they do not fit it.
    pub fn join(&self, offset: u64, size: u64) -> Option<u64> {
        let fits = |value: u64, (_, width): (u8, u8)| value & !mask(width) == 0;
        (fits(offset, self.offset) && fits(size, self.size))
            .then(|| offset << self.offset.0 | size << self.size.0)
    }

    /// The greatest offset and number of bytes.
    pub fn greatest(&self) -> (u64, u64) {
        (mask(self.offset.1), mask(self.size.1))
    }
}

fn mask(width: u8) -> u64 {
    match width {
        0 => 0,
        width => u64::MAX >> (64 - u32::from(width.min(64))),
    }
}

fn field(word: u64, (shift, width): (u8, u8)) -> u64 {
    word >> shift.min(63) & mask(width)
}

/// A structure that describes a type: what its code asks of the types that it holds is tested
/// where it ends.
#[derive(Clone, Debug)]
pub struct DescribesPlan {
    /// The field with the code.
    pub code: OpId,
    /// What is asked by each code.
    pub codes: Vec<DescribedCode>,
}

/// What a type code says of the types that it holds.
#[derive(Clone, Debug)]
pub struct DescribedCode {
    /// The code.
    pub code: i128,
    /// Whether its values always have as many bytes.
    pub extent: CodeExtent,
    /// It holds other types.
    pub holds: bool,
    /// What it holds must have a fixed size; the rule that anything else breaks.
    pub fixed: Option<Option<u32>>,
}

/// Whether the values of a type code always have as many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeExtent {
    /// They have.
    Fixed,
    /// They have not.
    Variable,
    /// They have if what they hold has.
    Inherited,
}

impl DescribesPlan {
    /// What is said of a code.
    pub fn code(&self, code: i128) -> Option<&DescribedCode> {
        self.codes.iter().find(|known| known.code == code)
    }
}
