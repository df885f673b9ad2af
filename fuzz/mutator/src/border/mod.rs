//! The C interface: the functions that libFuzzer and AFL++ call by name.
//!
//! This module contains all unsafe code. The module reads and writes memory that the caller
//! describes with a pointer and a length, and converts the pointers of [`afl`] back to handles. If
//! a panic occurs, the input remains unchanged.

pub mod afl;
mod host;
pub mod libfuzzer;
mod memory;

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::choice::Settings;
use crate::mutator::TraceMutator;

/// Runs `work` and returns its result, or `otherwise` if it panics.
fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

/// Creates the mutator for the format specified by environment variables. If the mutator cannot be
/// created, prints an error and ends the process, because the fuzzer would otherwise silently run
/// without the requested mutator.
fn from_environment() -> TraceMutator {
    TraceMutator::new(&Settings::from_environment()).unwrap_or_else(|error| {
        eprintln!("error: tracegauge-mutator: {error}");
        host::leave(2)
    })
}

#[cfg(test)]
mod tests;
