//! `tracegauge report junit`: the report that CI servers read, of results that are there.

use tracegauge_reports::junit;

use super::plain::{self, Files};
use crate::commands::Exit;

/// Make the report that CI servers read of results
///
/// A suite for each reader and format, a test for each case.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge run --reader my-reader.yaml --json result.json\n  tracegauge report junit result.json --out report.xml"
)]
pub struct Args {
    /// What is read and written
    #[command(flatten)]
    pub files: Files,
}

pub(super) fn execute(args: &Args) -> Exit {
    plain::execute(&args.files, junit::render)
}
