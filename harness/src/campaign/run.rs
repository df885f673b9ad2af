//! A fuzzing campaign: its configuration, participants and results.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use tracegauge_contain::Containment;
use tracegauge_generator::mutate::Supply;
use tracegauge_judge::baseline::Baseline;
use tracegauge_protocol::reader_file::ReaderFile;
use tracegauge_results::RuleInfo;

use super::coordinator::Coordinator;
use super::coverage::{
    Beginning, CoverageFeedback, NewFeatures, Pool, Reach, SeedJob, SeedKeeper, SymbolMap, Wanted,
};
use super::group::State;
use super::input::InputMaker;
use super::keep::{Job, Keeper, MINIMIZE_TIME};
use super::worker::work;
use super::{Asker, CampaignError, Group};
use crate::containment;

/// The stack size of the threads in bytes. Values may be nested as deeply as a trace is long, and
/// mutating them recurses to the same depth. The operating system provides memory for the stack
/// only as it is used.
const STACK: usize = 512 << 20;

/// The limits of a campaign, which ends as soon as it reaches one of them. Without any limit, the
/// campaign continues until it is stopped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// The maximum running time.
    pub time: Option<Duration>,
    /// The maximum number of inputs, counted from the time when the campaign was started or
    /// resumed.
    pub inputs: Option<u64>,
    /// The maximum number of groups of findings that are not known failures, counted from the time
    /// when the campaign was started or resumed.
    pub findings: Option<u64>,
    /// The maximum time for minimizing a finding before the end of the campaign, or `None` for the
    /// default of eight seconds.
    pub minimize_time: Option<Duration>,
}

/// A campaign against one reader.
#[derive(Debug)]
pub struct Campaign<'c> {
    /// The supply of generated inputs.
    pub supply: &'c Supply,
    /// The reader.
    pub reader: &'c ReaderFile,
    /// A second reader, if the reader is compared with it instead of with the reference decoder.
    pub against: Option<&'c ReaderFile>,
    /// The rules of the format, which determine which failures count as findings: those that
    /// concern only a recommendation do not.
    pub rules: &'c [RuleInfo],
    /// The reader's known failures.
    pub baseline: &'c Baseline,
    /// The folder for findings and state.
    pub folder: &'c Path,
    /// The number of workers.
    pub jobs: usize,
    /// The limits of the campaign.
    pub bounds: Bounds,
    /// The options for coverage feedback, if it is enabled.
    pub coverage: Option<&'c Wanted>,
    /// A flag that is set to stop the campaign gracefully.
    pub stop: &'c AtomicBool,
}

/// The progress of a campaign.
#[derive(Clone, Copy, Debug)]
pub struct Status<'s> {
    /// The state of the whole campaign.
    pub state: &'s State,
    /// The number of inputs since the campaign was started or resumed.
    pub inputs: u64,
    /// The running time since the campaign was started or resumed.
    pub elapsed: Duration,
    /// The time since the campaign last found a new group of findings or a new edge or, if it has
    /// not found any, since the campaign was started or resumed.
    pub since_new: Duration,
    /// The number of reached edges and the total number of edges in the reader, if coverage
    /// feedback is enabled.
    pub edges: Option<(usize, usize)>,
}

/// An observer of a campaign.
pub trait Watch {
    /// Called several times a second with the progress.
    fn status(&mut self, status: &Status<'_>);
    /// Called for each new group of findings.
    fn found(&mut self, group: &Group);
}

/// The result of running a campaign until it reached a limit or was stopped.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The state of the whole campaign.
    pub state: State,
    /// The number of inputs since the campaign was started or resumed.
    pub inputs: u64,
    /// The running time since the campaign was started or resumed.
    pub elapsed: Duration,
    /// The coverage of the reader, if coverage feedback is enabled.
    pub reach: Option<Reach>,
}

impl Summary {
    /// Iterates over the groups of findings that are not known failures.
    pub fn unknown(&self) -> impl Iterator<Item = &Group> {
        self.state
            .groups
            .iter()
            .filter(|group| group.known.is_none())
    }
}

impl Campaign<'_> {
    /// Continues from `state` until a limit is reached or the campaign is stopped.
    ///
    /// # Errors
    /// Returns an error if the reader cannot be run or findings cannot be written.
    pub fn run(&self, mut state: State, watch: &mut dyn Watch) -> Result<Summary, CampaignError> {
        let failed = |error| CampaignError::File(self.folder.to_owned(), error);
        fs::create_dir_all(self.folder).map_err(failed)?;
        let began = Instant::now();
        let containment = containment::begin().map_err(failed)?;
        let askers = (0..self.jobs.max(1)).map(|_| self.asker(&containment));
        let askers: Vec<Asker<'_>> = askers.collect::<Result<_, _>>()?;
        let mut asker = self.asker(&containment)?;
        let kept = state.coverage.as_ref().map_or(0, |it| it.seeds.len());
        let pool = Pool::load(self.folder, kept)?;
        let Begun {
            feedback,
            keeper,
            symbol_map,
            jobs: waiting_jobs,
        } = self.begin(&mut state, &mut asker, &pool, began)?;
        let (halt, hurry) = (AtomicBool::new(false), AtomicBool::new(false));
        let (turns, waiting) = mpsc::channel();
        let waiting = Mutex::new(waiting);
        let (report, reports) = mpsc::channel();
        let (job, jobs) = mpsc::channel();
        let (done, kept) = mpsc::channel();
        for seed in waiting_jobs {
            // The receiver is in this function, so sending cannot fail.
            let _ = job.send(Job::Seed(seed));
        }
        let plan = self.supply.generator().plan();
        let maker = || InputMaker::new(self.supply, &pool);
        let keeper = Keeper {
            supply: self.supply,
            maker: maker(),
            asker,
            folder: self.folder,
            hurry: &hurry,
            last: None,
            minimize_time: self.bounds.minimize_time.unwrap_or(MINIMIZE_TIME),
            seeds: keeper,
        };
        let thread = || std::thread::Builder::new().stack_size(STACK);
        let (mut summary, feedback) = std::thread::scope(|scope| {
            for asker in askers {
                let (waiting, report, halt, maker) = (&waiting, report.clone(), &halt, maker());
                let work = move || work(plan, maker, asker, waiting, &report, halt);
                thread().spawn_scoped(scope, work).map_err(failed)?;
            }
            drop(report);
            let keep = move || keeper.work(&jobs, &done);
            thread().spawn_scoped(scope, keep).map_err(failed)?;
            let mut coordinator = Coordinator::new(self, state, watch, job, (feedback, maker()));
            coordinator.began = began;
            let ended = coordinator.lead(turns, &reports, &kept, &halt);
            halt.store(true, Ordering::Relaxed);
            let finished = coordinator.finish(&reports, &kept, &hurry);
            ended.and(finished)
        })?;
        if let (Some(feedback), Some(wanted)) = (&feedback, self.coverage) {
            let reach = Reach::of(feedback, plan, wanted, &symbol_map);
            reach.save(self.folder)?;
            summary.reach = Some(reach);
        }
        Ok(summary)
    }

    fn asker<'a>(&'a self, containment: &'a Containment) -> Result<Asker<'a>, CampaignError> {
        let asker = Asker::new(self.reader, self.against, self.rules, containment)?;
        Ok(match self.coverage {
            Some(_) => asker.with_coverage()?,
            None => asker,
        })
    }

    /// Initializes coverage feedback: runs the reader on its author's tests and on the traces saved
    /// earlier.
    fn begin<'s>(
        &'s self,
        state: &mut State,
        asker: &mut Asker<'_>,
        pool: &'s Pool,
        began: Instant,
    ) -> Result<Begun<'s>, CampaignError> {
        let Some(wanted) = self.coverage else {
            return Ok(Begun::default());
        };
        let generator = self.supply.generator();
        let plan = generator.plan();
        let tests = wanted.tests.as_deref().unwrap_or_default();
        let known = state.coverage.take().unwrap_or_default();
        let beginning = Beginning {
            plan,
            folder: self.folder,
            pool,
            maker: InputMaker::new(self.supply, pool),
            asker,
            is_over: &|| self.is_late(began),
        };
        let (feedback, jobs) = beginning.begin(known, tests)?;
        feedback.follow(&mut state.schedule.power_schedule);
        let (program, places) = asker.reader().places()?;
        let symbol_map = Arc::new(SymbolMap::of(program, &places));
        let mut new_features = NewFeatures::new(plan);
        tests.iter().for_each(|test| new_features.know(&test.bytes));
        feedback
            .written_before(plan)
            .iter()
            .for_each(|bytes| new_features.know(bytes));
        let keeper = SeedKeeper {
            generator,
            pool,
            folder: self.folder,
            seed: self.supply.seed(),
            new_features,
            symbol_map: Arc::clone(&symbol_map),
        };
        Ok(Begun {
            feedback: Some(feedback),
            keeper: Some(keeper),
            symbol_map,
            jobs,
        })
    }

    /// Returns true if the campaign's time has run out or the user has requested a stop.
    pub(super) fn is_late(&self, began: Instant) -> bool {
        let over = self.bounds.time.is_some_and(|time| began.elapsed() >= time);
        over || self.stop.load(Ordering::Relaxed)
    }
}

/// The initial state of a campaign with coverage feedback.
#[derive(Default)]
struct Begun<'s> {
    feedback: Option<CoverageFeedback<'s>>,
    keeper: Option<SeedKeeper<'s>>,
    symbol_map: Arc<SymbolMap>,
    /// Traces that were saved earlier but not yet minimized.
    jobs: Vec<SeedJob>,
}
