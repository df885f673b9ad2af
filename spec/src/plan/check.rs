//! Tests of what is read.

use super::{CodeId, OpId};

/// A test of a value or of a whole element.
#[derive(Clone, Debug)]
pub struct CheckPlan {
    /// What must hold.
    pub kind: CheckKind,
    /// Tested only where this holds.
    pub condition: Option<CodeId>,
    /// Index of the rule that a breach breaks; a plain Kaitai description has none.
    pub rule: Option<u32>,
    /// The operation that is blamed, where it is not the one that tests.
    pub blame: Option<OpId>,
}

impl CheckPlan {
    /// The expressions of its condition and of what must hold.
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

/// Forms of tests.
#[derive(Clone, Debug, PartialEq)]
pub enum CheckKind {
    /// Equal to.
    Equal(CodeId),
    /// At least.
    Min(CodeId),
    /// At most.
    Max(CodeId),
    /// One of.
    AnyOf(Vec<CodeId>),
    /// A member of an enumeration.
    InEnum(u32),
    /// No bits without a name.
    InFlags(u32),
    /// Not empty.
    NotEmpty,
    /// JSON: index into the plan's texts of JSON.
    Json(u32),
    /// Described fields: index into the plan's signatures.
    Signature(u32),
    /// Any predicate.
    Holds(CodeId),
}
