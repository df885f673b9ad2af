//! Finds out what a description can be used for by trying each use.
//!
//! Traces can be decoded if every dialect can be lowered to a plan. Generating traces and building
//! the cases for a run are tried in separate processes with time and memory limits.

use std::fmt;
use std::io::{self, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, Signal, setrlimit};
use tracegauge_corpus::formats::{Formats, other_formats};
use tracegauge_corpus::suite::Suite;
use tracegauge_corpus::systematic::{Effort, SearchOptions};
use tracegauge_decoder::decode_tree;
use tracegauge_generator::fault::{ValidTrace, systematic};
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::Plan;
use tracegauge_spec::lower::lower;
use tracegauge_spec::schema::Schema;

use crate::Exit;

/// A use of a description.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Use {
    /// Decode traces
    Decode,
    /// Generate valid and malformed traces
    Generate,
    /// Run readers on the cases that `run --spec` generates from a description
    Run,
}

impl Use {
    fn name(self) -> &'static str {
        match self {
            Self::Decode => "decode",
            Self::Generate => "generate",
            Self::Run => "run",
        }
    }
}

/// The maximum time of a trial.
const TIME: Duration = Duration::from_secs(5);

/// The maximum amount of memory that a trial may use, in bytes.
const MEMORY: u64 = 500_000_000;

/// Number of seeds that a trial uses to generate traces of each dialect.
const SEEDS: u64 = 4;

/// Maximum number of reasons given for each dialect that cannot be lowered to a plan.
const REASONS: usize = 3;

/// The result of trying a use, with details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Possible {
    /// The use is possible. The text contains details, or is empty.
    Yes(String),
    /// The use is not possible. The text gives the reason.
    No(String),
    /// The trial did not show whether the use is possible. The text gives the reason.
    Unknown(String),
}

impl fmt::Display for Possible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Yes(details) if details.is_empty() => f.write_str("yes"),
            Self::Yes(details) => write!(f, "yes: {details}"),
            Self::No(why) => write!(f, "no: {why}"),
            Self::Unknown(why) => write!(f, "unknown: {why}"),
        }
    }
}

/// Tries each use of the description in `file`, and returns the results in the order of [`Use`].
pub fn uses(schema: &Arc<Schema>, file: &str) -> Vec<(Use, Possible)> {
    let decode = decodable(schema);
    let mut found = vec![(Use::Decode, decode.clone())];
    for wanted in [Use::Generate, Use::Run] {
        let possible = match &decode {
            Possible::Yes(_) => trial(wanted, file),
            Possible::No(_) | Possible::Unknown(_) => {
                Possible::No("traces cannot be decoded".to_owned())
            }
        };
        found.push((wanted, possible));
    }
    found
}

/// Prints which uses a description supports. Returns [`Exit::Finding`] if one of the `wanted` uses
/// is not possible, or [`Exit::Incomplete`] if the trial of one did not end.
pub fn tell(found: &[(Use, Possible)], name: &str, wanted: &[Use], quiet: bool) -> Exit {
    let mut exit = Exit::Ok;
    for (used, possible) in found {
        let found = match possible {
            Possible::No(_) if wanted.contains(used) => Exit::Finding,
            Possible::Unknown(_) if wanted.contains(used) => Exit::Incomplete,
            _ => Exit::Ok,
        };
        if !quiet || found != Exit::Ok {
            crate::say!("{name}: {}: {possible}", used.name());
        }
        exit = exit.worse(found);
    }
    exit
}

/// Checks whether every dialect can be lowered to a plan and, if not, returns where and why
/// lowering fails.
fn decodable(schema: &Arc<Schema>) -> Possible {
    let mut reasons: Vec<String> = Vec::new();
    for dialect in &schema.dialects {
        let Err(errors) = lower(schema, &dialect.id) else {
            continue;
        };
        let left = errors.len().saturating_sub(REASONS);
        for error in errors.iter().take(REASONS) {
            let file = schema.sources.file(error.span.source);
            let file = file.map_or("", |file| file.name.as_str());
            let line = schema.sources.line_column(error.span).line;
            let reason = format!("{file}:{line}: {}", error.message);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        if left > 0 {
            reasons.push(format!("… and {left} more in {}", dialect.id));
        }
    }
    match reasons.is_empty() {
        true => Possible::Yes(String::new()),
        false => Possible::No(reasons.join("; ")),
    }
}

/// Tries a use in a separate process.
fn trial(wanted: Use, file: &str) -> Possible {
    let tried = std::env::current_exe().and_then(|program| {
        let child = Command::new(program)
            .args(["spec", "trial", "--for", wanted.name(), "--", file])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        waited(child)
    });
    match tried {
        Ok(possible) => possible,
        Err(error) => Possible::No(format!(
            "cannot start the trial that generates a few examples: {error}"
        )),
    }
}

/// Waits for a trial and returns its result, or the reason why it produced none.
fn waited(mut child: Child) -> io::Result<Possible> {
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begun.elapsed() >= TIME {
            child.kill()?;
            child.wait()?;
            let seconds = TIME.as_secs();
            let why = format!(
                "the trial that generates a few examples took longer than {seconds} s and was \
                 stopped"
            );
            return Ok(Possible::Unknown(why));
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let mut said = String::new();
    if let Some(mut output) = child.stdout.take() {
        output.read_to_string(&mut said)?;
    }
    let said = said.trim_end().to_owned();
    Ok(match (status.code(), said.is_empty()) {
        (Some(0), _) => Possible::Yes(said),
        (Some(1), false) => Possible::No(said),
        _ => ended(status),
    })
}

/// Returns the result of a trial that ended without output. A failed allocation aborts the process.
fn ended(status: ExitStatus) -> Possible {
    let megabytes = MEMORY / 1_000_000;
    match status.signal() {
        Some(signal) if signal == Signal::ABORT.as_raw() => Possible::Unknown(format!(
            "the trial that generates a few examples needed more than {megabytes} MB of memory"
        )),
        _ => Possible::No(format!("the trial failed ({status})")),
    }
}

/// Runs a trial. This function is called in the process that was started for the trial.
pub fn try_out(wanted: Use, file: &str) -> Exit {
    let most = |most| Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    let limited = setrlimit(Resource::Core, most(0));
    if let Err(error) = limited.and_then(|()| setrlimit(Resource::As, most(MEMORY))) {
        return crate::incomplete(&format!("cannot limit the memory of the trial: {error}"));
    }
    let found = match Formats::from_file(file) {
        Err(error) => Possible::No(error.to_string()),
        Ok(_) if wanted == Use::Decode => Possible::Yes(String::new()),
        Ok(formats) if wanted == Use::Generate => generated(&formats),
        Ok(_) => runnable(file),
    };
    match found {
        Possible::Yes(details) => {
            crate::say!("{details}");
            Exit::Ok
        }
        Possible::No(why) | Possible::Unknown(why) => {
            crate::say!("{why}");
            Exit::Finding
        }
    }
}

/// Generates valid and malformed traces of every dialect.
fn generated(formats: &Formats) -> Possible {
    let (mut valid, mut malformed, mut failed) = (0, 0, Vec::new());
    for plan in formats.plans() {
        let mut twins = Vec::new();
        let generator = Generator::new(Arc::clone(plan));
        for seed in 0..SEEDS {
            match generator.from_seed(seed, small()) {
                Ok(made) => twins.push(made.bytes),
                Err(error) => failed.push(format!("{}, seed {seed}: {error}", plan.format)),
            }
        }
        if twins.is_empty() {
            break;
        }
        valid += twins.len();
        malformed += faults(plan, twins);
    }
    let tries = formats.plans().len() as u64 * SEEDS;
    match failed.first() {
        None => Possible::Yes(format!(
            "{}, {malformed} malformed",
            super::counted(valid, "valid trace")
        )),
        Some(first) => Possible::No(format!(
            "{} of {tries} traces could not be generated; {first}",
            failed.len()
        )),
    }
}

fn small() -> Options {
    Options::about(300)
}

fn faults(plan: &Plan, twins: Vec<Vec<u8>>) -> usize {
    let twins: Vec<_> = twins
        .into_iter()
        .take(1)
        .map(|bytes| {
            let (_, tree) = decode_tree(plan, &bytes);
            ValidTrace {
                bytes,
                tree,
                departures: 0,
            }
        })
        .collect();
    systematic(plan, (&twins, &[]), &other_formats(plan))
        .cases
        .len()
}

/// Names the kinds of records that no case of a trial contains.
fn without_case(suite: &Suite) -> String {
    let kinds = suite.kinds_without_case().into_iter();
    let mut names: Vec<String> = kinds.map(|kind| format!("`{}`", kind.name)).collect();
    names.sort_unstable();
    names.dedup();
    match names.is_empty() {
        true => String::new(),
        false => format!("; none has a record of the kind {}", names.join(", ")),
    }
}

/// Builds the cases that `run --spec` runs.
fn runnable(file: &str) -> Possible {
    let suite = match Suite::of_file(file, &[], &SearchOptions::without_cache(Effort::Trial), &()) {
        Ok(suite) => suite,
        Err(error) => return Possible::No(error.to_string()),
    };
    let left_out = match suite.problems.len() {
        0 => String::new(),
        one => format!(", {one} skipped"),
    };
    match (suite.cases.len(), suite.problems.first()) {
        (0, None) => Possible::No("no case can be generated from the description".to_owned()),
        (0, Some(problem)) => Possible::No(format!(
            "no case can be generated from the description: {problem}"
        )),
        (cases, _) => Possible::Yes(format!(
            "{} in a trial{left_out}{}",
            super::counted(cases, "case"),
            without_case(&suite)
        )),
    }
}
