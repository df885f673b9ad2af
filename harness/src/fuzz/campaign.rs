//! A campaign: what it is about, what takes part in it, and what comes of it.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use tracegauge_generator::mutate::Supply;
use tracegauge_reports::RuleInfo;

use super::clerk::Clerk;
use super::coverage::{
    Atlas, Beginning, Novelty, Pool, Reach, SeedJob, SeedKeeper, Steering, Wanted,
};
use super::group::State;
use super::input::InputMaker;
use super::keep::{Job, Keeper};
use super::worker::work;
use super::{Asker, FuzzError, Group};
use crate::baseline::Baseline;
use crate::contain::Containment;
use crate::reader_file::ReaderFile;

/// Values may hold each other as deep as a trace is long, and changing them goes as deep. No more
/// is taken of it than is needed.
const STACK: usize = 512 << 20;

/// What a campaign ends at, whichever comes first; without any it goes on until it is stopped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// Time.
    pub time: Option<Duration>,
    /// Inputs, those of earlier parts of the campaign not counted.
    pub inputs: Option<u64>,
    /// Groups that are not known, those of earlier parts not counted.
    pub findings: Option<u64>,
}

/// A campaign against one reader.
#[derive(Debug)]
pub struct Campaign<'c> {
    /// What inputs are made from.
    pub supply: &'c Supply,
    /// The reader.
    pub reader: &'c ReaderFile,
    /// Another that it is held against, instead of the reference decoder.
    pub against: Option<&'c ReaderFile>,
    /// The rules of the format: which of them are recommendations.
    pub rules: &'c [RuleInfo],
    /// Its known failures.
    pub baseline: &'c Baseline,
    /// Where findings and state are kept.
    pub folder: &'c Path,
    /// How many workers.
    pub jobs: usize,
    /// What it ends at.
    pub bounds: Bounds,
    /// Where the reader's own edges are to be reached: what is wanted of that.
    pub coverage: Option<&'c Wanted>,
    /// Set to end it in good order.
    pub stop: &'c AtomicBool,
}

/// How far a campaign is.
#[derive(Clone, Copy, Debug)]
pub struct Status<'s> {
    /// All that is known.
    pub state: &'s State,
    /// Inputs of this part of the campaign.
    pub inputs: u64,
    /// Time of this part.
    pub elapsed: Duration,
    /// Since something new was found in this part, or since it began.
    pub since_new: Duration,
    /// Edges of the reader that were reached, and all of them, where they are asked for.
    pub edges: Option<(usize, usize)>,
}

/// Who is told how it goes.
pub trait Watch {
    /// Several times a second.
    fn status(&mut self, status: &Status<'_>);
    /// A new group.
    fn found(&mut self, group: &Group);
}

/// What came of a part of a campaign.
#[derive(Clone, Debug)]
pub struct Summary {
    /// All of the campaign.
    pub state: State,
    /// Inputs of this part.
    pub inputs: u64,
    /// Its time.
    pub elapsed: Duration,
    /// What was reached of the reader, where that is asked for.
    pub reach: Option<Reach>,
}

impl Summary {
    /// Groups that are not known.
    pub fn unknown(&self) -> impl Iterator<Item = &Group> {
        self.state
            .groups
            .iter()
            .filter(|group| group.known.is_none())
    }
}

impl Campaign<'_> {
    /// Goes on from `state` until a bound is reached or it is stopped.
    ///
    /// # Errors
    /// The reader cannot be asked, or findings cannot be written.
    pub fn run(&self, mut state: State, watch: &mut dyn Watch) -> Result<Summary, FuzzError> {
        let failed = |error| FuzzError::File(self.folder.to_owned(), error);
        fs::create_dir_all(self.folder).map_err(failed)?;
        let began = Instant::now();
        let containment = Containment::begin().map_err(failed)?;
        let askers = (0..self.jobs.max(1)).map(|_| self.asker(&containment));
        let askers: Vec<Asker<'_>> = askers.collect::<Result<_, _>>()?;
        let mut asker = self.asker(&containment)?;
        let kept = state.coverage.as_ref().map_or(0, |it| it.seeds.len());
        let pool = Pool::load(self.folder, kept)?;
        let Begun {
            steering,
            keeper,
            atlas,
            jobs: waiting_jobs,
        } = self.begin(&mut state, &mut asker, &pool, began)?;
        let (halt, hurry) = (AtomicBool::new(false), AtomicBool::new(false));
        let (turns, waiting) = mpsc::channel();
        let waiting = Mutex::new(waiting);
        let (report, reports) = mpsc::channel();
        let (job, jobs) = mpsc::channel();
        let (done, kept) = mpsc::channel();
        for seed in waiting_jobs {
            // The other end is here.
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
            seeds: keeper,
        };
        let thread = || std::thread::Builder::new().stack_size(STACK);
        let (mut summary, steering) = std::thread::scope(|scope| {
            for asker in askers {
                let (waiting, report, halt, maker) = (&waiting, report.clone(), &halt, maker());
                let work = move || work(plan, maker, asker, waiting, &report, halt);
                thread().spawn_scoped(scope, work).map_err(failed)?;
            }
            drop(report);
            let keep = move || keeper.work(&jobs, &done);
            thread().spawn_scoped(scope, keep).map_err(failed)?;
            let mut clerk = Clerk::new(self, state, watch, job, (steering, maker()));
            clerk.began = began;
            let ended = clerk.lead(turns, &reports, &kept, &halt);
            halt.store(true, Ordering::Relaxed);
            let finished = clerk.finish(&reports, &kept, &hurry);
            ended.and(finished)
        })?;
        if let (Some(steering), Some(wanted)) = (&steering, self.coverage) {
            let reach = Reach::of(steering, plan, wanted, &atlas);
            reach.save(self.folder)?;
            summary.reach = Some(reach);
        }
        Ok(summary)
    }

    fn asker<'a>(&'a self, containment: &'a Containment) -> Result<Asker<'a>, FuzzError> {
        let asker = Asker::new(self.reader, self.against, self.rules, containment)?;
        Ok(match self.coverage {
            Some(_) => asker.with_coverage()?,
            None => asker,
        })
    }

    /// What the author's tests reach, and what was kept before.
    fn begin<'s>(
        &'s self,
        state: &mut State,
        asker: &mut Asker<'_>,
        pool: &'s Pool,
        began: Instant,
    ) -> Result<Begun<'s>, FuzzError> {
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
        let (steering, jobs) = beginning.begin(known, tests)?;
        steering.follow(&mut state.schedule.growth);
        let (program, places) = asker.reader().places()?;
        let atlas = Arc::new(Atlas::of(program, &places));
        let mut novelty = Novelty::new(plan);
        tests.iter().for_each(|test| novelty.know(&test.bytes));
        steering
            .written_before(plan)
            .iter()
            .for_each(|bytes| novelty.know(bytes));
        let keeper = SeedKeeper {
            generator,
            pool,
            folder: self.folder,
            seed: self.supply.seed(),
            novelty,
            atlas: Arc::clone(&atlas),
        };
        Ok(Begun {
            steering: Some(steering),
            keeper: Some(keeper),
            atlas,
            jobs,
        })
    }

    /// Who has waited for it is not to wait for small traces, too.
    pub(super) fn is_late(&self, began: Instant) -> bool {
        let over = self.bounds.time.is_some_and(|time| began.elapsed() >= time);
        over || self.stop.load(Ordering::Relaxed)
    }
}

/// What a campaign begins with.
#[derive(Default)]
struct Begun<'s> {
    steering: Option<Steering<'s>>,
    keeper: Option<SeedKeeper<'s>>,
    atlas: Arc<Atlas>,
    /// Traces that were kept before, and not made small.
    jobs: Vec<SeedJob>,
}
