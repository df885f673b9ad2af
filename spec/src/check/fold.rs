//! Evaluates expressions before any file is read, using constants and the parameters bound by a
//! dialect.

use crate::expression::{BinaryOperator, Expr, ExprKind};
use crate::schema::{Dialect, Schema};
use tracegauge_plan::evaluate::Scalar;

/// A constant: the value of an expression that can be evaluated before any file is read.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Constant {
    Int(i128),
    Bool(bool),
    Text(String),
}

impl Constant {
    fn scalar(&self) -> Scalar<'_> {
        match self {
            Self::Int(value) => Scalar::Int(*value),
            Self::Bool(value) => Scalar::Bool(*value),
            Self::Text(text) => Scalar::Bytes(text.as_bytes()),
        }
    }

    /// Returns the result of an operator, if it has one.
    fn of(scalar: Scalar<'static>) -> Option<Self> {
        match scalar {
            Scalar::Int(value) => Some(Self::Int(value)),
            Scalar::Bool(value) => Some(Self::Bool(value)),
            _ => None,
        }
    }
}

/// Returns the constant value of `expr` in a dialect, or in all dialects if `dialect` is `None`.
pub(super) fn constant(
    expr: &Expr,
    schema: &Schema,
    dialect: Option<&Dialect>,
) -> Option<Constant> {
    let inner = |expr: &Expr| constant(expr, schema, dialect);
    match &expr.kind {
        ExprKind::Int(value) => Some(Constant::Int(*value)),
        ExprKind::Bool(value) => Some(Constant::Bool(*value)),
        ExprKind::Text(text) => Some(Constant::Text(text.clone())),
        ExprKind::EnumMember { path, member } => {
            member_value(path, member, schema).map(Constant::Int)
        }
        ExprKind::Member { base, name } => {
            let of_root = matches!(&base.kind, ExprKind::Name(base) if base == "_root");
            let binding = dialect.filter(|_| of_root)?.bindings.iter();
            let (_, value) = binding.clone().find(|(bound, _)| bound == name)?;
            constant(value, schema, None)
        }
        ExprKind::Unary { operator, operand } => {
            Constant::of(inner(operand)?.scalar().unary(*operator))
        }
        ExprKind::Binary {
            operator,
            left,
            right,
        } => binary(*operator, inner(left), inner(right)),
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => match inner(condition)? {
            Constant::Bool(true) => inner(then),
            Constant::Bool(false) => inner(otherwise),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the constant value of `expr` if it is an integer.
pub(super) fn integer(expr: &Expr, schema: &Schema, dialect: Option<&Dialect>) -> Option<i128> {
    match constant(expr, schema, dialect)? {
        Constant::Int(value) => Some(value),
        _ => None,
    }
}

/// Returns the constant value of `expr` if it is a Boolean.
pub(crate) fn truth(expr: &Expr, schema: &Schema, dialect: Option<&Dialect>) -> Option<bool> {
    match constant(expr, schema, dialect)? {
        Constant::Bool(value) => Some(value),
        _ => None,
    }
}

/// Returns the number of an enumeration member if all enumerations with this name agree on the
/// number.
fn member_value(path: &[String], member: &str, schema: &Schema) -> Option<i128> {
    let wanted = path.join("::");
    let suffix = format!("::{wanted}");
    let named = |name: &str| name == wanted || name.ends_with(&suffix);
    let enums = schema.enums.iter().filter(|e| named(&e.name));
    let mut values = enums.map(|e| e.members.iter().find(|m| m.name == member).map(|m| m.value));
    let first = values.next()??;
    values.all(|value| value == Some(first)).then_some(first)
}

fn binary(
    operator: BinaryOperator,
    left: Option<Constant>,
    right: Option<Constant>,
) -> Option<Constant> {
    use BinaryOperator as B;
    use Constant as C;
    // One operand may be enough to determine the result.
    match (operator, &left, &right) {
        (B::And, Some(C::Bool(false)), _) | (B::And, _, Some(C::Bool(false))) => {
            return Some(C::Bool(false));
        }
        (B::Or, Some(C::Bool(true)), _) | (B::Or, _, Some(C::Bool(true))) => {
            return Some(C::Bool(true));
        }
        _ => {}
    }
    Constant::of(left?.scalar().binary(operator, right?.scalar()))
}
