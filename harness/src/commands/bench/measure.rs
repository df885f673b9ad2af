//! Measuring: everything takes its turn in each round.

use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use tracegauge_corpus::case::{Case, Provenance, Source, State};
use tracegauge_corpus::expected;
use tracegauge_corpus::progress::Progress;
use tracegauge_generator::{Generator, Options};
use tracegauge_reports::{Collector, Outcome, ReaderState};
use tracegauge_spec::plan::Plan;

use super::entrants::{Task, Work};
use super::{Args, BenchError};
use crate::contain::Limits;
use crate::judge::Strictness;
use crate::reader_file::ReaderFile;
use crate::runner::{self, Config, Entrant};
use crate::schedule::Criteria;
use crate::temporary::Temporary;

/// Of the traces, so many times fewer are asked where each takes a process.
const STARTS: usize = 10;

/// What everything is measured on.
pub(super) struct Bench {
    /// Makes the traces.
    generator: Generator,
    options: Options,
    /// The description, where it is not bundled.
    pub(super) spec: Option<String>,
    /// The seeds that give a trace.
    seeds: Vec<u64>,
    /// The traces as cases.
    cases: Vec<Case>,
    /// Seeds that give none.
    pub(super) left_out: LeftOut,
    /// So many readers at once.
    pub(super) jobs: usize,
    /// Where the traces are that processes are started for.
    folder: Temporary,
    files: Vec<PathBuf>,
}

/// Seeds that give no trace: a description that grows may have some.
#[derive(Default)]
pub(super) struct LeftOut {
    /// How many.
    pub(super) seeds: usize,
    /// Why the first gives none.
    pub(super) first: Option<BenchError>,
}

/// What was measured of one thing.
pub(super) struct Measured {
    /// Its name.
    pub(super) name: String,
    /// The name of what it is held against.
    pub(super) against: Option<String>,
    /// Traces, and their bytes, a round.
    pub(super) traces: usize,
    pub(super) bytes: u64,
    /// Seconds of each round.
    pub(super) seconds: Vec<f64>,
    /// How many traces it did not read right.
    pub(super) wrong: usize,
}

impl Bench {
    /// Makes the traces.
    ///
    /// # Errors
    /// None can be made, or one cannot be written.
    pub(super) fn new(args: &Args, plan: Arc<Plan>) -> Result<Self, BenchError> {
        let options = Options {
            bytes: args.bytes,
            fill: true,
            ..Options::default()
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

    /// The format.
    pub(super) fn plan(&self) -> &Arc<Plan> {
        self.generator.plan()
    }

    /// All traces.
    pub(super) fn traces(&self) -> &[Case] {
        &self.cases
    }

    /// Those that a process is started for.
    fn started(&self) -> &[Case] {
        &self.cases[..self.files.len()]
    }

    /// Measures `tasks` in turns.
    ///
    /// # Errors
    /// A trace cannot be made, or a reader cannot run.
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

    /// The seconds of one turn, and how many traces were not read right.
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

    /// Starts a process for each file, and waits for its end, with nothing around it.
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

    /// A run of a reader: its seconds, and how many traces it did not read right.
    ///
    /// # Errors
    /// It cannot run here.
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
            journals: None,
            formats: None,
        };
        let entrant = Entrant {
            reader: reader.clone(),
            baseline: None,
        };
        let mut collector = Collector::new();
        runner::run(&config, cases, &[], &[entrant], &mut collector).map_err(BenchError::Run)?;
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
                "nothing came of it".to_owned(),
            )),
        }
    }
}

fn make(generator: &Generator, seed: u64, options: Options) -> Result<Vec<u8>, BenchError> {
    let made = generator.from_seed(seed, options);
    let made = made.map_err(|error| BenchError::Generate(seed, error))?;
    Ok(made.bytes)
}

/// A random trace as a case.
fn case(generator: &Generator, seed: u64, options: Options) -> Result<Case, BenchError> {
    let bytes = make(generator, seed, options)?;
    let plan = generator.plan();
    Ok(Case {
        id: format!("{}/bench/{seed}", plan.format),
        format: plan.format.clone(),
        expected: expected::expected(plan, &bytes),
        bytes: bytes.into(),
        twin: None,
        provenance: Provenance {
            source: Source::Valid,
            rules: Vec::new(),
            operator: None,
            why: "random traces are read".to_owned(),
        },
        state: State::Active,
        version: 1,
    })
}
