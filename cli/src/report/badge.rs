//! `tracegauge report badge`: renders the result of a reader as an image.

use std::path::PathBuf;

use tracegauge_reports::badge::badge;
use tracegauge_results::file::{check, replace};
use tracegauge_results::{ReaderResult, json};

use crate::{Exit, incomplete, usage};

/// Create an SVG badge that shows the result of a reader
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge run --reader my-reader.yaml --json result.json\n  tracegauge report badge result.json --out badge.svg"
)]
pub struct Args {
    /// Result file written by `run --json`
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Where to write the badge [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Reader to show, if the result contains several readers
    #[arg(long, value_name = "NAME")]
    pub reader: Option<String>,
    /// Text on the left half of the badge
    #[arg(long, value_name = "TEXT", default_value = "tracegauge")]
    pub label: String,
}

pub(super) fn execute(args: &Args) -> Exit {
    if let Some(Err(error)) = args.out.as_deref().map(check) {
        return usage(&error.to_string());
    }
    let result = match json::read(&args.file) {
        Ok(result) => result,
        Err(error) => return usage(&error.to_string()),
    };
    let reader = match pick(&result.readers, args.reader.as_deref()) {
        Ok(reader) => reader,
        Err(refusal) => return usage(&refusal),
    };
    let image = badge(&args.label, reader);
    let Some(path) = &args.out else {
        crate::tell!("{image}");
        return Exit::Ok;
    };
    match replace(path, |out| out.write_all(image.as_bytes())) {
        Ok(()) => Exit::Ok,
        Err(error) => incomplete(&error.to_string()),
    }
}

fn pick<'r>(readers: &'r [ReaderResult], name: Option<&str>) -> Result<&'r ReaderResult, String> {
    let names = || {
        let names: Vec<&str> = readers.iter().map(|r| r.reader.name.as_str()).collect();
        names.join(", ")
    };
    match (name, readers) {
        (Some(name), _) => readers
            .iter()
            .find(|reader| reader.reader.name == name)
            .ok_or_else(|| {
                format!(
                    "the result has no reader named {name}; readers: {}",
                    names()
                )
            }),
        (None, [only]) => Ok(only),
        (None, []) => Err("the result contains no readers".to_owned()),
        (None, _) => Err(format!(
            "the result has several readers; choose one with --reader: {}",
            names()
        )),
    }
}
