//! Structure for other people's fuzzers: a shared library that libFuzzer and AFL++ load as their
//! mutator, and that changes traces of the format that the environment names.
//!
//! `TRACEGAUGE_FORMAT` names a bundled format, or a dialect of the description in the file
//! `TRACEGAUGE_SPEC`. The same seed and input give the same changes. Only [`border`] is unsafe;
//! no panic crosses it.

#[allow(unsafe_code)]
pub mod border;
mod choice;
mod mutator;
mod shortening;

pub use choice::{ChoiceError, Settings};
pub use mutator::{Mutator, TraceMutator};
pub use shortening::{MOST_STEPS, Shortening};
