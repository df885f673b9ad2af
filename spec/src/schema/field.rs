//! Fields: what is read, how often, how much, and what must hold.

use super::{
    Constraint, Define, Encoding, EnumId, FaultMap, FlagsId, LayoutId, Meaning, Obedience,
    RegisterId, RuleRef, Scalar, TableId, TypeRef,
};
use crate::expression::Expr;
use crate::source::SourceSpan;

/// One item of a `seq`.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; Kaitai allows none.
    pub id: Option<String>,
    /// Where it stands.
    pub span: SourceSpan,
    /// What it is for.
    pub doc: Option<String>,
    /// A field on the wire, a check in its place, or padding.
    pub role: FieldRole,
}

/// What an item of a `seq` does.
#[derive(Clone, Debug)]
pub enum FieldRole {
    /// Reads bytes.
    Wire(Box<FieldSource>),
    /// Reads nothing and tests.
    Check(Box<Check>),
    /// Bytes up to a multiple of something.
    Align(Box<Align>),
}

/// A test in its place: `{check: EXPR, at: PATH, rule: R}`.
#[derive(Clone, Debug)]
pub struct Check {
    /// Must hold.
    pub test: Expr,
    /// The field that is blamed.
    pub at: Option<Expr>,
    /// Tested only where this holds.
    pub condition: Option<Expr>,
    /// The rule.
    pub rule: Option<RuleRef>,
}

/// Padding: `{align: {to, from, fill}}`.
#[derive(Clone, Debug)]
pub struct Align {
    /// The multiple.
    pub to: u64,
    /// Counted from the start of the file, else of the sized part.
    pub from_file: bool,
    /// What each byte must be.
    pub fill: Option<u8>,
    /// There only where this holds.
    pub condition: Option<Expr>,
    /// The rule that other bytes break.
    pub rule: Option<RuleRef>,
    /// Rules for faults.
    pub faults: FaultMap,
    /// Rules that it shows.
    pub obeys: Vec<Obedience>,
}

/// A field that is read from the wire.
#[derive(Clone, Debug)]
pub struct FieldSource {
    /// What is read.
    pub target: TypeRef,
    /// Read only where this holds.
    pub condition: Option<Expr>,
    /// How often.
    pub repeat: Option<Repeat>,
    /// How many bytes.
    pub size: Size,
    /// How a text or bytes end.
    pub terminator: Option<Terminator>,
    /// Padding byte at the right end of a sized text or bytes.
    pub pad_right: Option<u8>,
    /// Encoding of a text; `None`: the enclosing type's.
    pub encoding: Option<Encoding>,
    /// The bytes that must stand here.
    pub contents: Option<Vec<u8>>,
    /// The rule of `contents`.
    pub contents_rule: Option<RuleRef>,
    /// Computed by a writer, checked by a reader: the expression and its rule. `condition`
    /// of the constraint is the `if` of `value: {if, then}`.
    pub value: Option<Constraint>,
    /// What must hold.
    pub constraints: Vec<Constraint>,
    /// The enumeration of its values.
    pub enumeration: Option<EnumId>,
    /// The names of its bits.
    pub flags: Option<FlagsId>,
    /// What it means.
    pub meaning: Option<Meaning>,
    /// Shown as text where it is an element of a list.
    pub list_as: Option<ListAs>,
    /// How its value follows from the previous row's.
    pub carry: Option<Carry>,
    /// The row that it names.
    pub refs: Option<Refs>,
    /// Holds a type code of this layout set.
    pub code_of: Option<LayoutId>,
    /// Read by a layout that the file defines.
    pub layout: Option<LayoutUse>,
    /// The sized part may end here: this field and all after it are then absent.
    pub optional_rest: bool,
    /// The fields of this part belong to the enclosing type.
    pub embed: bool,
    /// Any bytes are right: a reader passes over them. The rule that says so.
    pub ignore: Option<RuleRef>,
    /// Rows that the elements of this list define.
    pub defines: Option<Define>,
    /// Rules that faults inside break.
    pub faults: FaultMap,
    /// Rules that this field shows.
    pub obeys: Vec<Obedience>,
    /// Hints for random generation.
    pub generation: Generation,
}

/// Repetition of a field.
#[derive(Clone, Debug)]
pub struct Repeat {
    /// How many elements.
    pub elements: Elements,
    /// `at-least`.
    pub at_least: Option<AtLeast>,
    /// `arrange`.
    pub arrange: Option<Arrange>,
    /// `unique`, each with a key.
    pub unique: Vec<Unique>,
}

/// How many elements a repetition has.
#[derive(Clone, Debug)]
pub enum Elements {
    /// Up to the end of the sized part or of the file.
    ToEnd,
    /// This many.
    Count(Expr),
    /// Up to and with the first for which this holds.
    Until(Expr),
}

/// A least number of elements.
#[derive(Clone, Debug)]
pub struct AtLeast {
    /// The number.
    pub count: u64,
    /// The rule that fewer break.
    pub rule: Option<RuleRef>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// Which elements stand where.
#[derive(Clone, Debug, Default)]
pub struct Arrange {
    /// What holds of the first element.
    pub first: Vec<Constraint>,
    /// `{eq, by, rule}`: the value of `by` equals `eq` once at most.
    pub once: Vec<(Constraint, Expr)>,
    /// What holds of the last element.
    pub last: Vec<Constraint>,
}

/// Elements that differ in a key: `{by, except, rule}`.
#[derive(Clone, Debug)]
pub struct Unique {
    /// The key.
    pub by: Expr,
    /// Keys that may come again.
    pub except: Vec<Expr>,
    /// The rule.
    pub rule: Option<RuleRef>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// How many bytes a field has.
#[derive(Clone, Debug)]
pub enum Size {
    /// As many as its type takes.
    Natural,
    /// This many.
    Bytes(Expr),
    /// All that are left.
    ToEnd,
}

/// The end of a text or of bytes.
#[derive(Clone, Debug)]
pub struct Terminator {
    /// The byte (a code unit in UTF-16).
    pub byte: u8,
    /// It is read.
    pub consume: bool,
    /// It belongs to the value.
    pub include: bool,
    /// It must be there.
    pub required: bool,
}

/// A list of code units that may be shown as text.
#[derive(Clone, Debug)]
pub struct ListAs {
    /// The encoding of the units.
    pub text: Encoding,
    /// The rule that allows it.
    pub rule: Option<RuleRef>,
}

/// How a field's value follows from an earlier one's.
#[derive(Clone, Debug)]
pub struct Carry {
    /// What stands on the wire.
    pub mode: CarryMode,
    /// Added after either case.
    pub then: Option<Expr>,
    /// The value wraps at this many bits.
    pub wraps: Option<u8>,
    /// The rule that a value out of range breaks.
    pub overflow: Option<RuleRef>,
    /// The register to carry from; `None`: the previous element of the nearest repetition.
    pub from: Option<RegisterId>,
    /// The coding on the wire; `None`: that of the field.
    pub wire: Option<Scalar>,
    /// What a writer puts in front when the value is out of reach.
    pub bridge: Option<Bridge>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// What a carried field has on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CarryMode {
    /// The value itself; where absent the previous value is kept.
    Replace,
    /// What is added to the previous value; where absent nothing is.
    Add,
}

/// An element that brings a value into reach.
#[derive(Clone, Debug)]
pub struct Bridge {
    /// The type of the element (that of the enclosing repetition).
    pub element: super::TypeId,
    /// Fields that choose the kind of element, with their values.
    pub choose: Vec<(String, Expr)>,
    /// Fields of the element (paths) and the values that they get, seen from the carried field.
    pub with: Vec<(String, Expr)>,
    /// The rule that asks writers for it.
    pub rule: Option<RuleRef>,
}

/// A reference to a row.
#[derive(Clone, Debug)]
pub struct Refs {
    /// The table.
    pub table: TableId,
    /// Applies only where this holds.
    pub condition: Option<Expr>,
    /// The value that names no row.
    pub none: Option<Expr>,
    /// The rule that an unknown key breaks.
    pub dangling: Option<RuleRef>,
    /// With it an unknown key is pending until its row comes; the rule that is then shown.
    pub later: Option<RuleRef>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// Bytes read by a layout that the file defines.
#[derive(Clone, Debug)]
pub enum LayoutUse {
    /// `layout: X, from: LIST`: the described fields in order.
    Fields {
        /// The layout set.
        layout: LayoutId,
        /// The list of described fields.
        from: Expr,
    },
    /// `layout: X, code: EXPR`: one value by a code in the data.
    Value {
        /// The layout set.
        layout: LayoutId,
        /// The code.
        code: Expr,
    },
}

/// A value outside the sequence.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its name.
    pub id: String,
    /// Where it stands.
    pub span: SourceSpan,
    /// What it is for.
    pub doc: Option<String>,
    /// Computed, or read at a position.
    pub position: Position,
}

/// Where an instance comes from.
#[derive(Clone, Debug)]
pub enum Position {
    /// `value:`: computed.
    Computed {
        /// The expression.
        value: Expr,
        /// There only where this holds.
        condition: Option<Expr>,
        /// The enumeration of its values.
        enumeration: Option<EnumId>,
        /// Rules that it shows.
        obeys: Vec<Obedience>,
    },
    /// `pos:`: read at an offset in the stream.
    At {
        /// The offset in bytes; `None`: where the sequence stands.
        offset: Option<Expr>,
        /// The stream; `None`: the type's own.
        io: Option<Expr>,
        /// The field of a `seq` that is here read early: a writer writes only that one.
        same_as: Option<Expr>,
        /// What is read.
        source: Box<FieldSource>,
    },
}

/// Hints for random generation; they never change what is valid.
#[derive(Clone, Debug, Default)]
pub struct Generation {
    /// Values and how often they come.
    pub weights: Vec<(Expr, u32)>,
    /// Values to prefer.
    pub samples: Vec<Expr>,
    /// A range to prefer, both ends in it.
    pub range: Option<(Expr, Expr)>,
    /// How to build a value where the constraint cannot be solved.
    pub construct: Option<Expr>,
}
