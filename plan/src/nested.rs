//! Type codes whose values contain other values: structures, lists, and elements at another
//! position in the file. A layout set defines how the values of each type code are read.

use super::{LayoutUseId, NameId, OpId, Slot};
use crate::arena::id;
use crate::terms::{LocatedFrom, RuleId};

id!(/** A type code whose values contain other values. */ NestedId);
id!(/** A structure in the file that describes types. */ DescribesId);

/// A type code whose values contain values of types that the file describes.
#[derive(Clone, Debug)]
pub struct NestedPlan {
    /// The use of the layout set that the code belongs to.
    pub layout: LayoutUseId,
    /// The form of the values.
    pub form: NestedForm,
    /// The names that lead from the described type to its contents, which are either described
    /// fields or a single type.
    pub inside: Vec<NameId>,
    /// The element count that denotes the absence of a value.
    pub none: Option<i128>,
    /// The slot that receives the number of elements.
    pub length_slot: Option<Slot>,
}

/// The form of values that contain other values.
#[derive(Clone, Debug)]
pub enum NestedForm {
    /// Described fields in sequence.
    Fields,
    /// Elements preceded by an element count, which this operation reads.
    Counted(OpId),
    /// Elements whose count is part of the described type. The names lead from the described type
    /// to the element count.
    Described(Vec<NameId>),
    /// Elements at another position in the file.
    Located(LocatedPlan),
}

/// The location of elements at another position.
#[derive(Clone, Copy, Debug)]
pub struct LocatedPlan {
    /// The field that encodes the location.
    pub word: OpId,
    /// The shift and width of the offset within the word.
    pub offset: (u8, u8),
    /// The shift and width of the byte count within the word.
    pub size: (u8, u8),
    /// The position that the offset is relative to.
    pub from: LocatedFrom,
    /// The rule broken by a size that is not a multiple of the element size.
    pub multiple: Option<RuleId>,
}

impl LocatedPlan {
    /// Splits a word into an offset and a number of bytes.
    pub fn split(&self, word: u64) -> (u64, u64) {
        (field(word, self.offset), field(word, self.size))
    }

    /// Combines an offset and a number of bytes into a word. Returns `None` if the offset or the
    /// number of bytes does not fit in its part of the word.
    pub fn join(&self, offset: u64, size: u64) -> Option<u64> {
        let fits = |value: u64, (_, width): (u8, u8)| value & !mask(width) == 0;
        (fits(offset, self.offset) && fits(size, self.size))
            .then(|| offset << self.offset.0 | size << self.size.0)
    }

    /// Returns the maximum offset and the maximum number of bytes that a word can encode.
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

/// A structure that describes a type. When the structure ends, the decoder tests whether the
/// contained types satisfy the requirements of the type code.
#[derive(Clone, Debug)]
pub struct DescribesPlan {
    /// The field that contains the type code.
    pub code: OpId,
    /// The requirements of each type code.
    pub codes: Vec<DescribedCode>,
}

/// The requirements that a type code places on the types that it contains.
#[derive(Clone, Debug)]
pub struct DescribedCode {
    /// The number of the code.
    pub code: i128,
    /// Whether the size of the code's values is constant.
    pub extent: CodeExtent,
    /// Whether the code contains other types.
    pub holds: bool,
    /// Whether the contained type must have a fixed size. If the size must be fixed, the inner
    /// value is the rule broken by a type without a fixed size.
    pub fixed: Option<Option<RuleId>>,
}

/// Whether the size of the values of a type code is constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeExtent {
    /// The size is constant.
    Fixed,
    /// The size varies.
    Variable,
    /// The size is constant if the size of the contained type is constant.
    Inherited,
}

impl DescribesPlan {
    /// Returns the requirements of the type code with this number.
    pub fn code(&self, code: i128) -> Option<&DescribedCode> {
        self.codes.iter().find(|known| known.code == code)
    }
}
