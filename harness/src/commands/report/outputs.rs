//! The files that a run can be written to.

use std::path::PathBuf;

use tracegauge_reports::casebook::Casebook;
use tracegauge_reports::file::{WriteError, replace};
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
    /// Writes `result` to each file; what it does not hold is looked up in `casebook`.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&self, result: &RunResult, casebook: &dyn Casebook) -> Result<(), WriteError> {
        if let Some(path) = &self.json {
            json::write(result, path)?;
        }
        if let Some(path) = &self.junit {
            replace(path, |out| junit::render(result, out))?;
        }
        if let Some(path) = &self.markdown {
            replace(path, |out| markdown::render(result, out))?;
        }
        if let Some(path) = &self.html {
            let results = std::slice::from_ref(result);
            replace(path, |out| html::render(results, TITLE, casebook, out))?;
        }
        Ok(())
    }
}
