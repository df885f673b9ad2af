//! Layout sets, which define how to read values whose type codes are declared in the file.

use super::{FaultMap, Field, FieldSource, LocatedFrom, Obedience, RuleRef, TypeRef};
use crate::expression::Expr;
use tracegauge_plan::source::SourceSpan;

/// A layout set, which specifies how the values of each type code are read.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The name of the layout set.
    pub name: String,
    /// The paths to the name and type in the description of a field.
    pub entry: LayoutEntry,
    /// The path from the description of a type to its type code. The same path is used for types
    /// contained in other types.
    pub code: Option<Expr>,
    /// An optional presence byte before values of any type code.
    pub optional: Option<LayoutOptional>,
    /// The syntax of field descriptions, if they are text.
    pub text: Option<LayoutText>,
    /// The rule broken by a value with an unknown type code.
    pub unknown: Option<RuleRef>,
    /// The rules for faults inside values.
    pub faults: FaultMap,
    /// The type codes.
    pub codes: Vec<LayoutCode>,
    /// The location of the layout set's definition.
    pub span: SourceSpan,
}

/// The paths from the description of a field to its name and type.
#[derive(Clone, Debug)]
pub struct LayoutEntry {
    /// The path to the name.
    pub name: Option<Expr>,
    /// The path to the described type, or `None` if the description is itself the type.
    pub described: Option<Expr>,
}

/// A presence byte, which precedes values whose description requests it.
#[derive(Clone, Debug)]
pub struct LayoutOptional {
    /// The condition on the dialect under which presence bytes exist.
    pub condition: Option<Expr>,
    /// The condition that a described type must meet for its values to have a presence byte.
    pub when: Option<Expr>,
    /// The field that indicates whether a value follows.
    pub presence: Box<Field>,
}

/// The syntax of text that describes fields.
#[derive(Clone, Debug)]
pub struct LayoutText {
    /// The form of an item, such as `{code} {name}`.
    pub item: String,
    /// The separator between items.
    pub between: String,
    /// Whether blanks are allowed around items (`may: any`).
    pub blanks_any: bool,
    /// Whether a writer puts a blank after each separator.
    pub blank_after_between: bool,
    /// The rule broken by blanks where a writer would not put them.
    pub blanks_rule: Option<RuleRef>,
    /// The characters allowed in a type code, as ranges.
    pub code_characters: Option<String>,
    /// The characters allowed in a name, as ranges.
    pub name_characters: Option<String>,
    /// The rule broken by a missing name.
    pub name_missing: Option<RuleRef>,
    /// Constraints on names.
    pub name_constraints: Vec<super::Constraint>,
    /// The rule broken by extra text after a name.
    pub rest: Option<RuleRef>,
    /// The rule broken by a duplicate name.
    pub unique_name: Option<RuleRef>,
}

/// A type code and the form of its values.
#[derive(Clone, Debug)]
pub struct LayoutCode {
    /// The code as it appears in the file.
    pub label: CodeLabel,
    /// The name of the code in records and reports.
    pub name: String,
    /// The form of the values with this code.
    pub layout: CodeLayout,
    /// The condition on the dialect under which the code exists.
    pub condition: Option<Expr>,
    /// The rule broken by an element type that does not satisfy `of-must-be`.
    pub rule: Option<RuleRef>,
    /// The permitted element types of a container. If the list is empty, all types are permitted.
    pub of_any: Vec<CodeLabel>,
    /// The rule broken by an element type that is not listed in `of_any`.
    pub of_rule: Option<RuleRef>,
    /// Whether the element type must have a fixed size.
    pub of_fixed_size: bool,
    /// The element count that denotes null.
    pub none_count: Option<Expr>,
    /// The rules that a value exercises.
    pub obeys: Vec<Obedience>,
    /// The rules for faults inside a value.
    pub faults: FaultMap,
    /// The location of the type code in the description.
    pub span: SourceSpan,
}

/// A type code.
#[derive(Clone, Debug, PartialEq)]
pub enum CodeLabel {
    /// A numeric code.
    Number(i128),
    /// A textual code. `{of}` is a placeholder for the code of the element type.
    Text {
        /// The form that writers use.
        text: String,
        /// Alternative forms with the same meaning.
        also: Vec<String>,
    },
}

/// The form of the values of a type code.
#[derive(Clone, Debug)]
pub enum CodeLayout {
    /// A value that this field reads.
    Plain(Box<FieldSource>),
    /// A structure whose fields are described at this path.
    Fields(Expr),
    /// A list of elements of a type that the file describes.
    List {
        /// The source of the number of elements.
        count: CodeCount,
        /// The path to the description of the element type.
        of: Option<Expr>,
    },
    /// A list whose elements are stored elsewhere in the sized part. The value itself contains only
    /// their location.
    Located {
        /// The location of the elements.
        at: Located,
        /// The path to the description of the element type.
        of: Expr,
    },
}

/// The source of a list's element count.
#[derive(Clone, Debug)]
pub enum CodeCount {
    /// A number that precedes the elements.
    Read(TypeRef),
    /// A number at this path in the description of the type.
    Described(Expr),
}

/// The location of the elements of a list that are stored apart from the list's value.
#[derive(Clone, Debug)]
pub struct Located {
    /// The field that encodes the location.
    pub word: TypeRef,
    /// The shift and width of the offset within the word.
    pub offset: (u8, u8),
    /// The shift and width of the byte count within the word.
    pub size: (u8, u8),
    /// The position that the offset is relative to.
    pub from: LocatedFrom,
    /// The rule broken by a size that is not a multiple of the element size.
    pub multiple: Option<RuleRef>,
    /// The rules that located elements exercise.
    pub obeys: Vec<Obedience>,
}
