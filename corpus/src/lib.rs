//! The corpus: its test cases, their sources, their manifests and their coverage.
//!
//! A [`source::CaseSource`] builds cases for a plan. [`suite::Suite`] collects the cases of all
//! sources for the harness. [`manifest`] records the generated cases as reviewable text. [`score`]
//! measures which parts of a description a set of files exercises.

pub mod case;
pub mod compressed;
pub mod departure_filter;
pub mod diagnosis;
pub mod dump;
pub mod expected;
pub mod formats;
pub mod generated;
mod headings;
pub mod huge;
pub mod listing;
pub mod manifest;
pub mod matrix;
pub mod mutation_score;
pub mod names;
pub mod parallel;
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
pub mod suite;
pub mod systematic;
pub mod trace_cache;
pub mod vector;
mod words;
pub mod writable;
