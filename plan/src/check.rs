//! Tests of values and elements.

use super::{CodeId, JsonUseId, OpId, SignatureId};
use crate::terms::{EnumId, FlagsId, RuleId};

/// A test of a value or of a whole element.
#[derive(Clone, Debug)]
pub struct CheckPlan {
    /// The condition that must hold.
    pub kind: CheckKind,
    /// The condition under which the test applies.
    pub condition: Option<CodeId>,
    /// The index of the rule to report if the test fails. A Kaitai Struct description without
    /// extensions has no rules.
    pub rule: Option<RuleId>,
    /// The operation to report in a violation, if it differs from the operation that runs the test.
    pub blame: Option<OpId>,
}

impl CheckPlan {
    /// Iterates over the expressions of the test, including its condition.
    pub fn codes(&self) -> impl Iterator<Item = CodeId> {
        let codes: &[CodeId] = match &self.kind {
            CheckKind::Equal(code)
            | CheckKind::Min(code)
            | CheckKind::Max(code)
            | CheckKind::Holds(code) => std::slice::from_ref(code),
            CheckKind::AnyOf(codes) => codes,
            CheckKind::InEnum(_)
            | CheckKind::InFlags(_)
            | CheckKind::NotEmpty
            | CheckKind::Json(_)
            | CheckKind::Signature(_) => &[],
        };
        self.condition.into_iter().chain(codes.iter().copied())
    }
}

/// The kind of a test.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckKind {
    /// The value equals this expression.
    Equal(CodeId),
    /// The value is at least this expression.
    Min(CodeId),
    /// The value is at most this expression.
    Max(CodeId),
    /// The value equals one of these expressions.
    AnyOf(Vec<CodeId>),
    /// The value is a member of an enumeration.
    InEnum(EnumId),
    /// The value has only bits that are named in a flag set.
    InFlags(FlagsId),
    /// The list or value is not empty.
    NotEmpty,
    /// The text is JSON with a required shape.
    Json(JsonUseId),
    /// The text is a list of field descriptions with a required syntax, given as an index into the
    /// plan's signatures.
    Signature(SignatureId),
    /// An arbitrary predicate holds.
    Holds(CodeId),
}
