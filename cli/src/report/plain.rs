//! Writes reports that need only results, not the corpus.

use std::io::{self, Write};
use std::path::PathBuf;

use tracegauge_results::RunResult;
use tracegauge_results::file::{check, replace};

use super::read;
use crate::{Exit, incomplete, usage};

/// The results, and the file for the report.
#[derive(Clone, Debug, clap::Args)]
pub struct Files {
    /// Result files written by `run --json`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Where to write the report [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Renders the results with `render` and writes the report.
pub(super) fn execute(
    args: &Files,
    render: fn(&[RunResult], &mut dyn Write) -> io::Result<()>,
) -> Exit {
    if let Some(Err(error)) = args.out.as_deref().map(check) {
        return usage(&error.to_string());
    }
    let results = match read(&args.files) {
        Ok(results) => results,
        Err(error) => return usage(&error.to_string()),
    };
    let Some(path) = &args.out else {
        let mut out = crate::output::text();
        crate::output::note(render(&results, &mut out).and_then(|()| out.flush()));
        return Exit::Ok;
    };
    match replace(path, |out| render(&results, out)) {
        Ok(()) => Exit::Ok,
        Err(error) => incomplete(&error.to_string()),
    }
}
