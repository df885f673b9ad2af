//! A structure-aware mutator for libFuzzer and AFL++, built as a shared library. The library
//! mutates traces of the format specified by environment variables.
//!
//! `TRACEGAUGE_FORMAT` names a bundled format, or a dialect of the description file named by
//! `TRACEGAUGE_SPEC`. The same seed and input always yield the same mutations. Only [`border`]
//! contains unsafe code, and no panic propagates to the fuzzer.

#[allow(unsafe_code)]
pub mod border;
mod choice;
mod mutator;
mod shortening;

pub use choice::{ChoiceError, Settings};
pub use mutator::{Mutator, TraceMutator};
pub use shortening::{MOST_STEPS, Shortening};
