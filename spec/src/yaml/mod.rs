//! A YAML parser that produces a tree of nodes with source locations.
//!
//! The parser accepts the subset of YAML that descriptions need: one document per file, scalars
//! with their text and style, no tags, and no duplicate keys. A [`Budget`] limits the resources
//! that a hostile file can consume. The bundled descriptions are parsed when
//! the library is built, see [`Recorded`].

mod budget;
mod build;
mod event;
mod measure;
mod node;
mod position;
mod recorded;
mod syntax;

pub use budget::Budget;
pub use build::{parse, replay};
pub use node::{Entry, Mapping, Node, NodeKind, Scalar, Style};
pub use recorded::Recorded;
