//! `tracegauge report junit`: renders results as JUnit XML.

use tracegauge_reports::junit;

use super::plain::{self, Files};
use crate::Exit;

/// Create a JUnit XML report, which CI servers can read
///
/// The report contains a test suite for each reader and format, and a test for each case.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge run --reader my-reader.yaml --json result.json\n  tracegauge report junit result.json --out report.xml"
)]
pub struct Args {
    /// The results, and the file to write
    #[command(flatten)]
    pub files: Files,
}

pub(super) fn execute(args: &Args) -> Exit {
    plain::execute(&args.files, junit::render)
}
