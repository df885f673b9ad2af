//! Options for the files that a run can write.

use std::path::{Path, PathBuf};

use tracegauge_reports::casebook::Casebook;
use tracegauge_reports::{html, junit, markdown};
use tracegauge_results::file::{WriteError, check, replace};
use tracegauge_results::{RunResult, guard, json};

/// The heading of an HTML page.
pub(super) const TITLE: &str = "tracegauge report";

/// Files to write.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Outputs {
    /// Write the complete result to FILE as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a JUnit XML report to FILE, for CI servers
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write a self-contained HTML page to FILE
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write a Markdown summary to FILE, for a pull request
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

impl Outputs {
    /// Checks in advance whether each file can be written, as far as this is possible without a
    /// result.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn check(&self) -> Result<(), WriteError> {
        let files = [&self.json, &self.junit, &self.html, &self.markdown];
        files.into_iter().flatten().try_for_each(|path| check(path))
    }

    /// Writes `result` to each file. Details of cases are looked up in `casebook`. If one file
    /// cannot be written, the others are still written.
    ///
    /// # Errors
    /// Returns the first error if any file cannot be written.
    pub fn write(&self, result: &RunResult, casebook: &dyn Casebook) -> Result<(), WriteError> {
        let written = |path: &Option<PathBuf>, render: &dyn Fn(&Path) -> Result<(), WriteError>| {
            path.as_deref().map_or(Ok(()), render)
        };
        let results = std::slice::from_ref(result);
        [
            written(&self.json, &|path| json::write(result, path)),
            written(&self.junit, &|path| {
                replace(path, |out| {
                    guard::write(out, |out| junit::render(results, out))
                })
            }),
            written(&self.markdown, &|path| {
                replace(path, |out| {
                    guard::write(out, |out| markdown::render(results, out))
                })
            }),
            written(&self.html, &|path| {
                replace(path, |out| html::render(results, TITLE, casebook, out))
            }),
        ]
        .into_iter()
        .collect()
    }
}
