//! The state shared by the workers of a run.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use tracegauge_judge::Response;
use tracegauge_protocol::{Answer, Breakdown, Greeting};

use super::Assignment;
use super::stillborn;
use crate::lock::lock;

/// The number of consecutive timeouts that ends a run. The remaining cases would probably time out
/// too, and the run could take days.
const HANGS: usize = 10;
/// The number of cases after which a run ends if the reader has not answered any case. For
/// timeouts, the number of workers is used instead if it is larger, up to `HANGS`, because all
/// workers start their first case at the same time.
const FIRST: usize = 3;
/// The number of cases at the start of a run after which a reader that has exited in each of them
/// counts as one that cannot run. Many malformed traces in a row may make a working reader crash.
const UNANSWERED: usize = 50;

/// The number of consecutive cases without a valid answer, not counting timeouts, that ends a run.
/// The remaining cases would reveal nothing new.
const BREAKDOWNS: usize = 200;

/// The kind of process that runs a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// A process that also answers other cases.
    Among,
    /// A process of its own, whose output is read to the end.
    Alone,
}

/// The decision about a response that suggests that the program failed before it could read the
/// trace.
enum Stillborn {
    /// The run continues, because the program has not failed often enough to end it.
    Perhaps,
    /// The run ends, for the reason in the string.
    Again(String),
}

/// The state shared by the workers of a run.
#[derive(Debug)]
pub(super) struct Shared<'r> {
    pub(super) assignment: Assignment<'r>,
    next: AtomicUsize,
    hangs: AtomicUsize,
    breakdowns: AtomicUsize,
    ended: AtomicBool,
    /// Whether any process was started.
    started: AtomicBool,
    /// Whether the reader has answered any case.
    answered: AtomicBool,
    /// The number of responses that suggest that the program failed before it could read the trace.
    stillborn: AtomicUsize,
    greeting: Mutex<Option<Greeting>>,
    gave_up: Mutex<Option<String>>,
}

impl<'r> Shared<'r> {
    pub(super) fn new(assignment: &Assignment<'r>) -> Self {
        Self {
            assignment: *assignment,
            next: AtomicUsize::new(0),
            hangs: AtomicUsize::new(0),
            breakdowns: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            started: AtomicBool::new(false),
            answered: AtomicBool::new(false),
            stillborn: AtomicUsize::new(0),
            greeting: Mutex::default(),
            gave_up: Mutex::default(),
        }
    }

    /// Prepares the state for running another list of cases.
    pub(super) fn begin(&self, task: Task) {
        self.next.store(0, Ordering::Relaxed);
        if task == Task::Alone {
            // The earlier failures are the reason for running these cases again and must not stop
            // the workers.
            self.hangs.store(0, Ordering::Relaxed);
            self.breakdowns.store(0, Ordering::Relaxed);
            self.ended.store(false, Ordering::Relaxed);
        }
    }

    /// Returns the index of the next of `count` cases, or `None` if there are no more or the run
    /// should end.
    pub(super) fn claim(&self, count: usize) -> Option<usize> {
        if self.is_over() {
            return None;
        }
        let next = self.next.fetch_add(1, Ordering::Relaxed);
        (next < count).then_some(next)
    }

    /// Returns whether the workers should stop.
    pub(super) fn is_over(&self) -> bool {
        self.ended.load(Ordering::Relaxed) || self.is_cut_short()
    }

    /// Returns whether the run has been interrupted or has reached its time limit.
    pub(super) fn is_cut_short(&self) -> bool {
        self.assignment.stop.load(Ordering::Relaxed) || self.assignment.time.is_over()
    }

    /// Counts a response, and stops the workers after too many consecutive cases without a valid
    /// answer, or after a few such cases at the start of a run.
    pub(super) fn count(&self, response: &Response) {
        match self.stillborn(response) {
            Some(Stillborn::Again(why)) => return self.give_up(why),
            Some(Stillborn::Perhaps) => return,
            None => {}
        }
        match &response.answer {
            Answer::Broke(Breakdown::Hang(timeout)) => {
                let hangs = self.hangs.fetch_add(1, Ordering::Relaxed) + 1;
                let first = FIRST.max(self.assignment.jobs).min(HANGS);
                if hangs >= HANGS {
                    self.give_up(format!("the reader hung in {HANGS} cases in a row"));
                } else if hangs >= first && !self.has_answered() {
                    self.give_up(format!(
                        "none of the first {first} cases was answered within {timeout:?}; if the \
                         reader needs more time, set `timeout` in the reader file"
                    ));
                }
            }
            Answer::Broke(_) => {
                let broken = self.breakdowns.fetch_add(1, Ordering::Relaxed) + 1;
                if broken >= BREAKDOWNS {
                    self.give_up(format!(
                        "the reader gave no valid answer to {BREAKDOWNS} cases in a row"
                    ));
                } else if broken >= UNANSWERED
                    && !self.has_answered()
                    && let Some(why) = stillborn::ended(response)
                {
                    self.stillborn.store(FIRST, Ordering::Relaxed);
                    self.give_up(format!(
                        "the reader answered none of the first {UNANSWERED} cases: {why}"
                    ));
                }
            }
            _ => {
                self.answered.store(true, Ordering::Relaxed);
                self.hangs.store(0, Ordering::Relaxed);
                self.breakdowns.store(0, Ordering::Relaxed);
            }
        }
    }

    /// Records that the reader has answered cases in an earlier run.
    pub(super) fn resume(&self) {
        self.answered.store(true, Ordering::Relaxed);
    }

    /// Returns whether the reader has answered any case, correctly or not.
    pub(super) fn has_answered(&self) -> bool {
        self.answered.load(Ordering::Relaxed)
    }

    /// Counts a response that suggests that the program failed before it could read the trace, and
    /// decides whether to end the run. Returns `None` for other responses, and once the reader has
    /// answered a case.
    fn stillborn(&self, response: &Response) -> Option<Stillborn> {
        if self.has_answered() {
            return None;
        }
        let why = stillborn::reason(self.assignment.launch, response)?;
        self.stillborn.fetch_add(1, Ordering::Relaxed);
        Some(match self.is_stillborn() {
            true => Stillborn::Again(why),
            false => Stillborn::Perhaps,
        })
    }

    /// Returns true if the program was never able to read a trace.
    pub(super) fn is_stillborn(&self) -> bool {
        let few = FIRST.min(self.assignment.cases.len());
        !self.has_answered() && self.stillborn.load(Ordering::Relaxed) >= few
    }

    /// Stops the workers for the reason `why`. Only the first reason is remembered.
    pub(super) fn give_up(&self, why: String) {
        self.ended.store(true, Ordering::Relaxed);
        lock(&self.gave_up).get_or_insert(why);
    }

    pub(super) fn started(&self, greeting: Option<&Greeting>) {
        if !self.started.swap(true, Ordering::Relaxed) {
            *lock(&self.greeting) = greeting.cloned();
        }
    }

    /// Returns the reader's answer to the greeting, if it has been received.
    pub(super) fn greeting(&self) -> Option<Greeting> {
        lock(&self.greeting).clone()
    }

    pub(super) fn was_started(&self) -> bool {
        self.started.load(Ordering::Relaxed)
    }

    pub(super) fn into_parts(self) -> (Option<Greeting>, Option<String>) {
        let interrupted = self.assignment.stop.load(Ordering::Relaxed);
        let gave_up = lock(&self.gave_up).take();
        let gave_up = gave_up.or_else(|| interrupted.then(|| "interrupted".to_owned()));
        let gave_up = gave_up.or_else(|| self.assignment.time.why());
        (lock(&self.greeting).take(), gave_up)
    }
}
