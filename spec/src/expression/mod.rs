//! The expression language: Kaitai's, with the additions that `docs/language.md` lists.

mod arithmetic;
mod ast;
mod inside;
mod lexer;
mod origin;
mod parser;
mod power;
mod print;
mod token;

pub use ast::{BinaryOperator, Expr, ExprKind, MEMBERS_OF_VALUES, UnaryOperator};
pub use origin::Origin;
pub use parser::{TypeName, parse, parse_type_name};
