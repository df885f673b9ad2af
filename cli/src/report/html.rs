//! `tracegauge report html`: renders results as a single HTML page.

use std::path::PathBuf;

use tracegauge_reports::html;
use tracegauge_results::file::{check, replace};

use super::{Library, library, outputs, read};
use crate::{Exit, OutputOptions, incomplete, usage};

/// Create an HTML page that shows the results of all readers side by side
///
/// The page is self-contained and works offline.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge run --reader my-reader.yaml --json result.json\n  tracegauge report html result.json --out report.html"
)]
pub struct Args {
    /// Result files written by `run --json`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where to write the page
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Heading of the page
    #[arg(long, value_name = "TEXT", default_value = outputs::TITLE)]
    pub title: String,
    /// Description of the format of the cases, if the format is not bundled
    #[arg(long, value_name = "FILE")]
    pub spec: Option<String>,
}

pub(super) fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    if let Err(error) = check(&args.out) {
        return usage(&error.to_string());
    }
    let results = match read(&args.files) {
        Ok(results) => results,
        Err(error) => return usage(&error.to_string()),
    };
    let suite = library::suite(&results, args.spec.as_deref(), output_options);
    let library = Library::new(&suite.cases, &suite.formats);
    let written = replace(&args.out, |out| {
        html::render(&results, &args.title, &library, out)
    });
    match written {
        Ok(()) => Exit::Ok,
        Err(error) => incomplete(&error.to_string()),
    }
}
