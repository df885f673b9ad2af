//! Constraints, faults, and the rules that they break or show.

use super::RuleId;
use crate::expression::Expr;
use crate::source::SourceSpan;

/// Something that must hold of a value.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// What must hold.
    pub kind: ConstraintKind,
    /// Tested only where this holds.
    pub condition: Option<Expr>,
    /// The rule that a breach breaks.
    pub rule: Option<RuleRef>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// Forms of constraints.
#[derive(Clone, Debug)]
pub enum ConstraintKind {
    /// Equal to.
    Equal(Expr),
    /// At least.
    Min(Expr),
    /// At most.
    Max(Expr),
    /// One of.
    AnyOf(Vec<Expr>),
    /// A declared member of the field's enumeration.
    InEnum,
    /// Any predicate over `_`.
    Predicate(Expr),
}

/// What a breach is charged to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RuleRef {
    /// A rule.
    Rule(RuleId),
    /// A fault kind of a shared part, which the format maps to a rule.
    Fault(String),
}

/// What fails by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// The file ends inside an element.
    Eof,
    /// The file ends where a repetition wants another element.
    Missing,
    /// Bytes after the root.
    Trailing,
    /// A size, position or located range leaves what encloses it.
    Past,
    /// The fields need more bytes than the sized part has.
    Short,
    /// The sized part has more bytes than the fields need.
    Rest,
    /// A size or count is negative.
    Negative,
    /// A number is outside what is declared.
    Range,
    /// A text is not well-formed.
    Encoding,
    /// Half a surrogate pair in a text that is well-formed otherwise.
    Half,
    /// A terminator is missing.
    Terminator,
    /// No declared member of the enumeration.
    Enum,
    /// Bits without a name are set.
    Flags,
    /// No declared type code.
    Code,
    /// Null where a value is wanted.
    Absent,
    /// A list or text of nothing.
    Empty,
    /// A variable-length integer with redundant bytes.
    Overlong,
    /// A variable-length integer with more bytes than its width can need.
    Long,
    /// A variable-length integer whose value does not fit.
    Wide,
    /// Nested too deep.
    Depth,
}

impl FaultKind {
    /// Every kind with the name that a description uses.
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

    /// The name that a description uses.
    pub fn name(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, name)| name)
    }
}

/// Which rule each fault breaks, from here inward.
#[derive(Clone, Debug, Default)]
pub struct FaultMap {
    /// Built-in kinds.
    pub kinds: Vec<(FaultKind, RuleRef, SourceSpan)>,
    /// Kinds of shared parts.
    pub own: Vec<(String, RuleRef, SourceSpan)>,
}

/// A rule that cannot be broken here, tied to the element that shows it.
#[derive(Clone, Debug)]
pub struct Obedience {
    /// The rule, or the fault kind of a shared part.
    pub rule: RuleRef,
    /// When a file shows it; `None`: whenever the element is there.
    pub when: Option<Expr>,
    /// Where it stands.
    pub span: SourceSpan,
}
