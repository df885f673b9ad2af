//! `tracegauge decode`: prints the canonical records of traces.

use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracegauge_corpus::compressed::RawArgs;
use tracegauge_corpus::expected::accepting;
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{Finished, Machine, SliceInput, StreamInput, Verdict, Visitor};
use tracegauge_spec::plan::Plan;

use super::format::FormatArgs;
use super::input::{self, Bytes, How, Opened};
use super::{Exit, OutputOptions, output, progress, verdict};

/// Print the records of traces as one JSON object per line
///
/// Decodes traces of any size and prints the records before the first violation. Traces compressed
/// with gzip or zstd are decompressed, to at most 4 GiB and 1,000 times the compressed size. With
/// --quiet, only the verdicts of rejected traces are printed. Exit status: 0 accepted; 1 rejected; 2
/// usage error, or a file cannot be read; 3 the command could not be completed.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge decode trace.bin\n  tracegauge decode --format FORMAT trace.bin | head"
)]
pub struct Args {
    /// The format
    #[command(flatten)]
    pub format: FormatArgs,
    /// Whether compressed traces are decompressed
    #[command(flatten)]
    pub compressed: RawArgs,
    /// Print only the verdict
    #[arg(long)]
    pub verdict_only: bool,
    /// Traces to decode; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Runs the command.
pub fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    input::each(&args.files, &args.format, |path| {
        one(args, output_options, path)
    })
}

fn one(args: &Args, output_options: OutputOptions, path: &Path) -> Exit {
    let how = How {
        format: &args.format,
        compressed: args.compressed,
        quiet: output_options.quiet,
    };
    let opened = match Opened::new(path, how) {
        Ok(opened) => opened,
        Err(error) => return error.say(path),
    };
    let plan = Arc::clone(&opened.plan);
    // Records on a terminal already show the progress.
    let shown =
        output_options.shows_progress() && (args.verdict_only || !io::stdout().is_terminal());
    let bar = progress::bytes(opened.length, shown);
    let mut bytes = opened.into_bytes();
    let file = bar.wrap_read(&mut bytes);
    let verdict_only = args.verdict_only || output_options.quiet;
    let ended = if verdict_only {
        judged(&plan, file)
    } else {
        printed(&plan, file)
    };
    match ended {
        Ok(Ended { verdict, failure }) => {
            if let Some(error) = failure {
                return super::unreadable(path, &error);
            }
            let (mut verdict, mut bytes, mut whole) = (verdict, Some(bytes), None);
            if verdict.may_be_read_differently(&plan) {
                whole = bytes.take().and_then(Bytes::whole);
                if let Some(whole) = &whole
                    && let Some((other, accepted)) = accepting(&plan, &verdict, whole)
                {
                    if !verdict_only && let Err(error) = rest(&plan, &other, whole) {
                        return not_written(&error);
                    }
                    verdict = accepted;
                }
            }
            let exit = verdict::exit(&verdict);
            if !output_options.quiet || exit != Exit::Ok {
                crate::commands::remark!("{}", verdict::line(&plan, path, &verdict));
            }
            let trace = || whole.or_else(|| bytes?.whole()).map(Cow::Owned);
            super::dialect::hint(&args.format, "decode", &plan, path, &verdict, trace)
                .inspect(|hint| crate::commands::remark!("{hint}"));
            exit
        }
        Err(error) => not_written(&error),
    }
}

/// The exit after an error in writing the records. The program that reads the output may stop
/// reading at any time.
fn not_written(error: &io::Error) -> Exit {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Exit::Ok,
        _ => super::incomplete(&format!("cannot write the records: {error}")),
    }
}

/// Prints the records of another reading after those that both readings have in common. The first
/// ones have been printed by the default reading.
fn rest(plan: &Plan, other: &Plan, bytes: &[u8]) -> io::Result<()> {
    let (printed, all) = (lines(plan, bytes), lines(other, bytes));
    let same = printed
        .iter()
        .zip(&all)
        .take_while(|(one, other)| one == other);
    let mut out = io::stdout().lock();
    for line in &all[same.count()..] {
        out.write_all(line)?;
    }
    out.flush()
}

/// Returns the lines of all records.
fn lines(plan: &Plan, bytes: &[u8]) -> Vec<Vec<u8>> {
    Machine::new(plan, SliceInput::new(bytes), Collected::default())
        .run()
        .visitor
        .0
}

#[derive(Default)]
struct Collected(Vec<Vec<u8>>);

impl Visitor for Collected {
    const RECORDS: bool = true;
    const BEYOND: bool = true;

    fn record(&mut self, record: &RecordView<'_>) {
        let mut line = Vec::new();
        record.write(&mut line);
        line.push(b'\n');
        self.0.push(line);
    }
}

/// The result of decoding a trace.
struct Ended {
    verdict: Verdict,
    /// The error that stopped reading the file before its end.
    failure: Option<io::Error>,
}

fn judged(plan: &Plan, file: impl Read) -> io::Result<Ended> {
    let input = StreamInput::new(file);
    let finished = Machine::new(plan, input, tracegauge_decoder::VerdictOnly).run();
    Ok(Ended {
        verdict: finished.verdict,
        failure: finished.failure,
    })
}

/// Prints the records. Returns an error if they cannot be written.
fn printed(plan: &Plan, file: impl Read) -> io::Result<Ended> {
    let lines = Lines {
        out: BufWriter::new(io::stdout().lock()),
        line: Vec::new(),
        failure: None,
    };
    let Finished {
        verdict,
        mut visitor,
        failure,
        ..
    } = Machine::new(plan, StreamInput::new(file), lines).run();
    match visitor.failure.take() {
        Some(error) => Err(error),
        None => visitor.out.flush(),
    }?;
    Ok(Ended { verdict, failure })
}

/// Prints each record as one line.
struct Lines<W> {
    out: W,
    line: Vec<u8>,
    failure: Option<io::Error>,
}

impl<W: Write> Visitor for Lines<W> {
    const RECORDS: bool = true;
    const BEYOND: bool = true;

    fn record(&mut self, record: &RecordView<'_>) {
        if self.failure.is_some() {
            return;
        }
        self.line.clear();
        let (out, failure) = (&mut self.out, &mut self.failure);
        record.write_in_parts(&mut self.line, &mut |part| {
            if failure.is_none() {
                *failure = out.write_all(part).err();
            }
            part.clear();
        });
        self.line.push(b'\n');
        if self.failure.is_none() {
            self.failure = self.out.write_all(&self.line).err();
        }
        if self.failure.is_some() {
            output::close();
        }
    }
}
