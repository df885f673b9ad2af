//! A YAML parser that produces a tree of nodes with source locations.
//!
//! The parser accepts the subset of YAML that descriptions need: one document per file, scalars
//! with their text and style, no tags, and no duplicate keys. A [`Budget`] limits the resources
//! that a hostile file can consume.

mod budget;
mod build;
mod measure;
mod node;
mod position;
mod syntax;

pub use budget::Budget;
pub use build::parse;
pub use node::{Entry, Mapping, Node, NodeKind, Scalar, Style};
