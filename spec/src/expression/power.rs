//! The precedence of operators.

use super::BinaryOperator;
use super::token::Symbol;

/// The precedence levels of operators, from the loosest to the tightest binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Power {
    Conditional,
    Or,
    And,
    Not,
    Comparison,
    Else,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Sign,
    Postfix,
}

/// An infix or postfix operator.
#[derive(Clone, Copy)]
pub(super) enum Operator {
    Binary(BinaryOperator, Power),
    Conditional,
    Else,
    IsPresent,
}

impl Operator {
    pub(super) fn power(self) -> Power {
        match self {
            Self::Binary(_, power) => power,
            Self::Conditional => Power::Conditional,
            Self::Else => Power::Else,
            Self::IsPresent => Power::Comparison,
        }
    }
}

impl Power {
    /// Returns the next tighter level, which is required for the right operand of a
    /// left-associative operator.
    pub(super) fn tighter(self) -> Self {
        match self {
            Self::Conditional => Self::Or,
            Self::Or => Self::And,
            Self::And => Self::Not,
            Self::Not => Self::Comparison,
            Self::Comparison => Self::Else,
            Self::Else => Self::BitOr,
            Self::BitOr => Self::BitXor,
            Self::BitXor => Self::BitAnd,
            Self::BitAnd => Self::Shift,
            Self::Shift => Self::Sum,
            Self::Sum => Self::Product,
            Self::Product => Self::Sign,
            Self::Sign | Self::Postfix => Self::Postfix,
        }
    }
}

pub(super) fn binary(symbol: Symbol) -> Option<(BinaryOperator, Power)> {
    BinaryOperator::SYMBOLS
        .iter()
        .find(|(text, _)| *text == symbol.text())
        .map(|(_, operator)| (*operator, power_of(*operator)))
}

/// Returns the precedence of an operator.
pub(super) fn power_of(operator: BinaryOperator) -> Power {
    match operator {
        BinaryOperator::Or => Power::Or,
        BinaryOperator::And => Power::And,
        BinaryOperator::Equal
        | BinaryOperator::NotEqual
        | BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual => Power::Comparison,
        BinaryOperator::BitOr => Power::BitOr,
        BinaryOperator::BitXor => Power::BitXor,
        BinaryOperator::BitAnd => Power::BitAnd,
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => Power::Shift,
        BinaryOperator::Add | BinaryOperator::Subtract => Power::Sum,
        BinaryOperator::Multiply | BinaryOperator::Divide | BinaryOperator::Remainder => {
            Power::Product
        }
    }
}
