//! YAML as a tree of nodes with their places.
//!
//! Only what descriptions need: one document, scalars as text with their style, no tags,
//! no key twice. What a hostile file could blow up is budgeted before it is built.

mod budget;
mod build;
mod measure;
mod node;
mod position;
mod syntax;

pub use budget::Budget;
pub use build::parse;
pub use node::{Entry, Mapping, Node, NodeKind, Scalar, Style};
