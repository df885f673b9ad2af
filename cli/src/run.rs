//! `tracegauge run`: runs readers against the corpus.

use std::fmt;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tracegauge_contain::{Limits, environment};
use tracegauge_corpus::case::Case;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::pattern::Pattern;
use tracegauge_corpus::store::Store;
use tracegauge_harness::containment;
use tracegauge_harness::journal::Journals;
use tracegauge_harness::runner::{self, Config, Participant, RunError};
use tracegauge_harness::schedule::{Criteria, Seed, Shard, TimeLimit};
use tracegauge_harness::suggested::{with_spec, word};
use tracegauge_judge::Strictness;
use tracegauge_judge::baseline::{Baseline, BaselineError};
use tracegauge_protocol::reader_file::{
    ReaderFile, ReaderFileError, names_format, parse_time, placeholders,
};
use tracegauge_reports::Collector;
use tracegauge_reports::terminal::{self, Detail, Options, Rules, Scope};
use tracegauge_results::file::WriteError;
use tracegauge_results::text::shell_word;
use tracegauge_results::{Fan, ReaderResult, ReaderState, RuleInfo, RunResult};

use super::departure_args::DepartureArgs;
use super::progress::{Bar, Progress};
use super::report::{Library, Outputs};
use super::{Exit, OutputOptions, named, state};

/// The default of `--repeat`: the number of cases to run again.
const REPEAT: usize = 16;

/// Run readers against the corpus
///
/// If no reader is given, the command runs every bundled reader that can run on this machine. Exit
/// status: 0 everything is as expected, or every failure is a known failure; 1 a reader does not
/// conform, accepts too few valid traces, gives verdicts that are no better than chance, or gives
/// wrong answers when cases run again; 2 usage error; 3 the run could not be completed, or was
/// stopped by a signal or by its time limit; 4 nothing was run.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge run --reader my-reader.yaml\n  tracegauge run --format FORMAT --filter RULE -- ./my-reader {file}\n  tracegauge run --reader my-reader.yaml --html report.html --junit report.xml\n  tracegauge run --spec my-format.yaml -- ./my-reader {file}"
)]
pub struct Args {
    /// Reader file; may be repeated
    #[arg(long = "reader", value_name = "FILE")]
    pub readers: Vec<PathBuf>,
    /// Format, or a format family, which selects all versions in that family; may be repeated
    #[arg(long = "format", value_name = "ID")]
    pub formats: Vec<String>,
    /// Use a description that is not bundled: generate cases from it, and run the reference decoder
    /// on them unless a reader is given
    #[arg(long, value_name = "FILE")]
    pub spec: Option<String>,
    /// Run only cases whose name or rule contains PATTERN, or matches it if PATTERN contains * or
    /// ?; may be repeated
    #[arg(long = "filter", value_name = "PATTERN")]
    pub filters: Vec<String>,
    /// Options that select cases by what is unusual about their traces
    #[command(flatten)]
    pub departures: DepartureArgs,
    /// Also run traces that are longer than 2^31 and 2^32 bytes, which are created for this run; a
    /// reader gets one more second for 32 MiB, and memory for the whole trace
    #[arg(long)]
    pub huge: bool,
    /// Number of reader processes to run in parallel [default: number of processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Split the corpus into N shards, and run only shard I
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Time limit for the whole run, such as 90s or 10m; cases not started by then are skipped
    /// [default: 60s plus 1s per case and reader]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time_limit: Option<Duration>,
    /// Resume the interrupted run in this folder with the same seed, and reuse its saved answers
    #[arg(long)]
    pub resume: bool,
    /// Seed for the order of the cases and for the names that readers see [default: random; shown
    /// in the report]
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub seed: Option<Seed>,
    /// Number of cases to run again in another order, time zone, locale and folder; a case whose
    /// answer changes is reported as not repeatable
    #[arg(long, value_name = "N", default_value_t = REPEAT)]
    pub repeat: usize,
    /// Also fail readers that violate recommendations, or rules that are judged only in strict mode
    #[arg(long)]
    pub strict: bool,
    /// List of known failures to use instead of the one named in the reader file
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Environment variable to pass to readers, in addition to PATH, HOME and the other variables
    /// that docs/containment.md lists; may be repeated
    #[arg(long = "env", value_name = "NAME")]
    pub env: Vec<String>,
    /// Files to write
    #[command(flatten)]
    pub outputs: Outputs,
    /// Number of failures to show in full
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub failures: usize,
    /// Print all causes and a table with a row for every rule, including rules without failures
    #[arg(long)]
    pub all_rules: bool,
    /// List every containment measure and its limits, and every case that could not be generated
    #[arg(short, long)]
    pub verbose: bool,
    /// Do not run any reader unless every containment measure is enabled
    #[arg(long)]
    pub require_containment: bool,
    /// Options that control the amount and the color of the output
    #[command(flatten)]
    pub output_options: OutputOptions,
    /// Files given without an option, which the command rejects with a hint
    #[arg(value_name = "FILE", hide = true)]
    pub stray: Vec<PathBuf>,
    /// Command to run for each case; {file} is replaced with the path of the trace
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
}

/// The reasons why no reader can be run.
#[derive(Debug)]
pub enum Refusal {
    /// A reader file has mistakes.
    Reader(ReaderFileError),
    /// A baseline has mistakes.
    Baseline(BaselineError),
    /// One baseline is given for several readers.
    OneBaseline,
    /// The corpus has no case of this format. The second field lists the formats in the corpus.
    Format(String, Vec<String>),
    /// The command after `--` is not valid.
    Command(String),
    /// A file is given as a positional argument, which `run` does not accept.
    Stray(String),
    /// A name given with `--env` cannot be the name of an environment variable.
    Variable(String),
    /// The current folder cannot be determined.
    Folder(io::Error),
}

impl std::error::Error for Refusal {}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reader(error) => error.fmt(f),
            Self::Baseline(error) => error.fmt(f),
            Self::OneBaseline => f.write_str(
                "--baseline is for one reader; with several, name it in each reader file",
            ),
            Self::Format(name, known) => {
                write!(
                    f,
                    "there are no cases for the format {name}; known formats: {}",
                    known.join(", ")
                )
            }
            Self::Command(message) | Self::Stray(message) => f.write_str(message),
            Self::Variable(name) => write!(
                f,
                "--env takes the name of an environment variable, found `{name}`"
            ),
            Self::Folder(error) => write!(f, "cannot determine the current folder: {error}"),
        }
    }
}

/// Runs each reader in `readers` that can run on this machine against `cases`, and prints the
/// report to standard output. `formats` are the formats of the cases.
pub fn execute(
    args: &Args,
    cases: Vec<Case>,
    rules: &[RuleInfo],
    formats: &Formats,
    readers: Vec<ReaderFile>,
) -> Exit {
    let checked = participants(args, readers).and_then(|participants| {
        check_formats(&args.formats, &cases)?;
        Ok(participants)
    });
    let participants = match checked {
        Ok(participants) => participants,
        Err(refusal) => {
            crate::remark!("error: {refusal}");
            return Exit::Usage;
        }
    };
    let stop = super::signals::stop_on_signals();
    let time = TimeLimit::new(args.time_limit);
    let result = match perform(
        args,
        &cases,
        (rules, formats),
        &participants,
        (&stop, &time),
    ) {
        Ok(result) => result,
        Err(error) => {
            crate::remark!("error: {error}");
            return Exit::Incomplete;
        }
    };
    let is_cut_short = stop.load(Ordering::Relaxed) || lacks_time(&result, &time);
    match report(args, &result, &Library::new(&cases, formats)) {
        Ok(()) if is_cut_short => Exit::Incomplete,
        Ok(()) if args.require_containment && !is_contained(&result) => {
            crate::remark!(
                "error: --require-containment: a containment measure became unavailable during \
                 the run"
            );
            Exit::Incomplete
        }
        Ok(()) => exit(&result),
        Err(error) => {
            crate::remark!("error: {error}");
            Exit::Incomplete
        }
    }
}

/// Returns whether every containment measure was enabled for all readers that ran.
fn is_contained(result: &RunResult) -> bool {
    let measures = result.readers.iter().flat_map(|it| &it.tail.containment);
    measures.into_iter().all(|measure| measure.in_force)
}

/// Checks that every containment measure is available.
///
/// # Errors
/// Returns an error that lists the unavailable measures.
pub(super) fn require_containment() -> Result<(), String> {
    let missing = containment::begin()
        .and_then(|containment| containment.missing(&Limits::default()))
        .map_err(|error| format!("cannot contain readers: {error}"))?;
    let lines = missing
        .iter()
        .map(|it| format!("\n  {}: {}", it.name, it.note));
    match missing.as_slice() {
        [] => Ok(()),
        _ => Err(format!(
            "--require-containment: these measures are unavailable:{}",
            lines.collect::<String>()
        )),
    }
}

/// Returns true if the time limit kept cases from running.
fn lacks_time(result: &RunResult, time: &TimeLimit) -> bool {
    let why = time.why();
    let is_why = |reader: &ReaderResult| match &reader.state {
        ReaderState::Failed(reason) => Some(reason) == why.as_ref(),
        _ => reader.tail.not_run.why == why && reader.totals.not_run > 0,
    };
    why.is_some() && result.readers.iter().any(is_why)
}

fn perform(
    args: &Args,
    cases: &[Case],
    (rules, formats): (&[RuleInfo], &Formats),
    participants: &[Participant],
    (stop, time): (&AtomicBool, &TimeLimit),
) -> Result<RunResult, RunError> {
    let available = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let config = Config {
        criteria: Criteria {
            formats: args.formats.clone(),
            filters: args.filters.iter().map(Pattern::new).collect(),
            departures: args.departures.filter(),
            shard: args.shard,
        },
        strictness: if args.strict {
            Strictness::Strict
        } else {
            Strictness::Ordinary
        },
        jobs: args.jobs.map_or_else(available, NonZeroUsize::get),
        limits: Limits::default(),
        stop,
        time,
        seed: args.seed.unwrap_or_else(Seed::random),
        repeat: args.repeat,
        journals: Some(Journals {
            folder: state::journals(),
            resume: args.resume,
            part: args.shard.map_or_else(String::new, |shard| {
                format!("-{shard}").replace('/', "-of-")
            }),
        }),
        formats: Some(formats),
    };
    if !cases.iter().any(|case| config.criteria.is_named(case)) {
        tell_nothing_named(args);
    }
    let mut collector = Collector::new();
    let mut progress = Progress::new(args.output_options);
    let mut sinks = Fan(vec![&mut collector, &mut progress]);
    runner::run(&config, cases, rules, participants, &mut sinks)?;
    let mut result = collector.into_result().unwrap_or_default();
    let known = (&Store::nearest(), cases);
    let bar = Bar::new(args.output_options);
    tracegauge_judge::compare_causes(&mut result, formats, known, &bar);
    Ok(result)
}

/// Tells the user that no case is selected.
pub(super) fn tell_nothing_named(args: &Args) {
    let list = format!("tracegauge corpus list{}", with_spec(args.spec.as_ref()));
    if args.filters.is_empty()
        && args.departures.with.is_empty()
        && args.departures.without.is_empty()
    {
        crate::remark!("note: there are no cases, because no valid trace could be generated");
        return;
    }
    if args.departures.with.is_empty() && args.departures.without.is_empty() {
        crate::remark!(
            "note: no case has `{}` in its name or rule (patterns are case-sensitive); run `{list}` \
             to list all cases",
            args.filters.join("`, or `"),
        );
    } else {
        crate::remark!(
            "note: no case matches --with, --without and --filter together (patterns are \
             case-sensitive); run `{list} --json` to list all cases and, in `departures`, \
             the names that --with and --without accept"
        );
    }
}

/// Loads the readers that `args` names, or none if the user wants all bundled readers. If `known`
/// is given, the reader files may name only these formats.
///
/// # Errors
/// Returns an error if a reader file has mistakes or the current folder cannot be determined.
pub fn named_readers(args: &Args, known: Option<&[&str]>) -> Result<Vec<ReaderFile>, Refusal> {
    if let Some(path) = args.stray.first() {
        return Err(Refusal::Stray(meant(path)));
    }
    let mut readers = Vec::new();
    for path in &args.readers {
        let reader = match known {
            Some(known) => ReaderFile::load_knowing(path, known),
            None => ReaderFile::load(path),
        };
        readers.push(reader.map_err(Refusal::Reader)?);
    }
    if !args.command.is_empty() {
        placeholders::check(&args.command).map_err(Refusal::Command)?;
        let folder = std::env::current_dir().map_err(Refusal::Folder)?;
        readers.push(ReaderFile::ad_hoc(args.command.clone(), folder));
    }
    Ok(readers)
}

/// Returns a message that suggests how to pass a file that was given without an option.
fn meant(path: &Path) -> String {
    let name = named(path);
    if ReaderFile::load(path).is_ok() {
        return format!(
            "a reader file must be passed with --reader: tracegauge run --reader {}",
            word(path)
        );
    }
    // A program in the current folder is not found through PATH, so its command must begin with
    // `./`.
    let program = match path.components().count() {
        1 if path.is_file() => shell_word(&format!("./{name}")),
        _ => shell_word(&name),
    };
    format!(
        "unexpected argument `{name}`; `run` takes a reader file (--reader FILE; `tracegauge reader \
         init` writes one), or a command after --, as in: tracegauge run -- {program} {{file}}"
    )
}

fn participants(args: &Args, readers: Vec<ReaderFile>) -> Result<Vec<Participant>, Refusal> {
    if args.baseline.is_some() && readers.len() > 1 {
        return Err(Refusal::OneBaseline);
    }
    if let Some(name) = args.env.iter().find(|name| !environment::is_name(name)) {
        return Err(Refusal::Variable(name.clone()));
    }
    readers
        .into_iter()
        .map(|mut reader| {
            reader.env.extend(args.env.iter().cloned());
            participant(reader, args.baseline.as_ref())
        })
        .collect()
}

fn participant(reader: ReaderFile, instead: Option<&PathBuf>) -> Result<Participant, Refusal> {
    let path = instead.or(reader.baseline.as_ref()).cloned();
    let baseline = match path {
        // A reader file may name a baseline that has not been written yet.
        Some(path) if instead.is_none() && !path.exists() => Some((path, Baseline::default())),
        Some(path) => {
            let baseline = Baseline::load(&path).map_err(Refusal::Baseline)?;
            Some((path, baseline))
        }
        None => None,
    };
    Ok(Participant { reader, baseline })
}

fn check_formats(formats: &[String], cases: &[Case]) -> Result<(), Refusal> {
    for name in formats {
        if !cases.iter().any(|case| names_format(name, &case.format)) {
            let mut known: Vec<String> = cases.iter().map(|case| case.format.clone()).collect();
            known.sort();
            known.dedup();
            return Err(Refusal::Format(name.clone(), known));
        }
    }
    Ok(())
}

fn report(args: &Args, result: &RunResult, library: &Library<'_>) -> Result<(), WriteError> {
    let written = args.outputs.write(result, library);
    if let Err(error) = state::keep(result) {
        crate::remark!("note: cannot save the result for `baseline update` and `explain`: {error}");
    }
    let rules = if args.all_rules {
        Rules::All
    } else {
        Rules::Notable
    };
    let containment = if args.verbose {
        Detail::Full
    } else {
        Detail::Short
    };
    let options = Options {
        failures: args.failures,
        rules,
        explain: Some(format!(
            "tracegauge explain{}",
            with_spec(args.spec.as_ref())
        )),
        containment,
        ..Options::default()
    };
    print(result, args.output_options, options);
    // A run can take minutes, so its results are printed even if a file cannot be written.
    written
}

/// Prints the report of `result`, with the colors and the level of detail selected by
/// `output_options`.
pub(super) fn print(result: &RunResult, output_options: OutputOptions, options: Options) {
    let options = Options {
        color: output_options.color(),
        scope: if output_options.quiet {
            Scope::Failing
        } else {
            Scope::All
        },
        ..options
    };
    let mut out = crate::output::text();
    super::output::note(terminal::render(result, &options, &mut out).and_then(|()| out.flush()));
}

/// Returns the exit status for `result`.
pub fn exit(result: &RunResult) -> Exit {
    let readers = &result.readers;
    let is_failed = |state: &ReaderState| matches!(state, ReaderState::Failed(_));
    if readers.iter().any(|reader| !reader.totals.add_up()) {
        return Exit::Incomplete;
    }
    if readers.iter().any(|r| {
        let tail = &r.tail;
        r.totals.failures > 0
            || !tail.baseline_problems.is_empty()
            || !tail.crashes.is_empty()
            || r.only_remembers()
            || r.fail_again() > 0
            || r.accepts_nothing()
            || r.no_better_than_chance().next().is_some()
            || r.accepts_too_few().next().is_some()
    }) {
        return Exit::Finding;
    }
    if readers
        .iter()
        .any(|r| is_failed(&r.state) || r.totals.not_run > 0)
    {
        return Exit::Incomplete;
    }
    if readers.iter().all(|reader| reader.totals.planned == 0) {
        return Exit::Nothing;
    }
    Exit::Ok
}
