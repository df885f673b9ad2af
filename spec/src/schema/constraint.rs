//! Constraints, faults, and references to the rules that they break or exercise. A shared part,
//! which several formats include, cannot name the rules of these formats. It names faults of its
//! own instead, and each format maps these faults to its rules.

use super::{FaultKind, RuleRef};
use crate::expression::{BinaryOperator, Expr, ExprKind};
use tracegauge_plan::source::SourceSpan;

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

impl Constraint {
    /// Returns the same constraint as a predicate over `_`. A constraint on the members of an
    /// enumeration is returned unchanged.
    pub fn as_predicate(&self) -> Self {
        use BinaryOperator as B;
        let holds = match &self.kind {
            ConstraintKind::Equal(expr) => compared(B::Equal, expr),
            ConstraintKind::Min(expr) => compared(B::GreaterOrEqual, expr),
            ConstraintKind::Max(expr) => compared(B::LessOrEqual, expr),
            ConstraintKind::AnyOf(values) => {
                let equal = values.iter().map(|value| compared(B::Equal, value));
                let any = equal.reduce(|left, right| binary(B::Or, left, right));
                any.unwrap_or(Expr {
                    kind: ExprKind::Bool(false),
                    span: self.span,
                })
            }
            ConstraintKind::InEnum | ConstraintKind::Predicate(_) => return self.clone(),
        };
        Self {
            kind: ConstraintKind::Predicate(holds),
            ..self.clone()
        }
    }
}

/// Returns the comparison of `_` with an expression.
fn compared(operator: BinaryOperator, with: &Expr) -> Expr {
    let this = Expr {
        kind: ExprKind::This,
        span: with.span,
    };
    binary(operator, this, with.clone())
}

fn binary(operator: BinaryOperator, left: Expr, right: Expr) -> Expr {
    let span = right.span;
    let (left, right) = (Box::new(left), Box::new(right));
    Expr {
        kind: ExprKind::Binary {
            operator,
            left,
            right,
        },
        span,
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
