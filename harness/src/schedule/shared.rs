//! The state shared by the workers of a run.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::Assignment;
use crate::lock::lock;
use crate::protocol::{Answer, Breakdown, Greeting};

/// After this many timeouts in a row, the run ends, because the rest would probably time out too
/// and take days.
const HANGS: usize = 10;
/// After this many other breakdowns in a row, the run ends, because the rest would reveal nothing
/// new.
const BREAKDOWNS: usize = 200;

/// How to run a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// In a process that answers other cases too.
    Among,
    /// In a process of its own, whose output is read to the end.
    Alone,
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
            greeting: Mutex::default(),
            gave_up: Mutex::default(),
        }
    }

    /// Begins another task.
    pub(super) fn begin(&self, task: Task) {
        self.next.store(0, Ordering::Relaxed);
        if task == Task::Alone {
            // Earlier breakdowns are the reason for this task and must not end it.
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

    /// Returns whether the task or the run should end.
    pub(super) fn is_over(&self) -> bool {
        self.ended.load(Ordering::Relaxed) || self.assignment.stop.load(Ordering::Relaxed)
    }

    /// Counts an answer. Too many breakdowns in a row end the task.
    pub(super) fn count(&self, answer: &Answer) {
        match answer {
            Answer::Broke(Breakdown::Hang(_)) => {
                if self.hangs.fetch_add(1, Ordering::Relaxed) + 1 >= HANGS {
                    self.give_up(format!("{HANGS} cases in a row hung"));
                }
            }
            Answer::Broke(_) => {
                if self.breakdowns.fetch_add(1, Ordering::Relaxed) + 1 >= BREAKDOWNS {
                    self.give_up(format!("{BREAKDOWNS} cases in a row broke down"));
                }
            }
            _ => {
                self.hangs.store(0, Ordering::Relaxed);
                self.breakdowns.store(0, Ordering::Relaxed);
            }
        }
    }

    /// Ends the task because of `why`. Only the first reason is kept.
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
        (lock(&self.greeting).take(), gave_up)
    }
}
