//! Layout sets: how type codes that a file declares are read.

use super::{FaultMap, Field, FieldSource, Obedience, RuleRef, TypeRef};
use crate::expression::Expr;
use crate::source::SourceSpan;

/// A layout set.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Name.
    pub name: String,
    /// How a described field is read from the row.
    pub entry: LayoutEntry,
    /// The type code, seen from the described type, which may nest.
    pub code: Option<Expr>,
    /// A wrapper round any code.
    pub optional: Option<LayoutOptional>,
    /// Descriptions in text.
    pub text: Option<LayoutText>,
    /// The rule raised where a layout with an unknown code is applied.
    pub unknown: Option<RuleRef>,
    /// Rules for faults inside.
    pub faults: FaultMap,
    /// The codes.
    pub codes: Vec<LayoutCode>,
    /// Where it is defined.
    pub span: SourceSpan,
}

/// Where a described field has its name and its type, seen from an element of the list.
#[derive(Clone, Debug)]
pub struct LayoutEntry {
    /// The name.
    pub name: Option<Expr>,
    /// The described type; `None`: the element itself.
    pub described: Option<Expr>,
}

/// A presence byte before the value of a described field that asks for it.
#[derive(Clone, Debug)]
pub struct LayoutOptional {
    /// Exists only in the dialects for which this holds.
    pub condition: Option<Expr>,
    /// The described field asks for it where this holds, seen from the described type.
    pub when: Option<Expr>,
    /// The field that says whether a value follows.
    pub presence: Box<Field>,
}

/// How a list of described fields stands in a text, and is written.
#[derive(Clone, Debug)]
pub struct LayoutText {
    /// `{code} {name}`: how an item is written.
    pub item: String,
    /// What stands between items.
    pub between: String,
    /// Blanks may stand round items (`may: any`).
    pub blanks_any: bool,
    /// A blank is written after each `between`.
    pub blank_after_between: bool,
    /// The rule that other blanks than a writer puts break.
    pub blanks_rule: Option<RuleRef>,
    /// Characters that a code may have, as ranges.
    pub code_characters: Option<String>,
    /// Characters that a name may have, as ranges.
    pub name_characters: Option<String>,
    /// The rule that a missing name breaks.
    pub name_missing: Option<RuleRef>,
    /// Constraints on names.
    pub name_constraints: Vec<super::Constraint>,
    /// The rule that anything after the name breaks.
    pub rest: Option<RuleRef>,
    /// The rule that a repeated name breaks.
    pub unique_name: Option<RuleRef>,
}

/// A type code and how its values are read.
#[derive(Clone, Debug)]
pub struct LayoutCode {
    /// The code.
    pub label: CodeLabel,
    /// Its name, which reports use.
    pub name: String,
    /// How a value is read.
    pub layout: CodeLayout,
    /// The code exists only in the dialects for which this holds.
    pub condition: Option<Expr>,
    /// The rule of what follows from the code itself (`of-must-be`).
    pub rule: Option<RuleRef>,
    /// Element types that may stand in a container; empty: any.
    pub of_any: Vec<CodeLabel>,
    /// The rule that another element type breaks.
    pub of_rule: Option<RuleRef>,
    /// The element must have a fixed size.
    pub of_fixed_size: bool,
    /// How null is written: the count that means it.
    pub none_count: Option<Expr>,
    /// Rules that a value shows.
    pub obeys: Vec<Obedience>,
    /// Rules for faults inside.
    pub faults: FaultMap,
    /// Where it stands.
    pub span: SourceSpan,
}

/// A type code.
#[derive(Clone, Debug, PartialEq)]
pub enum CodeLabel {
    /// A number.
    Number(i128),
    /// A text, with aliases; `{of}` is a hole for the element's code.
    Text {
        /// The text that is written.
        text: String,
        /// Other texts with the same meaning.
        also: Vec<String>,
    },
}

/// How a value of a code is read.
#[derive(Clone, Debug)]
pub enum CodeLayout {
    /// As this field says.
    Plain(Box<FieldSource>),
    /// As described fields, one after the other.
    Fields(Expr),
    /// Elements of a described type.
    List {
        /// How many.
        count: CodeCount,
        /// The described type of the elements.
        of: Option<Expr>,
    },
    /// Elements that stand elsewhere in the payload.
    Located {
        /// Where.
        at: Located,
        /// The described type of the elements.
        of: Expr,
    },
}

/// How many elements a list code has.
#[derive(Clone, Debug)]
pub enum CodeCount {
    /// Read before them.
    Read(TypeRef),
    /// Given by the described type.
    Described(Expr),
}

/// Where located elements stand.
#[derive(Clone, Debug)]
pub struct Located {
    /// The field that is read in place.
    pub word: TypeRef,
    /// Bits of the word that are the offset: shift and width.
    pub offset: (u8, u8),
    /// Bits of the word that are the size in bytes: shift and width.
    pub size: (u8, u8),
    /// What the offset counts from.
    pub from: LocatedFrom,
    /// The rule that a size which is no multiple of the element's breaks.
    pub multiple: Option<RuleRef>,
    /// Rules that it shows.
    pub obeys: Vec<Obedience>,
}

/// What an offset of located elements counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocatedFrom {
    /// The end of the field in place.
    EndOfField,
    /// The start of the outermost payload.
    StartOfLayout,
}
