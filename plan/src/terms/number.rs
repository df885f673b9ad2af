//! The encodings of numbers.

/// The order of the bytes in a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endian {
    /// The least significant byte comes first.
    Little,
    /// The most significant byte comes first.
    Big,
}

/// The order in which bit fields fill bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitOrder {
    /// Bit fields start at the least significant bit.
    Little,
    /// Bit fields start at the most significant bit, which is the default in Kaitai.
    Big,
}

/// A number type.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// The kind of number.
    pub kind: ScalarKind,
    /// The byte order that is part of the type name, as in `u4le`, or `None` to use the byte order
    /// of the enclosing type.
    pub endian: Option<Endian>,
    /// The size of a word, and whether the least significant word comes first. The value is set
    /// only for a number that is stored in words, written as `words: {size, first}`. Each word has
    /// the byte order of the number.
    pub words: Option<(u8, bool)>,
}

/// The kind of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarKind {
    /// An unsigned integer of 1 to 8 bytes.
    Unsigned(u8),
    /// A signed integer of 1 to 8 bytes.
    Signed(u8),
    /// An IEEE 754 number of 4 or 8 bytes.
    Float(u8),
    /// A bit field of 1 to 64 bits. If the bit field has no bit order of its own, the bit order of
    /// the enclosing type applies.
    Bits(u8, Option<BitOrder>),
    /// A variable-length integer whose value has at most this many bits.
    Variable(VariableKind, u8),
    /// A GUID of 16 bytes. The byte order applies to the first three groups of the GUID.
    Guid(Endian),
}

/// The encoding of a variable-length integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// Unsigned LEB128.
    Unsigned,
    /// Signed LEB128.
    Signed,
    /// Unsigned LEB128 of the zigzag-encoded value.
    ZigZag,
}
