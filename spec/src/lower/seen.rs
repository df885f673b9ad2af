//! Constraints on the result of a lookup. If a type shows the result of a lookup
//! (`shows: table.get(_).x`), the constraints of a field of that type apply to the result, while
//! the constraints of the type itself apply to the key.

use super::faults::FaultContext;
use super::field::Layers;
use super::scope::ScopeId;
use super::{CodeId, Lowering, OpId};
use crate::expression::{BinaryOperator, Expr};
use crate::schema::{Constraint, ConstraintKind};
use tracegauge_plan::{CheckKind, CheckPlan, Code};

impl<'s> Lowering<'s> {
    /// Returns the result of the lookup if the constraints of this layer (the field itself or one
    /// of its aliases) apply to the result instead of the key.
    pub(super) fn seen_by(&self, op: OpId, layers: &Layers<'s>, layer: usize) -> Option<CodeId> {
        let mut aliases = layers.aliases.iter();
        let alias = aliases.position(|(_, alias)| alias.shows.is_some())?;
        let shows = self.plan.infos[op.index()].presentation.shows;
        shows.filter(|_| layer <= alias)
    }

    /// Adds a constraint on the result of a lookup.
    pub(super) fn constraint_of(
        &mut self,
        shown: CodeId,
        constraint: &Constraint,
        scope: ScopeId,
        context: &FaultContext,
        checks: &mut Vec<CheckPlan>,
    ) {
        use BinaryOperator as B;
        let compare = |lowering: &mut Self, operator, expr: &Expr| {
            let wanted = lowering.compile(expr, scope, Some(shown));
            let (left, right) = lowering.compared(shown, wanted);
            lowering.fold(Code::Binary(operator, left, right))
        };
        let holds = match &constraint.kind {
            ConstraintKind::Equal(expr) => compare(self, B::Equal, expr),
            ConstraintKind::Min(expr) => compare(self, B::GreaterOrEqual, expr),
            ConstraintKind::Max(expr) => compare(self, B::LessOrEqual, expr),
            ConstraintKind::AnyOf(values) => {
                let mut any = self.code(Code::Bool(false));
                for value in values {
                    let equal = compare(self, B::Equal, value);
                    any = match self.known_bool(any) {
                        Some(false) => equal,
                        _ => self.fold(Code::Binary(B::Or, any, equal)),
                    };
                }
                any
            }
            ConstraintKind::Predicate(expr) => self.predicate(expr, scope, Some(shown)),
            ConstraintKind::InEnum => {
                self.error(
                    constraint.span,
                    "`in-enum` on a value from a table is not supported yet",
                );
                return;
            }
        };
        let condition = constraint.condition.as_ref();
        let condition = condition.map(|condition| self.compile(condition, scope, Some(shown)));
        if condition.and_then(|condition| self.known_bool(condition)) == Some(false) {
            return;
        }
        let rule = constraint.rule.as_ref();
        checks.push(CheckPlan {
            kind: CheckKind::Holds(holds),
            condition,
            rule: rule.and_then(|rule| context.resolve(rule)),
            blame: None,
        });
    }
}
