//! `tracegauge fuzz`: fuzzes a reader and saves minimized failures.

mod coverage;
mod pace;
mod replay;

use std::path::{Path, PathBuf};
use std::time::Duration;

use indicatif::ProgressBar;
use tracegauge_corpus::case::Source;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::rules;
use tracegauge_corpus::vector;
use tracegauge_corpus::writable;
use tracegauge_generator::Generator;
use tracegauge_generator::mutate::Supply;
use tracegauge_harness::campaign::{
    Bounds, Campaign, CampaignError, Findings, Group, State, Status, Summary, Watch,
};
use tracegauge_harness::runner::{reader_info, rule_info};
use tracegauge_judge::baseline::Baseline;
use tracegauge_protocol::reader_file::{ReaderFile, parse_time, placeholders};
use tracegauge_results::text::counted;
use tracegauge_results::{Outcome, RuleInfo};

use super::format::{self, FormatArgs};
use super::report::Outputs;
use super::signals::stop_on_signals;
use super::{Exit, OutputOptions, named, one_line, progress, say};
use replay::Replay;

/// Fuzz a reader with generated traces and save minimized failures
///
/// The inputs are valid traces, traces with faults, spliced traces and corrupted traces. The
/// reader's verdict and records for each input are compared with those of the reference decoder.
/// Failures with the same cause count as one finding. For each finding, one trace is minimized and
/// saved in a separate folder in DIR, together with a case for the corpus. The same seed produces
/// the same inputs. Exit status: 0 no findings, or only known failures of the reader; 1 new
/// findings; 2 usage error; 3 the reader cannot run or files cannot be written; 4 nothing was run.
#[derive(Clone, Debug, clap::Args)]
#[command(
    mut_arg("format", |arg| arg.help(
        format!("{}, or the reader file lists a single format", format::REQUIRED)
    )),
    after_help = "Examples:\n  tracegauge fuzz --reader my-reader.yaml --time 2 --out found\n  tracegauge fuzz --format FORMAT --inputs 20 --html page.html -- ./my-reader {file}\n  tracegauge fuzz --format FORMAT --replay 1:42 --reader my-reader.yaml\n  tracegauge fuzz --format FORMAT --coverage --tests mine --time 2 --out new -- ./covered"
)]
pub struct Args {
    /// The format
    #[command(flatten)]
    pub format: FormatArgs,
    /// Reader file to use instead of a command
    #[arg(long, value_name = "FILE", conflicts_with = "command")]
    pub reader: Option<PathBuf>,
    /// Reader file of a second reader; every difference between the two readers is a finding
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// Stop after this time, such as 90s or 10m [default: run until interrupted]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,
    /// Stop after N inputs
    #[arg(long, value_name = "N")]
    pub inputs: Option<u64>,
    /// Stop after N findings; the inputs that are being read at this time may add more findings
    #[arg(long, value_name = "N")]
    pub findings: Option<u64>,
    /// Maximum time for minimizing each finding, such as 90s or 10m [default: 8s]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub minimize_time: Option<Duration>,
    /// Seed for generating all inputs [default: 1, or the seed of the resumed campaign]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Number of reader processes to run in parallel [default: number of processors]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Folder for findings and the state of the campaign
    #[arg(long, value_name = "DIR", default_value = "fuzz-findings")]
    pub out: PathBuf,
    /// Use coverage feedback from the reader, and keep the inputs that reach new code. The reader
    /// must be built with instrumentation: see the section "What your tests never reached" in
    /// docs/fuzz-a-parser.md
    #[arg(long)]
    pub coverage: bool,
    /// Start from the traces in FOLDER, for example your own tests, and report the code and the
    /// parts of the format that these traces never reach
    #[arg(long, value_name = "FOLDER", requires = "coverage")]
    pub tests: Option<PathBuf>,
    /// Files to write, with one case for each finding
    #[command(flatten)]
    pub outputs: Outputs,
    /// Resume the campaign in DIR
    #[arg(long)]
    pub resume: bool,
    /// Also report known failures of the reader
    #[arg(long)]
    pub no_baseline: bool,
    /// Replay one input, given by its seed and number: print its bytes and the reader's behavior
    #[arg(long, value_name = "SEED:NUMBER", conflicts_with_all = ["resume", "time", "inputs", "minimize_time", "coverage", "Outputs"])]
    pub replay: Option<Replay>,
    /// Command to run for each trace; {file} is replaced with the path of the trace
    #[arg(last = true, value_name = "CMD")]
    pub command: Vec<String>,
}

/// The reasons why a campaign has no result to report.
enum Refusal {
    Usage(String),
    Incomplete(String),
}

impl From<CampaignError> for Refusal {
    fn from(error: CampaignError) -> Self {
        match error {
            CampaignError::Other(..) => Self::Usage(error.to_string()),
            CampaignError::Reader(_) | CampaignError::File(..) | CampaignError::NoCoverage => {
                Self::Incomplete(error.to_string())
            }
        }
    }
}

impl Refusal {
    /// Converts an error caused by the user's arguments into a usage error.
    fn from_usage(error: &CampaignError) -> Self {
        Self::Usage(error.to_string())
    }
}

/// Runs the command.
pub fn execute(args: &Args, output_options: OutputOptions) -> Exit {
    let done = match args.replay {
        Some(replay) => replay::again(args, replay),
        None => perform(args, output_options),
    };
    match done {
        Ok(exit) => exit,
        Err(Refusal::Usage(message)) => super::usage(&message),
        Err(Refusal::Incomplete(message)) => super::incomplete(&message),
    }
}

fn supply(args: &Args, reader: &ReaderFile, seed: u64) -> Result<Supply, Refusal> {
    let plan = args.format.plan_among(|format| reader.reads(format));
    let plan = plan.map_err(|error| Refusal::Usage(error.to_string()))?;
    let samples = match args.format.spec {
        Some(_) => Vec::new(),
        None => samples(&plan.format)?,
    };
    Ok(Supply::new(Generator::new(plan), seed).with_samples(&samples))
}

/// Returns the vectors and regressions that are built into the program. Traces on disk are not
/// used, so that an input number identifies the same input everywhere.
fn samples(format: &str) -> Result<Vec<Vec<u8>>, Refusal> {
    let base = format.split('@').next().unwrap_or(format);
    let mut names = vec![base, format];
    names.dedup();
    let mut samples = Vec::new();
    for name in names {
        for source in [Source::Vector, Source::Regression] {
            let vectors = vector::load(&Store::Embedded, source, name);
            let vectors = vectors.map_err(|error| Refusal::Incomplete(error.to_string()))?;
            samples.extend(vectors.into_iter().map(|vector| vector.bytes));
        }
    }
    Ok(samples)
}

fn reader_of(args: &Args) -> Result<ReaderFile, Refusal> {
    placeholders::check(&args.command).map_err(Refusal::Usage)?;
    match (&args.reader, args.command.is_empty()) {
        (Some(path), _) => load(path),
        (None, false) => std::env::current_dir()
            .map(|folder| ReaderFile::ad_hoc(args.command.clone(), folder))
            .map_err(|error| Refusal::Incomplete(error.to_string())),
        (None, true) => Err(Refusal::Usage(
            "no reader given; use --reader FILE, or put a command after --".to_owned(),
        )),
    }
}

/// Loads a reader file and builds its reader once, so that the workers do not build it again.
fn load(path: &Path) -> Result<ReaderFile, Refusal> {
    let reader = ReaderFile::load(path).map_err(|error| Refusal::Usage(error.to_string()))?;
    reader
        .prepare()
        .map_err(|error| Refusal::Incomplete(error.to_string()))?;
    Ok(ReaderFile {
        build: None,
        ..reader
    })
}

/// Returns the rules of the format.
fn rules_of(supply: &Supply) -> Vec<RuleInfo> {
    let entries = rules(supply.generator().plan());
    entries.iter().map(rule_info).collect()
}

fn against(args: &Args) -> Result<Option<ReaderFile>, Refusal> {
    args.against.as_deref().map(load).transpose()
}

fn perform(args: &Args, output_options: OutputOptions) -> Result<Exit, Refusal> {
    let (reader, against) = (reader_of(args)?, against(args)?);
    let checked = args.outputs.check();
    checked.map_err(|error| Refusal::Usage(error.to_string()))?;
    writable::folder(&args.out)
        .map_err(|error| Refusal::Usage(format!("{}: {error}", named(&args.out))))?;
    let known = State::load(&args.out)?;
    let seed = args.seed.or(known.as_ref().map(|state| state.seed));
    let supply = supply(args, &reader, seed.unwrap_or(1))?;
    let format = &supply.generator().plan().format;
    if !reader.reads(format) {
        crate::remark!("{} does not read {format}", one_line(&reader.name));
        return Ok(Exit::Nothing);
    }
    let mut state = match known {
        Some(state) => going_on(args, &reader, &supply, state)?,
        None => {
            if args.resume {
                let folder = named(&args.out);
                crate::remark!("note: no campaign in {folder} to resume; starting a new one");
            }
            State::new(format, &reader.name, supply.seed())
        }
    };
    let wanted = coverage::wanted(args, &mut state)?;
    let listed = reader.baseline.as_deref().filter(|_| !args.no_baseline);
    let baseline = match listed {
        Some(path) => Baseline::load(path).map_err(|error| Refusal::Usage(error.to_string()))?,
        None => Baseline::default(),
    };
    let stop = stop_on_signals();
    let rules = rules_of(&supply);
    let campaign = Campaign {
        supply: &supply,
        reader: &reader,
        against: against.as_ref(),
        rules: &rules,
        baseline: &baseline,
        folder: &args.out,
        jobs: args.jobs.unwrap_or_else(processors),
        bounds: Bounds {
            time: args.time,
            inputs: args.inputs,
            findings: args.findings,
            minimize_time: args.minimize_time,
        },
        coverage: wanted.as_ref(),
        stop: &stop,
    };
    if !output_options.quiet
        && let Some(note) = pace::note(&reader, &supply, &rules, campaign.jobs)
    {
        crate::remark!("note: {note}");
    }
    let mut line = Line::new(output_options);
    let summary = campaign.run(state, &mut line);
    line.bar.finish_and_clear();
    let summary = summary?;
    report(args, &summary, output_options);
    let findings = Findings {
        plan: supply.generator().plan(),
        summary: &summary,
        folder: &args.out,
    };
    let who = reader_info(&reader, listed, None);
    let written = args.outputs.write(&findings.result(who, &rules), &findings);
    written.map_err(|error| Refusal::Incomplete(error.to_string()))?;
    Ok(match (summary.unknown().next(), summary.inputs) {
        (Some(_), _) => Exit::Finding,
        (None, 0) => Exit::Nothing,
        (None, _) => Exit::Ok,
    })
}

/// Checks that a resumed campaign uses the same reader, format and seed.
fn going_on(
    args: &Args,
    reader: &ReaderFile,
    supply: &Supply,
    state: State,
) -> Result<State, Refusal> {
    let folder = named(&args.out);
    let wrong = |why: &str| Err(Refusal::Usage(format!("{folder}: {why}")));
    if !args.resume {
        return wrong(
            "the folder already contains a campaign; resume it with --resume, or choose another \
             folder with --out",
        );
    }
    if state.format != supply.generator().plan().format {
        return wrong(&format!(
            "the folder contains a campaign for the format {}",
            state.format
        ));
    }
    if state.reader != reader.name {
        return wrong(&format!(
            "the folder contains a campaign for the reader {}",
            state.reader
        ));
    }
    if state.seed != supply.seed() {
        return wrong(&format!(
            "the folder contains a campaign with seed {}",
            state.seed
        ));
    }
    Ok(state)
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The progress line.
struct Line {
    bar: ProgressBar,
    quiet: bool,
}

impl Line {
    fn new(output_options: OutputOptions) -> Self {
        let template = "{elapsed} {pos} inputs {per_sec} {msg}";
        Self {
            bar: progress::spinner(template, output_options.shows_progress()),
            quiet: output_options.quiet,
        }
    }
}

impl Watch for Line {
    fn status(&mut self, status: &Status<'_>) {
        self.bar.set_position(status.inputs);
        let groups = &status.state.groups;
        let counts = Outcome::ALL.iter().filter_map(|outcome| {
            let count = groups.iter().filter(|group| group.outcome == *outcome);
            let count = count.count();
            (count > 0).then(|| format!("{outcome} {count}"))
        });
        let counts: Vec<String> = counts.collect();
        let since = status.since_new.as_secs();
        let edges = status.edges.map_or(String::new(), |(reached, all)| {
            format!("{reached} of {all} edges ")
        });
        self.bar.set_message(format!(
            "{edges}{} (nothing new for {since} s)",
            counts.join(", ")
        ));
    }

    fn found(&mut self, group: &Group) {
        if self.quiet {
            return;
        }
        let shown = one_line(&group.signature().to_string());
        self.bar.suspend(|| crate::remark!("found: {shown}"));
    }
}

fn report(args: &Args, summary: &Summary, output_options: OutputOptions) {
    for group in summary.unknown() {
        let shown = one_line(&group.signature().to_string());
        let place = group.folder.as_ref().map(|name| args.out.join(name));
        let place = place.map_or_else(|| "not saved".to_owned(), |path| named(&path));
        let bytes = group
            .bytes
            .map_or(String::new(), |it| format!("{it} bytes, "));
        say!("{shown}\n    {bytes}{} inputs, {place}", group.count);
    }
    if output_options.quiet {
        return;
    }
    if let Some(reach) = &summary.reach {
        coverage::report(reach, &args.out);
    }
    let seconds = summary.elapsed.as_secs_f64();
    let known = summary.state.groups.iter();
    let known = known.filter(|group| group.known.is_some()).count();
    let found = summary.unknown().count();
    let rate = rate(summary.inputs, seconds);
    say!(
        "{} inputs in {seconds:.1} s, {rate} per second; {}, {known} known; seed {}",
        summary.inputs,
        counted(found, "finding"),
        summary.state.seed
    );
}

fn rate(inputs: u64, seconds: f64) -> u64 {
    let milliseconds = Duration::from_secs_f64(seconds.max(0.001)).as_millis();
    let rate = u128::from(inputs) * 1000 / milliseconds.max(1);
    u64::try_from(rate).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_needs_no_time() {
        assert_eq!(rate(500, 0.5), 1000);
        assert_eq!(rate(0, 0.0), 0);
    }
}
