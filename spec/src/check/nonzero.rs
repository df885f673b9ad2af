//! Finds the expressions that a condition excludes from being zero, so that dividing by them is safe.

use super::Checker;
use super::uses::UseId;
use crate::expression::{BinaryOperator as B, Expr, ExprKind, UnaryOperator};

impl Checker<'_> {
    /// Runs `check` with the knowledge that a condition holds, or that it does not hold.
    pub(super) fn knowing<T>(
        &mut self,
        used: UseId,
        (condition, holds): (Option<&Expr>, bool),
        check: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let before = self.nonzero.len();
        if let Some(condition) = condition {
            excluded(condition, holds, &mut |expr| {
                self.nonzero.push((used, expr.to_string()));
            });
        }
        let checked = check(self);
        self.nonzero.truncate(before);
        checked
    }

    /// Returns whether a condition that holds here excludes an expression from being zero.
    pub(super) fn is_nonzero(&self, used: UseId, expr: &Expr) -> bool {
        let name = expr.to_string();
        let mut known = self.nonzero.iter();
        known.any(|(of, known)| *of == used && *known == name)
    }
}

/// Finds the expressions that are not zero if a condition holds, or if it does not hold.
fn excluded<'e>(condition: &'e Expr, holds: bool, found: &mut dyn FnMut(&'e Expr)) {
    match &condition.kind {
        ExprKind::Unary {
            operator: UnaryOperator::Not,
            operand,
        } => excluded(operand, !holds, found),
        ExprKind::Binary {
            operator,
            left,
            right,
        } => match operator {
            B::And | B::Or => {
                if (*operator == B::And) == holds {
                    excluded(left, holds, found);
                    excluded(right, holds, found);
                }
            }
            _ => {
                if let Some(bound) = number(right)
                    && excludes_zero(*operator, bound, holds)
                {
                    found(left);
                }
                if let Some(bound) = number(left)
                    && mirrored(*operator).is_some_and(|it| excludes_zero(it, bound, holds))
                {
                    found(right);
                }
            }
        },
        _ => {}
    }
}

/// Returns whether zero does not satisfy a comparison with `bound`, or satisfies it if it must not hold.
fn excludes_zero(operator: B, bound: i128, holds: bool) -> bool {
    let satisfied = match operator {
        B::Equal => bound == 0,
        B::NotEqual => bound != 0,
        B::Less => 0 < bound,
        B::LessOrEqual => 0 <= bound,
        B::Greater => 0 > bound,
        B::GreaterOrEqual => 0 >= bound,
        _ => return false,
    };
    satisfied != holds
}

fn mirrored(operator: B) -> Option<B> {
    Some(match operator {
        B::Equal | B::NotEqual => operator,
        B::Less => B::Greater,
        B::LessOrEqual => B::GreaterOrEqual,
        B::Greater => B::Less,
        B::GreaterOrEqual => B::LessOrEqual,
        _ => return None,
    })
}

fn number(expr: &Expr) -> Option<i128> {
    match expr.kind {
        ExprKind::Int(number) => Some(number),
        _ => None,
    }
}
