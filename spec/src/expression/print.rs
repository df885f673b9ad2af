use std::fmt;

use super::UnaryOperator;
use super::ast::{Expr, ExprKind};
use super::power::{Power, power_of};

/// Formats an expression with as few parentheses as possible. Parsing the result yields the same
/// expression.
impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Int(value) => write!(f, "{value}"),
            ExprKind::Float(value) => write!(f, "{value:?}"),
            ExprKind::Bool(value) => write!(f, "{value}"),
            ExprKind::Text(text) => quoted(f, text),
            ExprKind::Absent => f.write_str("absent"),
            ExprKind::This => f.write_str("_"),
            ExprKind::Name(name) => f.write_str(name),
            ExprKind::List(items) => {
                f.write_str("[")?;
                list(f, items)?;
                f.write_str("]")
            }
            ExprKind::EnumMember { path, member } => write!(f, "{}::{member}", path.join("::")),
            ExprKind::SizeOfType(name) => write!(f, "sizeof<{name}>"),
            ExprKind::Call { name, arguments } => {
                write!(f, "{name}(")?;
                list(f, arguments)?;
                f.write_str(")")
            }
            _ => postfix(self, f),
        }
    }
}

fn postfix(expression: &Expr, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &expression.kind {
        ExprKind::Member { base, name } => {
            operand(f, base, Power::Postfix)?;
            write!(f, ".{name}")
        }
        ExprKind::Method {
            base,
            name,
            arguments,
        } => {
            operand(f, base, Power::Postfix)?;
            write!(f, ".{name}(")?;
            list(f, arguments)?;
            f.write_str(")")
        }
        ExprKind::Index { base, index } => {
            operand(f, base, Power::Postfix)?;
            write!(f, "[{index}]")
        }
        ExprKind::Cast { base, type_name } => {
            operand(f, base, Power::Postfix)?;
            write!(f, ".as<{type_name}>")
        }
        _ => operation(expression, f),
    }
}

fn operation(expression: &Expr, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match &expression.kind {
        ExprKind::Unary {
            operator,
            operand: inner,
        } => {
            let sign = match operator {
                UnaryOperator::Negate => "-",
                UnaryOperator::Invert => "~",
                UnaryOperator::Not => "not ",
            };
            f.write_str(sign)?;
            operand(f, inner, power(expression))
        }
        ExprKind::Binary {
            operator,
            left,
            right,
        } => {
            let own = power_of(*operator);
            let chains = own != Power::Comparison;
            operand(f, left, if chains { own } else { own.tighter() })?;
            write!(f, " {} ", operator.text())?;
            operand(f, right, own.tighter())
        }
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            operand(f, condition, Power::Or)?;
            write!(f, " ? {then} : {otherwise}")
        }
        ExprKind::Else { first, second } => {
            operand(f, first, Power::Else)?;
            f.write_str(" else ")?;
            operand(f, second, Power::Else.tighter())
        }
        ExprKind::IsPresent(inner) => {
            operand(f, inner, Power::Comparison.tighter())?;
            f.write_str(" is present")
        }
        _ => Ok(()),
    }
}

/// Writes an operand, with parentheses if the operand binds less tightly than `least`.
fn operand(f: &mut fmt::Formatter<'_>, inner: &Expr, least: Power) -> fmt::Result {
    if power(inner) < least {
        write!(f, "({inner})")
    } else {
        write!(f, "{inner}")
    }
}

fn power(expression: &Expr) -> Power {
    match &expression.kind {
        ExprKind::Conditional { .. } => Power::Conditional,
        ExprKind::Else { .. } => Power::Else,
        ExprKind::IsPresent(_) => Power::Comparison,
        ExprKind::Binary { operator, .. } => power_of(*operator),
        ExprKind::Unary { operator, .. } if *operator == UnaryOperator::Not => Power::Not,
        ExprKind::Unary { .. } => Power::Sign,
        _ => Power::Postfix,
    }
}

fn list(f: &mut fmt::Formatter<'_>, items: &[Expr]) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

fn quoted(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    if !text.contains('\'') && !text.chars().any(char::is_control) {
        return write!(f, "'{text}'");
    }
    f.write_str("\"")?;
    for character in text.chars() {
        match character {
            '"' | '\\' => write!(f, "\\{character}")?,
            _ if character.is_control() => write!(f, "\\u{:04x}", u32::from(character))?,
            _ => write!(f, "{character}")?,
        }
    }
    f.write_str("\"")
}
