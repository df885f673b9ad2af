//! Lines that say how far the run of a reader is, where there is no terminal for a bar.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tracegauge_reports::text::{counted, visible};

use crate::lock::lock;

/// Between one line and the next. Most readers are done before the first.
pub(super) const PAUSE: Duration = Duration::from_secs(10);

/// Says how far a reader is, until it is dropped.
#[derive(Debug)]
pub(in crate::commands) struct Lines {
    count: Arc<Mutex<Count>>,
    end: Option<Sender<()>>,
    clock: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Count {
    answered: usize,
    failures: usize,
}

impl Lines {
    /// Begins with a reader called `name` that is given so many cases; `say` hears a line each
    /// `pause`, whether or not anything was answered.
    pub(super) fn begin(
        name: &str,
        cases: usize,
        pause: Duration,
        say: impl Fn(String) + Send + 'static,
    ) -> Self {
        let count = Arc::new(Mutex::new(Count::default()));
        let (end, ended) = mpsc::channel();
        let (name, counts) = (visible(name).into_owned(), Arc::clone(&count));
        let began = Instant::now();
        let tell = move || {
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                let told = lock(&counts).told(cases);
                say(format!("{name}: {told}, {} s", began.elapsed().as_secs()));
            }
        };
        Self {
            count,
            end: Some(end),
            // Without a thread nothing is said, and all goes on.
            clock: thread::Builder::new().spawn(tell).ok(),
        }
    }

    /// One more case was answered.
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
            "; what broke down is tried again"
        } else {
            ""
        };
        format!(
            "{} of {cases} cases answered, {failures} so far{again}",
            self.answered
        )
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(clock) = self.clock.take() {
            // It has nothing left to do but to end.
            let _ = clock.join();
        }
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
        assert!(line("2 of 2 cases answered, 1 failure so far; what broke"));
        drop(lines);
        while said.try_recv().is_ok() {}
        assert!(said.recv().is_err(), "nobody is left to say anything");
    }
}
