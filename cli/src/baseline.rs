//! `tracegauge baseline update`: rewrites a list of known failures from a complete run.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use tracegauge_judge::baseline::{Baseline, BaselineError, UpdateError, updated};
use tracegauge_results::file::{WriteError, check};
use tracegauge_results::{ReaderResult, RunResult, json};

use super::{Exit, state};

/// Update a list of known failures from the result of a complete run
///
/// Each existing entry keeps its reason, but loses the cases that no longer fail as it describes.
/// For new failures, the command adds entries that are marked as unexplained. The command rejects runs that were filtered, sharded or interrupted. Exit
/// status: 0 written; 2 usage error, or a file cannot be read or written.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tracegauge run --reader my-reader.yaml\n  tracegauge baseline update known-failures.yaml"
)]
pub struct Args {
    /// List of known failures to update; it is created if it does not exist
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Result file of the run [default: the last run in this folder]
    #[arg(long, value_name = "FILE")]
    pub result: Option<PathBuf>,
    /// Reader to use, if the run included several readers and FILE is not the baseline of any of
    /// them
    #[arg(long, value_name = "NAME")]
    pub reader: Option<String>,
}

/// Runs the command.
pub fn execute(args: &Args) -> Exit {
    match update(args) {
        Ok(list) => {
            let entries = match list.entries.len() {
                1 => "1 entry".to_owned(),
                count => format!("{count} entries"),
            };
            let unexplained = list.entries.iter().filter(|it| it.unexplained).count();
            let unexplained = match unexplained {
                0 => String::new(),
                count => format!(
                    ", {count} of them unexplained; in these entries, describe what the reader \
                     does wrong, then remove `unexplained`"
                ),
            };
            super::say!("{}: {entries}{unexplained}", super::named(&args.file));
            Exit::Ok
        }
        Err(refusal) => {
            crate::remark!("error: {refusal}");
            Exit::Usage
        }
    }
}

/// The reasons why a baseline is not rewritten.
#[derive(Debug)]
enum Refusal {
    NoLastRun,
    File(WriteError),
    Result(json::JsonError),
    Baseline(BaselineError),
    Update(UpdateError),
    NoReader(String),
    SeveralReaders,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLastRun => {
                f.write_str("no run was saved in this folder; use `tracegauge run` first")
            }
            Self::File(error) => error.fmt(f),
            Self::Result(error) => error.fmt(f),
            Self::Baseline(error) => error.fmt(f),
            Self::Update(error) => error.fmt(f),
            Self::NoReader(name) => write!(f, "the run has no reader named {name}"),
            Self::SeveralReaders => {
                f.write_str("the run had several readers; choose one with --reader NAME")
            }
        }
    }
}

fn update(args: &Args) -> Result<Baseline, Refusal> {
    check(&args.file).map_err(Refusal::File)?;
    let path = args.result.clone().unwrap_or_else(state::last_run);
    if args.result.is_none() && !path.exists() {
        return Err(Refusal::NoLastRun);
    }
    let run = json::read(&path).map_err(Refusal::Result)?;
    let reader = pick(&run, args)?;
    let old = match Baseline::load(&args.file) {
        Ok(old) => old,
        Err(BaselineError::Io(_, error)) if error.kind() == std::io::ErrorKind::NotFound => {
            Baseline::default()
        }
        Err(error) => return Err(Refusal::Baseline(error)),
    };
    let new = updated(&old, &run, reader).map_err(Refusal::Update)?;
    new.save(&args.file).map_err(Refusal::Baseline)?;
    Ok(new)
}

/// Returns the reader whose known failures are updated: the reader that the user named, the reader
/// that uses this baseline, or the only reader in the run.
fn pick<'r>(run: &'r RunResult, args: &Args) -> Result<&'r ReaderResult, Refusal> {
    if let Some(name) = &args.reader {
        let named = run
            .readers
            .iter()
            .find(|reader| reader.reader.name == *name);
        return named.ok_or_else(|| Refusal::NoReader(name.clone()));
    }
    let owner = |reader: &&ReaderResult| {
        reader
            .reader
            .baseline
            .as_ref()
            .is_some_and(|path| is_same(Path::new(path), &args.file))
    };
    if let Some(reader) = run.readers.iter().find(owner) {
        return Ok(reader);
    }
    match run.readers.as_slice() {
        [only] => Ok(only),
        _ => Err(Refusal::SeveralReaders),
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => std::path::absolute(a).ok() == std::path::absolute(b).ok(),
    }
}
