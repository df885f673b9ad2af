//! `tracegauge bench`: rates on this machine.

mod entrants;
mod measure;
mod shown;

use std::fmt;
use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use tracegauge_corpus::progress::Progress;
use tracegauge_generator::GenerateError;
use tracegauge_spec::plan::Plan;

use super::format::{ChoiceError, FormatArgs};
use super::progress::Bar;
use super::{Exit, Voice};
use crate::reader_file::{ReaderFile, ReaderFileError};
use crate::runner::RunError;
use measure::Bench;

/// Measure how fast traces are made, decoded and asked of a reader, on this machine
///
/// All that is measured takes turns on the same random traces, so that the ratios hold on a
/// machine that does other things, too: what a run in mode `once` comes to beside the bare start
/// of a process, and a reader beside the reference decoder. Exit status: 0 measured; 1 the
/// reader did not read all of the traces right; 2 wrong usage; 3 it could not be completed.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge bench --format FORMAT --count 20 --rounds 1\n  tracegauge bench --against my-reader.yaml --count 20 --rounds 1 --json"
)]
pub struct Args {
    /// Which format [default: the first that the reader reads, or that there is]
    #[command(flatten)]
    pub format: FormatArgs,
    /// The file of a reader to measure, too; one in mode serve also in mode once, where it can
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// How many traces, one for each seed that gives one; processes are started for a tenth of
    /// them
    #[arg(long, value_name = "N", default_value = "2000")]
    pub count: NonZeroUsize,
    /// About how many bytes each
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(..=MOST))]
    pub bytes: u64,
    /// How often everything is measured; the medians are shown
    #[arg(long, value_name = "N", default_value = "3")]
    pub rounds: NonZeroUsize,
    /// How many readers run at once [default: one for each processor]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
}

/// All traces are in memory.
const MOST: u64 = 10_000_000;

/// Why nothing is measured.
#[derive(Debug)]
enum BenchError {
    /// No format is meant, or several.
    Format(ChoiceError),
    /// The reader file has mistakes.
    Reader(ReaderFileError),
    /// The reader does not read the format.
    Unread(String, String),
    /// A random trace cannot be made.
    Generate(u64, GenerateError),
    /// A reader cannot run here.
    CannotRun(String, String),
    /// Readers cannot be run.
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
pub fn execute(args: &Args, voice: Voice) -> Exit {
    match perform(args, voice) {
        Ok(exit) => exit,
        Err(error) => error.exit(),
    }
}

fn perform(args: &Args, voice: Voice) -> Result<Exit, BenchError> {
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
        eprintln!("note: {left} of {count} seeds give no trace and are left out: {first}");
    }
    let tasks = entrants::tasks(&bench, reader)?;
    let bar = Bar::new(voice);
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

/// The format that is meant; where none is named, one that the reader reads.
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
