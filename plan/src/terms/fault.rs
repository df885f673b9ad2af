//! The kinds of faults, and references to the rules that they break.

use super::RuleId;

/// A reference to the rule that is broken by a violated constraint or a fault.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RuleRef {
    /// A rule of this format.
    Rule(RuleId),
    /// A named fault of a shared part (a description file that several formats use), which each
    /// format maps to a rule.
    Fault(String),
}

/// The kind of a fault. The decoder detects faults while it reads, so the description needs no
/// constraints for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// The file ends inside an element.
    Eof,
    /// The file ends although a repetition requires another element.
    Missing,
    /// Bytes follow the root element.
    Trailing,
    /// A size, position or located range extends beyond the enclosing part or file.
    Past,
    /// The fields need more bytes than the sized part contains.
    Short,
    /// The sized part contains more bytes than the fields need.
    Rest,
    /// A size or count is negative.
    Negative,
    /// A number is outside the declared range.
    Range,
    /// Text is ill-formed.
    Encoding,
    /// Text is well-formed except for unpaired surrogates.
    Half,
    /// A terminator is missing.
    Terminator,
    /// A value is not a declared member of its enumeration.
    Enum,
    /// Bits without a name are set.
    Flags,
    /// A type code is not declared.
    Code,
    /// A required value is null.
    Absent,
    /// A list or string is empty.
    Empty,
    /// A variable-length integer has redundant bytes.
    Overlong,
    /// A variable-length integer has more bytes than any value of its width needs.
    Long,
    /// The value of a variable-length integer does not fit in the integer's width.
    Wide,
    /// Elements are nested too deeply.
    Depth,
}

impl FaultKind {
    /// All fault kinds, each with its name in descriptions.
    pub const ALL: [(Self, &'static str); 20] = [
        (Self::Eof, "eof"),
        (Self::Missing, "missing"),
        (Self::Trailing, "trailing"),
        (Self::Past, "past"),
        (Self::Short, "short"),
        (Self::Rest, "rest"),
        (Self::Negative, "negative"),
        (Self::Range, "range"),
        (Self::Encoding, "encoding"),
        (Self::Half, "half"),
        (Self::Terminator, "terminator"),
        (Self::Enum, "enum"),
        (Self::Flags, "flags"),
        (Self::Code, "code"),
        (Self::Absent, "absent"),
        (Self::Empty, "empty"),
        (Self::Overlong, "overlong"),
        (Self::Long, "long"),
        (Self::Wide, "wide"),
        (Self::Depth, "depth"),
    ];

    /// Returns the name of this kind in descriptions.
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, name)| name)
    }
}
