//! `tracegauge report merge`: merges the results of the shards of a run.

use std::path::PathBuf;

use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::Suite;
use tracegauge_harness::suggested::{with_spec, word};
use tracegauge_judge::compare_causes;
use tracegauge_reports::merge::merge;
use tracegauge_reports::terminal::Options;

use super::{Library, Outputs, library, read};
use crate::progress::Bar;
use crate::{Exit, OutputOptions, incomplete, run, usage};

/// Merge the results of all shards of a run into one result
///
/// The command rejects shards that overlap or are incomplete, or whose runs used different corpora,
/// readers or versions of tracegauge. The exit status is the same as if a single run had produced
/// the merged result.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge run --reader my-reader.yaml --shard 1/2 --json 1.json\n  tracegauge run --reader my-reader.yaml --shard 2/2 --json 2.json\n  tracegauge report merge 1.json 2.json --json result.json"
)]
pub struct Args {
    /// Result files written by `run --shard I/N --json`
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Files to write
    #[command(flatten)]
    pub outputs: Outputs,
    /// Description of the format of the cases, if the format is not bundled
    #[arg(long, value_name = "FILE")]
    pub spec: Option<String>,
    /// Number of failures to show in full
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub failures: usize,
    /// Options that control the amount and the color of the output
    #[command(flatten)]
    pub output_options: OutputOptions,
}

pub(super) fn execute(args: &Args) -> Exit {
    if let Err(error) = args.outputs.check() {
        return usage(&error.to_string());
    }
    let shards = match read(&args.files) {
        Ok(shards) => shards,
        Err(error) => return usage(&error.to_string()),
    };
    let mut result = match merge(&shards) {
        Ok(result) => result,
        Err(error) => return usage(&format!("{error}{}", numbered(&args.files))),
    };
    let suite = if args.outputs.html.is_some() || args.spec.is_some() {
        library::suite(&shards, args.spec.as_deref(), args.output_options)
    } else {
        // The bundled formats have stored outcome matrices, so their cases are not needed.
        Suite {
            formats: Formats::bundled(&[]).unwrap_or_default(),
            ..Suite::default()
        }
    };
    // Each shard compared its own causes, with only some of the failures.
    compare_causes(
        &mut result,
        &suite.formats,
        (&Store::nearest(), &suite.cases),
        &Bar::new(args.output_options),
    );
    let library = Library::new(&suite.cases, &suite.formats);
    let written = args.outputs.write(&result, &library);
    let exit = run::exit(&result);
    let json = args.outputs.json.as_deref().map(word);
    let spec = with_spec(args.spec.as_ref());
    let options = Options {
        failures: args.failures,
        explain: json.map(|file| format!("tracegauge explain{spec} --results {file}")),
        ..Options::default()
    };
    run::print(&result, args.output_options, options);
    match written {
        Ok(()) => exit,
        Err(error) => incomplete(&error.to_string()),
    }
}

/// Lists the files with their numbers, because the error messages of `merge` use numbers.
fn numbered(files: &[PathBuf]) -> String {
    let lines = (1..).zip(files);
    lines
        .map(|(number, file)| format!("\n  result {number}: {}", crate::named(file)))
        .collect()
}
