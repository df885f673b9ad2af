//! The coordinator of a campaign, which assigns turns (batches of inputs) to workers and collects
//! their results. The turns that are planned together form an epoch.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use tracegauge_generator::mutate::InputKind;

use super::coverage::CoverageFeedback;
use super::group::State;
use super::input::InputMaker;
use super::keep::{Job, Kept, folder_name};
use super::worker::{Shown, Task, TurnReport};
use super::{Bounds, Campaign, CampaignError, Group, Schedule, Status, Summary, Watch};
use crate::probe::{ProbeError, Signature};

/// The maximum number of groups of findings that are saved. Without this limit, a reader whose
/// error messages never repeat would make the campaign save an unlimited number of findings.
const MOST_KEPT: usize = 100;
/// The number of epochs whose turns are assigned before the oldest of these epochs is finished.
const AHEAD: u64 = 2;
/// The interval at which progress is reported to `watch`.
const TICK: Duration = Duration::from_millis(100);

/// The number of new groups of findings and of saved inputs that reached new edges, by kind of
/// input.
type Fresh = [u64; InputKind::ALL.len()];

/// The coordinator of a campaign.
pub(super) struct Coordinator<'k, 'c> {
    campaign: &'k Campaign<'c>,
    state: State,
    watch: &'k mut dyn Watch,
    keep: Option<Sender<Job>>,
    schedule: Schedule,
    /// For each unfinished epoch, the schedule when it began and the number of turns that are not
    /// finished.
    open: VecDeque<(Schedule, usize)>,
    /// The results of turns in unfinished epochs.
    reports: Vec<TurnReport>,
    places: HashMap<Signature, usize>,
    issued: u64,
    inputs: u64,
    fresh: u64,
    pub(super) began: Instant,
    newest: Instant,
    feedback: Option<CoverageFeedback<'k>>,
    maker: InputMaker<'k>,
}

impl<'k, 'c> Coordinator<'k, 'c> {
    pub(super) fn new(
        campaign: &'k Campaign<'c>,
        state: State,
        watch: &'k mut dyn Watch,
        keep: Sender<Job>,
        (feedback, maker): (Option<CoverageFeedback<'k>>, InputMaker<'k>),
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
            feedback,
            maker,
        }
    }

    /// Assigns turns to workers until the campaign has ended.
    pub(super) fn lead(
        &mut self,
        turns: Sender<Task>,
        reports: &Receiver<Result<TurnReport, ProbeError>>,
        kept: &Receiver<Result<Kept, CampaignError>>,
        halt: &AtomicBool,
    ) -> Result<(), CampaignError> {
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
                self.close_epoch()?;
                self.issue(&turns);
                self.save()?;
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

    /// Collects the results that are still outstanding and waits until all findings and traces are
    /// saved.
    pub(super) fn finish(
        mut self,
        reports: &Receiver<Result<TurnReport, ProbeError>>,
        kept: &Receiver<Result<Kept, CampaignError>>,
        hurry: &AtomicBool,
    ) -> Result<(Summary, Option<CoverageFeedback<'k>>), CampaignError> {
        let elapsed = self.began.elapsed();
        hurry.store(self.campaign.is_late(self.began), Ordering::Relaxed);
        while let Ok(report) = reports.recv() {
            // The error that ended the campaign has already been reported.
            if let Ok(report) = report {
                self.take(report);
            }
        }
        let rest = self.open.front().map(|(schedule, _)| schedule.clone());
        let reports = std::mem::take(&mut self.reports);
        self.fold(reports)?;
        self.state.schedule = rest.unwrap_or(self.schedule.clone());
        self.save()?;
        // Closing the channel makes the keeper exit once it has saved everything.
        self.keep = None;
        loop {
            match kept.recv_timeout(TICK) {
                Ok(done) => self.kept(done?),
                // The time may run out, or a stop may be requested, while traces are minimized.
                Err(RecvTimeoutError::Timeout) => {
                    hurry.store(self.campaign.is_late(self.began), Ordering::Relaxed);
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.save()?;
        let summary = Summary {
            state: self.state,
            inputs: self.inputs,
            elapsed,
            reach: None,
        };
        Ok((summary, self.feedback))
    }

    /// Saves the progress.
    fn save(&mut self) -> Result<(), CampaignError> {
        if let Some(feedback) = &self.feedback {
            self.state.coverage = Some(feedback.state().clone());
        }
        self.state.save(self.campaign.folder)
    }

    fn is_over(&self) -> bool {
        let Bounds {
            inputs, findings, ..
        } = self.campaign.bounds;
        self.campaign.is_late(self.began)
            || inputs.is_some_and(|most| self.inputs >= most)
            || findings.is_some_and(|most| self.fresh >= most)
    }

    /// Assigns the turns of the next epoch, up to the campaign's limit on inputs.
    fn issue(&mut self, turns: &Sender<Task>) {
        let before = self.schedule.clone();
        let most = self.campaign.bounds.inputs.unwrap_or(u64::MAX);
        let mut count = 0;
        let known = self.feedback.as_ref().map(CoverageFeedback::known);
        for mut turn in self.schedule.next_epoch() {
            turn.count = turn.count.min(most - self.issued);
            if turn.count == 0 {
                break;
            }
            self.issued += turn.count;
            count += 1;
            // The receiver is gone only after a worker failed, and the failure will be received as
            // a report.
            let known = known.clone();
            let _ = turns.send(Task { turn, known });
        }
        if count > 0 {
            self.open.push_back((before, count));
        }
    }

    fn take(&mut self, report: TurnReport) {
        self.inputs += report.asked;
        self.state.inputs += report.asked;
        report.add_outcomes(&mut self.state.outcomes);
        let epoch = report.turn.epoch;
        let open = self.open.iter_mut();
        for (_, left) in open.filter(|(schedule, _)| schedule.epoch() == epoch) {
            *left -= 1;
        }
        self.reports.push(report);
    }

    /// Finishes the oldest epoch.
    fn close_epoch(&mut self) -> Result<(), CampaignError> {
        let Some((schedule, _)) = self.open.pop_front() else {
            return Ok(());
        };
        let epoch = schedule.epoch();
        let all = std::mem::take(&mut self.reports);
        let (done, rest) = all
            .into_iter()
            .partition(|report| report.turn.epoch == epoch);
        self.reports = rest;
        let fresh = self.fold(done)?;
        self.schedule.learn(fresh);
        let next = self.open.front().map(|(schedule, _)| schedule);
        self.state.schedule = next.unwrap_or(&self.schedule).clone();
        Ok(())
    }

    /// Sorts the findings into groups. A new group is represented by the smallest input that
    /// triggers its behavior. Also saves the inputs that reached new edges. Returns the number of
    /// new groups and of saved inputs, by kind of input.
    fn fold(&mut self, mut reports: Vec<TurnReport>) -> Result<Fresh, CampaignError> {
        let mut fresh = self.admit(&mut reports)?;
        let mut found: BTreeMap<Signature, Shown> = BTreeMap::new();
        for (signature, shown) in reports.into_iter().flat_map(|report| report.failures) {
            match found.entry(signature) {
                Entry::Occupied(mut known) => known.get_mut().add(shown),
                Entry::Vacant(place) => {
                    place.insert(shown);
                }
            }
        }
        let mut found: Vec<(Signature, Shown)> = found.into_iter().collect();
        found.sort_by_key(|(_, shown)| shown.smallest);
        for (signature, shown) in found {
            let place = match self.places.get(&signature).copied() {
                Some(place) => {
                    self.prefer(place, &shown);
                    place
                }
                None => {
                    if let Some(kind) = shown.smallest.1.kind() {
                        fresh[kind.place()] += 1;
                    }
                    self.add(signature, &shown)
                }
            };
            self.state.groups[place].count += shown.count;
        }
        Ok(fresh)
    }

    /// Saves the inputs that reached new edges of the reader. Returns the number of saved inputs of
    /// each kind.
    fn admit(&mut self, reports: &mut [TurnReport]) -> Result<Fresh, CampaignError> {
        let Some(feedback) = &mut self.feedback else {
            return Ok(Fresh::default());
        };
        let mut opened = Vec::new();
        for report in reports {
            feedback.saw(&report.fleeting);
            opened.append(&mut report.opened);
        }
        let admitted =
            feedback.admit(opened, &mut self.maker, &mut self.schedule.power_schedule)?;
        if !admitted.jobs.is_empty() {
            self.newest = Instant::now();
        }
        for job in admitted.jobs {
            self.to_keep(Job::Seed(job));
        }
        Ok(admitted.fresh)
    }

    /// Sends a job to the keeper for minimization and saving.
    fn to_keep(&self, job: Job) {
        if let Some(keep) = &self.keep {
            // The keeper ends early only after an error, which will be received later.
            let _ = keep.send(job);
        }
    }

    /// Replaces a group's saved input if the given input is much smaller, because minimization then
    /// starts closer to a minimal trace.
    fn prefer(&mut self, place: usize, shown: &Shown) {
        let (size, number) = shown.smallest;
        let group = &mut self.state.groups[place];
        if group.folder.is_some() && size * 2 < group.size {
            (group.size, group.number) = (size, number);
            group.observed = Some(shown.observed.clone());
            let job = Job::Finding(place, group.clone());
            self.to_keep(job);
        }
    }

    fn add(&mut self, signature: Signature, shown: &Shown) -> usize {
        let place = self.state.groups.len();
        let mut group = Group::new(&signature, shown.smallest);
        group.observed = Some(shown.observed.clone());
        group.known = group.known_by(self.campaign.baseline, &self.state.format);
        let kept = self.state.groups.iter();
        let kept = kept.filter(|group| group.folder.is_some()).count();
        if group.known.is_none() {
            self.newest = Instant::now();
            self.fresh += 1;
            if kept < MOST_KEPT {
                group.folder = Some(folder_name(kept + 1, &group));
                self.to_keep(Job::Finding(place, group.clone()));
            }
            self.watch.found(&group);
        }
        self.places.insert(signature, place);
        self.state.groups.push(group);
        place
    }

    fn kept(&mut self, kept: Kept) {
        match kept {
            Kept::Finding(place, bytes) => {
                if let Some(group) = self.state.groups.get_mut(place) {
                    group.bytes = Some(bytes);
                }
            }
            Kept::Seed(number, folder) => {
                if let Some(feedback) = &mut self.feedback {
                    feedback.written(number, folder);
                }
            }
        }
    }

    fn tell(&mut self) {
        let status = Status {
            state: &self.state,
            inputs: self.inputs,
            elapsed: self.began.elapsed(),
            since_new: self.newest.elapsed(),
            edges: self.feedback.as_ref().map(CoverageFeedback::counts),
        };
        self.watch.status(&status);
    }
}
