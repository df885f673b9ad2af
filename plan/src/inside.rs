//! The contents of text fields, which can be JSON or descriptions of fields, and the kinds of table
//! rows that have a special meaning in a format.

use super::{AgainPlan, Arena, CheckPlan, CodeId, LayoutUseId, RowKindId};
use crate::arena::id;
use crate::terms::{ColumnId, Encoding, JsonKind, LayoutId, RuleId};

id!(/** The requirements on a text field that contains JSON. */ JsonUseId);
id!(/** The syntax of text that describes fields. */ TextId);
id!(/** A field whose text describes the fields of a row. */ SignatureId);

/// The requirements on a text field that contains JSON.
#[derive(Clone, Debug)]
pub struct JsonPlan {
    /// The encoding of the text.
    pub encoding: Encoding,
    /// The rule broken by text that is not JSON.
    pub rule: Option<RuleId>,
    /// The rule broken by JSON nested deeper than [`JsonPlan::DEPTH`].
    pub depth: Option<RuleId>,
    /// The required shape of the JSON value, or `None` if any value is allowed.
    pub shape: Option<JsonShape>,
}

impl JsonPlan {
    /// The maximum nesting depth of lists and objects; deeper nesting breaks the rule in `depth`.
    pub const DEPTH: usize = 100;
}

/// The required shape of a JSON value.
#[derive(Clone, Debug)]
pub struct JsonShape {
    /// The permitted kinds of value. If the list is empty, all kinds are permitted.
    pub kinds: Vec<JsonKind>,
    /// The permitted strings. If the list is empty, all strings are permitted.
    pub one_of: Vec<String>,
    /// The known members of an object.
    pub members: Vec<JsonMemberPlan>,
    /// The rule broken by a value of a different shape.
    pub rule: Option<RuleId>,
    /// The rule broken by a string that is not listed in `one_of`.
    pub one_of_rule: Option<RuleId>,
    /// The rule broken by unknown members.
    pub others: Option<RuleId>,
}

/// A known member of a JSON object.
#[derive(Clone, Debug)]
pub struct JsonMemberPlan {
    /// The name of the member.
    pub name: String,
    /// Whether the member is required.
    pub needed: bool,
    /// The required shape of the member's value.
    pub shape: JsonShape,
}

/// The syntax of text that describes fields.
#[derive(Clone, Debug)]
pub struct TextPlan {
    /// The layout set that defines how the values of each type code are read.
    pub layout: LayoutId,
    /// Whether the type code precedes the name.
    pub code_first: bool,
    /// The strings before, between and after the type code and the name.
    pub around: [Vec<u8>; 3],
    /// The separator between items.
    pub between: Vec<u8>,
    /// Whether blanks are allowed around items, type codes and names.
    pub blanks: bool,
    /// Whether a writer puts a blank after each separator.
    pub blank_after: bool,
    /// The bytes allowed in a type code.
    pub code_bytes: ByteSet,
    /// The bytes allowed in a name.
    pub name_bytes: ByteSet,
    /// The type codes of the layout set.
    pub codes: Vec<TextCode>,
}

impl TextPlan {
    /// Returns the type code with this number.
    pub fn code(&self, code: i128) -> Option<&TextCode> {
        self.codes.iter().find(|known| known.code == code)
    }
}

/// A type code that is written as text.
#[derive(Clone, Debug)]
pub struct TextCode {
    /// The number that identifies the code in the plan.
    pub code: i128,
    /// The name of the code.
    pub name: String,
    /// The accepted forms of the code. If the code contains another code, each form consists of the
    /// strings before and after the contained code. Codes that contain no other code have no second
    /// string.
    pub spellings: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    /// The codes that this code may contain. If the list is empty, all codes are permitted.
    pub holds: Vec<i128>,
}

/// A set of byte values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    /// The set of all bytes.
    pub const ALL: Self = Self([u64::MAX; 4]);

    /// Parses a list of characters and character ranges, such as `A-Za-z0-9_`.
    pub fn of_ranges(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut set = Self([0; 4]);
        let mut at = 0;
        while let Some(first) = bytes.get(at).copied() {
            let last = match (bytes.get(at + 1), bytes.get(at + 2)) {
                (Some(b'-'), Some(last)) => {
                    at += 2;
                    *last
                }
                _ => first,
            };
            (first..=last).for_each(|byte| set.insert(byte));
            at += 1;
        }
        set
    }

    /// Returns the set without the bytes for which `is_removed` returns true.
    #[must_use]
    pub fn without(&self, is_removed: impl Fn(u8) -> bool) -> Self {
        let mut set = Self([0; 4]);
        let kept = self.bytes().filter(|byte| !is_removed(*byte));
        kept.for_each(|byte| set.insert(byte));
        set
    }

    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte / 64)] |= 1 << (byte % 64);
    }

    /// Returns whether the set contains a byte.
    pub fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] >> (byte % 64) & 1 != 0
    }

    /// Iterates over the bytes in the set.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX).filter(|byte| self.has(*byte))
    }
}

/// A field whose text describes the fields of a row.
#[derive(Clone, Debug)]
pub struct SignaturePlan {
    /// The syntax of the text.
    pub text: TextId,
    /// The rule broken by an undeclared type code.
    pub code: Option<RuleId>,
    /// The rule broken by a missing name.
    pub missing: Option<RuleId>,
    /// The rule broken by extra text after a name.
    pub rest: Option<RuleId>,
    /// The rule broken by unnecessary blanks.
    pub blanks: Option<RuleId>,
    /// The rule broken by a duplicate name.
    pub unique: Option<RuleId>,
    /// Tests of the names.
    pub names: Vec<CheckPlan>,
    /// For each code that contains other codes, the rule broken by a contained code that is not
    /// permitted.
    pub holds: Vec<(i128, Option<RuleId>)>,
}

/// A kind of row: a special meaning that the format gives to rows that match a condition.
#[derive(Clone, Debug)]
pub struct KindPlan {
    /// The name of the row kind.
    pub name: String,
    /// Whether readers use the elements that such a row describes only internally and do not report
    /// them.
    pub reader_only: bool,
    /// The rule broken by a row of this kind that describes fields other than those of the kind's
    /// type.
    pub signature: Option<RuleId>,
    /// The column with the field descriptions of a row, and the layout that reads the described
    /// fields.
    pub described: Option<(ColumnId, LayoutUseId)>,
    /// For each field of the kind's type, the type codes that describe such a field. `None` if no
    /// row can describe the fields of the type, for example because one of them is conditional.
    pub codes: Option<Vec<Vec<i128>>>,
}

/// A predefined row, which exists before any of the file is read.
#[derive(Clone, Debug)]
pub struct InitialPlan {
    /// The key of the row.
    pub key: u64,
    /// The values of the table's columns.
    pub cells: Arena<ColumnId, Constant>,
    /// The kind of the row, if any.
    pub kind: Option<RowKindId>,
    /// How to handle a definition of this row in the file.
    pub again: Option<AgainPlan>,
}

/// A constant value, known before a file is read.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// The absent value.
    Absent,
    /// An integer.
    Int(i128),
    /// A Boolean.
    Bool(bool),
    /// A string.
    Text(Vec<u8>),
}

/// A row kind and the condition under which a row has this kind.
#[derive(Clone, Copy, Debug)]
pub struct KindMatch {
    /// The kind.
    pub kind: RowKindId,
    /// The condition under which a row has this kind.
    pub when: CodeId,
}

/// A row that typical writers define, as a hint for the generator.
#[derive(Clone, Debug, Default)]
pub struct SampleRow {
    /// The values of the row's fields. Each field is given by its path, with dots between the
    /// names.
    pub fields: Vec<(String, Constant)>,
}
