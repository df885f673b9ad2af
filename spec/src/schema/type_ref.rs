//! Types, enumerations and flag sets.

use super::{
    Clear, Constraint, Define, EnumId, FaultMap, Field, Instance, Meaning, Obedience, Remove, Set,
    TypeId,
};
use crate::expression::Expr;
use crate::source::SourceSpan;

/// Byte order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endian {
    /// Least significant byte first.
    Little,
    /// Most significant byte first.
    Big,
}

/// Bit order inside bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BitOrder {
    /// From the least significant bit.
    Little,
    /// From the most significant bit, Kaitai's default.
    Big,
}

/// The byte order that a type's scalars have by default.
#[derive(Clone, Debug)]
pub enum EndianChoice {
    /// Always the same.
    Fixed(Endian),
    /// Chosen by an expression: `endian: {switch-on: …, cases: …}`.
    Switch {
        /// What decides.
        on: Expr,
        /// Label and order; `None` is the default case.
        cases: Vec<(Option<Expr>, Endian)>,
    },
}

/// A number on the wire.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// What kind of number.
    pub kind: ScalarKind,
    /// The byte order that the type name gives (`u4le`); else the enclosing type's.
    pub endian: Option<Endian>,
    /// `words: {size, first}`: a value in words, each in the byte order, least word first
    /// where `true`.
    pub words: Option<(u8, bool)>,
}

/// Kinds of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScalarKind {
    /// Unsigned, in this many bytes, 1 to 8.
    Unsigned(u8),
    /// Signed, in this many bytes, 1 to 8.
    Signed(u8),
    /// IEEE 754, in 4 or 8 bytes.
    Float(u8),
    /// This many bits, 1 to 64, in this order (`None`: the enclosing type's).
    Bits(u8, Option<BitOrder>),
    /// Variable length.
    Variable(VariableKind, u8),
    /// A GUID of 16 bytes; its first three parts in the given order.
    Guid(Endian),
}

/// Codings of variable-length integers. The number beside it is the width of the value in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// Unsigned LEB128.
    Unsigned,
    /// Signed LEB128.
    Signed,
    /// Unsigned LEB128 of the zigzag-coded value.
    ZigZag,
}

/// Encodings of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// ASCII; a byte above 127 is ill-formed.
    Ascii,
    /// UTF-8.
    Utf8,
    /// CESU-8: each surrogate of a pair as three bytes.
    Cesu8,
    /// UTF-16, little-endian.
    Utf16Le,
    /// UTF-16, big-endian.
    Utf16Be,
    /// ISO 8859-1.
    Latin1,
}

impl Encoding {
    /// It writes surrogates one by one, so that half a pair can be told from other faults.
    pub fn has_halves(self) -> bool {
        matches!(self, Self::Cesu8 | Self::Utf16Le | Self::Utf16Be)
    }
}

/// What a field is read as.
#[derive(Clone, Debug)]
pub enum TypeRef {
    /// A number.
    Scalar(Scalar),
    /// Text; how it ends is the field's size or terminator.
    Text,
    /// Raw bytes; how they end is the field's size, terminator or contents.
    Bytes,
    /// A type of the description.
    Named {
        /// The type.
        id: TypeId,
        /// Arguments for its parameters.
        arguments: Vec<Expr>,
        /// Where the reference stands.
        span: SourceSpan,
    },
    /// One of several, by the value of an expression.
    Switch {
        /// What decides.
        on: Expr,
        /// The arms in order.
        cases: Vec<SwitchCase>,
        /// The rule that a value without an arm breaks, where there is no arm for the rest.
        rule: Option<super::RuleRef>,
        /// Where the switch stands.
        span: SourceSpan,
    },
    /// The type that the row's kind gives: `type-of-row: table.get(key)`.
    OfRow {
        /// The row.
        row: Expr,
        /// What is used for rows without a kind.
        otherwise: Option<Box<TypeRef>>,
    },
}

/// An arm of a switch.
#[derive(Clone, Debug)]
pub struct SwitchCase {
    /// The value that selects the arm; `None` for `_`.
    pub label: Option<Expr>,
    /// What is read.
    pub target: TypeRef,
    /// The arm exists only in the dialects for which this holds.
    pub condition: Option<Expr>,
    /// Where the arm stands.
    pub span: SourceSpan,
}

/// A type of the description.
#[derive(Clone, Debug)]
pub struct Type {
    /// Its name, with the types that it is nested in: `outer::inner`.
    pub name: String,
    /// Where it is defined.
    pub span: SourceSpan,
    /// The type that it is nested in.
    pub nested_in: Option<TypeId>,
    /// What it is for.
    pub doc: Option<String>,
    /// Parameters.
    pub params: Vec<Param>,
    /// Default byte order; `None`: the enclosing type's.
    pub endian: Option<EndianChoice>,
    /// Default bit order.
    pub bit_endian: Option<BitOrder>,
    /// Default encoding of texts.
    pub encoding: Option<Encoding>,
    /// What it consists of.
    pub body: TypeBody,
    /// Values that are not read in sequence: `instances`.
    pub instances: Vec<Instance>,
    /// The field that stands for the structure in expressions, paths and records: an
    /// expression over its fields, or over `_` for an alias.
    pub shows: Option<Expr>,
    /// How null is written: field and value that mean it.
    pub none: Option<(String, Expr)>,
    /// What the structure means.
    pub meaning: Option<Meaning>,
    /// Total size in bytes that the document states.
    pub size_of: Option<Expr>,
    /// Constraints on the whole.
    pub constraints: Vec<Constraint>,
    /// Rules that faults inside break.
    pub faults: FaultMap,
    /// Rules that this type shows.
    pub obeys: Vec<Obedience>,
    /// The row that it defines.
    pub defines: Option<Define>,
    /// The row that it removes.
    pub removes: Option<Remove>,
    /// Tables that it clears.
    pub clears: Vec<Clear>,
    /// Registers and columns that it sets.
    pub sets: Vec<Set>,
    /// Any content is right: a reader passes over it. The rule that says so.
    pub ignore: Option<super::RuleRef>,
    /// Hints for random generation of the whole.
    pub generation: super::Generation,
    /// Records inside are owed once this is complete, not before.
    pub due: bool,
    /// The whole file must be at hand.
    pub seekable: bool,
}

/// What a type consists of.
#[derive(Clone, Debug)]
pub enum TypeBody {
    /// Fields, one after the other.
    Structure(Vec<Field>),
    /// `is:`: a named scalar (or text, or a folded switch between types) with constraints,
    /// carried by one anonymous field.
    Alias(Box<Field>),
}

/// A parameter of a type.
#[derive(Clone, Debug)]
pub struct Param {
    /// Name.
    pub name: String,
    /// Type.
    pub kind: ParamType,
    /// Where it is declared.
    pub span: SourceSpan,
}

/// Types of parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamType {
    /// An integer.
    Int,
    /// A float.
    Float,
    /// A truth value.
    Bool,
    /// Text.
    Text,
    /// Bytes.
    Bytes,
    /// A member of this enumeration.
    Enum(EnumId),
    /// A structure of any type.
    Structure,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Name, with enclosing types.
    pub name: String,
    /// Members in order of their value.
    pub members: Vec<EnumMember>,
    /// Where it is defined.
    pub span: SourceSpan,
}

/// A member of an enumeration.
#[derive(Clone, Debug)]
pub struct EnumMember {
    /// The number.
    pub value: i128,
    /// The name.
    pub name: String,
    /// What it is.
    pub doc: Option<String>,
    /// The member exists only in the dialects for which this holds.
    pub condition: Option<Expr>,
    /// The rule that the value breaks in other dialects (`else:`).
    pub otherwise: Option<super::RuleRef>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// A set of named bits of an integer.
#[derive(Clone, Debug)]
pub struct FlagSet {
    /// Name.
    pub name: String,
    /// The bits.
    pub bits: Vec<FlagBit>,
    /// Where it is defined.
    pub span: SourceSpan,
}

/// A named mask.
#[derive(Clone, Debug)]
pub struct FlagBit {
    /// The name.
    pub name: String,
    /// The mask; usually one bit.
    pub mask: u64,
    /// Where it stands.
    pub span: SourceSpan,
}
