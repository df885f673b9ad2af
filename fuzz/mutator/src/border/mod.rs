//! The border to C: what libFuzzer and AFL++ call by name.
//!
//! All that is unsafe is here: memory that the caller describes by a pointer and a length is
//! looked at as a slice or written over, and a handle is taken back that [`afl`] gave away. Where
//! something panics the input stays as it was.

pub mod afl;
mod host;
pub mod libfuzzer;
mod memory;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::choice::Settings;
use crate::mutator::TraceMutator;

/// Does `work`, or gives `otherwise` where that panics.
fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

/// The mutator for what the environment names. Where it names nothing the process ends, with a
/// word: a fuzzer that goes on without the structure that was asked for would not be noticed.
fn from_environment() -> TraceMutator {
    TraceMutator::new(&Settings::from_environment()).unwrap_or_else(|error| {
        eprintln!("error: tracegauge-mutator: {error}");
        host::leave(2)
    })
}

#[cfg(test)]
mod tests;
