//! What texts hold that mean more than themselves, and rows to which the format gives a meaning.

use super::{AgainPlan, CheckPlan, CodeId};
use crate::schema::{Encoding, JsonKind};

/// A text of JSON.
#[derive(Clone, Debug)]
pub struct JsonPlan {
    /// The encoding of the text.
    pub encoding: Encoding,
    /// The rule that a text which is no JSON breaks.
    pub rule: Option<u32>,
    /// The rule that JSON nested deeper than [`JsonPlan::DEPTH`] breaks.
    pub depth: Option<u32>,
    /// What the value must be; none: anything.
    pub shape: Option<JsonShape>,
}

impl JsonPlan {
    /// How deep lists and objects may be nested before a rule about depth is broken.
    pub const DEPTH: usize = 100;
}

/// What a JSON value must be.
#[derive(Clone, Debug)]
pub struct JsonShape {
    /// Kinds that it may be of; none given: any.
    pub kinds: Vec<JsonKind>,
    /// Texts of which it must be one; none given: any.
    pub one_of: Vec<String>,
    /// Members of an object that are known.
    pub members: Vec<JsonMemberPlan>,
    /// The rule of all this.
    pub rule: Option<u32>,
    /// The rule that a text which is none of `one_of` breaks.
    pub one_of_rule: Option<u32>,
    /// The rule that members which are not known break.
    pub others: Option<u32>,
}

/// A member of a JSON object.
#[derive(Clone, Debug)]
pub struct JsonMemberPlan {
    /// Its name.
    pub name: String,
    /// It must be there.
    pub needed: bool,
    /// What it must be.
    pub shape: JsonShape,
}

/// How a list of described fields stands in a text.
#[derive(Clone, Debug)]
pub struct TextPlan {
    /// Index of the layout set in the schema.
    pub layout: u32,
    /// The code comes before the name.
    pub code_first: bool,
    /// What stands before the first, between the two and after the second.
    pub around: [Vec<u8>; 3],
    /// What stands between items.
    pub between: Vec<u8>,
    /// Blanks may stand round items, codes and names.
    pub blanks: bool,
    /// A writer puts a blank behind what stands between items.
    pub blank_after: bool,
    /// Bytes that a code may have.
    pub code_bytes: ByteSet,
    /// Bytes that a name may have.
    pub name_bytes: ByteSet,
    /// The codes.
    pub codes: Vec<TextCode>,
}

impl TextPlan {
    /// The code with a number.
    pub fn code(&self, code: i128) -> Option<&TextCode> {
        self.codes.iter().find(|known| known.code == code)
    }
}

/// A type code that is text.
#[derive(Clone, Debug)]
pub struct TextCode {
    /// Its number in the plan.
    pub code: i128,
    /// Its name.
    pub name: String,
    /// How it is written, and other ways to write it: what stands before and behind the code
    /// that it holds; nothing behind it where it holds none.
    pub spellings: Vec<(Vec<u8>, Option<Vec<u8>>)>,
    /// Codes that it may hold; none given: any.
    pub holds: Vec<i128>,
}

/// A set of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    /// Every byte.
    pub const ALL: Self = Self([u64::MAX; 4]);

    /// Characters and ranges of them, `A-Za-z0-9_` say.
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

    fn insert(&mut self, byte: u8) {
        self.0[usize::from(byte / 64)] |= 1 << (byte % 64);
    }

    /// Whether a byte is in it.
    pub fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte / 64)] >> (byte % 64) & 1 != 0
    }

    /// The bytes in it.
    pub fn bytes(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX).filter(|byte| self.has(*byte))
    }
}

/// A text in which a row describes fields.
#[derive(Clone, Debug)]
pub struct SignaturePlan {
    /// Index into the plan's texts.
    pub text: u32,
    /// The rule that a code which is not declared breaks.
    pub code: Option<u32>,
    /// The rule that a missing name breaks.
    pub missing: Option<u32>,
    /// The rule that anything behind a name breaks.
    pub rest: Option<u32>,
    /// The rule that needless blanks break.
    pub blanks: Option<u32>,
    /// The rule that a name which comes twice breaks.
    pub unique: Option<u32>,
    /// Tests of names.
    pub names: Vec<CheckPlan>,
    /// Rules that the codes held by a code break, by the code that holds them.
    pub holds: Vec<(i128, Option<u32>)>,
}

/// A meaning that the format gives to rows that match.
#[derive(Clone, Debug)]
pub struct KindPlan {
    /// Its name.
    pub name: String,
    /// Readers do not report elements of this kind.
    pub reader_only: bool,
    /// The rule that a row which describes other fields breaks.
    pub signature: Option<u32>,
    /// The column with the described fields, and the layout by which they are read.
    pub described: Option<(u32, u32)>,
    /// For each field of the kind's type the codes that read the same; none where the type has
    /// a field that no code reads.
    pub codes: Option<Vec<Vec<i128>>>,
}

/// A row that is there before the file starts.
#[derive(Clone, Debug)]
pub struct InitialPlan {
    /// Its key.
    pub key: u64,
    /// Values of the table's columns.
    pub cells: Vec<Constant>,
    /// The kind that it is of.
    pub kind: Option<u32>,
    /// What it means that a file defines it.
    pub again: Option<AgainPlan>,
}

/// A value that is known before a file is read.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// No value.
    Absent,
    /// An integer.
    Int(i128),
    /// A truth value.
    Bool(bool),
    /// Text.
    Text(Vec<u8>),
}

/// A kind and when a row is of it.
#[derive(Clone, Copy, Debug)]
pub struct KindMatch {
    /// Index into the table's kinds.
    pub kind: u32,
    /// When the row is of it.
    pub when: CodeId,
}

/// Rows that writers are known to define: values of fields, by the operations that read them.
#[derive(Clone, Debug, Default)]
pub struct SampleRow {
    /// Names of fields, dots between them, and their values.
    pub fields: Vec<(String, Constant)>,
}
