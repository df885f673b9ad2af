//! The fuzz targets as plain functions, so that tests can call them too.

mod formats;
mod texts;
mod traces;

pub use formats::{generators, traces, words};
pub use texts::{answer, answers, configuration, configurations, description, descriptions};
pub use traces::{Failure, decode, minimized, mutated, tape};

/// Returns the seeds (initial inputs) of a fuzz target, with their names.
pub fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    match target {
        "description" => descriptions(),
        "configuration" => configurations(),
        "answer" => answers(),
        // Minimizing is slow, so this target gets only one trace of each dialect.
        "minimized" => traces(1),
        _ => traces(8),
    }
}

#[cfg(test)]
mod tests;
