//! The precedence of operators.

use super::ast::BinaryOperator;
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
        .map(|(_, operator)| (*operator, operator.power()))
}

impl BinaryOperator {
    /// The operators that are written as symbols.
    const SYMBOLS: [(&'static str, Self); 16] = [
        ("+", Self::Add),
        ("-", Self::Subtract),
        ("*", Self::Multiply),
        ("/", Self::Divide),
        ("%", Self::Remainder),
        ("<<", Self::ShiftLeft),
        (">>", Self::ShiftRight),
        ("&", Self::BitAnd),
        ("|", Self::BitOr),
        ("^", Self::BitXor),
        ("==", Self::Equal),
        ("!=", Self::NotEqual),
        ("<", Self::Less),
        ("<=", Self::LessOrEqual),
        (">", Self::Greater),
        (">=", Self::GreaterOrEqual),
    ];

    /// Returns the symbol or keyword of the operator.
    pub fn text(self) -> &'static str {
        match self {
            Self::And => "and",
            Self::Or => "or",
            _ => Self::SYMBOLS
                .iter()
                .find(|(_, operator)| *operator == self)
                .map_or("", |(text, _)| text),
        }
    }

    pub(super) fn power(self) -> Power {
        match self {
            Self::Or => Power::Or,
            Self::And => Power::And,
            Self::Equal
            | Self::NotEqual
            | Self::Less
            | Self::LessOrEqual
            | Self::Greater
            | Self::GreaterOrEqual => Power::Comparison,
            Self::BitOr => Power::BitOr,
            Self::BitXor => Power::BitXor,
            Self::BitAnd => Power::BitAnd,
            Self::ShiftLeft | Self::ShiftRight => Power::Shift,
            Self::Add | Self::Subtract => Power::Sum,
            Self::Multiply | Self::Divide | Self::Remainder => Power::Product,
        }
    }
}
