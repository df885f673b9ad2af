//! Finds the tests that can be evaluated before an operation begins.

use super::steps::{each_code, pure_test, slots_of};
use super::{CheckPlan, Code, OpId, Plan, flags};

impl Plan {
    /// Returns whether a test of `element` can be evaluated before `op` begins, where `op` is an
    /// operation inside the element. A test can be evaluated early if it reads only the values of
    /// operations that come before `op` in the element.
    pub fn is_known_before(&self, check: &CheckPlan, element: OpId, op: OpId) -> bool {
        let before = self.ops.get(element.index() + 1..op.index());
        let before = before.unwrap_or_default();
        let is_read = |slot| {
            let mut ops = before.iter();
            ops.any(|op| op.flags & flags::SLOT != 0 && op.slot == slot)
        };
        let mut known = pure_test(self, check, false);
        for id in check.codes() {
            each_code(self, id, &mut |code| {
                let changes = matches!(
                    code,
                    Code::This
                        | Code::Register(_)
                        | Code::Column(..)
                        | Code::HasRow(_)
                        | Code::Row(_)
                        | Code::RowKind(..)
                );
                known &= !changes && slots_of(code).all(is_read);
            });
        }
        known
    }
}
