//! Fields: the items of a `seq`, instances, and their properties. A field whose size is stated,
//! such as a structure with `size`, is a sized part.

use super::{
    Constraint, Define, Encoding, EnumId, FaultMap, FlagsId, LayoutId, Meaning, Obedience,
    RegisterId, RuleRef, Scalar, TableId, TypeRef,
};
use crate::expression::Expr;
use tracegauge_plan::source::SourceSpan;

/// One item of a `seq`.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name of the field. Kaitai allows fields without a name.
    pub id: Option<String>,
    /// The location of the field in the description.
    pub span: SourceSpan,
    /// The documentation of the field (`doc`).
    pub doc: Option<String>,
    /// Whether the item reads a value, runs a test, or reads padding.
    pub role: FieldRole,
}

/// The kind of an item of a `seq`.
#[derive(Clone, Debug)]
pub enum FieldRole {
    /// A field that reads a value from the file.
    Wire(Box<FieldSource>),
    /// A test, which reads nothing.
    Check(Box<Check>),
    /// Padding up to the next multiple of a given number of bytes.
    Align(Box<Align>),
}

/// A test that is an item of a `seq`, written as `{check: EXPR, at: PATH, rule: R}`.
#[derive(Clone, Debug)]
pub struct Check {
    /// The expression that must be true.
    pub test: Expr,
    /// The field to report in a violation.
    pub at: Option<Expr>,
    /// The condition under which the test applies.
    pub condition: Option<Expr>,
    /// The rule that is broken if the test fails.
    pub rule: Option<RuleRef>,
}

/// Padding, written as `{align: {to, from, fill}}`.
#[derive(Clone, Debug)]
pub struct Align {
    /// The alignment, in bytes.
    pub to: u64,
    /// Whether the alignment is relative to the start of the file instead of the start of the sized
    /// part.
    pub from_file: bool,
    /// The required value of each padding byte.
    pub fill: Option<u8>,
    /// The condition under which the padding exists.
    pub condition: Option<Expr>,
    /// The rule broken by padding bytes with a value other than `fill`.
    pub rule: Option<RuleRef>,
    /// The rules for faults in the padding.
    pub faults: FaultMap,
    /// The rules that the padding exercises.
    pub obeys: Vec<Obedience>,
}

/// The properties of a field that reads a value from the file.
#[derive(Clone, Debug)]
pub struct FieldSource {
    /// The type of the field.
    pub target: TypeRef,
    /// The condition under which the field exists.
    pub condition: Option<Expr>,
    /// The repetition of the field, if it is a list.
    pub repeat: Option<Repeat>,
    /// The size of the field.
    pub size: Size,
    /// The terminator of a string or byte string.
    pub terminator: Option<Terminator>,
    /// The byte that pads a string or byte string to its size.
    pub pad_right: Option<u8>,
    /// The encoding of a string, or `None` to use the encoding of the enclosing type.
    pub encoding: Option<Encoding>,
    /// The constant bytes that the field must contain.
    pub contents: Option<Vec<u8>>,
    /// The rule that is broken if the field contains bytes other than `contents`.
    pub contents_rule: Option<RuleRef>,
    /// The value that a writer computes and a reader checks: the expression and its rule. The
    /// `condition` of the constraint is the `if` of `value: {if, then}`.
    pub value: Option<Constraint>,
    /// The constraints on the value.
    pub constraints: Vec<Constraint>,
    /// The enumeration that the values belong to.
    pub enumeration: Option<EnumId>,
    /// The flag set that names the bits of the value.
    pub flags: Option<FlagsId>,
    /// The meaning of the value.
    pub meaning: Option<Meaning>,
    /// How a list of values of this type is presented as a string.
    pub list_as: Option<ListAs>,
    /// How the value is derived from an earlier value.
    pub carry: Option<Carry>,
    /// The table row that the value refers to.
    pub refs: Option<Refs>,
    /// The layout set whose type codes the field contains.
    pub code_of: Option<LayoutId>,
    /// The layout that reads the field, if the file itself describes the field's contents.
    pub layout: Option<LayoutUse>,
    /// Whether the sized part may end before this field. If the part ends before this field, this
    /// field and all later fields are absent.
    pub optional_rest: bool,
    /// Whether the fields of this part can be used like fields of the enclosing type.
    pub embed: bool,
    /// The rule that requires readers to ignore the contents, so that writers may write any bytes.
    pub ignore: Option<RuleRef>,
    /// The rows that the elements of this list define.
    pub defines: Option<Define>,
    /// The rules for faults inside the field.
    pub faults: FaultMap,
    /// The rules that the field exercises.
    pub obeys: Vec<Obedience>,
    /// Hints for random generation.
    pub generation: Generation,
}

/// The repetition of a field.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// How the number of elements is determined.
    pub elements: Elements,
    /// The minimum number of elements (`at-least`).
    pub at_least: Option<AtLeast>,
    /// Constraints on the first and last element and on values that may occur only once
    /// (`arrange`).
    pub arrange: Option<Arrange>,
    /// Keys that must be unique among the elements (`unique`).
    pub unique: Vec<Unique>,
}

/// How the number of elements in a repetition is determined.
#[derive(Clone, Debug)]
pub enum Elements {
    /// All elements up to the end of the sized part or file.
    ToEnd,
    /// The number of elements that the expression yields.
    Count(Expr),
    /// All elements up to and including the first that satisfies an expression.
    Until(Expr),
}

/// A minimum number of elements.
#[derive(Clone, Debug)]
pub struct AtLeast {
    /// The minimum.
    pub count: u64,
    /// The rule broken by fewer elements.
    pub rule: Option<RuleRef>,
    /// The location of `at-least` in the description.
    pub span: SourceSpan,
}

/// Constraints on the order of elements.
#[derive(Clone, Debug, Default)]
pub struct Arrange {
    /// Constraints on the first element.
    pub first: Vec<Constraint>,
    /// Values that may occur only once, written as `{eq, by, rule}`. The `by` expression may be
    /// equal to `eq` in at most one element.
    pub once: Vec<(Constraint, Expr)>,
    /// Constraints on the last element.
    pub last: Vec<Constraint>,
}

/// A key that must be unique among elements, written as `{by, except, rule}`.
#[derive(Clone, Debug)]
pub struct Unique {
    /// The expression for the key.
    pub by: Expr,
    /// Keys that may occur more than once.
    pub except: Vec<Expr>,
    /// The rule broken by a duplicate key.
    pub rule: Option<RuleRef>,
    /// The location of the `unique` entry in the description.
    pub span: SourceSpan,
}

/// The size of a field.
#[derive(Clone, Debug)]
pub enum Size {
    /// The size follows from the type of the field.
    Natural,
    /// The number of bytes that the expression yields.
    Bytes(Expr),
    /// All remaining bytes of the enclosing part or file.
    ToEnd,
}

/// The terminator of a string or byte string.
#[derive(Clone, Debug)]
pub struct Terminator {
    /// The value of the terminating byte or, in UTF-16, of the terminating code unit.
    pub byte: u8,
    /// Whether reading the value consumes the terminator.
    pub consume: bool,
    /// Whether the terminator is part of the value.
    pub include: bool,
    /// Whether a missing terminator is a fault.
    pub required: bool,
}

/// The presentation of a list of code units as a string.
#[derive(Clone, Debug)]
pub struct ListAs {
    /// The encoding of the code units.
    pub text: Encoding,
    /// The rule that permits this presentation.
    pub rule: Option<RuleRef>,
}

/// How the value of a field is derived from an earlier value.
#[derive(Clone, Debug)]
pub struct Carry {
    /// How the number in the file is combined with the earlier value.
    pub mode: CarryMode,
    /// An increment that is added to the value, whatever the mode.
    pub then: Option<Expr>,
    /// The width in bits at which the value wraps around.
    pub wraps: Option<u8>,
    /// The rule broken by a value that is out of range.
    pub overflow: Option<RuleRef>,
    /// The register with the earlier value, or `None` to use the previous element of the innermost
    /// repetition.
    pub from: Option<RegisterId>,
    /// The type in the file, or `None` if it is the type of the field.
    pub wire: Option<Scalar>,
    /// The location of `carry` in the description.
    pub span: SourceSpan,
}

/// How a field with `carry` combines the number in the file with the earlier value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarryMode {
    /// The number replaces the earlier value. If the field is absent, the earlier value remains in
    /// effect.
    Replace,
    /// The number is added to the earlier value. If the field is absent, nothing is added.
    Add,
}

/// A reference from a field to a row of a table.
#[derive(Clone, Debug)]
pub struct Refs {
    /// The table that contains the row.
    pub table: TableId,
    /// The condition under which the field is a reference.
    pub condition: Option<Expr>,
    /// The value that indicates that the field refers to no row.
    pub none: Option<Expr>,
    /// The rule broken by an unknown key.
    pub dangling: Option<RuleRef>,
    /// The rule exercised when a row is defined after a reference to it. If this rule exists, a
    /// reference with an unknown key is pending until its row is defined.
    pub later: Option<RuleRef>,
    /// The location of `refs` in the description.
    pub span: SourceSpan,
}

/// The use of a layout set for a field whose contents are described in the file itself.
#[derive(Clone, Debug)]
pub enum LayoutUse {
    /// The fields that the file describes, in order, written as `layout: X, from: LIST`.
    Fields {
        /// The layout set.
        layout: LayoutId,
        /// The list of field descriptions.
        from: Expr,
    },
    /// A single value whose type code is in the data, written as `layout: X, code: EXPR`.
    Value {
        /// The layout set.
        layout: LayoutId,
        /// The type code.
        code: Expr,
    },
}

/// An instance, which is a value outside the sequence of fields.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The name of the instance.
    pub id: String,
    /// The location of the instance in the description.
    pub span: SourceSpan,
    /// The documentation of the instance (`doc`).
    pub doc: Option<String>,
    /// The source of the instance's value.
    pub position: Position,
}

/// The source of the value of an instance.
#[derive(Clone, Debug)]
pub enum Position {
    /// The value is computed (`value:`).
    Computed {
        /// The expression for the value.
        value: Expr,
        /// The condition under which the value exists.
        condition: Option<Expr>,
        /// The enumeration that the value belongs to.
        enumeration: Option<EnumId>,
        /// The rules that the value exercises.
        obeys: Vec<Obedience>,
    },
    /// The value is read at a position in a stream (`pos:`).
    At {
        /// The offset in bytes, or `None` to read at the current position.
        offset: Option<Expr>,
        /// The stream to read from, or `None` for the stream of the type.
        io: Option<Expr>,
        /// The field of a `seq` that the instance reads before the sequence reaches it. A writer
        /// writes only the field of the `seq`, not the instance.
        same_as: Option<Expr>,
        /// The properties of the value that is read.
        source: Box<FieldSource>,
    },
}

/// Hints for random generation, which never change the set of valid files.
#[derive(Clone, Debug, Default)]
pub struct Generation {
    /// Values and their relative weights.
    pub weights: Vec<(Expr, u32)>,
    /// Preferred values.
    pub samples: Vec<Expr>,
    /// The preferred range, inclusive at both ends.
    pub range: Option<(Expr, Expr)>,
    /// An expression that computes a value if the constraints cannot be solved.
    pub construct: Option<Expr>,
    /// The values that typical writers write.
    pub plain: Option<Plain>,
}

/// The values that typical writers write.
#[derive(Clone, Debug)]
pub enum Plain {
    /// One of several values, written as `plain: VALUE` or `plain: {any-of: [VALUE, …]}`.
    Values(Vec<Expr>),
    /// The values from the first to the second value, written as `plain: [LOW, HIGH]`.
    Range(Expr, Expr),
}

impl Plain {
    /// Returns the expressions for the values that typical writers write.
    pub fn expressions(&self) -> Vec<&Expr> {
        match self {
            Self::Values(values) => values.iter().collect(),
            Self::Range(low, high) => vec![low, high],
        }
    }
}
