//! The expression language, which extends the expression language of Kaitai Struct. The extensions
//! are listed in `docs/language.md`.

mod ast;
mod inside;
mod lexer;
mod origin;
mod parser;
mod power;
mod print;
mod token;

pub use ast::{Expr, ExprKind, MEMBERS_OF_VALUES};
pub use origin::Origin;
pub use parser::{TypeName, parse, parse_type_name};
pub use tracegauge_plan::operator::{BinaryOperator, UnaryOperator};
