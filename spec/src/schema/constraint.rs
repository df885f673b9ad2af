//! Constraints, faults, and references to the rules that they break or exercise.

use super::RuleId;
use crate::expression::Expr;
use crate::source::SourceSpan;

/// A condition on a value.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// The condition that must hold.
    pub kind: ConstraintKind,
    /// The condition under which the constraint applies.
    pub condition: Option<Expr>,
    /// The rule that is broken if the constraint does not hold.
    pub rule: Option<RuleRef>,
    /// The location of the constraint in the description.
    pub span: SourceSpan,
}

/// The kind of a constraint.
#[derive(Clone, Debug)]
pub enum ConstraintKind {
    /// The value equals this expression.
    Equal(Expr),
    /// The value is at least this expression.
    Min(Expr),
    /// The value is at most this expression.
    Max(Expr),
    /// The value equals one of these expressions.
    AnyOf(Vec<Expr>),
    /// The value is a declared member of the field's enumeration.
    InEnum,
    /// An arbitrary predicate over `_` holds.
    Predicate(Expr),
}

/// A reference to the rule that is broken by a violated constraint or a fault.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RuleRef {
    /// A rule of this format.
    Rule(RuleId),
    /// A named fault of a shared part, which the format maps to a rule.
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
    /// Text is well-formed except for one half of a surrogate pair.
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
    /// The value of a variable-length integer exceeds its width.
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

/// A mapping from faults to the rules that they break. The mapping applies to the element that
/// declares it and to everything inside that element.
#[derive(Clone, Debug, Default)]
pub struct FaultMap {
    /// The mappings for built-in fault kinds.
    pub kinds: Vec<(FaultKind, RuleRef, SourceSpan)>,
    /// The mappings for named faults of shared parts.
    pub own: Vec<(String, RuleRef, SourceSpan)>,
}

/// An entry of `obeys`: a rule that an element exercises.
#[derive(Clone, Debug)]
pub struct Obedience {
    /// The rule, or a named fault of a shared part.
    pub rule: RuleRef,
    /// The condition under which a file exercises the rule, or `None` if the presence of the
    /// element is enough.
    pub when: Option<Expr>,
    /// The location of the `obeys` entry in the description.
    pub span: SourceSpan,
}
