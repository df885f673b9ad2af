//! `tracegauge report`: merges, compares and renders the results of runs.

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

use tracegauge_results::json::{self, JsonError};
use tracegauge_results::{ReaderResult, RunResult};

use super::{Exit, OutputOptions};

pub use library::Library;
pub use outputs::Outputs;

/// Merge, compare and render results
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The subcommand
    #[command(subcommand)]
    pub command: Command,
}

/// The subcommands of `tracegauge report`.
#[derive(Clone, Debug, clap::Subcommand)]
#[expect(
    missing_docs,
    reason = "clap takes the help text from the arguments of each subcommand"
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
pub fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    match &args.command {
        Command::Merge(args) => merge::execute(args),
        Command::Diff(args) => diff::execute(args),
        Command::Html(args) => html::execute(args, output_options),
        Command::Junit(args) => junit::execute(args),
        Command::Markdown(args) => markdown::execute(args),
        Command::Badge(args) => badge::execute(args),
    }
}

fn read(files: &[PathBuf]) -> Result<Vec<RunResult>, JsonError> {
    files.iter().map(|file| json::read(file)).collect()
}

/// Returns the readers of all results.
fn readers(results: &[RunResult]) -> impl Iterator<Item = &ReaderResult> {
    results.iter().flat_map(|result| &result.readers)
}
