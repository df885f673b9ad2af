//! Operators: the ways to break a rule, by the kind of constraint that the rule stands at.

use tracegauge_spec::plan::{OpId, Plan};

/// Where a rule can be broken, and how.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// The rule, where it follows from the description alone; what a wrong size breaks depends
    /// on what is around it in the trace.
    pub rule: Option<u32>,
    /// The operation whose bytes are changed.
    pub op: OpId,
    /// How.
    pub operator: Operator,
}

/// A way to break a rule.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// A number that a test forbids.
    Number(Test, Change),
    /// A text that a test forbids.
    Text(Test, TextChange),
    /// Bytes other than those that must stand here.
    Contents(ContentsChange),
    /// Padding with another byte.
    Fill {
        /// In the last byte of it, else in the first.
        last: bool,
    },
    /// Nothing where something must be.
    Empty,
    /// The file ends.
    Cut(CutAt),
    /// The end mark of a list never comes.
    EndMissing,
    /// Bytes after the end.
    Trailing(Tail),
    /// A size or count that is not that of what it measures.
    Extent(ExtentChange),
    /// A sized part with other bytes in it, of the size that it says.
    Part(PartChange),
    /// Text that is not well-formed.
    IllFormed(&'static str),
    /// The terminator of a text is missing.
    Open,
    /// A variable-length integer that is spelt wrong.
    Spelling(Spelling),
    /// A reference to a row that is not there.
    Dangling(Missing),
    /// A row that is there already.
    Again(Repetition),
    /// An element that must differ from the others and does not.
    Duplicate {
        /// Which of the list's keys.
        key: usize,
    },
    /// A carried value out of range.
    Overflow {
        /// By one; else by as much as can be written.
        by_one: bool,
    },
    /// A layout with a type code that is not declared is applied.
    UnknownCode(i128),
    /// A word that names a place where there is nothing of the kind.
    Word(WordChange),
    /// A type that must have a fixed size is one that has none: its code.
    Variable(i128),
    /// A value for which a switch has no arm.
    NoArm(i128),
    /// Fewer elements than there must be.
    TooFew {
        /// None at all; else one too few.
        none: bool,
    },
    /// An element of a list is out of place.
    Order(OrderChange),
    /// A text that holds something else than it must, or nothing.
    Inside(InsideChange),
    /// A row that was there before the file.
    Before {
        /// Which of them.
        row: usize,
        /// As it was.
        same: bool,
    },
    /// More of itself inside itself than a reader must take.
    Nested {
        /// How many times.
        times: u64,
    },
}

/// Elements out of place. The number is that of the list's test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderChange {
    /// Another element stands before the first.
    First(usize),
    /// The first element is not there.
    FirstMissing(usize),
    /// Another element stands after the last.
    Last(usize),
    /// What occurs once stands twice, one right after the other.
    Twice(usize),
    /// What occurs once stands twice, the second as late as can be.
    TwiceLate(usize),
}

/// Wrong contents of a text that means more than itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum InsideChange {
    /// No JSON: how.
    NotJson(&'static str),
    /// JSON that is not what it must be: what is wrong with it.
    Shape(String),
    /// A described field: how it is wrong.
    Described(&'static str),
    /// A code that holds one that it cannot hold, or none that is declared.
    Holds(i128, Option<i128>),
    /// A name that a test forbids: which test.
    Name(usize),
    /// A row of a kind that describes other fields.
    Kind,
    /// Null where a value is wanted.
    Null,
}

/// Which test of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Test {
    /// The operation that tests: a value, a test in its place, or a structure when it ends.
    pub owner: OpId,
    /// Its number among the operation's tests, or among those at the structure's end.
    pub number: u32,
    /// At the structure's end.
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
    /// The greatest value that the field can have.
    Greatest,
    /// The least value that the field can have.
    Least,
    /// The bytes in the wrong order.
    Swapped,
    /// The highest bit flipped.
    Flipped,
    /// A value that is not declared.
    Undeclared(i128),
    /// A value that is declared, but not for this dialect.
    Elsewhere(i128),
    /// Bits without a name.
    ReservedBits(i128),
    /// In fewer bits it is a value that the test allows.
    Wraps,
    /// A value that the test itself speaks of, or a neighbour of it.
    Given(i128),
}

/// Texts that tests forbid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextChange {
    /// Nothing.
    Empty,
    /// Its last byte is another.
    LastByte,
    /// One byte more.
    Longer,
    /// The case of its first letter.
    Case,
}

/// Bytes instead of those that must stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContentsChange {
    /// The lowest bit of the first byte flipped.
    Flipped,
    /// The last byte one more.
    Above,
    /// The last byte one less.
    Below,
    /// All zero.
    Zero,
    /// All bits set.
    AllOnes,
    /// In the wrong order.
    Swapped,
    /// The last byte left out.
    Short,
    /// One byte in the middle is another.
    Byte(usize),
}

/// Where the file ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CutAt {
    /// Before the field.
    Before,
    /// In the middle of the field.
    Inside,
}

/// What stands after the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tail {
    /// One zero.
    Zero,
    /// One byte of ones.
    Ones,
    /// The whole file again.
    Copy,
}

/// Wrong sizes and counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExtentChange {
    /// One less.
    OneLess,
    /// One more.
    OneMore,
    /// Zero.
    Zero,
    /// Up to the end of what is around.
    ToEnd,
    /// One past that end.
    PastEnd,
    /// The greatest that the field can say.
    Greatest,
    /// In fewer bits it is what it should be.
    Wraps,
    /// Less than zero.
    Negative,
}

/// Places where there is nothing of the kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WordChange {
    /// As far away as can be said.
    Past,
    /// One element more than there is room for.
    PastEnd,
    /// One byte less than whole elements.
    Multiple,
}

/// Wrong contents of a sized part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartChange {
    /// One byte after the last field.
    ExtraByte,
    /// Many bytes after the last field.
    ExtraBytes,
    /// The last byte is not there.
    LastByteMissing,
    /// It ends one byte before a field inside it does.
    EndsInside,
    /// Nothing is there.
    Empty,
}

/// Wrong spellings of a variable-length integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spelling {
    /// One byte more than needed.
    OneByteMore,
    /// As many bytes as the width allows.
    MostBytes,
    /// One byte more than the width allows.
    TooLong,
    /// One bit more than the width allows.
    TooWide,
    /// Every bit set in as many bytes as the width allows.
    AllOnes,
    /// More is announced, and the file ends.
    Unterminated,
}

/// Why a row is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Missing {
    /// It never was.
    NeverDefined,
    /// It never was; the key is the greatest that can be written.
    NeverDefinedGreatest,
    /// It never was; the key is the least that can be written, below zero.
    NeverDefinedLeast,
    /// It never was; in fewer bits the key is that of a row that is there.
    NeverDefinedWraps,
    /// Something else stands at the position that the key is.
    OtherElement,
    /// It comes only later.
    DefinedLater,
    /// It was removed.
    Removed,
    /// Its table was cleared.
    Cleared,
}

/// How a row comes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// Unchanged.
    Same,
    /// With this field changed.
    Different(OpId),
    /// Of a list that numbers its rows: its first number is that of a row that is there.
    Overlapping,
    /// With another key and the same value in a column: which of the row's.
    SameColumn(usize),
}

impl Site {
    /// `RULE/operator/path`, the identity of its case; without the rule where that depends on the
    /// trace.
    pub fn name(&self, plan: &Plan) -> String {
        let way = super::apply::way(plan, self);
        match self.rule.and_then(|rule| plan.rules.get(rule as usize)) {
            Some(rule) => format!("{}/{way}", rule.id),
            None => way,
        }
    }
}

impl Operator {
    /// Its name in the identity of a case.
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
                PartChange::Empty => "part-empty",
            },
            Self::IllFormed(class) => class,
            Self::Open => "unterminated",
            Self::Spelling(spelling) => match spelling {
                Spelling::OneByteMore => "overlong",
                Spelling::MostBytes => "overlong-most",
                Spelling::TooLong => "too-long",
                Spelling::TooWide => "too-wide",
                Spelling::AllOnes => "too-wide-all-ones",
                Spelling::Unterminated => "unterminated",
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

    /// What tells it from others of its name at the same place.
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
