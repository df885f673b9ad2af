//! The expression language: Kaitai's, with the additions that `docs/language.md` lists.

mod ast;

pub use ast::{BinaryOperator, Expr, ExprKind, UnaryOperator};
