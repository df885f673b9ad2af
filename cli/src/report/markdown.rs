//! `tracegauge report markdown`: renders results as a summary for a pull request.

use tracegauge_reports::markdown;

use super::plain::{self, Files};
use crate::Exit;

/// Create a Markdown summary for a pull request
///
/// The summary is at most 60,000 bytes long, so that it fits in one comment.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge run --reader my-reader.yaml --json result.json\n  tracegauge report markdown result.json --out summary.md"
)]
pub struct Args {
    /// The results, and the file to write
    #[command(flatten)]
    pub files: Files,
}

pub(super) fn execute(args: &Args) -> Exit {
    plain::execute(&args.files, markdown::render)
}
