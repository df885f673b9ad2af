//! `tracegauge report`: what is made of the results of runs.

mod badge;
mod diff;
mod html;
mod junit;
mod library;
mod markdown;
mod merge;
mod outputs;
mod plain;

use std::path::PathBuf;

use tracegauge_reports::json::{self, JsonError};
use tracegauge_reports::{ReaderResult, RunResult};

use super::{Exit, Voice};

pub use library::Library;
pub use outputs::Outputs;

/// What is made of the results of `run --json`: one of many, pages, comparisons
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

/// What to do with results.
#[derive(Clone, Debug, clap::Subcommand)]
#[expect(
    missing_docs,
    reason = "each has the words of its arguments, which --help shows"
)]
pub enum Command {
    Merge(merge::Args),
    Diff(diff::Args),
    Html(html::Args),
    Junit(junit::Args),
    Markdown(markdown::Args),
    Badge(badge::Args),
}

/// Runs the command.
pub fn execute(args: &Args, voice: Voice) -> Exit {
    match &args.command {
        Command::Merge(args) => merge::execute(args),
        Command::Diff(args) => diff::execute(args),
        Command::Html(args) => html::execute(args, voice),
        Command::Junit(args) => junit::execute(args),
        Command::Markdown(args) => markdown::execute(args),
        Command::Badge(args) => badge::execute(args),
    }
}

fn read(files: &[PathBuf]) -> Result<Vec<RunResult>, JsonError> {
    files.iter().map(|file| json::read(file)).collect()
}

/// All readers of some results.
fn readers(results: &[RunResult]) -> impl Iterator<Item = &ReaderResult> {
    results.iter().flat_map(|result| &result.readers)
}
