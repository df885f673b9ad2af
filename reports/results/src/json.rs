//! The JSON result file. The schema of the file is `reports/results/schema/result.schema.json`.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use crate::file::{self, WriteError};
use crate::guard;
use crate::run::{FORM, RunResult};

/// The JSON Schema of the result file.
pub const SCHEMA: &str = include_str!("../schema/result.schema.json");

/// An error that occurred while a result file was read.
#[derive(Debug)]
#[non_exhaustive]
pub enum JsonError {
    /// The file cannot be read.
    Io(PathBuf, io::Error),
    /// The file is not a result file.
    Form(PathBuf, serde_json::Error),
    /// The file's format version is not supported.
    Version(PathBuf, u32),
}

impl std::fmt::Display for JsonError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Form(path, error) => {
                write!(
                    f,
                    "{}: not a result of `run --json`: {error}",
                    path.display()
                )
            }
            Self::Version(path, form) => write!(
                f,
                "{}: result format {form} is not supported, expected {FORM}",
                path.display()
            ),
        }
    }
}

impl std::error::Error for JsonError {}

/// Writes `result` to `path` atomically: other programs see the old file or the complete new one.
///
/// # Errors
/// Returns an error if the directory cannot be written to.
pub fn write(result: &RunResult, path: &Path) -> Result<(), WriteError> {
    file::replace(path, |out| {
        guard::write(out, |out| {
            serde_json::to_writer_pretty(&mut *out, result)?;
            out.write_all(b"\n")
        })
    })
}

/// Reads a result file.
///
/// # Errors
/// Returns an error if the file cannot be read, is not a result file, or has an unsupported format
/// version.
pub fn read(path: &Path) -> Result<RunResult, JsonError> {
    let file = File::open(path).map_err(|error| JsonError::Io(path.to_owned(), error))?;
    let value: serde_json::Value = serde_json::from_reader(BufReader::new(file))
        .map_err(|error| JsonError::Form(path.to_owned(), error))?;
    let form = value
        .get("tracegauge_result")
        .and_then(serde_json::Value::as_u64);
    match form.and_then(|form| u32::try_from(form).ok()) {
        Some(form) if form != FORM => Err(JsonError::Version(path.to_owned(), form)),
        _ => serde_json::from_value(value).map_err(|error| JsonError::Form(path.to_owned(), error)),
    }
}
