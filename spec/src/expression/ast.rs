use crate::source::SourceSpan;

/// An expression of a description, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: SourceSpan,
}

/// What may be asked of a number, a text or a list, beside what begins with `_`.
pub const MEMBERS_OF_VALUES: [&str; 11] = [
    "size",
    "length",
    "first",
    "last",
    "min",
    "max",
    "to_i",
    "to_s",
    "reverse",
    "units16",
    "is_decimal",
];

/// The forms that an expression can have. Names are not resolved here: the same type can
/// be read in several places, and `_parent.size` means another field in each.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// An integer: `12`, `0x0c`, `0b1100`, `1_000`.
    Int(i128),
    /// A float.
    Float(f64),
    /// `true` or `false`.
    Bool(bool),
    /// `'text'` or `"text"`.
    Text(String),
    /// `absent` (also `none`): no value.
    Absent,
    /// `[a, b]`; a list of byte values is a byte string where one is wanted, as in Kaitai.
    List(Vec<Expr>),
    /// A bare name: a field, an instance, a parameter, `state`, a register, a table, or one
    /// of `_root`, `_parent`, `_io`, `_index`, `_prev`, `_sizeof`, `_start`, `_end`.
    Name(String),
    /// `_`: the value under test.
    This,
    /// `enum_name::member`, `type::enum_name::member`.
    EnumMember {
        /// The enumeration, with the types that it is nested in before it.
        path: Vec<String>,
        /// The member.
        member: String,
    },
    /// `base.name`, also `base._sizeof`, `base._start`, `base._end`, `text.length`.
    Member {
        /// What has the member.
        base: Box<Expr>,
        /// The member's name.
        name: String,
    },
    /// `base.method(a, b)`: `table.get(k)`, `list.find(field, k)`, `list.min(field)`.
    Method {
        /// What has the method.
        base: Box<Expr>,
        /// The method's name.
        name: String,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `function(a, b)`: `min`, `max`; or a type with arguments where a type is wanted.
    Call {
        /// The function's name.
        name: String,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `base[index]`.
    Index {
        /// A list or bytes.
        base: Box<Expr>,
        /// From 0.
        index: Box<Expr>,
    },
    /// `base.as<type>`.
    Cast {
        /// What is looked at as another type.
        base: Box<Expr>,
        /// The type's name, `::` between the parts.
        type_name: String,
    },
    /// `sizeof<type>` in bytes.
    SizeOfType(String),
    /// `-x`, `~x`, `not x`.
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// Its operand.
        operand: Box<Expr>,
    },
    /// `a + b` and the like.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// `condition ? then : otherwise`.
    Conditional {
        /// Decides.
        condition: Box<Expr>,
        /// The value where the condition holds.
        then: Box<Expr>,
        /// The value where it does not.
        otherwise: Box<Expr>,
    },
    /// `first else second`: the first that is present.
    Else {
        /// Taken if present.
        first: Box<Expr>,
        /// Taken otherwise.
        second: Box<Expr>,
    },
    /// `x is present`.
    IsPresent(Box<Expr>),
}

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
    /// `+`: integers, floats, texts.
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`: towards minus infinity on integers, as in Kaitai's Python target.
    Divide,
    /// `%`: the remainder of that division, with the sign of the divisor.
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
