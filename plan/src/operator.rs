//! The operators of expressions.

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `~`
    Invert,
    /// `not`
    Not,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `+`: addition of integers or floats, or concatenation of strings.
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`: division. Integer division rounds toward negative infinity, as in Kaitai's Python
    /// target.
    Divide,
    /// `%`: the remainder of `/`, which has the sign of the divisor.
    Remainder,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// `and`
    And,
    /// `or`
    Or,
}

impl BinaryOperator {
    /// The operators that are written as symbols.
    pub const SYMBOLS: [(&'static str, Self); 16] = [
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

    /// Returns whether the operator compares its operands.
    #[inline]
    pub fn is_comparison(self) -> bool {
        matches!(
            self,
            Self::Equal
                | Self::NotEqual
                | Self::Less
                | Self::LessOrEqual
                | Self::Greater
                | Self::GreaterOrEqual
        )
    }

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
}
