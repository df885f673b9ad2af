//! Progress as lines of text, for output that is not a terminal.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tracegauge_results::text::{counted, visible};

use tracegauge_harness::lock::lock;

/// The time between two lines. Most readers finish before the first line is printed.
pub(super) const PAUSE: Duration = Duration::from_secs(10);

/// A thread that reports at regular intervals until it is dropped.
#[derive(Debug)]
struct Clock {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Clock {
    /// Starts a thread that calls `tell` after each `pause`, with the seconds since the start.
    fn begin(pause: Duration, tell: impl Fn(u64) + Send + 'static) -> Self {
        let (end, ended) = mpsc::channel();
        let began = Instant::now();
        let tick = move || {
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                tell(began.elapsed().as_secs());
            }
        };
        Self {
            end: Some(end),
            // If the thread cannot be started, no progress is reported.
            thread: thread::Builder::new().spawn(tick).ok(),
        }
    }
}

impl Drop for Clock {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // The thread has no result to check.
            let _ = thread.join();
        }
    }
}

/// Reports the number of completed steps until it is dropped.
#[derive(Debug)]
pub(crate) struct Steps {
    done: Arc<AtomicU64>,
    _clock: Clock,
}

impl Steps {
    /// Starts reporting on the task `what`, which consists of `steps` steps. `say` receives a line
    /// after each `pause`.
    pub(super) fn begin(
        what: &str,
        steps: u64,
        pause: Duration,
        say: impl Fn(String) + Send + 'static,
    ) -> Self {
        let done = Arc::new(AtomicU64::new(0));
        let (what, counted) = (visible(what).into_owned(), Arc::clone(&done));
        let tell = move |seconds| {
            let done = counted.load(Ordering::Relaxed);
            say(format!("{what}: {done} of {steps} steps done, {seconds} s"));
        };
        Self {
            done,
            _clock: Clock::begin(pause, tell),
        }
    }

    /// Counts a completed step.
    pub(super) fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

/// Reports the progress of a reader until it is dropped.
#[derive(Debug)]
pub(crate) struct Lines {
    count: Arc<Mutex<Count>>,
    _clock: Clock,
}

#[derive(Debug, Default)]
struct Count {
    answered: usize,
    failures: usize,
}

impl Lines {
    /// Starts reporting on the reader `name`, which runs on `cases` cases. `say` receives a line
    /// after each `pause`, whether or not a case was answered.
    pub(super) fn begin(
        name: &str,
        cases: usize,
        pause: Duration,
        say: impl Fn(String) + Send + 'static,
    ) -> Self {
        let count = Arc::new(Mutex::new(Count::default()));
        let (name, counts) = (visible(name).into_owned(), Arc::clone(&count));
        let tell = move |seconds| {
            let told = lock(&counts).told(cases);
            say(format!("{name}: {told}, {seconds} s"));
        };
        Self {
            count,
            _clock: Clock::begin(pause, tell),
        }
    }

    /// Counts an answered case.
    pub(super) fn answered(&self, fails: bool) {
        let mut count = lock(&self.count);
        count.answered += 1;
        count.failures += usize::from(fails);
    }
}

impl Count {
    fn told(&self, cases: usize) -> String {
        let failures = counted(self.failures, "failure");
        let again = if self.answered == cases {
            "; retrying cases without a valid answer"
        } else {
            ""
        };
        format!(
            "{} of {cases} cases answered, {failures} so far{again}",
            self.answered
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_now_and_then_and_none_after_the_end() {
        let (sender, said) = mpsc::channel();
        let pause = Duration::from_millis(20);
        let lines = Lines::begin("a\u{1b}b", 2, pause, move |line| {
            let _ = sender.send(line);
        });
        assert_eq!(
            said.recv().unwrap(),
            "a\\u{1b}b: 0 of 2 cases answered, 0 failures so far, 0 s"
        );
        lines.answered(true);
        let line = |wanted: &str| said.iter().take(500).any(|line| line.contains(wanted));
        assert!(line("1 of 2 cases answered, 1 failure so far"));
        lines.answered(false);
        assert!(line("2 of 2 cases answered, 1 failure so far; retrying"));
        drop(lines);
        while said.try_recv().is_ok() {}
        assert!(said.recv().is_err(), "the thread has ended");
    }

    #[test]
    fn steps_are_told_before_the_first_is_done() {
        let (sender, said) = mpsc::channel();
        let steps = Steps::begin("making cases", 2, Duration::from_millis(20), move |line| {
            let _ = sender.send(line);
        });
        assert_eq!(said.recv().unwrap(), "making cases: 0 of 2 steps done, 0 s");
        steps.step();
        let told = |line: String| line.starts_with("making cases: 1 of 2 steps done");
        assert!(said.iter().take(500).any(told));
    }
}
