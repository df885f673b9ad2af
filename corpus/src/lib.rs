//! The cases of the corpus: where they come from, what is kept of them, what they cover.
//!
//! A [`source::CaseSource`] gives cases for a plan; [`suite::Suite`] puts those of all sources
//! together for the harness; [`manifest`] keeps what the generated ones are; [`score`] says
//! what any files exercise of a description. [`commands`] are the faces of all this on the
//! command line.

pub mod case;
pub mod commands;
pub mod compressed;
pub mod dump;
pub mod expected;
pub mod formats;
pub mod generated;
mod headings;
pub mod listing;
pub mod manifest;
pub mod names;
pub mod pattern;
pub mod place;
pub mod progress;
pub mod real;
pub mod repair;
pub mod rows;
pub mod score;
pub mod seeds;
pub mod sidecar;
pub mod source;
pub mod store;
pub mod strength;
pub mod suite;
pub mod systematic;
pub mod vector;
mod words;
pub mod writable;
