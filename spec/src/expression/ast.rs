use tracegauge_plan::operator::{BinaryOperator, UnaryOperator};
use tracegauge_plan::source::SourceSpan;

/// An expression with its source location.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The form of the expression with its operands.
    pub kind: ExprKind,
    /// The source location.
    pub span: SourceSpan,
}

/// The members of numbers, strings and lists, except those that begin with `_`.
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

/// The form of an expression with its operands. Names are not resolved here, because
/// `_parent.size`, for example, refers to a different field at each use of a type.
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
    /// `[a, b]`. As in Kaitai, a list of byte values is treated as a byte string where a byte
    /// string is required.
    List(Vec<Expr>),
    /// A bare name: a field, an instance, a parameter, `state`, a register, a table, or one of
    /// `_root`, `_parent`, `_io`, `_index`, `_prev`, `_sizeof`, `_start`, `_end`.
    Name(String),
    /// `_`: the value being checked.
    This,
    /// `enum_name::member`, `type::enum_name::member`.
    EnumMember {
        /// The path to the enumeration. The names of enclosing types come first.
        path: Vec<String>,
        /// The name of the member.
        member: String,
    },
    /// `base.name`, and also `base._sizeof`, `base._start`, `base._end`, `text.length`.
    Member {
        /// The value that has the member.
        base: Box<Expr>,
        /// The name of the member.
        name: String,
    },
    /// `base.method(a, b)`, for example `table.get(k)`, `list.find(field, k)`, `list.min(field)`.
    Method {
        /// The value that the method is called on.
        base: Box<Expr>,
        /// The name of the method.
        name: String,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `function(a, b)`: a call to `min` or `max`, or, where a type is expected, a type with
    /// arguments.
    Call {
        /// The name of the function.
        name: String,
        /// The arguments.
        arguments: Vec<Expr>,
    },
    /// `base[index]`.
    Index {
        /// The list or byte string.
        base: Box<Expr>,
        /// The index, counted from 0.
        index: Box<Expr>,
    },
    /// `base.as<type>`.
    Cast {
        /// The value to reinterpret as another type.
        base: Box<Expr>,
        /// The name of the type, including the names of enclosing types, separated by `::`.
        type_name: String,
    },
    /// `sizeof<type>`: the size of a type in bytes.
    SizeOfType(String),
    /// `-x`, `~x`, `not x`.
    Unary {
        /// The operator.
        operator: UnaryOperator,
        /// The operand.
        operand: Box<Expr>,
    },
    /// A binary operation such as `a + b`.
    Binary {
        /// The operator.
        operator: BinaryOperator,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `condition ? then : otherwise`.
    Conditional {
        /// The condition.
        condition: Box<Expr>,
        /// The value if the condition is true.
        then: Box<Expr>,
        /// The value if the condition is false.
        otherwise: Box<Expr>,
    },
    /// `first else second`: `first` if it is present, otherwise `second`.
    Else {
        /// The preferred value.
        first: Box<Expr>,
        /// The value if `first` is absent.
        second: Box<Expr>,
    },
    /// `x is present`.
    IsPresent(Box<Expr>),
}
