//! `tracegauge report markdown`: the summary for a pull request, of results that are there.

use tracegauge_reports::markdown;

use super::plain::{self, Files};
use crate::commands::Exit;

/// Make the summary for a pull request of results
///
/// Never more than 60,000 bytes, which a comment holds.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge run --reader my-reader.yaml --json result.json\n  tracegauge report markdown result.json --out summary.md"
)]
pub struct Args {
    /// What is read and written
    #[command(flatten)]
    pub files: Files,
}

pub(super) fn execute(args: &Args) -> Exit {
    plain::execute(&args.files, markdown::render)
}
