//! `tracegauge departures`: reports how traces differ from what typical writers write.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use tracegauge_generator::Generator;
use tracegauge_results::text::{byte_range, counted};

use super::format::FormatArgs;
use super::input::{self, How, Opened};
use super::{Exit, OutputOptions};
use crate::input::RawArgs;

/// Report how traces differ from what typical writers write
///
/// Where a format leaves writers a choice, its description says what typical writers do. This
/// command lists how the given traces differ from typical traces: the rules that only unusual
/// traces exercise, and the fields with unusual values. Run this command on the output of known
/// writers to check the `plain` keys in a description, or on a trace that breaks a reader to see
/// what is unusual about the trace. The whole trace is held in memory, so its size is limited to 1
/// GiB. Exit status: 0 the departures, if any, are listed; 2 usage error, or a file cannot be read;
/// 3 the command could not be completed.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge departures trace.bin\n  tracegauge departures --json *.bin"
)]
pub struct Args {
    /// The format
    #[command(flatten)]
    pub format: FormatArgs,
    /// Whether compressed traces are decompressed
    #[command(flatten)]
    pub compressed: RawArgs,
    /// Print one JSON object per departure
    #[arg(long)]
    pub json: bool,
    /// Traces to examine; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// The printed form of a departure.
#[derive(Serialize)]
struct Listed<'a> {
    format: &'a str,
    departure: &'a str,
    files: usize,
    places: usize,
    first: String,
}

/// The number of times that a departure occurs, and the first file that contains it.
struct Occurrence {
    files: usize,
    places: usize,
    first: PathBuf,
}

/// Runs the command.
pub fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    let mut generators: BTreeMap<String, Generator> = BTreeMap::new();
    let mut found: BTreeMap<(String, String), Occurrence> = BTreeMap::new();
    let mut read: BTreeMap<String, u64> = BTreeMap::new();
    let exit = input::each(&args.files, &args.format, |path| {
        let how = How {
            format: &args.format,
            compressed: args.compressed,
            quiet: output_options.quiet,
        };
        let opened = match Opened::new(path, how) {
            Ok(opened) => opened,
            Err(error) => return error.say(path),
        };
        let (plan, bytes) = match opened.whole() {
            Ok(whole) => whole,
            Err(error) => return error.say(path),
        };
        let generator = generators
            .entry(plan.format.clone())
            .or_insert_with(|| Generator::new(Arc::clone(&plan)));
        *read.entry(plan.format.clone()).or_default() += 1;
        let (departures, verdict) = match generator.departures(&bytes) {
            Ok(examined) => examined,
            Err(error) => return super::unreadable(path, &error),
        };
        if let Some(violation) = verdict.violation()
            && !output_options.quiet
        {
            super::remark!(
                "note: {}: rejected, so only the fields up to the violation were examined ({})",
                super::named(path),
                byte_range(violation.span.start, violation.span.end)
            );
        }
        for (departure, places) in departures {
            let name = (plan.format.clone(), departure.name(&plan));
            let occurrence = found.entry(name).or_insert_with(|| Occurrence {
                files: 0,
                places: 0,
                first: path.to_owned(),
            });
            occurrence.files += 1;
            occurrence.places += usize::try_from(places).unwrap_or(usize::MAX);
        }
        Exit::Ok
    });
    for (format, files) in &read {
        if !args.json {
            let noun = if *files == 1 { "trace" } else { "traces" };
            super::say!("{format}: {files} {noun}");
        }
        let of_format = found.iter().filter(|((of, _), _)| of == format);
        let mut of_format: Vec<_> = of_format.collect();
        of_format.sort_by_key(|((_, name), found)| (std::cmp::Reverse(found.files), name.as_str()));
        if of_format.is_empty() && !args.json {
            super::say!("  no departures");
        }
        for ((_, departure), occurrence) in of_format {
            let first = super::named(&occurrence.first);
            let (files, places) = (occurrence.files, occurrence.places);
            if !args.json {
                let (in_files, times) = (counted(files, "trace"), counted(places, "time"));
                super::say!("  {departure}  in {in_files}, {times}; first in {first}");
                continue;
            }
            let listed = Listed {
                format,
                departure,
                files,
                places,
                first,
            };
            if let Ok(line) = serde_json::to_string(&listed) {
                super::say!("{line}");
            }
        }
    }
    exit
}
