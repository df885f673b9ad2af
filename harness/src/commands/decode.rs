//! `tracegauge decode`: the canonical records of traces.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{Finished, Machine, StreamInput, Visitor};
use tracegauge_spec::plan::Plan;

use super::format::{FormatArgs, head_of};
use super::{Exit, verdict};

/// Print the records of traces, one JSON object a line
///
/// Reads a trace of any size; what stands before a fault is printed. Exit status: 0 accepted;
/// 1 rejected; 2 wrong usage or a file that cannot be read; 3 it could not be completed.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge decode trace.bin\n  tracegauge decode --format FORMAT trace.bin | head"
)]
pub struct Args {
    /// Which format
    #[command(flatten)]
    pub format: FormatArgs,
    /// Print nothing but the verdict
    #[arg(long)]
    pub verdict_only: bool,
    /// The traces
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    let mut exit = Exit::Ok;
    for path in &args.files {
        exit = exit.worse(one(args, path));
    }
    exit
}

fn one(args: &Args, path: &Path) -> Exit {
    let plan = match head_of(path) {
        Ok(head) => args.format.plan_for(&head),
        Err(error) => return super::unreadable(path, &error),
    };
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => return super::usage(&format!("{}: {error}", super::named(path))),
    };
    match File::open(path) {
        Ok(file) if args.verdict_only => judged(args, &plan, path, file),
        Ok(file) => printed(args, &plan, path, file),
        Err(error) => super::unreadable(path, &error),
    }
}

fn judged(args: &Args, plan: &Plan, path: &Path, file: File) -> Exit {
    let finished = Machine::new(
        plan,
        StreamInput::new(file),
        tracegauge_decoder::VerdictOnly,
    )
    .run();
    ended(
        args,
        plan,
        path,
        (&finished.verdict, finished.failure.as_ref()),
    )
}

fn printed(args: &Args, plan: &Plan, path: &Path, file: File) -> Exit {
    let lines = Lines {
        out: BufWriter::new(io::stdout().lock()),
        line: Vec::new(),
        failure: None,
    };
    let finished = Machine::new(plan, StreamInput::new(file), lines).run();
    let Finished {
        verdict,
        mut visitor,
        failure,
        ..
    } = finished;
    let written = visitor
        .failure
        .take()
        .map_or_else(|| visitor.out.flush(), Err);
    match written {
        // Whoever reads may stop reading.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Exit::Ok,
        Err(error) => super::incomplete(&format!("the records cannot be written: {error}")),
        Ok(()) => ended(args, plan, path, (&verdict, failure.as_ref())),
    }
}

fn ended(
    args: &Args,
    plan: &Plan,
    path: &Path,
    (verdict, failure): (&tracegauge_decoder::Verdict, Option<&io::Error>),
) -> Exit {
    if let Some(error) = failure {
        return super::unreadable(path, error);
    }
    let exit = verdict::exit(verdict);
    eprintln!("{}", verdict::line(plan, path, verdict));
    if let Some(hint) = super::dialect::hint(&args.format, plan, path, verdict) {
        eprintln!("{hint}");
    }
    exit
}

/// Prints each record.
struct Lines<W> {
    out: W,
    line: Vec<u8>,
    failure: Option<io::Error>,
}

impl<W: Write> Visitor for Lines<W> {
    const RECORDS: bool = true;

    fn record(&mut self, record: &RecordView<'_>) {
        if self.failure.is_some() {
            return;
        }
        self.line.clear();
        record.write(&mut self.line);
        self.line.push(b'\n');
        self.failure = self.out.write_all(&self.line).err();
    }
}
