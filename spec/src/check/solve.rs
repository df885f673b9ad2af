//! Checks that the generator can find values that satisfy the predicates of a description. The
//! generator supports comparisons, ranges, sets, linear arithmetic, and equality of some bits or of a
//! remainder. `generator/src/direct/solve.rs` chooses such values.

use super::Checker;
use super::kind::Kind;
use super::site::Site;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{BinaryOperator, Expr, ExprKind, UnaryOperator};

impl<'s> Checker<'s> {
    /// Warns about a predicate if the generator can satisfy it only by trial and error.
    pub(super) fn solvable(&mut self, test: &Expr, site: &Site) {
        if !self.described || self.constructs(site) || solvable(test) {
            return;
        }
        self.unsolvable(test);
    }

    /// Warns about a `check` item whose predicate the generator cannot solve.
    pub(super) fn solvable_test(&mut self, test: &Expr) {
        if self.described && !solvable(test) {
            self.unsolvable(test);
        }
    }

    fn unsolvable(&mut self, test: &Expr) {
        let message = format!("the generator satisfies `{test}` only by trial and error");
        let help = "the generator can solve comparisons, sets and sums; for a condition that few \
                    values satisfy, compute a value with `gen: { construct: EXPR }`";
        self.push(Diagnostic::warning(Code::Unsolvable, test.span, message).help(help));
    }

    /// Returns `true` if the value of `_` is a structure whose type specifies how to construct it.
    fn constructs(&self, site: &Site) -> bool {
        let this = site.this.as_ref().map(|value| &value.kind);
        match this {
            Some(Kind::Structure(used)) => self.type_of(*used).generation.construct.is_some(),
            _ => false,
        }
    }
}

fn solvable(test: &Expr) -> bool {
    match &test.kind {
        ExprKind::Bool(_) | ExprKind::IsPresent(_) | ExprKind::Absent => true,
        ExprKind::Unary {
            operator: UnaryOperator::Not,
            operand,
        } => solvable(operand),
        ExprKind::Binary {
            operator,
            left,
            right,
        } => match operator {
            BinaryOperator::And => solvable(left) && solvable(right),
            // The generator cannot combine two ranges of the lengths of a string.
            BinaryOperator::Or => {
                let is_split = mentions_this(left) && mentions_this(right) && mentions_text(test);
                solvable(left) && solvable(right) && (!is_split || is_choice(test))
            }
            BinaryOperator::Equal
            | BinaryOperator::NotEqual
            | BinaryOperator::Less
            | BinaryOperator::LessOrEqual
            | BinaryOperator::Greater
            | BinaryOperator::GreaterOrEqual => {
                let is_linear = |side: &Expr| {
                    let is_excluded = *operator == BinaryOperator::NotEqual && has_quotient(side);
                    linear(side) && !is_excluded
                };
                let side = |side: &Expr| is_linear(side) || has_pattern(*operator, side);
                side(left) && side(right)
            }
            _ => false,
        },
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => solvable(condition) && solvable(then) && solvable(otherwise),
        // For a Boolean field or property, the generator can choose the value that makes the
        // condition true.
        ExprKind::Member { base, name } => is_path(base) && name != "reverse",
        ExprKind::Name(_) | ExprKind::This => true,
        _ => false,
    }
}

/// Returns `true` for equalities of `_`, possibly joined by `or`.
fn is_choice(test: &Expr) -> bool {
    let ExprKind::Binary {
        operator,
        left,
        right,
    } = &test.kind
    else {
        return false;
    };
    let is_this = |side: &Expr| side.kind == ExprKind::This;
    match operator {
        BinaryOperator::Or => is_choice(left) && is_choice(right),
        BinaryOperator::Equal => is_this(left) != is_this(right),
        _ => false,
    }
}

/// Returns `true` if an expression refers to `_`.
fn mentions_this(expr: &Expr) -> bool {
    let mut found = expr.kind == ExprKind::This;
    expr.inside(&mut |inner| found |= mentions_this(inner));
    found
}

/// Returns `true` if an expression contains a string or the length of a value.
fn mentions_text(expr: &Expr) -> bool {
    let is_length = |name: &str| matches!(name, "length" | "size" | "units16");
    let mut found = match &expr.kind {
        ExprKind::Text(_) => true,
        ExprKind::Member { name, .. } => is_length(name),
        _ => false,
    };
    expr.inside(&mut |inner| found |= mentions_text(inner));
    found
}

/// Returns `true` if an expression contains a quotient. The generator cannot exclude the values that
/// have the same quotient.
fn has_quotient(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Unary { operand, .. } => has_quotient(operand),
        ExprKind::Binary {
            operator,
            left,
            right,
        } => {
            matches!(
                operator,
                BinaryOperator::Divide | BinaryOperator::ShiftRight
            ) || has_quotient(left)
                || has_quotient(right)
        }
        _ => false,
    }
}

/// Returns `true` if an expression consists of some bits of a field, or of its remainder, and the
/// generator can choose them so that a comparison with `operator` holds.
fn has_pattern(operator: BinaryOperator, expr: &Expr) -> bool {
    let ExprKind::Binary {
        operator: own,
        left,
        right,
    } = &expr.kind
    else {
        return false;
    };
    let is_equal = operator == BinaryOperator::Equal;
    let differs = operator == BinaryOperator::NotEqual;
    let is_solved = match own {
        BinaryOperator::BitAnd => is_equal || differs,
        BinaryOperator::Remainder => is_equal || (differs && right.kind == ExprKind::Int(2)),
        BinaryOperator::Add | BinaryOperator::Subtract => {
            return has_pattern(operator, left) && constant(right);
        }
        _ => false,
    };
    is_solved && constant(right) && (is_path(left) || left.kind == ExprKind::This)
}

/// Returns `true` for a sum of paths and constants, each of which may be multiplied or divided by a
/// constant.
fn linear(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Unary {
            operator: UnaryOperator::Negate,
            operand,
        } => linear(operand),
        ExprKind::Binary {
            operator,
            left,
            right,
        } => match operator {
            BinaryOperator::Add | BinaryOperator::Subtract => linear(left) && linear(right),
            BinaryOperator::Multiply => {
                (constant(left) && linear(right)) || (linear(left) && constant(right))
            }
            BinaryOperator::Divide | BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => {
                linear(left) && constant(right)
            }
            _ => false,
        },
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => solvable(condition) && linear(then) && linear(otherwise),
        ExprKind::Else { first, second } => linear(first) && linear(second),
        _ => constant(expr) || is_path(expr),
    }
}

fn constant(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Text(_)
            | ExprKind::Absent
            | ExprKind::List(_)
            | ExprKind::EnumMember { .. }
    )
}

/// Returns `true` for a path of names, which may include rows looked up in tables.
fn is_path(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::This => true,
        ExprKind::Member { base, name } => is_path(base) && name != "reverse",
        ExprKind::Method { base, name, .. } => name == "get" && is_path(base),
        ExprKind::Cast { base, .. } => is_path(base),
        _ => false,
    }
}
