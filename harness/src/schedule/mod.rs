//! Distributes cases to workers and decides which cases to run again.
//!
//! At first, every case runs together with other cases in the same process. A case that crashed the
//! reader or made it violate the protocol is then run alone in a fresh process, to find out whether
//! this case or an earlier one caused the failure. If a process wrote answers that do not
//! correspond to its requests, all its cases are also run alone. Finally, the cases that timed out
//! are rerun while nothing else is running, until several of them in a row time out again.

pub(crate) mod files;
mod seed;
mod select;
mod shared;
mod stillborn;
mod time_limit;
mod worker;

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tracegauge_contain::{Containment, Limits};
use tracegauge_corpus::case::Case;
use tracegauge_results::text::counted;

pub use files::Laid;
pub use files::{Desk, Files};
pub use seed::{Seed, SeedError};
pub(crate) use select::sample;
pub use select::{Chosen, Criteria, Shard, ShardError, choose};
use shared::{Shared, Task};
pub use time_limit::TimeLimit;
use worker::{Answered, Inherited, Loose, Worker};
pub(crate) use worker::{in_short, is_alike, more_time};

use tracegauge_judge::Response;
use tracegauge_judge::compare::Reporting;
use tracegauge_protocol::reader_file::{Launch, Reports};
use tracegauge_protocol::{Answer, Breakdown, Death, Greeting};

use crate::journal::Journal;

/// The stack size in bytes of workers, which compare nested values recursively.
const STACK: usize = 64 << 20;
/// The number of consecutive cases that must time out again before the remaining cases are assumed
/// to time out too. The number is small because each rerun takes the whole time limit. If the first
/// timeouts were only due to a busy machine, some of the rerun cases will pass.
const CONVINCING: usize = 3;

/// The maximum number of cases to rerun after a process reported a crash outside any case. Most
/// such reports are about memory leaks, and a reader that leaks memory usually does so in many
/// cases.
const MOST_LOOSE: usize = 1000;

/// The time that running cases get to finish after the run has been interrupted or has reached its
/// time limit. The cases that are stopped then count as not run.
const GRACE: Duration = Duration::from_secs(2);
/// The interval at which to check whether the run should end.
const GLANCE: Duration = Duration::from_millis(100);

/// The parameters of a run of one reader.
#[derive(Clone, Copy, Debug)]
pub struct Assignment<'r> {
    /// The command that starts the reader, with its limits.
    pub launch: &'r Launch,
    /// What the reader reports, according to its reader file.
    pub reports: Reports,
    /// The order in which the reader reports records, and the members and kinds of records that it
    /// omits.
    pub reporting: &'r Reporting,
    /// The restrictions under which the reader runs.
    pub containment: &'r Containment,
    /// The resource limits for a case, before they are adapted to the size of the case.
    pub limits: Limits,
    /// The cases to run.
    pub cases: &'r [&'r Case],
    /// The folder for the trace files of the cases.
    pub files: &'r Files,
    /// The seed for the order of the cases and for the names that the reader sees.
    pub seed: Seed,
    /// The number of workers.
    pub jobs: usize,
    /// A flag that is set when the run should end early.
    pub stop: &'r AtomicBool,
    /// The time limit for the whole run.
    pub time: &'r TimeLimit,
}

/// The result of a run of one reader.
#[derive(Debug)]
pub struct Answers {
    /// The response to each case, or `None` if the case did not run.
    pub responses: Vec<Option<Response>>,
    /// Whether any process of the reader was started successfully.
    pub started: bool,
    /// The reader's answer to the greeting, the first message that a process receives in serve
    /// mode.
    pub greeting: Option<Greeting>,
    /// The reason why the run ended before all cases ran, if it did.
    pub gave_up: Option<String>,
    /// The number of responses taken from an earlier run.
    pub resumed: usize,
    /// A message about cases that timed out and were not run again, if there are any.
    pub believed: Option<String>,
    /// The number of cases that were run again because their process had written unrequested
    /// output.
    pub unasked: usize,
    /// Crashes that cannot be attributed to a case: a process reported them outside any case, and
    /// rerunning the cases that it had answered, each alone, did not show which of them causes the
    /// crash.
    pub loose: Vec<LooseCrash>,
}

/// A crash that cannot be attributed to a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LooseCrash {
    /// The reported crash, described in words.
    pub what: String,
    /// The number of cases that the process had answered.
    pub answered: usize,
    /// The number of the answered cases that were run again, each alone.
    pub tried: usize,
    /// Whether every case that was run again crashed when it ran alone.
    pub by_all: bool,
}

/// Runs the reader on all cases except those whose responses are in `journal`, and adds the new
/// responses to the journal. `progress` is called with the first response to each case.
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
    let mut left: Vec<usize> = (0..responses.len())
        .filter(|index| responses[*index].is_none())
        .collect();
    assignment.seed.arrange(&mut left, assignment.cases);
    let mut round = Round {
        shared: Shared::new(assignment),
        responses,
        suspects: Vec::new(),
        doubtful: Vec::new(),
        loose: Vec::new(),
        inherited: Vec::new(),
        out_of_step: false,
        unasked: 0,
        journal,
        progress,
    };
    if resumed > 0 {
        round.shared.resume();
    }
    round.run(Task::Among, &left, assignment.jobs);
    if assignment.launch.mode == tracegauge_protocol::reader_file::Mode::Serve {
        round.recheck(assignment.jobs);
        round.recheck_inherited(assignment.jobs);
    }
    let loose = round.recheck_loose(assignment.jobs);
    let believed = round.recheck_hung();
    let is_stillborn = round.shared.is_stillborn();
    if is_stillborn {
        // The responses are not answers of the reader, which was never started.
        let all: Vec<usize> = (0..round.responses.len()).collect();
        round.forget(&all);
    }
    let Round {
        shared,
        responses,
        unasked,
        ..
    } = round;
    let started = shared.was_started() && !is_stillborn;
    let (greeting, gave_up) = shared.into_parts();
    Answers {
        responses,
        started,
        greeting: greeting.or(greeted),
        gave_up,
        resumed,
        believed,
        unasked,
        loose,
    }
}

/// Runs the cases with the given indices, each in a fresh process, and returns their responses.
pub fn alone(assignment: &Assignment<'_>, cases: &[usize]) -> Vec<(usize, Response)> {
    some(assignment, Task::Alone, cases)
}

/// Runs the cases with the given indices once more, in this order, and returns their responses.
pub fn again(assignment: &Assignment<'_>, cases: &[usize]) -> Vec<(usize, Response)> {
    some(assignment, Task::Among, cases)
}

fn some(assignment: &Assignment<'_>, task: Task, cases: &[usize]) -> Vec<(usize, Response)> {
    let mut round = Round {
        shared: Shared::new(assignment),
        responses: vec![None; assignment.cases.len()],
        suspects: Vec::new(),
        doubtful: Vec::new(),
        loose: Vec::new(),
        inherited: Vec::new(),
        out_of_step: false,
        unasked: 0,
        journal: None,
        progress: &mut |_, _| {},
    };
    round.run(task, cases, assignment.jobs);
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
            0 => f.write_str("the answered cases were not run again"),
            1 if answered == tried => f.write_str("the case alone does not cause the crash"),
            _ if answered == tried => f.write_str(if *by_all {
                "each case alone causes the crash, so the crash is not attributed to any of them"
            } else {
                "no case alone causes the crash"
            }),
            _ => write!(
                f,
                "only {tried} of the answered cases were run again, each on its own"
            ),
        }
    }
}

struct Round<'r, 'p> {
    shared: Shared<'r>,
    responses: Vec<Option<Response>>,
    /// Suspects: cases whose answers may belong to other cases.
    suspects: Vec<usize>,
    /// The last cases of processes that exited with an unreported failure.
    doubtful: Vec<usize>,
    /// Crashes outside any case.
    loose: Vec<Loose>,
    /// Crashes that earlier cases of the same process may have caused.
    inherited: Vec<Inherited>,
    /// Whether a process wrote more answers than there were requests.
    out_of_step: bool,
    /// The number of suspects that were run again.
    unasked: usize,
    journal: Option<&'p mut Journal>,
    progress: &'p mut dyn FnMut(&Case, &Response),
}

impl Round<'_, '_> {
    /// Runs `cases` with `jobs` workers and collects the responses.
    fn run(&mut self, task: Task, cases: &[usize], jobs: usize) {
        if cases.is_empty() {
            return;
        }
        self.shared.begin(task);
        let (sender, receiver) = mpsc::channel();
        let shared = &self.shared;
        let responses = &mut self.responses;
        let suspects = &mut self.suspects;
        let doubtful = &mut self.doubtful;
        let loose = &mut self.loose;
        let inherited = &mut self.inherited;
        let out_of_step = &mut self.out_of_step;
        let progress = &mut self.progress;
        let journal = &mut self.journal;
        thread::scope(|scope| {
            for _ in 0..jobs.clamp(1, cases.len()) {
                let sender = sender.clone();
                let worker = move || match Worker::new(shared, task, cases, sender) {
                    Ok(worker) => worker.work(),
                    Err(error) => shared.give_up(worker::no_scratch(&error)),
                };
                let thread = thread::Builder::new().stack_size(STACK);
                if let Err(error) = thread.spawn_scoped(scope, worker) {
                    shared.give_up(format!("cannot start a worker: {error}"));
                }
            }
            drop(sender);
            let mut over = None;
            loop {
                let answered = match receiver.recv_timeout(GLANCE) {
                    Ok(answered) => answered,
                    Err(RecvTimeoutError::Timeout) => {
                        if shared.is_cut_short()
                            && over.get_or_insert_with(Instant::now).elapsed() >= GRACE
                        {
                            shared.assignment.containment.halt();
                        }
                        continue;
                    }
                    Err(RecvTimeoutError::Disconnected) => break,
                };
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
                    Answered::Doubtful(cases) => doubtful.extend(cases),
                    Answered::Loose(crash) => loose.push(crash),
                    Answered::Inherited(crash) => inherited.push(crash),
                }
            }
        });
    }

    /// Reruns cases, each alone in a fresh process, if the reader gave no valid answer when they
    /// ran together with other cases, if their answers may belong to other cases, or if their
    /// process exited with a failure right after them.
    fn recheck(&mut self, jobs: usize) {
        let mut cases = self.broken(|breakdown| !matches!(breakdown, Breakdown::Hang(_)));
        let suspects = std::mem::take(&mut self.suspects);
        self.forget(&suspects);
        self.unasked += suspects.len();
        cases.extend(suspects);
        cases.append(&mut self.doubtful);
        cases.sort_unstable();
        cases.dedup();
        self.out_of_step = false;
        self.run(Task::Alone, &cases, jobs);
        if self.out_of_step {
            // A process that writes two answers per request may have died before this was noticed,
            // so all other answers are suspect too.
            let rest: Vec<usize> = (0..self.responses.len())
                .filter(|index| self.responses[*index].is_some())
                .filter(|index| cases.binary_search(index).is_err())
                .collect();
            self.forget(&rest);
            self.run(Task::Alone, &rest, jobs);
        }
    }

    /// Finds the earlier cases that caused a crash noticed during a later case, if the later case
    /// does not crash when run alone. Reruns each suspected earlier case alone, in a process that
    /// is watched until it exits.
    fn recheck_inherited(&mut self, jobs: usize) {
        for Inherited { during, before } in std::mem::take(&mut self.inherited) {
            // The case was answered when it ran alone, even if the process crashed afterwards.
            let is_answered = self.responses[during].as_ref().is_some_and(|response| {
                response.unsteady.is_some()
                    || matches!(
                        response.answer,
                        Answer::Broke(Breakdown::Crash(Death::AtExit, _))
                    )
            });
            if !is_answered {
                continue;
            }
            self.run(Task::Alone, &before, jobs);
            if self.crashed(&before) > 0
                && let Some(response) = &mut self.responses[during]
            {
                response.unsteady = None;
                if let Some(journal) = &mut self.journal {
                    journal.add(self.shared.assignment.cases[during], response);
                }
            }
        }
    }

    /// Finds the cases that caused crashes reported outside any case. Reruns each case that the
    /// crashed process had answered, alone in a process that is watched until it exits. Returns the
    /// crashes that cannot be attributed to particular cases.
    fn recheck_loose(&mut self, jobs: usize) -> Vec<LooseCrash> {
        let mut unexplained = Vec::new();
        for Loose { breakdown, cases } in std::mem::take(&mut self.loose) {
            let answered = cases.len();
            let cases = &cases[..answered.min(MOST_LOOSE)];
            let before: Vec<_> = cases.iter().map(|it| self.responses[*it].clone()).collect();
            let crashed = self.crashed(cases);
            self.run(Task::Alone, cases, jobs);
            let showed = self.crashed(cases).saturating_sub(crashed);
            // A crash that occurs in every case does not depend on any particular case.
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

    /// Returns how many of the cases crashed.
    fn crashed(&self, cases: &[usize]) -> usize {
        let crashed = self.broken(|breakdown| matches!(breakdown, Breakdown::Crash(..)));
        let crashed = crashed.iter().filter(|index| cases.contains(index));
        crashed.count()
    }

    /// Discards answers that may belong to other cases, even if no new answer is obtained.
    fn forget(&mut self, cases: &[usize]) {
        for index in cases {
            self.responses[*index] = None;
            if let Some(journal) = &mut self.journal {
                journal.forget(self.shared.assignment.cases[*index]);
            }
        }
    }

    /// Reruns the cases that timed out, with nothing else running, until several in a row time out
    /// again. Returns a message about the cases that were not rerun.
    fn recheck_hung(&mut self) -> Option<String> {
        let is_hang = |breakdown: &Breakdown| matches!(breakdown, Breakdown::Hang(_));
        let hung = self.broken(is_hang);
        // If the reader has answered no case at all, a busy machine is not the reason for the
        // timeouts, so a single rerun is enough.
        let convincing = match self.shared.has_answered() {
            true => CONVINCING,
            false => 1,
        };
        let mut in_a_row = 0;
        for (tried, index) in hung.iter().enumerate() {
            let left = || format!("{} of {} hangs", hung.len() - tried, hung.len());
            if in_a_row == convincing {
                let again = match convincing {
                    1 => "the first".to_owned(),
                    _ => format!("{convincing} in a row"),
                };
                return Some(format!(
                    "{} were not retried in isolation because {again} hung again",
                    left()
                ));
            }
            // The first of these cases is run even if the earlier round was ended, because timeouts
            // may be what ended it.
            if tried > 0 && self.shared.is_over() {
                let left = left();
                return Some(format!(
                    "{left} were not retried in isolation because the run ended first"
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
    use tracegauge_protocol::Breach;
    matches!(
        response.answer,
        Answer::Broke(Breakdown::Protocol(Breach::AfterClosing(_)))
    )
}

/// Stores a response. If the reader gave no valid answer when the case ran together with others but
/// answers when the case runs alone, the response records the earlier failure.
fn take_in(place: &mut Option<Response>, mut response: Response, task: Task) {
    if let (Task::Alone, Some(before)) = (task, place.as_ref())
        && let (Answer::Broke(breakdown), false) =
            (&before.answer, matches!(response.answer, Answer::Broke(_)))
    {
        response.unsteady = Some(breakdown.clone());
    }
    *place = Some(response);
}
