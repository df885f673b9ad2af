//! `tracegauge bench`: measures speed on this machine.

mod measure;
mod participants;
mod shown;

use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use tracegauge_corpus::progress::Progress;
use tracegauge_generator::GenerateError;
use tracegauge_harness::runner::RunError;
use tracegauge_plan::Plan;
use tracegauge_protocol::reader_file::{ReaderFile, ReaderFileError};

use super::format::{ChoiceError, FormatArgs};
use super::progress::Bar;
use super::{Exit, OutputOptions};
use measure::Bench;

/// Measure how fast this machine generates and decodes traces, and how fast a reader reads them
///
/// In each round, all measurements run one after another on the same random traces, so that the
/// ratios are comparable even on a busy machine. The command prints two ratios: the speed of the
/// reference decoder in `once` mode relative to starting its process without reading a trace, and
/// the speed of the reader relative to the reference decoder in the same mode. Exit status: 0
/// measured; 1 the reader did not read all traces correctly; 2 usage error; 3 the measurement could
/// not be completed.
#[derive(Clone, Debug, clap::Args)]
#[command(
    mut_arg("format", |arg| arg.help(FORMAT)),
    after_help = "Examples:\n  tracegauge bench --format FORMAT --count 20 --rounds 1\n  tracegauge bench --against my-reader.yaml --count 20 --rounds 1 --json"
)]
pub struct Args {
    /// The format
    #[command(flatten)]
    pub format: FormatArgs,
    /// Reader file of an additional reader to measure; a reader in `serve` mode is also measured in
    /// `once` mode if it supports that mode
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// Number of traces to generate, each from its own seed; seeds that produce no trace are
    /// skipped, and measurements that start a process for each trace use only a tenth of the traces
    #[arg(long, value_name = "N", default_value = "2000")]
    pub count: NonZeroUsize,
    /// Approximate size of each trace in bytes
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(..=MOST))]
    pub bytes: u64,
    /// Number of rounds; the results are medians over all rounds
    #[arg(long, value_name = "N", default_value = "3")]
    pub rounds: NonZeroUsize,
    /// Number of reader processes to run in parallel [default: number of processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The help text of `--format`.
const FORMAT: &str = "Format of the traces, as listed by `tracegauge spec list`; write \
                      FORMAT@DIALECT to select a dialect [default: the first listed format or, \
                      with --against, the first format that the reader supports]";

/// The maximum size of a trace in bytes. The size is limited because all traces are kept in memory.
const MOST: u64 = 10_000_000;

/// The reasons why a benchmark cannot run.
#[derive(Debug)]
enum BenchError {
    /// The format is unknown, or several formats match.
    Format(ChoiceError),
    /// The reader file has mistakes.
    Reader(ReaderFileError),
    /// The reader does not support the format.
    Unread(String, String),
    /// A random trace cannot be generated.
    Generate(u64, GenerateError),
    /// A reader cannot run on this machine.
    CannotRun(String, String),
    /// The run of a reader failed.
    Run(RunError),
    /// Files cannot be written, or a process cannot be started.
    System(io::Error),
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Format(error) => error.fmt(f),
            Self::Reader(error) => error.fmt(f),
            Self::Unread(reader, format) => write!(f, "{reader} does not read {format}"),
            Self::Generate(seed, error) => write!(f, "seed {seed}: {error}"),
            Self::CannotRun(reader, why) => write!(f, "{reader} cannot run: {why}"),
            Self::Run(error) => error.fmt(f),
            Self::System(error) => error.fmt(f),
        }
    }
}

impl BenchError {
    fn exit(&self) -> Exit {
        match self {
            Self::Format(_) | Self::Reader(_) | Self::Unread(..) => super::usage(&self.to_string()),
            _ => super::incomplete(&self.to_string()),
        }
    }
}

/// Runs the command.
pub fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    match perform(args, output_options) {
        Ok(exit) => exit,
        Err(error) => error.exit(),
    }
}

fn perform(args: &Args, output_options: OutputOptions) -> Result<Exit, BenchError> {
    let reader = args.against.as_deref().map(ReaderFile::load);
    let reader = reader.transpose().map_err(BenchError::Reader)?;
    let plan = plan(&args.format, reader.as_ref())?;
    if let Some(reader) = &reader
        && !reader.reads(&plan.format)
    {
        return Err(BenchError::Unread(reader.name.clone(), plan.format.clone()));
    }
    let bench = Bench::new(args, plan)?;
    if let Some(first) = &bench.left_out.first {
        let (left, count) = (bench.left_out.seeds, args.count);
        crate::remark!(
            "note: skipped {left} of {count} seeds because they produce no trace: {first}"
        );
    }
    let tasks = participants::tasks(&bench, reader)?;
    let bar = Bar::new(output_options);
    bar.begin("measuring", (tasks.len() * args.rounds.get()) as u64);
    let measured = bench.measure(tasks, args.rounds.get(), &bar);
    bar.end();
    let measured = measured?;
    let shown = match args.json {
        true => shown::json(&bench, &measured),
        false => shown::table(&bench, &measured),
    };
    super::tell!("{shown}");
    let is_right = measured.iter().all(|measured| measured.wrong == 0);
    Ok(if is_right { Exit::Ok } else { Exit::Finding })
}

/// Returns the format to measure: the one that the user named, otherwise the first format that the
/// reader supports or, without a reader, the first listed format.
fn plan(format: &FormatArgs, reader: Option<&ReaderFile>) -> Result<Arc<Plan>, BenchError> {
    if format.format.is_some() || format.spec.is_some() {
        return format.plan().map_err(BenchError::Format);
    }
    let plans = format.plans().map_err(BenchError::Format)?;
    let reads = |plan: &&Arc<Plan>| reader.is_none_or(|reader| reader.reads(&plan.format));
    let found = plans.iter().find(reads).cloned();
    let names = || plans.iter().map(|plan| plan.format.clone()).collect();
    found.ok_or_else(|| BenchError::Format(ChoiceError::Several(names())))
}
