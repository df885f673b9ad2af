//! Traverses expressions.

use super::ast::{Expr, ExprKind};

impl Expr {
    /// Calls `each` with every direct subexpression.
    pub fn inside(&self, each: &mut impl FnMut(&Self)) {
        match &self.kind {
            ExprKind::List(items) => items.iter().for_each(each),
            ExprKind::Member { base, .. }
            | ExprKind::Cast { base, .. }
            | ExprKind::Unary { operand: base, .. }
            | ExprKind::IsPresent(base) => each(base),
            ExprKind::Method {
                base, arguments, ..
            } => {
                each(base);
                arguments.iter().for_each(each);
            }
            ExprKind::Call { arguments, .. } => arguments.iter().for_each(each),
            ExprKind::Index { base, index } => {
                each(base);
                each(index);
            }
            ExprKind::Binary { left, right, .. } => {
                each(left);
                each(right);
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                each(condition);
                each(then);
                each(otherwise);
            }
            ExprKind::Else { first, second } => {
                each(first);
                each(second);
            }
            _ => {}
        }
    }
}
