//! Which cases a reader is given, by how many workers, and what is tried again.
//!
//! First every case runs among others. A case on which the process died, or wrote what it
//! should not, is then tried alone in a fresh process, to tell a crash from the damage of
//! an earlier case; so are all cases of a process that fell out of step. At last the cases
//! that hung are tried with nothing else running, as long as that may tell anything new.

pub(crate) mod files;
mod select;
mod shared;
mod worker;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::thread;

use tracegauge_corpus::case::Case;
use tracegauge_reports::text::counted;

pub use files::Files;
pub(crate) use select::sample;
pub use select::{Chosen, Criteria, Shard, ShardError, choose};
use shared::{Shared, Task};
use worker::{Answered, Loose, Worker};

use crate::compare::Reporting;
use crate::contain::{Containment, Limits};
use crate::journal::Journal;
use crate::judge::Response;
use crate::protocol::{Answer, Breakdown, Greeting};
use crate::reader_file::{Launch, Reports};

/// A worker compares nested values recursively, to a depth that its stack must hold.
const STACK: usize = 64 << 20;
/// After so many cases in a row that hung again, the rest are believed to hang: each trial costs
/// the whole time of a case, and a machine that was busy for a moment would have shown by now.
const CONVINCING: usize = 3;

/// So many cases of a process that crashed outside of any are tried again: most crashes of this kind
/// are leaks, of which one that leaks has many.
const MOST_LOOSE: usize = 1000;

/// All that a run of one reader needs.
#[derive(Clone, Copy, Debug)]
pub struct Assignment<'r> {
    /// How it is started.
    pub launch: &'r Launch,
    /// What it reports, as its file says.
    pub reports: Reports,
    /// How it reports records.
    pub reporting: &'r Reporting,
    /// What holds it in.
    pub containment: &'r Containment,
    /// What it may use on a case, the size of the case apart.
    pub limits: Limits,
    /// The cases.
    pub cases: &'r [&'r Case],
    /// Their files.
    pub files: &'r Files,
    /// How many workers there are.
    pub jobs: usize,
    /// Set when the run is to end early.
    pub stop: &'r AtomicBool,
}

/// What came of a run of one reader.
#[derive(Debug)]
pub struct Answers {
    /// One for each case; nothing where it did not run.
    pub responses: Vec<Option<Response>>,
    /// Whether a process of it ever came to the point of answering.
    pub started: bool,
    /// What the reader said of itself.
    pub greeting: Option<Greeting>,
    /// Why not every case ran, where that is so.
    pub gave_up: Option<String>,
    /// How many answers are those of an earlier run.
    pub resumed: usize,
    /// What to say of cases that hung and were not tried again alone, where there are some.
    pub believed: Option<String>,
    /// Crashes that belong to no case: processes reported them outside of any, and none of the cases
    /// that they had answered shows them when it runs alone.
    pub loose: Vec<LooseCrash>,
}

/// A crash that belongs to no case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LooseCrash {
    /// What was reported, in words.
    pub what: String,
    /// How many cases the process had answered.
    pub answered: usize,
    /// How many of them were tried again alone.
    pub tried: usize,
    /// Whether each of those showed it.
    pub by_all: bool,
}

/// Runs the reader on all cases but those whose answers are in `journal`, which gets the others.
/// `progress` hears each first answer.
pub fn run(
    assignment: &Assignment<'_>,
    journal: Option<&mut Journal>,
    progress: &mut dyn FnMut(&Case, &Response),
) -> Answers {
    let known = |case: &&Case| journal.as_ref()?.known(case).cloned();
    let responses: Vec<Option<Response>> = assignment.cases.iter().map(known).collect();
    let resumed = responses.iter().flatten().count();
    let greeted = journal.as_ref().and_then(|it| it.greeting().cloned());
    for (case, response) in assignment.cases.iter().zip(&responses) {
        response
            .iter()
            .for_each(|response| progress(case, response));
    }
    let left: Vec<usize> = (0..responses.len())
        .filter(|index| responses[*index].is_none())
        .collect();
    let mut round = Round {
        shared: Shared::new(assignment),
        responses,
        suspects: Vec::new(),
        loose: Vec::new(),
        out_of_step: false,
        journal,
        progress,
    };
    round.run(Task::Among, &left, assignment.jobs);
    if assignment.launch.mode == crate::reader_file::Mode::Serve {
        round.recheck(assignment.jobs);
    }
    let loose = round.recheck_loose(assignment.jobs);
    let believed = round.recheck_hung();
    let Round {
        shared, responses, ..
    } = round;
    let started = shared.was_started();
    let (greeting, gave_up) = shared.into_parts();
    Answers {
        responses,
        started,
        greeting: greeting.or(greeted),
        gave_up,
        resumed,
        believed,
        loose,
    }
}

/// What the reader answers to some of the cases, by their places, each in a fresh process.
pub fn alone(assignment: &Assignment<'_>, cases: &[usize]) -> Vec<(usize, Response)> {
    let mut round = Round {
        shared: Shared::new(assignment),
        responses: vec![None; assignment.cases.len()],
        suspects: Vec::new(),
        loose: Vec::new(),
        out_of_step: false,
        journal: None,
        progress: &mut |_, _| {},
    };
    round.run(Task::Alone, cases, assignment.jobs);
    let answered = cases
        .iter()
        .map(|index| (*index, round.responses[*index].take()));
    answered
        .filter_map(|(index, response)| Some((index, response?)))
        .collect()
}

impl fmt::Display for LooseCrash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            what,
            answered,
            tried,
            by_all,
        } = self;
        write!(f, "{what}, after {}; ", counted(*answered, "case"))?;
        match tried {
            0 => f.write_str("none was tried again"),
            1 if answered == tried => f.write_str("alone it does not"),
            _ if answered == tried => f.write_str(if *by_all {
                "alone, each of them does so, and so it belongs to none"
            } else {
                "alone, none of them does so"
            }),
            _ => write!(f, "{tried} of them were tried again alone"),
        }
    }
}

struct Round<'r, 'p> {
    shared: Shared<'r>,
    responses: Vec<Option<Response>>,
    /// Cases whose answers may belong to others.
    suspects: Vec<usize>,
    /// Crashes outside of any case.
    loose: Vec<Loose>,
    /// Whether a process was seen to answer more than it was asked.
    out_of_step: bool,
    journal: Option<&'p mut Journal>,
    progress: &'p mut dyn FnMut(&Case, &Response),
}

impl Round<'_, '_> {
    /// Gives `cases` to `jobs` workers and takes in what they answer.
    fn run(&mut self, task: Task, cases: &[usize], jobs: usize) {
        if cases.is_empty() {
            return;
        }
        self.shared.begin(task);
        let (sender, receiver) = mpsc::channel();
        let shared = &self.shared;
        let responses = &mut self.responses;
        let suspects = &mut self.suspects;
        let loose = &mut self.loose;
        let out_of_step = &mut self.out_of_step;
        let progress = &mut self.progress;
        let journal = &mut self.journal;
        thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, cases.len()) {
                let sender = sender.clone();
                let worker = move || match Worker::new(shared, task, cases, sender) {
                    Ok(worker) => worker.work(),
                    Err(error) => shared.give_up(format!("no scratch folder can be made: {error}")),
                };
                let thread = thread::Builder::new().stack_size(STACK);
                if let Err(error) = thread.spawn_scoped(scope, worker) {
                    shared.give_up(format!("no worker can be started: {error}"));
                }
            }
            drop(sender);
            for answered in receiver {
                match answered {
                    Answered::Cases(batch) => {
                        for (index, response) in batch {
                            if task == Task::Among {
                                progress(shared.assignment.cases[index], &response);
                            }
                            *out_of_step |= task == Task::Alone && fell_out_of_step(&response);
                            take_in(&mut responses[index], response, task);
                            if let (Some(journal), Some(response)) =
                                (&mut *journal, &responses[index])
                            {
                                journal.add(shared.assignment.cases[index], response);
                            }
                        }
                        if let Some(journal) = journal {
                            shared.greeting().iter().for_each(|it| journal.greet(it));
                            journal.flush();
                        }
                    }
                    Answered::OutOfStep(cases) => {
                        *out_of_step = true;
                        suspects.extend(cases);
                    }
                    Answered::Loose(crash) => loose.push(crash),
                }
            }
        });
    }

    /// Tries again, alone in a fresh process each, the cases that broke down among others,
    /// and those whose answers may belong to others.
    fn recheck(&mut self, jobs: usize) {
        let mut cases = self.broken(|breakdown| !matches!(breakdown, Breakdown::Hang(_)));
        let suspects = std::mem::take(&mut self.suspects);
        self.forget(&suspects);
        cases.extend(suspects);
        cases.sort_unstable();
        cases.dedup();
        self.out_of_step = false;
        self.run(Task::Alone, &cases, jobs);
        if self.out_of_step {
            // A process that answers twice may have died before this showed.
            let rest: Vec<usize> = (0..self.responses.len())
                .filter(|index| self.responses[*index].is_some())
                .filter(|index| cases.binary_search(index).is_err())
                .collect();
            self.forget(&rest);
            self.run(Task::Alone, &rest, jobs);
        }
    }

    /// Looks for the cases to which crashes belong that processes reported outside of any: each that
    /// such a process answered is tried again, alone in a process that is watched to its end. What
    /// none of them shows belongs to the run.
    fn recheck_loose(&mut self, jobs: usize) -> Vec<LooseCrash> {
        let mut unexplained = Vec::new();
        for Loose { breakdown, cases } in std::mem::take(&mut self.loose) {
            let answered = cases.len();
            let cases = &cases[..answered.min(MOST_LOOSE)];
            let before: Vec<_> = cases.iter().map(|it| self.responses[*it].clone()).collect();
            let crashed = self.crashed(cases);
            self.run(Task::Alone, cases, jobs);
            let showed = self.crashed(cases).saturating_sub(crashed);
            // What a process does whatever it is asked tells nothing of a case.
            let by_all = cases.len() > 1 && showed + crashed == cases.len();
            if by_all {
                for (index, response) in cases.iter().zip(before) {
                    self.put_back(*index, response);
                }
            }
            if showed == 0 || by_all || answered > cases.len() {
                unexplained.push(LooseCrash {
                    what: breakdown.to_string(),
                    answered,
                    tried: cases.len(),
                    by_all,
                });
            }
        }
        unexplained
    }

    fn put_back(&mut self, index: usize, response: Option<Response>) {
        if let (Some(journal), Some(response)) = (&mut self.journal, &response) {
            journal.add(self.shared.assignment.cases[index], response);
        }
        self.responses[index] = response;
    }

    /// How many of the cases crashed.
    fn crashed(&self, cases: &[usize]) -> usize {
        let crashed = self.broken(|breakdown| matches!(breakdown, Breakdown::Crash(..)));
        let crashed = crashed.iter().filter(|index| cases.contains(index));
        crashed.count()
    }

    /// An answer that may belong to another case is no answer, should there be no second.
    fn forget(&mut self, cases: &[usize]) {
        for index in cases {
            self.responses[*index] = None;
            if let Some(journal) = &mut self.journal {
                journal.forget(self.shared.assignment.cases[*index]);
            }
        }
    }

    /// Tries again, with nothing else running, the cases that hung, until several in a row hang
    /// again. What to say of those that were not tried.
    fn recheck_hung(&mut self) -> Option<String> {
        let is_hang = |breakdown: &Breakdown| matches!(breakdown, Breakdown::Hang(_));
        let hung = self.broken(is_hang);
        let mut in_a_row = 0;
        for (tried, index) in hung.iter().enumerate() {
            let left = || format!("{} of {} hangs", hung.len() - tried, hung.len());
            if in_a_row == CONVINCING {
                return Some(format!(
                    "{} were not tried again alone: {CONVINCING} in a row before them hung again",
                    left()
                ));
            }
            // What ended the first round is the reason for this one.
            if tried > 0 && self.shared.is_over() {
                let left = left();
                return Some(format!(
                    "{left} were not tried again alone: the run was over before"
                ));
            }
            self.run(Task::Alone, &[*index], 1);
            let answer = self.responses[*index].as_ref().map(|it| &it.answer);
            in_a_row = match answer {
                Some(Answer::Broke(breakdown)) if is_hang(breakdown) => in_a_row + 1,
                _ => 0,
            };
        }
        None
    }

    fn broken(&self, is_meant: impl Fn(&Breakdown) -> bool) -> Vec<usize> {
        let is_broken = |response: &Response| match &response.answer {
            Answer::Broke(breakdown) => is_meant(breakdown),
            _ => false,
        };
        let responses = self.responses.iter().enumerate();
        responses
            .filter(|(_, response)| response.as_ref().is_some_and(is_broken))
            .map(|(index, _)| index)
            .collect()
    }
}

fn fell_out_of_step(response: &Response) -> bool {
    use crate::protocol::Breach;
    matches!(
        response.answer,
        Answer::Broke(Breakdown::Protocol(Breach::AfterClosing(_)))
    )
}

/// Takes in a response. What a case does alone overrules what it did among others.
fn take_in(place: &mut Option<Response>, mut response: Response, task: Task) {
    if let (Task::Alone, Some(before)) = (task, place.as_ref())
        && let (Answer::Broke(breakdown), false) =
            (&before.answer, matches!(response.answer, Answer::Broke(_)))
    {
        response.unsteady = Some(breakdown.to_string());
    }
    *place = Some(response);
}
