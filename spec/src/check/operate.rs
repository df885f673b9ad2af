//! Checks the operands of operators and infers the results.

use super::Checker;
use super::kind::{Kind, Value};
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::{BinaryOperator, Expr, UnaryOperator};
use tracegauge_plan::evaluate::interval::{Interval, Overflows};

/// The operands of a binary operator with their values.
pub(super) struct Operands<'e> {
    pub(super) left: (&'e Expr, Value),
    pub(super) right: (&'e Expr, Value),
    /// Whether a condition excludes the right operand from being zero.
    pub(super) is_nonzero: bool,
}

impl<'s> Checker<'s> {
    pub(super) fn unary(&mut self, operator: UnaryOperator, value: Value, operand: &Expr) -> Value {
        let absent = value.absent;
        let kind = match operator {
            UnaryOperator::Not => {
                self.truth(value, operand, "the operand of `not`");
                return Value::of(Kind::Bool);
            }
            UnaryOperator::Negate => match self.number(value, operand) {
                Kind::Int(range) => Kind::Int(range.negated()),
                other => other,
            },
            UnaryOperator::Invert => match self.integer(value, operand) {
                Kind::Int(range) => Kind::Int(range.inverted()),
                other => other,
            },
        };
        Value { kind, absent }
    }

    pub(super) fn binary(
        &mut self,
        operator: BinaryOperator,
        operands: Operands<'_>,
        expr: &Expr,
    ) -> Value {
        use BinaryOperator as B;
        let Operands {
            left,
            right,
            is_nonzero,
        } = operands;
        match operator {
            B::And | B::Or => {
                let what = format!("an operand of `{}`", operator.text());
                self.truth(left.1, left.0, &what);
                self.truth(right.1, right.0, &what);
                Value::of(Kind::Bool)
            }
            B::Equal | B::NotEqual => {
                self.comparable(&left.1, left.0, &right.1, right.0);
                Value::of(Kind::Bool)
            }
            B::Less | B::LessOrEqual | B::Greater | B::GreaterOrEqual => {
                self.ordered(left, right);
                Value::of(Kind::Bool)
            }
            _ => {
                let absent = left.1.absent || right.1.absent;
                let kind = self.arithmetic(operator, left, (right, is_nonzero), expr);
                Value { kind, absent }
            }
        }
    }

    fn ordered(&mut self, (left, first): (&Expr, Value), (right, second): (&Expr, Value)) {
        let (first, second) = (self.plain(first).kind, self.plain(second).kind);
        let text = |kind: &Kind| matches!(kind, Kind::Text | Kind::Bytes | Kind::Unknown);
        let is_text = |kind: &Kind| matches!(kind, Kind::Text | Kind::Bytes);
        if (is_text(&first) && text(&second)) || (is_text(&second) && text(&first)) {
            return;
        }
        self.number(Value::of(first), left);
        self.number(Value::of(second), right);
    }

    fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        (left, first): (&Expr, Value),
        ((right, second), is_nonzero): ((&Expr, Value), bool),
        expr: &Expr,
    ) -> Kind {
        use BinaryOperator as B;
        let (first, second) = (self.plain(first), self.plain(second));
        if operator == B::Add && matches!((&first.kind, &second.kind), (Kind::Text, Kind::Text)) {
            return Kind::Text;
        }
        let whole = !matches!(operator, B::Add | B::Subtract | B::Multiply | B::Divide);
        let (first, second) = match whole {
            true => (self.integer(first, left), self.integer(second, right)),
            false => (self.number(first, left), self.number(second, right)),
        };
        match (first, second) {
            (Kind::Int(a), Kind::Int(b)) => {
                self.divisor(operator, (b, is_nonzero), right);
                Kind::Int(self.computed(operator, a, b, expr))
            }
            (Kind::Float, Kind::Float | Kind::Int(_)) | (Kind::Int(_), Kind::Float) => Kind::Float,
            _ => Kind::Unknown,
        }
    }

    fn computed(
        &mut self,
        operator: BinaryOperator,
        a: Interval,
        b: Interval,
        expr: &Expr,
    ) -> Interval {
        let computed = Interval::apply(operator, a, b);
        match computed.overflows {
            Overflows::Never => {}
            Overflows::Always => {
                let message = format!("`{expr}` does not fit in 128 bits");
                self.error(Code::ArithmeticRange, expr.span, message);
            }
            Overflows::Sometimes if self.described => {
                let message = format!("`{expr}` can exceed 128 bits");
                let help = "bound the operands with `valid`, or with `min` and `max`";
                let diagnostic = Diagnostic::warning(Code::ArithmeticRange, expr.span, message);
                self.push(diagnostic.help(help));
            }
            Overflows::Sometimes => {}
        }
        computed.interval
    }

    /// Reports an error if a divisor is always zero, and a warning if it can be zero.
    fn divisor(
        &mut self,
        operator: BinaryOperator,
        (range, is_nonzero): (Interval, bool),
        divisor: &Expr,
    ) {
        if !matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder) {
            return;
        }
        if range == Interval::only(0) {
            let message = "division by zero";
            self.error(Code::DivisionByZero, divisor.span, message);
        } else if range.holds(0) && self.described && !is_nonzero {
            let message = format!("the divisor `{divisor}` can be zero");
            let help = "constrain the divisor with `valid: { min: 1, rule: … }`, or divide only if \
                        it is not zero";
            let diagnostic = Diagnostic::warning(Code::DivisionByZero, divisor.span, message);
            self.push(diagnostic.help(help));
        }
    }

    /// Returns the kind of a value that must be a number: an integer or a float. Reports an error
    /// if the value has any other kind.
    pub(super) fn number(&mut self, value: Value, expr: &Expr) -> Kind {
        match self.plain(value).kind {
            Kind::Float => Kind::Float,
            other => self.whole_number(other, expr, "a number"),
        }
    }

    /// Returns the kind of a value that must be an integer. Reports an error if the value has any
    /// other kind.
    pub(super) fn integer(&mut self, value: Value, expr: &Expr) -> Kind {
        let plain = self.plain(value).kind;
        self.whole_number(plain, expr, "an integer")
    }

    fn whole_number(&mut self, kind: Kind, expr: &Expr, wanted: &str) -> Kind {
        match kind {
            Kind::Int(range) | Kind::Flags(_, range) => Kind::Int(range),
            Kind::Unknown | Kind::Described | Kind::Nothing => Kind::Unknown,
            Kind::Union(arms) => {
                let ranges = arms.iter().filter_map(Kind::range);
                match ranges.reduce(Interval::join) {
                    Some(range) => Kind::Int(range),
                    None if arms
                        .iter()
                        .any(|arm| matches!(arm, Kind::Float | Kind::Unknown)) =>
                    {
                        Kind::Unknown
                    }
                    None => self.no_number(&Kind::Union(arms), expr, wanted),
                }
            }
            other => self.no_number(&other, expr, wanted),
        }
    }

    fn no_number(&mut self, kind: &Kind, expr: &Expr, wanted: &str) -> Kind {
        let message = format!("expected {wanted}, found {}", self.describe(kind));
        let help = match kind {
            Kind::Enum(..) | Kind::Bool => Some(format!("use `{expr}.to_i` to get a number")),
            Kind::List(_) => Some(format!("use `{expr}.size` to get the number of elements")),
            Kind::Text | Kind::Bytes => Some(format!("use `{expr}.length` to get its length")),
            _ => None,
        };
        self.push(Diagnostic::error(Code::WrongOperand, expr.span, message).maybe_help(help));
        Kind::Unknown
    }
}
