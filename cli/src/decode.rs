//! `tracegauge decode`: prints the canonical records of traces.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracegauge_corpus::expected::fault_start;
use tracegauge_decoder::report::{LineWriter, RecordView};
use tracegauge_decoder::{
    Findings, Observer, StreamFindings, Verdict, judge_stream, observe, observe_stream,
};
use tracegauge_plan::Plan;

use super::format::FormatArgs;
use super::input::{self, Decoded, How, Opened};
use super::{Exit, OutputOptions, output, progress, verdict};
use crate::input::RawArgs;

/// Print the records of traces as one JSON object per line
///
/// The command decodes traces of any size and prints the records before the first violation. Traces
/// compressed with gzip or zstd are decompressed; the decompressed trace may be at most 4 GiB and
/// at most 1,000 times as large as the compressed file. The command stops at a record with more
/// than 8,388,608 values or 256 MiB of text and binary data, unless it prints only the verdict.
/// With --quiet, only the verdicts of rejected traces are printed. Exit status: 0 accepted; 1
/// rejected; 2 usage error, or a file cannot be read; 3 the command could not be completed.
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
    // Records printed on a terminal already show the progress.
    let shown =
        output_options.shows_progress() && (args.verdict_only || !io::stdout().is_terminal());
    let bar = progress::bytes(opened.length, shown);
    let mut bytes = opened.into_bytes();
    let mut file = bar.wrap_read(&mut bytes);
    let verdict_only = args.verdict_only || output_options.quiet;
    let ended = if verdict_only {
        Ok(judged(&plan, &mut file))
    } else {
        printed(&plan, &mut file)
    };
    match ended {
        Ok(Ended { verdict, failure }) => {
            if let Some(error) = failure {
                return super::unreadable(path, &error);
            }
            let (bytes, other) = input::other_reading(&plan, &verdict, bytes);
            let verdict = match (other, &bytes) {
                (Some((other, accepted)), Decoded::Whole(Some(whole))) => {
                    let rest = || rest((&plan, &verdict), &other, whole);
                    if !verdict_only && let Err(error) = rest() {
                        return not_written(&error);
                    }
                    accepted
                }
                _ => verdict,
            };
            let exit = verdict::exit(&verdict);
            if !output_options.quiet || exit != Exit::Ok {
                crate::remark!("{}", verdict::line(&plan, path, &verdict));
            }
            let trace = || bytes.whole().map(Cow::Owned);
            super::dialect::hint(&args.format, "decode", &plan, path, &verdict, trace)
                .inspect(|hint| crate::remark!("{hint}"));
            exit
        }
        Err(error) => not_written(&error),
    }
}

/// Returns the exit status for an error that occurred while the records were written. A broken pipe
/// is not an error, because the program that reads the output may stop reading at any time.
fn not_written(error: &io::Error) -> Exit {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Exit::Ok,
        io::ErrorKind::FileTooLarge => super::incomplete(&error.to_string()),
        _ => super::incomplete(&format!("cannot write the records: {error}")),
    }
}

/// Prints the records of the trace under another interpretation that the description allows.
/// Leading records that are the same in the default interpretation are omitted, because they were
/// already printed. There may be too many records to keep in memory, so only their hashes are
/// compared.
fn rest((plan, verdict): (&Plan, &Verdict), other: &Plan, bytes: &[u8]) -> io::Result<()> {
    let mut printed = Hashes {
        until: fault_start(plan, verdict).unwrap_or(u64::MAX),
        hashes: Vec::new(),
        writer: LineWriter::default(),
    };
    // All records of the default interpretation have been printed, so none of them exceeds the size
    // limit, and the result need not be checked for this error.
    observe(plan, bytes, Findings::Records, &mut printed);
    let printed = printed.hashes;
    let mut rest = Rest {
        lines: Lines::new(),
        printed: &printed,
        same: 0,
        differs: false,
    };
    let observed = observe(other, bytes, Findings::Records, &mut rest);
    let Rest {
        mut lines,
        same,
        differs,
        ..
    } = rest;
    lines.finish(other, &observed.verdict)?;
    if let Some(error) = observed.failure {
        return Err(error);
    }
    if differs || same < printed.len() {
        crate::remark!(
            "note: this trace can be interpreted in two ways, which differ after {same} records; \
             the later records come from the interpretation that makes the trace valid"
        );
    }
    Ok(())
}

/// The hashes of the records that have been printed.
struct Hashes {
    /// The offset after which no record may end.
    until: u64,
    hashes: Vec<u64>,
    writer: LineWriter,
}

impl Observer for Hashes {
    fn beyond(&self) -> bool {
        true
    }

    fn record(&mut self, record: &RecordView<'_>) {
        if record.end <= self.until {
            self.hashes.push(hash(record, &mut self.writer));
        }
    }
}

/// Skips the records that have already been printed, and prints the remaining records.
struct Rest<'p, W> {
    lines: Lines<W>,
    printed: &'p [u64],
    /// The number of leading records that are the same in both interpretations.
    same: usize,
    differs: bool,
}

impl<W: Write> Observer for Rest<'_, W> {
    fn beyond(&self) -> bool {
        true
    }

    fn record(&mut self, record: &RecordView<'_>) {
        if !self.differs && self.same < self.printed.len() {
            if hash(record, &mut self.lines.writer) == self.printed[self.same] {
                self.same += 1;
                return;
            }
            self.differs = true;
        }
        self.lines.record(record);
    }
}

/// Returns a hash of the line that is printed for a record.
fn hash(record: &RecordView<'_>, writer: &mut LineWriter) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut line = Vec::new();
    writer.write(record, &mut line, &mut |part| {
        hasher.write(part);
        part.clear();
    });
    hasher.write(&line);
    hasher.finish()
}

/// The result of decoding a trace.
struct Ended {
    verdict: Verdict,
    /// The error that prevented the file from being read to its end.
    failure: Option<io::Error>,
}

fn judged(plan: &Plan, file: &mut dyn Read) -> Ended {
    let (verdict, failure) = judge_stream(plan, file);
    Ended { verdict, failure }
}

/// Prints the records. Returns an error if the records cannot be written.
fn printed(plan: &Plan, file: &mut dyn Read) -> io::Result<Ended> {
    let mut lines = Lines::new();
    let observed = observe_stream(plan, file, StreamFindings::Records, &mut lines);
    lines.finish(plan, &observed.verdict)?;
    Ok(Ended {
        verdict: observed.verdict,
        failure: observed.failure,
    })
}

/// The maximum total size in bytes of the lines that are held back.
const HELD: usize = 16 << 20;

/// The number of bytes that are written to the output together.
const WRITTEN: usize = 1 << 16;

/// Prints each record as one line.
///
/// If a reference names a row that the trace may define later, the lines of the following records are
/// held back until the row is defined, because without the row, the trace is rejected at the
/// reference. Lines that reach [`HELD`] bytes are printed, because the row may be at the end of an
/// endless trace.
struct Lines<W> {
    out: W,
    writer: LineWriter,
    /// The lines that are held back, and the start of the line that is being written.
    text: Vec<u8>,
    /// For each line that is held back, the offset of the end of its record in the trace, and the
    /// offset of the end of the line in `text`.
    held: Vec<(u64, usize)>,
    failure: Option<io::Error>,
}

impl<'o> Lines<BufWriter<io::StdoutLock<'o>>> {
    fn new() -> Self {
        Self {
            out: BufWriter::with_capacity(WRITTEN, io::stdout().lock()),
            writer: LineWriter::default(),
            text: Vec::new(),
            held: Vec::new(),
            failure: None,
        }
    }
}

impl<W: Write> Lines<W> {
    /// Prints the lines that are still held back, except those of records that end after the
    /// violation. Returns the first error.
    fn finish(&mut self, plan: &Plan, verdict: &Verdict) -> io::Result<()> {
        let until = fault_start(plan, verdict).unwrap_or(u64::MAX);
        let owed = self.held.iter().take_while(|(end, _)| *end <= until);
        let owed = owed.last().map_or(0, |(_, line)| *line);
        self.text.truncate(owed);
        self.print_text();
        match self.failure.take() {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }

    /// Prints the lines that are held back.
    fn print_text(&mut self) {
        let (text, out) = (&mut self.text, &mut self.out);
        pass_on(text, out, &mut self.failure);
        self.held.clear();
    }
}

/// Writes text unless an earlier write has failed, and clears it.
fn pass_on(text: &mut Vec<u8>, out: &mut impl Write, failure: &mut Option<io::Error>) {
    if failure.is_none() {
        *failure = out.write_all(text).err();
    }
    text.clear();
}

impl<W: Write> Observer for Lines<W> {
    fn beyond(&self) -> bool {
        true
    }

    fn record(&mut self, record: &RecordView<'_>) {
        if self.failure.is_some() {
            return;
        }
        if !record.is_tentative {
            self.print_text();
        }
        let mut prints = !record.is_tentative;
        let (out, failure) = (&mut self.out, &mut self.failure);
        self.writer.write(record, &mut self.text, &mut |part| {
            prints |= part.len() >= HELD;
            if prints {
                pass_on(part, out, failure);
            }
        });
        self.text.push(b'\n');
        self.held.push((record.end, self.text.len()));
        if prints || self.text.len() >= HELD {
            self.print_text();
        }
        if self.failure.is_some() {
            output::close();
        }
    }
}
