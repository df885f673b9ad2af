//! The files that a run can be written to.

use std::path::{Path, PathBuf};

use tracegauge_reports::casebook::Casebook;
use tracegauge_reports::file::{WriteError, check, replace};
use tracegauge_reports::{RunResult, html, json, junit, markdown};

/// What heads a page.
pub(super) const TITLE: &str = "tracegauge report";

/// Files to write.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Outputs {
    /// Write the whole result to FILE
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a report that CI servers read to FILE
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write one page to FILE that has everything and needs no network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write a summary for a pull request to FILE
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
}

impl Outputs {
    /// Whether each file can be written, as far as this shows before there is a result.
    ///
    /// # Errors
    /// One of them cannot.
    pub fn check(&self) -> Result<(), WriteError> {
        let files = [&self.json, &self.junit, &self.html, &self.markdown];
        files.into_iter().flatten().try_for_each(|path| check(path))
    }

    /// Writes `result` to each file; what it does not hold is looked up in `casebook`. One that
    /// cannot be written keeps nobody from the others.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, result: &RunResult, casebook: &dyn Casebook) -> Result<(), WriteError> {
        let written = |path: &Option<PathBuf>, render: &dyn Fn(&Path) -> Result<(), WriteError>| {
            path.as_deref().map_or(Ok(()), render)
        };
        let results = std::slice::from_ref(result);
        [
            written(&self.json, &|path| json::write(result, path)),
            written(&self.junit, &|path| {
                replace(path, |out| junit::render(results, out))
            }),
            written(&self.markdown, &|path| {
                replace(path, |out| markdown::render(results, out))
            }),
            written(&self.html, &|path| {
                replace(path, |out| html::render(results, TITLE, casebook, out))
            }),
        ]
        .into_iter()
        .collect()
    }
}
