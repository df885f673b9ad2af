//! Measures tasks in rounds. Each task takes one turn per round.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use tracegauge_contain::{Limits, Temporary};
use tracegauge_corpus::case::{Case, Provenance, Source, State};
use tracegauge_corpus::expected;
use tracegauge_corpus::progress::Progress;
use tracegauge_generator::{Generator, Options, PerTrace};
use tracegauge_harness::runner::{self, Config, Participant};
use tracegauge_harness::schedule::{Criteria, Seed, TimeLimit};
use tracegauge_judge::Strictness;
use tracegauge_plan::Plan;
use tracegauge_protocol::reader_file::ReaderFile;
use tracegauge_reports::Collector;
use tracegauge_results::{Outcome, ReaderState};

use super::participants::{Task, Work};
use super::{Args, BenchError};

/// Tasks that start a process for each trace use only the first tenth of the traces (the total
/// number divided by this value).
const STARTS: usize = 10;

/// The traces of a benchmark and the settings for measuring tasks on them.
pub(super) struct Bench {
    /// The generator of the traces.
    generator: Generator,
    options: Options,
    /// The path of the description, if it is not bundled.
    pub(super) spec: Option<String>,
    /// The seeds that produce a trace.
    seeds: Vec<u64>,
    /// The traces as cases.
    cases: Vec<Case>,
    /// The seeds that produce no trace.
    pub(super) left_out: LeftOut,
    /// The number of reader processes to run in parallel.
    pub(super) jobs: usize,
    /// The folder with the trace files for the tasks that start a process for each trace.
    folder: Temporary,
    files: Vec<PathBuf>,
}

/// The seeds that produce no trace. Generation can fail for some seeds while a description is under
/// development.
#[derive(Default)]
pub(super) struct LeftOut {
    /// The number of skipped seeds.
    pub(super) seeds: usize,
    /// The error for the first skipped seed.
    pub(super) first: Option<BenchError>,
}

/// The measurements of one task.
pub(super) struct Measured {
    /// The name of the task.
    pub(super) name: String,
    /// The name of the task that this task is compared with, if any.
    pub(super) against: Option<String>,
    /// The number of traces in a round, and their total size in bytes.
    pub(super) traces: usize,
    pub(super) bytes: u64,
    /// The duration of each round in seconds.
    pub(super) seconds: Vec<f64>,
    /// The number of traces read incorrectly in the worst round.
    pub(super) wrong: usize,
}

impl Bench {
    /// Generates the traces, and writes the first tenth of them to files for the tasks that start a
    /// process for each trace.
    ///
    /// # Errors
    /// Returns an error if no trace can be generated or a file cannot be written.
    pub(super) fn new(args: &Args, plan: Arc<Plan>) -> Result<Self, BenchError> {
        let options = Options {
            fill: true,
            ..Options::about(args.bytes)
        };
        let generator = Generator::new(plan);
        let (mut seeds, mut cases) = (Vec::new(), Vec::new());
        let mut left_out = LeftOut::default();
        for seed in 0..args.count.get() as u64 {
            match case(&generator, seed, options) {
                Ok(case) => {
                    seeds.push(seed);
                    cases.push(case);
                }
                Err(error) => {
                    left_out.seeds += 1;
                    left_out.first.get_or_insert(error);
                }
            }
        }
        if cases.is_empty()
            && let Some(error) = left_out.first
        {
            return Err(error);
        }
        let total = cases.iter().map(|case| case.bytes.len() as u64).sum();
        let folder = Temporary::for_bytes("bench-", total).map_err(BenchError::System)?;
        let started = &cases[..cases.len().div_ceil(STARTS)];
        let files = started.iter().enumerate().map(|(number, case)| {
            let path = folder.path().join(format!("{number}.bin"));
            fs::write(&path, &case.bytes).map(|()| path)
        });
        let files = files
            .collect::<Result<_, _>>()
            .map_err(BenchError::System)?;
        let available = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Ok(Self {
            generator,
            options,
            spec: args.format.spec.clone(),
            seeds,
            cases,
            left_out,
            jobs: args.jobs.map_or_else(available, NonZeroUsize::get),
            folder,
            files,
        })
    }

    /// Returns how many attempts the traces took.
    pub(super) fn attempts(&self) -> Option<PerTrace> {
        self.generator.attempts()
    }

    /// Returns the plan of the format.
    pub(super) fn plan(&self) -> &Arc<Plan> {
        self.generator.plan()
    }

    /// Returns all traces.
    pub(super) fn traces(&self) -> &[Case] {
        &self.cases
    }

    /// Returns the traces used by tasks that start a process for each trace.
    fn started(&self) -> &[Case] {
        &self.cases[..self.files.len()]
    }

    /// Measures `tasks` in `rounds` rounds.
    ///
    /// # Errors
    /// Returns an error if a trace cannot be generated or a reader cannot run.
    pub(super) fn measure(
        &self,
        tasks: Vec<Task>,
        rounds: usize,
        progress: &dyn Progress,
    ) -> Result<Vec<Measured>, BenchError> {
        let begun = tasks.iter().map(|task| {
            let cases = self.cases_of(&task.work);
            Measured {
                name: task.name.clone(),
                against: task.against.clone(),
                traces: cases.len(),
                bytes: cases.iter().map(|case| case.bytes.len() as u64).sum(),
                seconds: Vec::new(),
                wrong: 0,
            }
        });
        let mut measured: Vec<Measured> = begun.collect();
        for _ in 0..rounds {
            for (task, measured) in tasks.iter().zip(&mut measured) {
                let (seconds, wrong) = self.turn(&task.work)?;
                measured.seconds.push(seconds);
                measured.wrong = measured.wrong.max(wrong);
                progress.step();
            }
        }
        Ok(measured)
    }

    fn cases_of(&self, work: &Work) -> &[Case] {
        match work {
            Work::Bare(_) | Work::Once(_) => self.started(),
            Work::Generate | Work::Decode | Work::Serve(_) => &self.cases,
        }
    }

    /// Runs one turn of a task, and returns its duration in seconds and the number of traces that
    /// were read incorrectly.
    fn turn(&self, work: &Work) -> Result<(f64, usize), BenchError> {
        let began = Instant::now();
        match work {
            Work::Generate => {
                for seed in &self.seeds {
                    make(&self.generator, *seed, self.options)?;
                }
            }
            Work::Decode => {
                for case in &self.cases {
                    std::hint::black_box(tracegauge_decoder::decode(self.plan(), &case.bytes));
                }
            }
            Work::Bare(command) => self.start(command)?,
            Work::Once(reader) | Work::Serve(reader) => {
                return self.ask(reader, self.cases_of(work));
            }
        }
        Ok((began.elapsed().as_secs_f64(), 0))
    }

    /// Starts a process for each file and waits for it to exit, without any supervision.
    fn start(&self, command: &[String]) -> Result<(), BenchError> {
        let next = AtomicUsize::new(0);
        let work = || -> std::io::Result<()> {
            while let Some(file) = self.files.get(next.fetch_add(1, Ordering::Relaxed)) {
                Command::new(&command[0])
                    .args(&command[1..])
                    .arg(file)
                    .current_dir(self.folder.path())
                    .stdin(Stdio::null())
                    .output()?;
            }
            Ok(())
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs).map(|_| scope.spawn(work)).collect();
            let mut ends = workers.into_iter().map(thread::ScopedJoinHandle::join);
            ends.try_for_each(|end| match end {
                Ok(end) => end,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
        .map_err(BenchError::System)
    }

    /// Runs a reader, and returns the duration in seconds and the number of traces that it read
    /// incorrectly.
    ///
    /// # Errors
    /// Returns an error if the reader cannot run on this machine.
    pub(super) fn ask(
        &self,
        reader: &ReaderFile,
        cases: &[Case],
    ) -> Result<(f64, usize), BenchError> {
        let stop = AtomicBool::new(false);
        let config = Config {
            criteria: Criteria::default(),
            strictness: Strictness::Ordinary,
            jobs: self.jobs,
            limits: Limits::default(),
            stop: &stop,
            time: &TimeLimit::default(),
            seed: Seed::default(),
            repeat: 0,
            journals: None,
            formats: None,
        };
        let participant = Participant {
            reader: reader.clone(),
            baseline: None,
        };
        let mut collector = Collector::new();
        runner::run(&config, cases, &[], &[participant], &mut collector)
            .map_err(BenchError::Run)?;
        let result = collector.into_result().unwrap_or_default();
        let name = || reader.name.clone();
        match result.readers.first() {
            Some(result) => match &result.state {
                ReaderState::Ran => {
                    let right = result.totals.count(Outcome::Pass);
                    Ok((result.tail.seconds, cases.len() - right))
                }
                ReaderState::Skipped(why) | ReaderState::Failed(why) => {
                    Err(BenchError::CannotRun(name(), why.clone()))
                }
            },
            None => Err(BenchError::CannotRun(
                name(),
                "the run produced no result".to_owned(),
            )),
        }
    }
}

fn make(generator: &Generator, seed: u64, options: Options) -> Result<Vec<u8>, BenchError> {
    let made = generator.from_seed(seed, options);
    let made = made.map_err(|error| BenchError::Generate(seed, error))?;
    Ok(made.bytes)
}

/// Generates a random trace as a case.
fn case(generator: &Generator, seed: u64, options: Options) -> Result<Case, BenchError> {
    let bytes = make(generator, seed, options)?;
    let plan = generator.plan();
    Ok(Case {
        id: format!("{}/bench/{seed}", plan.format),
        format: plan.format.clone(),
        expected: expected::expected(plan, &bytes),
        bytes: bytes.into(),
        repeated: None,
        twin: None,
        provenance: Provenance {
            source: Source::Valid,
            rules: Vec::new(),
            operator: None,
            why: "random traces are read".to_owned(),
        },
        departures: Vec::new(),
        state: State::Active,
        version: 1,
    })
}
