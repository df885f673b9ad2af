//! `tracegauge report diff`: compares two runs.

use std::io::Write;
use std::path::PathBuf;

use tracegauge_reports::diff::{diff, render};
use tracegauge_results::json;

use crate::{Exit, usage};

/// Show what changed between two runs, and whether the reader or the corpus changed
///
/// Readers are matched by name. If each run has exactly one reader, the command compares these two
/// readers even if their names differ.
///
/// Exit status: 0 nothing changed; 1 something changed; 2 a result cannot be read.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge run --reader my-reader.yaml --json old.json\n  tracegauge run --reader my-reader.yaml --json new.json\n  tracegauge report diff old.json new.json"
)]
pub struct Args {
    /// Result of the older run
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// Result of the newer run
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
}

pub(super) fn execute(args: &Args) -> Exit {
    let (old, new) = match (json::read(&args.old), json::read(&args.new)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(error), _) | (_, Err(error)) => return usage(&error.to_string()),
    };
    let comparison = diff(&old, &new);
    let mut out = crate::output::text();
    crate::output::note(render(&comparison, &mut out).and_then(|()| out.flush()));
    if comparison.is_empty() {
        Exit::Ok
    } else {
        Exit::Finding
    }
}
