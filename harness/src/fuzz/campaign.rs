//! A campaign: hands out turns, takes in what comes of them, and says what was found.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use tracegauge_generator::mutate::{InputKind, InputNumber, Supply};
use tracegauge_reports::RuleInfo;

use super::group::State;
use super::keep::{Keeper, Kept, folder_name};
use super::worker::{Shown, TurnReport, work};
use super::{Asker, FuzzError, Group, Schedule, Turn};
use crate::baseline::Baseline;
use crate::contain::Containment;
use crate::probe::{ProbeError, Signature};
use crate::reader_file::ReaderFile;

/// Groups that are kept; a reader whose words are never the same has no end of them.
const MOST_KEPT: usize = 100;
/// Epochs that are handed out before the oldest of them is done.
const AHEAD: u64 = 2;
/// Values may hold each other as deep as a trace is long, and changing them goes as deep. No more
/// is taken of it than is needed.
const STACK: usize = 512 << 20;
/// How often who watches is told.
const TICK: Duration = Duration::from_millis(100);

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
    /// Since a new group was found in this part, or since it began.
    pub since_new: Duration,
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
    pub fn run(&self, state: State, watch: &mut dyn Watch) -> Result<Summary, FuzzError> {
        fs::create_dir_all(self.folder)
            .map_err(|error| FuzzError::File(self.folder.to_owned(), error))?;
        let containment =
            Containment::begin().map_err(|error| FuzzError::File(self.folder.to_owned(), error))?;
        let asker = || Asker::new(self.reader, self.against, self.rules, &containment);
        let askers = (0..self.jobs.max(1)).map(|_| asker());
        let askers: Vec<Asker<'_>> = askers.collect::<Result<_, _>>()?;
        let (halt, hurry) = (AtomicBool::new(false), AtomicBool::new(false));
        let (turns, waiting) = mpsc::channel();
        let waiting = Mutex::new(waiting);
        let (report, reports) = mpsc::channel();
        let (job, jobs) = mpsc::channel();
        let (done, kept) = mpsc::channel();
        let keeper = Keeper {
            supply: self.supply,
            asker: asker()?,
            folder: self.folder,
            hurry: &hurry,
            last: None,
        };
        let failed = |error| FuzzError::File(self.folder.to_owned(), error);
        let thread = || std::thread::Builder::new().stack_size(STACK);
        std::thread::scope(|scope| {
            for asker in askers {
                let (waiting, report, halt) = (&waiting, report.clone(), &halt);
                let work = move || work(self.supply, asker, waiting, &report, halt);
                thread().spawn_scoped(scope, work).map_err(failed)?;
            }
            drop(report);
            let keep = move || keeper.work(&jobs, &done);
            thread().spawn_scoped(scope, keep).map_err(failed)?;
            let mut clerk = Clerk::new(self, state, watch, job);
            let ended = clerk.lead(turns, &reports, &kept, &halt);
            halt.store(true, Ordering::Relaxed);
            let finished = clerk.finish(&reports, &kept, &hurry);
            ended.and(finished)
        })
    }
}

impl Campaign<'_> {
    /// Who has waited for it is not to wait for small traces, too.
    fn is_late(&self, began: Instant) -> bool {
        let over = self.bounds.time.is_some_and(|time| began.elapsed() >= time);
        over || self.stop.load(Ordering::Relaxed)
    }
}

/// Keeps the books of a campaign.
struct Clerk<'k, 'c> {
    campaign: &'k Campaign<'c>,
    state: State,
    watch: &'k mut dyn Watch,
    keep: Option<Sender<(usize, Group)>>,
    schedule: Schedule,
    /// The schedule as it was before each epoch that is not yet done, and its turns left.
    open: VecDeque<(Schedule, usize)>,
    /// What came of the epochs that are not yet done.
    reports: Vec<TurnReport>,
    places: HashMap<Signature, usize>,
    issued: u64,
    inputs: u64,
    fresh: u64,
    began: Instant,
    newest: Instant,
}

impl<'k, 'c> Clerk<'k, 'c> {
    fn new(
        campaign: &'k Campaign<'c>,
        state: State,
        watch: &'k mut dyn Watch,
        keep: Sender<(usize, Group)>,
    ) -> Self {
        let groups = state.groups.iter().enumerate();
        let places = groups.map(|(place, group)| (group.signature(), place));
        Self {
            campaign,
            schedule: state.schedule.clone(),
            places: places.collect(),
            state,
            watch,
            keep: Some(keep),
            open: VecDeque::new(),
            reports: Vec::new(),
            issued: 0,
            inputs: 0,
            fresh: 0,
            began: Instant::now(),
            newest: Instant::now(),
        }
    }

    /// Hands out turns until the campaign has ended.
    fn lead(
        &mut self,
        turns: Sender<Turn>,
        reports: &Receiver<Result<TurnReport, ProbeError>>,
        kept: &Receiver<Result<Kept, FuzzError>>,
        halt: &AtomicBool,
    ) -> Result<(), FuzzError> {
        for _ in 0..AHEAD {
            self.issue(&turns);
        }
        let mut told = Instant::now();
        while !self.is_over() {
            match reports.recv_timeout(TICK) {
                Ok(report) => self.take(report?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            while self.open.front().is_some_and(|(_, left)| *left == 0) {
                self.close_epoch();
                self.issue(&turns);
                self.state.save(self.campaign.folder)?;
            }
            while let Ok(done) = kept.try_recv() {
                self.kept(done?);
            }
            if told.elapsed() >= TICK {
                told = Instant::now();
                self.tell();
            }
        }
        halt.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Takes in what is still under way, and waits until all is kept.
    fn finish(
        mut self,
        reports: &Receiver<Result<TurnReport, ProbeError>>,
        kept: &Receiver<Result<Kept, FuzzError>>,
        hurry: &AtomicBool,
    ) -> Result<Summary, FuzzError> {
        let elapsed = self.began.elapsed();
        hurry.store(self.campaign.is_late(self.began), Ordering::Relaxed);
        while let Ok(report) = reports.recv() {
            // What ended the campaign has been said.
            if let Ok(report) = report {
                self.take(report);
            }
        }
        let rest = self.open.front().map(|(schedule, _)| schedule.clone());
        let reports = std::mem::take(&mut self.reports);
        self.fold(reports);
        self.state.schedule = rest.unwrap_or(self.schedule.clone());
        self.state.save(self.campaign.folder)?;
        // The keeper ends once it has kept all.
        self.keep = None;
        loop {
            match kept.recv_timeout(TICK) {
                Ok(done) => self.kept(done?),
                // Its time may be over, or an end be asked for, while small traces are looked for.
                Err(RecvTimeoutError::Timeout) => {
                    hurry.store(self.campaign.is_late(self.began), Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.state.save(self.campaign.folder)?;
        Ok(Summary {
            state: self.state,
            inputs: self.inputs,
            elapsed,
        })
    }

    fn is_over(&self) -> bool {
        let Bounds {
            inputs, findings, ..
        } = self.campaign.bounds;
        self.campaign.is_late(self.began)
            || inputs.is_some_and(|most| self.inputs >= most)
            || findings.is_some_and(|most| self.fresh >= most)
    }

    /// Hands out the next epoch, as far as the campaign goes.
    fn issue(&mut self, turns: &Sender<Turn>) {
        let before = self.schedule.clone();
        let most = self.campaign.bounds.inputs.unwrap_or(u64::MAX);
        let mut count = 0;
        for mut turn in self.schedule.next_epoch() {
            turn.count = turn.count.min(most - self.issued);
            if turn.count == 0 {
                break;
            }
            self.issued += turn.count;
            count += 1;
            // Workers are gone only where there was an error, which is on its way.
            let _ = turns.send(turn);
        }
        if count > 0 {
            self.open.push_back((before, count));
        }
    }

    fn take(&mut self, report: TurnReport) {
        self.inputs += report.asked;
        self.state.inputs += report.asked;
        for (outcome, count) in &report.outcomes {
            *self.state.outcomes.entry(*outcome).or_default() += count;
        }
        let epoch = report.turn.epoch;
        let open = self.open.iter_mut();
        for (_, left) in open.filter(|(schedule, _)| schedule.epoch() == epoch) {
            *left -= 1;
        }
        self.reports.push(report);
    }

    /// The oldest epoch is done.
    fn close_epoch(&mut self) {
        let Some((schedule, _)) = self.open.pop_front() else {
            return;
        };
        let epoch = schedule.epoch();
        let all = std::mem::take(&mut self.reports);
        let (done, rest) = all
            .into_iter()
            .partition(|report| report.turn.epoch == epoch);
        self.reports = rest;
        let fresh = self.fold(done);
        self.schedule.learn(fresh);
        let next = self.open.front().map(|(schedule, _)| schedule);
        self.state.schedule = next.unwrap_or(&self.schedule).clone();
    }

    /// Puts what was found into groups; the smallest input that shows it stands for a new one.
    /// How many are new, by the kinds of these inputs.
    fn fold(&mut self, reports: Vec<TurnReport>) -> [u64; InputKind::ALL.len()] {
        let mut found: BTreeMap<Signature, Shown> = BTreeMap::new();
        for (signature, shown) in reports.into_iter().flat_map(|report| report.failures) {
            let known = found.entry(signature);
            known.and_modify(|known| known.add(shown)).or_insert(shown);
        }
        let mut found: Vec<(Signature, Shown)> = found.into_iter().collect();
        found.sort_by_key(|(_, shown)| shown.smallest);
        let mut fresh = [0; InputKind::ALL.len()];
        for (signature, shown) in found {
            let place = match self.places.get(&signature).copied() {
                Some(place) => {
                    self.prefer(place, shown.smallest);
                    place
                }
                None => {
                    fresh[shown.smallest.1.kind().place()] += 1;
                    self.add(signature, shown.smallest)
                }
            };
            self.state.groups[place].count += shown.count;
        }
        fresh
    }

    /// Keeps this input in place of the one that is kept, where it is much smaller: from there a
    /// small trace is not far.
    fn prefer(&mut self, place: usize, (size, number): (u64, InputNumber)) {
        let group = &mut self.state.groups[place];
        if group.folder.is_some() && size * 2 < group.size {
            (group.size, group.number) = (size, number.0);
            if let Some(keep) = &self.keep {
                // A keeper is gone only where there was an error, which is on its way.
                let _ = keep.send((place, group.clone()));
            }
        }
    }

    fn add(&mut self, signature: Signature, input: (u64, InputNumber)) -> usize {
        let place = self.state.groups.len();
        let mut group = Group::new(&signature, input);
        group.known = group.known_by(self.campaign.baseline, &self.state.format);
        let kept = self.state.groups.iter();
        let kept = kept.filter(|group| group.folder.is_some()).count();
        if group.known.is_none() {
            self.newest = Instant::now();
            self.fresh += 1;
            if kept < MOST_KEPT {
                group.folder = Some(folder_name(kept + 1, &group));
                if let Some(keep) = &self.keep {
                    // A keeper is gone only where there was an error, which is on its way.
                    let _ = keep.send((place, group.clone()));
                }
            }
            self.watch.found(&group);
        }
        self.places.insert(signature, place);
        self.state.groups.push(group);
        place
    }

    fn kept(&mut self, kept: Kept) {
        if let Some(group) = self.state.groups.get_mut(kept.place) {
            group.bytes = Some(kept.bytes);
        }
    }

    fn tell(&mut self) {
        let status = Status {
            state: &self.state,
            inputs: self.inputs,
            elapsed: self.began.elapsed(),
            since_new: self.newest.elapsed(),
        };
        self.watch.status(&status);
    }
}
