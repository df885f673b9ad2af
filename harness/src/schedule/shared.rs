//! The state shared by the workers of a run.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::Assignment;
use super::stillborn;
use crate::judge::Response;
use crate::lock::lock;
use crate::protocol::{Answer, Breakdown, Greeting};

/// The number of consecutive timeouts after which the run ends, because the remaining cases would
/// probably time out too and take days.
const HANGS: usize = 10;
/// The number of first cases after which the run ends if the reader has answered none of them. If
/// there are more workers, their number is used instead, because all of them run a first case at
/// the same time.
const FIRST: usize = 3;
/// The number of consecutive cases without a valid answer, not counting timeouts, after which the
/// run ends, because the remaining cases would reveal nothing new.
const BREAKDOWNS: usize = 200;

/// The process in which a case is run.
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
    /// There have been too few such responses to give up.
    Perhaps,
    /// There have been enough such responses to give up, for this reason.
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
    /// The number of cases in which the program failed before it could read the trace.
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

    /// Begins another task.
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
        self.ended.load(Ordering::Relaxed)
            || self.assignment.stop.load(Ordering::Relaxed)
            || self.assignment.time.is_over()
    }

    /// Counts a response. Too many consecutive cases without a valid answer stop the workers. At
    /// the start of a run, a few such cases are enough.
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
                if self.breakdowns.fetch_add(1, Ordering::Relaxed) + 1 >= BREAKDOWNS {
                    self.give_up(format!(
                        "the reader gave no valid answer to {BREAKDOWNS} cases in a row"
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

    /// Returns whether the reader has answered any case, rightly or wrongly.
    pub(super) fn has_answered(&self) -> bool {
        self.answered.load(Ordering::Relaxed)
    }

    /// Counts a response that shows that the program failed before it could read the trace. If no
    /// case has been answered and there were several such failures, returns the reason to give up.
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

    /// Stops the workers for the reason `why`. Only the first reason is kept.
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
