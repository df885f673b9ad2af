//! Types, enumerations and flag sets.

use super::{
    BitOrder, Clear, Constraint, Define, Encoding, Endian, EnumId, FaultMap, Field, Instance,
    Meaning, Obedience, Remove, Scalar, Set, TypeId,
};
use crate::expression::Expr;
use tracegauge_plan::source::SourceSpan;

/// The default byte order of the numbers in a type.
#[derive(Clone, Debug)]
pub enum EndianChoice {
    /// A constant byte order.
    Fixed(Endian),
    /// A byte order selected by an expression, written as `endian: {switch-on: …, cases: …}`.
    Switch {
        /// The expression whose value selects the case.
        on: Expr,
        /// The label and byte order of each case. The default case has no label.
        cases: Vec<(Option<Expr>, Endian)>,
    },
}

/// The type of a field.
#[derive(Clone, Debug)]
pub enum TypeRef {
    /// A number.
    Scalar(Scalar),
    /// Text. The field's size or terminator determines where the text ends.
    Text,
    /// A byte string. The field's size, terminator or contents determine where the byte string
    /// ends.
    Bytes,
    /// A type that the description defines.
    Named {
        /// The referenced type.
        id: TypeId,
        /// The arguments for the parameters of the type.
        arguments: Vec<Expr>,
        /// The location of the reference.
        span: SourceSpan,
    },
    /// One of several types, selected by the value of an expression.
    Switch {
        /// The expression whose value selects the arm.
        on: Expr,
        /// The arms in order.
        cases: Vec<SwitchCase>,
        /// The rule broken by a value without a matching arm, if there is no default arm.
        rule: Option<super::RuleRef>,
        /// The location of the switch.
        span: SourceSpan,
    },
    /// The type that is assigned to the kind of a row, written as `type-of-row: table.get(key)`.
    OfRow {
        /// The expression for the row.
        row: Expr,
        /// The type for rows without a kind.
        otherwise: Option<Box<TypeRef>>,
    },
}

/// An arm of a switch.
#[derive(Clone, Debug)]
pub struct SwitchCase {
    /// The value that selects the arm, or `None` for the default arm, which is labeled `_`.
    pub label: Option<Expr>,
    /// The type that the arm reads.
    pub target: TypeRef,
    /// The condition on the dialect under which the arm exists.
    pub condition: Option<Expr>,
    /// The location of the arm.
    pub span: SourceSpan,
}

/// A type that the description defines.
#[derive(Clone, Debug)]
pub struct Type {
    /// The name of the type, qualified by the types around it, as in `outer::inner`.
    pub name: String,
    /// The location of the type's definition.
    pub span: SourceSpan,
    /// The type that encloses this type.
    pub nested_in: Option<TypeId>,
    /// The documentation of the type (`doc`).
    pub doc: Option<String>,
    /// The parameters of the type.
    pub params: Vec<Param>,
    /// The default byte order, or `None` to use the byte order of the enclosing type.
    pub endian: Option<EndianChoice>,
    /// The default bit order.
    pub bit_endian: Option<BitOrder>,
    /// The default encoding of strings.
    pub encoding: Option<Encoding>,
    /// The contents of the type.
    pub body: TypeBody,
    /// Values outside the sequence of fields (`instances`).
    pub instances: Vec<Instance>,
    /// The expression whose value replaces the structure in expressions, paths and records. The
    /// expression refers to a field, or to `_` for an alias.
    pub shows: Option<Expr>,
    /// The field that can mark the structure as null, and the value that does so.
    pub none: Option<(String, Expr)>,
    /// The meaning of the structure.
    pub meaning: Option<Meaning>,
    /// The total size in bytes according to the specification.
    pub size_of: Option<Expr>,
    /// Constraints on the whole structure.
    pub constraints: Vec<Constraint>,
    /// The rules for faults inside the type.
    pub faults: FaultMap,
    /// The rules that the type exercises.
    pub obeys: Vec<Obedience>,
    /// The row that the type defines.
    pub defines: Option<Define>,
    /// The row that the type removes.
    pub removes: Option<Remove>,
    /// The tables that the type clears.
    pub clears: Vec<Clear>,
    /// The registers and columns that the type sets.
    pub sets: Vec<Set>,
    /// The rule that requires readers to ignore the contents, so that writers may write any bytes.
    pub ignore: Option<super::RuleRef>,
    /// Hints for random generation of the whole structure.
    pub generation: super::Generation,
    /// Whether readers must report the records inside the structure once it is complete, even if
    /// the file is truncated later.
    pub due: bool,
    /// Whether readers need the whole file at once to read the type.
    pub seekable: bool,
}

/// The contents of a type.
#[derive(Clone, Debug)]
pub enum TypeBody {
    /// A structure of fields that are read in sequence.
    Structure(Vec<Field>),
    /// A named value with constraints (`is:`), also called an alias: a number, a string, or a
    /// switch between types that depends only on the dialect. The type is stored as a single field
    /// without a name.
    Alias(Box<Field>),
}

/// A parameter of a type.
#[derive(Clone, Debug)]
pub struct Param {
    /// The name of the parameter.
    pub name: String,
    /// The type of the parameter.
    pub kind: ParamType,
    /// The location of the parameter's declaration.
    pub span: SourceSpan,
}

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamType {
    /// An integer.
    Int,
    /// A floating-point number.
    Float,
    /// A Boolean.
    Bool,
    /// A string.
    Text,
    /// A byte string.
    Bytes,
    /// A member of this enumeration.
    Enum(EnumId),
    /// A structure of any type.
    Structure,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// The name, qualified by the types around it.
    pub name: String,
    /// The members, ordered by value.
    pub members: Vec<EnumMember>,
    /// The location of the enumeration's definition.
    pub span: SourceSpan,
}

/// A member of an enumeration.
#[derive(Clone, Debug)]
pub struct EnumMember {
    /// The value of the member.
    pub value: i128,
    /// The name of the member.
    pub name: String,
    /// A description of the member.
    pub doc: Option<String>,
    /// The condition on the dialect under which the member exists.
    pub condition: Option<Expr>,
    /// The rule broken by the value in dialects without the member (`else:`).
    pub otherwise: Option<super::RuleRef>,
    /// The location of the enumeration member in the description.
    pub span: SourceSpan,
}

/// A set of named bits of an integer.
#[derive(Clone, Debug)]
pub struct FlagSet {
    /// The name of the flag set.
    pub name: String,
    /// The named bits.
    pub bits: Vec<FlagBit>,
    /// The location of the flag set's definition.
    pub span: SourceSpan,
}

/// One or more named bits.
#[derive(Clone, Debug)]
pub struct FlagBit {
    /// The name of the mask.
    pub name: String,
    /// The mask that selects the bits, which usually has a single bit set.
    pub mask: u64,
    /// The location of the flag in the description.
    pub span: SourceSpan,
}
