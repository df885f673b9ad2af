//! Lists the tasks to measure: generating traces, decoding them, starting a process, running the
//! reference decoder and running a reader.

use std::path::Path;

use tracegauge_protocol::reader_file::{Mode, ReaderFile, Reports};

use super::BenchError;
use super::measure::Bench;
use crate::bundle;

/// A task to measure.
pub(super) struct Task {
    /// The name of the task.
    pub(super) name: String,
    /// The name of the task that this task is compared with, if any.
    pub(super) against: Option<String>,
    /// The work that the task does in one turn.
    pub(super) work: Work,
}

/// The work that a task does in one turn.
pub(super) enum Work {
    /// Generates all traces.
    Generate,
    /// Decodes all traces, including their records.
    Decode,
    /// Starts a process for each trace of a subset, without any supervision.
    Bare(Vec<String>),
    /// Runs a reader in `once` mode, which starts a process for each trace of a subset.
    Once(ReaderFile),
    /// Runs a reader in `serve` mode, where one process reads all traces.
    Serve(ReaderFile),
}

const BARE: &str = "starting the reference decoder";

/// Returns all tasks to measure.
///
/// # Errors
/// Returns an error if the reader cannot run on this machine.
pub(super) fn tasks(bench: &Bench, reader: Option<ReaderFile>) -> Result<Vec<Task>, BenchError> {
    let program = std::env::current_exe().map_err(BenchError::System)?;
    let ours = bundle::decoder(
        &program,
        bench.spec.as_deref(),
        &[bench.plan().format.as_str()],
    );
    let ours =
        ours.map_err(|why| BenchError::CannotRun("the reference decoder".to_owned(), why))?;
    let once = started(&ours, bench, &program)?;
    let mut tasks = vec![
        task("generate", None, Work::Generate),
        task("decode", None, Work::Decode),
        task(BARE, None, Work::Bare(once.command.clone())),
        task(&named(&once), Some(BARE), Work::Once(once.clone())),
        task(&named(&ours), None, Work::Serve(ours.clone())),
    ];
    if let Some(reader) = reader {
        tasks.extend(of_reader(bench, reader, (&named(&once), &named(&ours)))?);
    }
    Ok(tasks)
}

fn task(name: &str, against: Option<&str>, work: Work) -> Task {
    Task {
        name: name.to_owned(),
        against: against.map(str::to_owned),
        work,
    }
}

fn named(reader: &ReaderFile) -> String {
    let mode = match reader.mode {
        Mode::Once => "once",
        Mode::Serve => "serve",
    };
    format!("{}, {mode}", reader.name)
}

/// Returns a reader file that runs the reference decoder in `once` mode.
fn started(ours: &ReaderFile, bench: &Bench, program: &Path) -> Result<ReaderFile, BenchError> {
    let mut command = vec![program.to_string_lossy().into_owned(), "decode".to_owned()];
    command.extend(["--format".to_owned(), bench.plan().format.clone()]);
    if let Some(spec) = &bench.spec {
        let spec = std::path::absolute(spec).map_err(BenchError::System)?;
        command.extend(["--spec".to_owned(), spec.to_string_lossy().into_owned()]);
    }
    Ok(ReaderFile {
        mode: Mode::Once,
        command,
        ..ours.clone()
    })
}

/// Returns the tasks for a reader: one in the reader's own mode and, if a reader in `serve` mode
/// can also read a file given as an argument, one in `once` mode.
fn of_reader(
    bench: &Bench,
    reader: ReaderFile,
    (once, serve): (&str, &str),
) -> Result<Vec<Task>, BenchError> {
    let first = &bench.traces()[..1];
    // Build the reader now, so that the first round does not include the build.
    bench.ask(&reader, first)?;
    let reader = ReaderFile {
        build: None,
        baseline: None,
        ..reader
    };
    if reader.mode == Mode::Once {
        return Ok(vec![task(&named(&reader), Some(once), Work::Once(reader))]);
    }
    let alone = ReaderFile {
        mode: Mode::Once,
        reports: match reader.reports {
            Reports::Unknown => Reports::Records,
            known => known,
        },
        ..reader.clone()
    };
    let mut tasks = Vec::new();
    if matches!(bench.ask(&alone, first), Ok((_, 0))) {
        tasks.push(task(&named(&alone), Some(once), Work::Once(alone)));
    }
    tasks.push(task(&named(&reader), Some(serve), Work::Serve(reader)));
    Ok(tasks)
}
