//! `tracegauge minimize`: minimizes a trace while preserving the reader's behavior.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use tracegauge_corpus::dump::dump;
use tracegauge_corpus::formats::{Formats, base};
use tracegauge_corpus::writable;
use tracegauge_generator::minimize::{Minimized, minimize};
use tracegauge_generator::{Generator, Options};
use tracegauge_harness::containment;
use tracegauge_harness::probe::{Observation, Probe, ProbeError, Signature};
use tracegauge_harness::suggested::{with_spec, word};
use tracegauge_plan::Plan;
use tracegauge_plan::terms::ReaderDuty;
use tracegauge_protocol::reader_file::{ReaderFile, parse_time, placeholders};
use tracegauge_reports::account::place;
use tracegauge_results::text::folded;
use tracegauge_results::{Expectation, Outcome};
use tracegauge_spec::bundled::{self, BundledFormat};

use super::format::FormatArgs;
use super::input::{self, How, NotRead, Opened};
use super::{Exit, OutputOptions, named, one_line, progress};
use crate::excerpt;
use crate::input::{KeepArgs, RawArgs};

/// Minimize a trace while preserving the reader's behavior
///
/// Minimization works on the structure of the trace, not on its bytes: it removes elements, lowers
/// values, and adjusts sizes, counts and references, except those that are incorrect in the
/// original trace. On the minimized trace, the reader fails in the same way: with the same crash,
/// or with the same outcome, for the same violated rule and in the same member of a record. With
/// --any, if the trace breaks rules that let readers either accept or reject the trace, the
/// minimized trace breaks the same rules. Exit status: 0 written; 2 usage error, or a file cannot
/// be read; 3 the reader cannot run, or fails with the same error on every trace; 4 the reader
/// behaves correctly, so there is no failure to preserve.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge minimize trace.bin --reader my-reader.yaml --any --time 5\n  tracegauge minimize trace.bin --out small.bin -- ./my-reader {file}"
)]
pub struct Args {
    /// The format
    #[command(flatten)]
    pub format: FormatArgs,
    /// Whether a compressed trace is used without decompressing it
    #[command(flatten)]
    pub compressed: KeepArgs,
    /// Trace to minimize; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Reader file to use instead of a command
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    pub reader: Option<PathBuf>,
    /// Where to write the minimized trace [default: next to FILE, with `.min` in its name]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Maximum time, such as 90s or 10m
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_time)]
    pub time: Duration,
    /// Minimize even if the reader behaves correctly: find the smallest trace that makes the reader
    /// behave the same way
    #[arg(long)]
    pub any: bool,
    /// Command to run for each trace; {file} is replaced with the path of the trace
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
}

/// The description of a crash starts with this text if the process exited with a status instead of
/// being killed by a signal.
const EXITED: &str = "exited with status";

/// The reasons why a trace is not minimized.
enum Refusal {
    Usage(String),
    Incomplete(String),
    Nothing(String),
}

/// Runs the command.
pub fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    match perform(args, output_options) {
        Ok(()) => Exit::Ok,
        Err(Refusal::Usage(message)) => super::usage(&message),
        Err(Refusal::Incomplete(message)) => super::incomplete(&message),
        Err(Refusal::Nothing(message)) => {
            crate::remark!("{message}");
            Exit::Nothing
        }
    }
}

fn perform(args: &Args, output_options: OutputOptions) -> Result<(), Refusal> {
    if args.out.is_none() && !input::has_folder(&args.file) {
        let message =
            "this is not a regular file; use --out FILE to choose where to write the smaller trace";
        return Err(Refusal::Usage(format!("{}: {message}", named(&args.file))));
    }
    let (bytes, plan) = read(args)?;
    let reader = reader(args)?;
    let plan = plan_of(args, &reader, plan)?;
    let out = args.out.clone().unwrap_or_else(|| beside(&args.file));
    writable::file(&out).map_err(|error| Refusal::Usage(format!("{}: {error}", named(&out))))?;
    let incomplete = |error: io::Error| Refusal::Incomplete(error.to_string());
    let containment = containment::begin().map_err(incomplete)?;
    let failed = |error: ProbeError| Refusal::Incomplete(error.to_string());
    let mut probe = Probe::new(&reader, &containment).map_err(failed)?;
    let mut first = probe.ask(&plan, &bytes).map_err(failed)?;
    if first.result.outcome == Outcome::Pass {
        // The process may crash after its answer.
        probe.watch_until_exit(true);
        let watched = probe.ask(&plan, &bytes).map_err(failed)?;
        if watched.result.outcome == Outcome::Crash {
            first = watched;
        } else {
            probe.watch_until_exit(false);
        }
    }
    let right = first.result.outcome == Outcome::Pass;
    if right && !args.any && first.result.expected != Expectation::Reject {
        return Err(Refusal::Nothing(
            "the reader behaves correctly; use --any to minimize the trace anyway".to_owned(),
        ));
    }
    let never_reads = !args.any
        && ends_so_whatever_it_is_given(&plan, &mut probe, &first.signature).map_err(failed)?;
    if never_reads {
        return Err(Refusal::Incomplete(format!(
            "the reader cannot run: it fails in the same way on an empty trace and on a valid \
             trace; check the command, or use --any to minimize the trace anyway\n  \
             {}",
            one_line(&first.signature.words)
        )));
    }
    let bar = bar(bytes.len(), output_options.shows_progress());
    let hangs = first.result.outcome == Outcome::Hang;
    // A reader that behaves correctly has no mistake to preserve. Preserve instead the rules by
    // which the trace may be accepted or rejected.
    let kept = (right && first.result.expected == Expectation::Either)
        .then(|| left_to_readers(&plan, &first));
    let wanted = Wanted {
        signature: &first.signature,
        rules: kept,
    };
    probe.wait_briefly(hangs);
    let (mut smallest, mut failure) = search(args, (&plan, &bytes), &mut probe, &wanted, &bar);
    probe.wait_briefly(false);
    // A trace that exceeds the short timeout does not necessarily exceed the full timeout. If the
    // smallest trace turns out not to cause the failure, search again with the full timeout.
    if hangs && failure.is_none() {
        let last = probe.ask(&plan, &smallest.bytes).map_err(failed)?;
        if last.signature != first.signature {
            (smallest, failure) = search(args, (&plan, &bytes), &mut probe, &wanted, &bar);
        }
    }
    bar.finish_and_clear();
    if let Some(error) = failure {
        return Err(failed(error));
    }
    let unwritten = |error: io::Error| Refusal::Incomplete(format!("{}: {error}", named(&out)));
    fs::write(&out, &smallest.bytes).map_err(unwritten)?;
    if !output_options.quiet {
        let last = probe.ask(&plan, &smallest.bytes).map_err(failed)?;
        super::output::note(report(args, (&plan, bytes.len()), (&smallest, &last), &out));
    }
    Ok(())
}

/// Reads the trace and chooses its plan. A compressed trace is rejected, because the minimized
/// trace would not be compressed.
fn read(args: &Args) -> Result<(Vec<u8>, Arc<Plan>), Refusal> {
    let name = named(&args.file);
    let how = How {
        format: &args.format,
        compressed: RawArgs {
            raw: args.compressed.raw,
        },
        quiet: true,
    };
    let refused = |error: NotRead| Refusal::Usage(format!("{name}: {error}"));
    let opened = Opened::new(&args.file, how).map_err(refused)?;
    if let Some(compression) = opened.compression {
        return Err(Refusal::Usage(format!("{name}: {}", compression.refusal())));
    }
    let (plan, bytes) = opened.whole().map_err(refused)?;
    Ok((bytes, plan))
}

fn reader(args: &Args) -> Result<ReaderFile, Refusal> {
    placeholders::check(&args.command).map_err(Refusal::Usage)?;
    match &args.reader {
        Some(path) => ReaderFile::load(path).map_err(|error| Refusal::Usage(error.to_string())),
        None if args.command.is_empty() => Err(Refusal::Usage(
            "no reader given; use --reader FILE, or put a command after --".to_owned(),
        )),
        None => {
            let folder = std::env::current_dir();
            let folder = folder.map_err(|error| {
                Refusal::Incomplete(format!("cannot determine the current folder: {error}"))
            })?;
            Ok(ReaderFile::ad_hoc(args.command.clone(), folder))
        }
    }
}

/// Returns the plan of the format in which the reader reads the trace. Dialects share their first
/// bytes, so if the format was detected, this may be another dialect than the detected one.
fn plan_of(args: &Args, reader: &ReaderFile, plan: Arc<Plan>) -> Result<Arc<Plan>, Refusal> {
    if reader.reads(&plan.format) {
        return Ok(plan);
    }
    let is_detected = args.format.format.is_none() && args.format.spec.is_none();
    let mut ids = bundled::list().iter().flat_map(BundledFormat::ids);
    let dialect = ids.find(|id| base(id) == base(&plan.format) && reader.reads(id));
    if let (true, Some(id)) = (is_detected, dialect) {
        let formats = Formats::bundled(&[id.to_owned()]);
        let formats = formats.map_err(|error| Refusal::Usage(error.to_string()))?;
        if let Some(plan) = formats.plan(id) {
            return Ok(Arc::clone(plan));
        }
    }
    Err(Refusal::Usage(format!(
        "{} does not read {}, according to `formats` in its reader file",
        one_line(&reader.name),
        plan.format
    )))
}

/// Returns whether the reader exits in the same way for an empty trace and for a valid trace. For
/// example, an interpreter that cannot find its script appears to crash, but the trace is not the
/// cause.
fn ends_so_whatever_it_is_given(
    plan: &Arc<Plan>,
    probe: &mut Probe<'_>,
    first: &Signature,
) -> Result<bool, ProbeError> {
    let exits = first.outcome == Outcome::Crash && first.words.starts_with(EXITED);
    let valid = Generator::new(Arc::clone(plan)).from_seed(0, Options::default());
    let (true, Ok(valid)) = (exits, valid) else {
        return Ok(false);
    };
    for bytes in [&[][..], &valid.bytes] {
        let seen = probe.ask(plan, bytes)?.signature;
        if (seen.outcome, &seen.words) != (first.outcome, &first.words) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The behavior that a smaller trace must preserve.
struct Wanted<'s> {
    signature: &'s Signature,
    /// The broken rules that let readers either accept or reject the trace, if a smaller trace must
    /// break exactly the same rules.
    rules: Option<BTreeSet<String>>,
}

impl Wanted<'_> {
    fn is_kept_by(&self, plan: &Plan, seen: &Observation) -> bool {
        let rules = || left_to_readers(plan, seen);
        seen.signature == *self.signature && self.rules.as_ref().is_none_or(|kept| *kept == rules())
    }
}

/// Returns the rules that the trace breaks and that let readers either accept or reject it.
fn left_to_readers(plan: &Plan, seen: &Observation) -> BTreeSet<String> {
    let rules = seen.result.rules.iter().filter(|id| {
        let mut rules = plan.rules.iter();
        rules.any(|rule| rule.id == **id && rule.duty == ReaderDuty::Either)
    });
    rules.cloned().collect()
}

/// Searches for the smallest trace that preserves the behavior in `wanted`, until the time is up or
/// the reader can no longer be run.
fn search(
    args: &Args,
    (plan, bytes): (&Arc<Plan>, &[u8]),
    probe: &mut Probe<'_>,
    wanted: &Wanted<'_>,
    bar: &ProgressBar,
) -> (Minimized, Option<ProbeError>) {
    let generator = Generator::new(Arc::clone(plan));
    let began = Instant::now();
    let patience = args.time;
    let mut failure = None;
    let found = minimize(&generator, bytes, &mut |candidate| {
        if began.elapsed() > patience {
            return None;
        }
        match probe.ask(plan, candidate) {
            Ok(seen) => {
                let same = wanted.is_kept_by(plan, &seen);
                bar.inc(1);
                if same {
                    bar.set_message(format!("{} bytes", candidate.len()));
                }
                Some(same)
            }
            Err(error) => {
                failure = Some(error);
                None
            }
        }
    });
    (found, failure)
}

fn bar(length: usize, shown: bool) -> ProgressBar {
    let bar = progress::spinner("{msg} {pos} tries {per_sec} {elapsed}", shown);
    bar.set_message(format!("{length} bytes"));
    bar
}

/// Inserts `.min` before the extension: `trace.bin` becomes `trace.min.bin`.
fn beside(file: &Path) -> PathBuf {
    match file.extension() {
        Some(extension) => {
            let mut name = std::ffi::OsString::from("min.");
            name.push(extension);
            file.with_extension(name)
        }
        None => file.with_extension("min"),
    }
}

fn report(
    args: &Args,
    (plan, before): (&Plan, usize),
    (smallest, last): (&Minimized, &Observation),
    path: &Path,
) -> io::Result<()> {
    let mut out = crate::output::text();
    let after = smallest.bytes.len();
    let tries = smallest.tries;
    writeln!(
        out,
        "{}: reduced from {before} to {after} bytes in {tries} tries",
        named(path)
    )?;
    if !smallest.settled {
        writeln!(
            out,
            "minimization stopped at the time limit; a longer --time may yield an even smaller \
             trace"
        )?;
    }
    writeln!(out, "the reader: {}", one_line(&last.signature.to_string()))?;
    if let Some(detail) = &last.result.detail {
        writeln!(out, "expected:   {}", one_line(&detail.expected))?;
        writeln!(out, "actual:     {}", one_line(&detail.actual))?;
        if let Some(part) = &detail.difference {
            let expected = one_line(&part.expected);
            let actual = one_line(&part.actual);
            let place = one_line(&folded(&place(part)));
            writeln!(out, "difference: {place}: {actual}, expected {expected}")?;
        }
    }
    writeln!(out)?;
    let mut text = Vec::new();
    dump(plan, &smallest.bytes, &mut text)?;
    let format = match (&args.format.spec, &args.format.format) {
        (None, None) => format!(" --format {}", plan.format),
        (spec, format) => {
            let format = format.as_ref().map(|id| format!(" --format {id}"));
            with_spec(spec.as_ref()) + &format.unwrap_or_default()
        }
    };
    let all = format!("tracegauge inspect{format} {}", word(path));
    excerpt::write(&String::from_utf8_lossy(&text), &all, &mut out)?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_one_stands_beside() {
        let beside = |name: &str| beside(Path::new(name));
        assert_eq!(beside("a/b.bin"), Path::new("a/b.min.bin"));
        assert_eq!(beside("a/b"), Path::new("a/b.min"));
    }
}
