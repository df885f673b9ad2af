//! Defines the operators, which are ways to violate a rule, grouped by the kind of constraint that
//! implements the rule.
//!
//! A *row* is an entry of a table: one part of a trace defines the row, and other parts refer to it
//! by its key. A *predefined* row is declared in the description. A *layout* is a list of fields
//! whose types the trace itself specifies with type codes. An *arm* is an alternative of a switch.

use tracegauge_plan::terms::RuleId;
use tracegauge_plan::{OpId, Plan};

/// A location in a plan where a rule can be violated, and the way to violate it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// The violated rule, if the description alone determines it. The rule that a wrong size
    /// violates, for example, depends on the surrounding trace.
    pub rule: Option<RuleId>,
    /// The operation whose bytes are changed.
    pub op: OpId,
    /// The operator to apply.
    pub operator: Operator,
}

/// A way to violate a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// A number that a test forbids.
    Number(Test, Change),
    /// A string that a test forbids.
    Text(Test, TextChange),
    /// Bytes that differ from required constant bytes.
    Contents(ContentsChange),
    /// Padding that contains a wrong byte.
    Fill {
        /// Whether the last byte of the padding is changed. Otherwise, the first byte is changed.
        last: bool,
    },
    /// A required value that is empty.
    Empty,
    /// The file ends early.
    Cut(CutAt),
    /// The end mark of a list is missing.
    EndMissing,
    /// Extra bytes after the end of the trace.
    Trailing(Tail),
    /// A size or count that differs from the actual size or count.
    Extent(ExtentChange),
    /// A sized part with wrong contents and a stored size that matches them.
    Part(PartChange),
    /// Ill-formed text.
    IllFormed(&'static str),
    /// A string without its terminator.
    Open,
    /// An overlong or invalid encoding of a variable-length integer.
    EncodingForm(EncodingForm),
    /// A reference to a row that does not exist.
    Dangling(Missing),
    /// A row that is already defined.
    Again(Repetition),
    /// An element that equals another element although all elements must differ.
    Duplicate {
        /// The index of the repeated key among the list's keys.
        key: usize,
    },
    /// A value derived from an earlier one (`carry`) that is out of range.
    Overflow {
        /// Whether the value exceeds the range by only one. Otherwise, the value exceeds the range
        /// by as much as the field can express.
        by_one: bool,
    },
    /// A layout that uses an undeclared type code.
    UnknownCode(i128),
    /// A word (a field that encodes the location of a value) refers to an invalid position.
    Word(WordChange),
    /// The code of a type without a fixed size in a place that requires a fixed size.
    Variable(i128),
    /// A value that selects no arm of a switch.
    NoArm(i128),
    /// Fewer elements than required.
    TooFew {
        /// Whether all elements are missing. Otherwise, one element too few is present.
        none: bool,
    },
    /// A list element in an invalid position.
    Order(OrderChange),
    /// Invalid structured contents, such as invalid JSON.
    Inside(InsideChange),
    /// A row with the same key as a predefined row.
    Before {
        /// The index of the predefined row.
        row: usize,
        /// Whether the row repeats the predefined row unchanged.
        same: bool,
    },
    /// A structure nested in itself more deeply than a reader must support.
    Nested {
        /// The nesting depth.
        times: u64,
    },
}

/// List elements in an invalid position. The number is the index of the violated constraint among
/// the constraints on the first element, on the last element, or on values that may occur only
/// once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderChange {
    /// A different element comes before the one that must come first.
    First(usize),
    /// The first element is missing.
    FirstMissing(usize),
    /// A different element comes after the one that must come last.
    Last(usize),
    /// An element that may occur only once occurs twice in a row.
    Twice(usize),
    /// An element that may occur only once occurs twice, the second time as late as possible.
    TwiceLate(usize),
}

/// Invalid structured contents: JSON, field descriptions (the names and types of fields that the
/// trace defines), null values, or the fields of a row.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InsideChange {
    /// Invalid JSON, with the kind of syntax error.
    NotJson(&'static str),
    /// JSON of the wrong shape, with a name for the error.
    Shape(String),
    /// An invalid field description, with a name for the error.
    Described(&'static str),
    /// A container type code with an element type code that is undeclared or that the container
    /// cannot contain.
    Holds(i128, Option<i128>),
    /// A name that a test forbids, with the index of the test.
    Name(usize),
    /// A row that describes fields other than those that its kind requires.
    Kind,
    /// Null where a value is required.
    Null,
}

/// Identifies a test of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    /// The operation that performs the test: a value, a standalone test, or a structure that is
    /// tested at its end.
    pub owner: OpId,
    /// The index of the test among the operation's tests, or among the tests at the structure's
    /// end.
    pub number: u32,
    /// Whether the test is performed at the end of the structure.
    pub ending: bool,
}

/// Numbers that tests forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// One more than the bound.
    Above,
    /// One less than the bound.
    Below,
    /// Zero.
    Zero,
    /// All bits set.
    AllOnes,
    /// The maximum value that the field can have.
    Greatest,
    /// The minimum value that the field can have.
    Least,
    /// The required value with its bytes in reverse order.
    Swapped,
    /// The required value with its highest bit flipped.
    Flipped,
    /// A value that the description does not declare.
    Undeclared(i128),
    /// A value that the description declares only for other dialects.
    Elsewhere(i128),
    /// Bits that are set but have no name in the flag set.
    ReservedBits(i128),
    /// A value that the test would accept after truncation to fewer bits.
    Wraps,
    /// A value that occurs in the test itself, or a neighboring value.
    Given(i128),
}

/// Strings that tests forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextChange {
    /// The empty string.
    Empty,
    /// The last byte differs.
    LastByte,
    /// The string is one byte longer.
    Longer,
    /// The first letter has the opposite case.
    Case,
}

/// Replacements for required constant bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContentsChange {
    /// The lowest bit of the first byte is flipped.
    Flipped,
    /// The last byte is one greater.
    Above,
    /// The last byte is one less.
    Below,
    /// All bytes are zero.
    Zero,
    /// All bits are set.
    AllOnes,
    /// The bytes are in reverse order.
    Swapped,
    /// The last byte is missing.
    Short,
    /// The byte with this index differs.
    Byte(usize),
}

/// The position where the file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CutAt {
    /// The file ends before the field.
    Before,
    /// The file ends in the middle of the field.
    Inside,
}

/// The bytes after the end of the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tail {
    /// One zero byte.
    Zero,
    /// One byte with all bits set.
    Ones,
    /// A copy of the whole file.
    Copy,
}

/// Wrong sizes and counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExtentChange {
    /// One less than correct.
    OneLess,
    /// One more than correct.
    OneMore,
    /// Zero.
    Zero,
    /// A size or count that extends to the end of the enclosing part.
    ToEnd,
    /// A size or count that extends one byte or element past the end of the enclosing part.
    PastEnd,
    /// The maximum value that the field can store.
    Greatest,
    /// A value that would be correct after truncation to fewer bits.
    Wraps,
    /// A negative value.
    Negative,
}

/// Invalid positions in a word, which is a field that encodes the location of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordChange {
    /// The farthest position that the word can express.
    Past,
    /// One element more than fits in the available bytes.
    PastEnd,
    /// One byte less than a whole number of elements.
    Multiple,
}

/// Wrong contents of a sized part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartChange {
    /// One extra byte after the last field.
    ExtraByte,
    /// Many extra bytes after the last field.
    ExtraBytes,
    /// The last byte is missing.
    LastByteMissing,
    /// The part ends one byte before the end of a field inside it.
    EndsInside,
    /// The part ends before the last field that it must contain.
    EndsBefore,
    /// The part is empty.
    Empty,
}

/// Overlong and invalid encodings of a variable-length integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EncodingForm {
    /// One byte more than needed.
    OneByteMore,
    /// As many bytes as the width allows.
    MostBytes,
    /// An encoding that is one byte longer than the longest encoding of a value of this width.
    TooLong,
    /// One bit more than the width of the value.
    TooWide,
    /// Every bit set in as many bytes as the width allows.
    AllOnes,
    /// The last byte indicates that another byte follows, but the file ends.
    Unterminated,
}

/// The reason why a row does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Missing {
    /// The row was never defined.
    NeverDefined,
    /// The row was never defined. The key is the maximum that the field can represent.
    NeverDefinedGreatest,
    /// The row was never defined. The key is the minimum that the field can represent, and it is
    /// negative.
    NeverDefinedLeast,
    /// The row was never defined. Truncated to fewer bits, the key equals that of an existing row.
    NeverDefinedWraps,
    /// The key is a position, and the element at that position is not a row.
    OtherElement,
    /// The row is defined, but only later.
    DefinedLater,
    /// The row was removed.
    Removed,
    /// The table of the row was cleared.
    Cleared,
}

/// How a row is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// The row is repeated unchanged.
    Same,
    /// The row is repeated with a different value in this field.
    Different(OpId),
    /// The row belongs to a second list of numbered rows, whose numbering starts at the number of
    /// an existing row.
    Overlapping,
    /// The row is repeated with a different key, but with the same value where the values of all
    /// rows must differ. The number is the index of this constraint.
    SameColumn(usize),
}

impl Site {
    /// Returns `RULE/operator/path`, which identifies the case of this site. The rule is omitted if
    /// it depends on the trace.
    pub fn name(&self, plan: &Plan) -> String {
        let way = super::apply::way(plan, self);
        match self.rule.and_then(|rule| plan.rules.get(rule)) {
            Some(rule) => format!("{}/{way}", rule.id),
            None => way,
        }
    }
}

impl Operator {
    /// Returns the operator's name, as used in the identity of a case.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Number(_, change) => change.name(),
            Self::Text(_, change) => match change {
                TextChange::Empty => "empty",
                TextChange::LastByte => "last-byte-wrong",
                TextChange::Longer => "one-byte-more",
                TextChange::Case => "case-wrong",
            },
            Self::Contents(change) => match change {
                ContentsChange::Flipped => "bit-flipped",
                ContentsChange::Above => "one-above",
                ContentsChange::Below => "one-below",
                ContentsChange::Zero => "zero",
                ContentsChange::AllOnes => "all-ones",
                ContentsChange::Swapped => "byte-swapped",
                ContentsChange::Short => "one-byte-short",
                ContentsChange::Byte(_) => "byte-wrong",
            },
            Self::Fill { last: false } => "fill-wrong",
            Self::Fill { last: true } => "fill-last-wrong",
            Self::Empty => "empty",
            Self::Cut(CutAt::Before) => "cut-before",
            Self::Cut(CutAt::Inside) => "cut-inside",
            Self::EndMissing => "end-missing",
            Self::Trailing(Tail::Zero) => "followed-by-zero",
            Self::Trailing(Tail::Ones) => "followed-by-ones",
            Self::Trailing(Tail::Copy) => "followed-by-copy",
            Self::Extent(change) => change.name(),
            Self::Part(change) => match change {
                PartChange::ExtraByte => "extra-byte",
                PartChange::ExtraBytes => "extra-bytes",
                PartChange::LastByteMissing => "last-byte-missing",
                PartChange::EndsInside => "part-ends-inside",
                PartChange::EndsBefore => "part-ends-before",
                PartChange::Empty => "part-empty",
            },
            Self::IllFormed(class) => class,
            Self::Open => "unterminated",
            Self::EncodingForm(spelling) => match spelling {
                EncodingForm::OneByteMore => "overlong",
                EncodingForm::MostBytes => "overlong-most",
                EncodingForm::TooLong => "too-long",
                EncodingForm::TooWide => "too-wide",
                EncodingForm::AllOnes => "too-wide-all-ones",
                EncodingForm::Unterminated => "unterminated",
            },
            Self::Dangling(missing) => match missing {
                Missing::NeverDefined => "never-defined",
                Missing::NeverDefinedGreatest => "never-defined-greatest",
                Missing::NeverDefinedLeast => "never-defined-least",
                Missing::NeverDefinedWraps => "never-defined-wraps",
                Missing::OtherElement => "names-other-element",
                Missing::DefinedLater => "defined-later",
                Missing::Removed => "removed-before",
                Missing::Cleared => "cleared-before",
            },
            Self::Again(Repetition::Same) => "twice-same",
            Self::Again(Repetition::Different(_)) => "twice-different",
            Self::Again(Repetition::Overlapping) => "numbers-overlap",
            Self::Again(Repetition::SameColumn(_)) => "same-in-two-rows",
            Self::Duplicate { .. } => "twice-in-list",
            Self::Overflow { by_one: true } => "overflow-by-one",
            Self::Overflow { by_one: false } => "overflow-most",
            Self::UnknownCode(_) => "applied",
            Self::Word(WordChange::Past) => "names-farthest",
            Self::Word(WordChange::PastEnd) => "names-past-end",
            Self::Word(WordChange::Multiple) => "names-part-of-element",
            Self::Variable(_) => "variable-size",
            Self::NoArm(_) => "no-arm",
            Self::TooFew { none: true } => "none",
            Self::TooFew { none: false } => "one-too-few",
            Self::Order(change) => match change {
                OrderChange::First(_) => "another-first",
                OrderChange::FirstMissing(_) => "first-missing",
                OrderChange::Last(_) => "another-last",
                OrderChange::Twice(_) => "occurs-twice",
                OrderChange::TwiceLate(_) => "occurs-twice-late",
            },
            Self::Inside(change) => match change {
                InsideChange::NotJson(class) | InsideChange::Described(class) => class,
                InsideChange::Shape(_) => "json-other",
                InsideChange::Holds(..) => "holds-other",
                InsideChange::Name(_) => "special-name",
                InsideChange::Kind => "other-fields",
                InsideChange::Null => "null",
            },
            Self::Before { same: true, .. } => "before-file-same",
            Self::Before { same: false, .. } => "before-file-different",
            Self::Nested { .. } => "nested",
        }
    }

    /// Returns a parameter that distinguishes this operator from other operators with the same name
    /// on the same field.
    pub fn parameter(&self) -> Option<String> {
        Some(match self {
            Self::Number(_, Change::Undeclared(value) | Change::Elsewhere(value))
            | Self::Number(_, Change::ReservedBits(value))
            | Self::UnknownCode(value)
            | Self::Variable(value)
            | Self::NoArm(value) => hex(*value),
            Self::Number(_, Change::Given(value)) => value.to_string(),
            Self::Contents(ContentsChange::Byte(index)) => index.to_string(),
            Self::Again(Repetition::SameColumn(index)) if *index > 0 => index.to_string(),
            Self::Order(
                OrderChange::First(test)
                | OrderChange::FirstMissing(test)
                | OrderChange::Last(test)
                | OrderChange::Twice(test)
                | OrderChange::TwiceLate(test),
            ) if *test > 0 => test.to_string(),
            Self::Duplicate { key } if *key > 0 => key.to_string(),
            Self::Nested { times } => times.to_string(),
            Self::Inside(InsideChange::Shape(what)) => what.clone(),
            Self::Inside(InsideChange::Name(number)) if *number > 0 => number.to_string(),
            Self::Before { row, .. } if *row > 0 => row.to_string(),
            _ => return None,
        })
    }
}

impl Change {
    fn name(self) -> &'static str {
        match self {
            Self::Above => "one-above",
            Self::Below => "one-below",
            Self::Zero => "zero",
            Self::AllOnes => "all-ones",
            Self::Greatest => "greatest",
            Self::Least => "least",
            Self::Swapped => "byte-swapped",
            Self::Flipped => "bit-flipped",
            Self::Undeclared(_) => "undeclared",
            Self::Elsewhere(_) => "undeclared-here",
            Self::ReservedBits(_) => "reserved-bits",
            Self::Wraps => "wraps",
            Self::Given(_) => "value",
        }
    }
}

impl ExtentChange {
    fn name(self) -> &'static str {
        match self {
            Self::OneLess => "one-less",
            Self::OneMore => "one-more",
            Self::Zero => "claims-none",
            Self::ToEnd => "claims-to-end",
            Self::PastEnd => "claims-past-end",
            Self::Greatest => "claims-most",
            Self::Wraps => "claims-wraps",
            Self::Negative => "claims-negative",
        }
    }
}

fn hex(value: i128) -> String {
    if value < 0 {
        return value.to_string();
    }
    let digits = format!("{value:x}");
    let width = digits.len().div_ceil(2) * 2;
    format!("0x{digits:0>width$}")
}
