//! What the fuzz targets do, as plain functions that tests call too.

mod formats;
mod texts;
mod traces;

pub use formats::{generators, traces, words};
pub use texts::{answer, answers, configuration, configurations, description, descriptions};
pub use traces::{Failure, decode, minimized, mutated, tape};

/// What a target starts from.
pub fn seeds(target: &str) -> Vec<(String, Vec<u8>)> {
    match target {
        "description" => descriptions(),
        "configuration" => configurations(),
        "answer" => answers(),
        _ => traces(8),
    }
}

#[cfg(test)]
mod tests;
