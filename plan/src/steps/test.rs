//! Tests that steps evaluate with formulas.

use super::fuse::Fuser;
use crate::arena::id;
use crate::formula::Formula;
use crate::terms::EnumId;
use crate::{CheckKind, CheckPlan, CodeId, RefsId};

id!(/** A list of tests that steps evaluate. */ StepTestsId);

/// The tests of a value.
#[derive(Clone, Debug, PartialEq)]
pub struct StepTests {
    /// The tests, in order.
    pub tests: Vec<StepTest>,
    /// The reference that the value contains, if any.
    pub refs: Option<RefsId>,
    /// The conditions under which the value exercises a rule that can change the verdict, exclude
    /// record members from comparison, or be of interest to users.
    pub shows: Vec<Formula>,
}

/// A test that formulas can express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepTest {
    /// The condition under which the test applies.
    pub condition: Option<Formula>,
    /// The condition that must hold.
    pub kind: StepTestKind,
}

/// The kind of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepTestKind {
    /// The value is at least this number.
    Least(Formula),
    /// The value is at most this number.
    Greatest(Formula),
    /// The value equals this number.
    Equal(Formula),
    /// The value is a member of an enumeration.
    Member(EnumId),
    /// The formula is true.
    Holds(Formula),
}

impl Fuser<'_> {
    /// Converts tests. Returns `None` if formulas cannot express one of them.
    pub(super) fn step_tests(&mut self, checks: &[CheckPlan]) -> Option<Vec<StepTest>> {
        checks.iter().map(|check| self.step_test(check)).collect()
    }

    fn step_test(&mut self, check: &CheckPlan) -> Option<StepTest> {
        let condition = match check.condition {
            Some(condition) => Some(self.expressible(condition)?),
            None => None,
        };
        let kind = match check.kind {
            CheckKind::Min(code) => StepTestKind::Least(self.expressible(code)?),
            CheckKind::Max(code) => StepTestKind::Greatest(self.expressible(code)?),
            CheckKind::Equal(code) => StepTestKind::Equal(self.expressible(code)?),
            CheckKind::Holds(code) => StepTestKind::Holds(self.expressible(code)?),
            CheckKind::InEnum(set) => StepTestKind::Member(set),
            CheckKind::AnyOf(_)
            | CheckKind::InFlags(_)
            | CheckKind::NotEmpty
            | CheckKind::Json(_)
            | CheckKind::Signature(_) => return None,
        };
        Some(StepTest { condition, kind })
    }

    /// Returns the formula of an expression, if there is one.
    pub(super) fn expressible(&mut self, code: CodeId) -> Option<Formula> {
        let is_expressible = self.formulas.is_expressible(self.plan, code);
        is_expressible.then(|| self.formula(code))
    }
}
