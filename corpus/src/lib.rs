//! The cases of the corpus.

pub mod case;
