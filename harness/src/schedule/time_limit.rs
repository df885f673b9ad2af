//! The time limit for a whole run.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The fixed part of the default time limit. The limit grows by [`PER_CASE`] for each case of each
/// reader.
const AT_LEAST: Duration = Duration::from_secs(60);
/// The time that each case adds to the default time limit.
const PER_CASE: Duration = Duration::from_secs(1);

/// The time limit for a run of one or more readers, counted from the call to [`TimeLimit::begin`].
#[derive(Debug, Default)]
pub struct TimeLimit {
    /// The limit that the user specified.
    given: Option<Duration>,
    running: OnceLock<Running>,
}

#[derive(Clone, Copy, Debug)]
struct Running {
    began: Instant,
    limit: Duration,
}

impl TimeLimit {
    /// Creates a limit of `given` or, if it is `None`, a default limit that depends on the number
    /// of cases.
    pub fn new(given: Option<Duration>) -> Self {
        Self {
            given,
            running: OnceLock::new(),
        }
    }

    /// Starts the clock for a run with `cases` cases in total for all readers. Large cases may take
    /// `more` time.
    pub fn begin(&self, cases: usize, more: Duration) {
        let cases = u32::try_from(cases).unwrap_or(u32::MAX);
        let usual = || {
            let small = AT_LEAST.saturating_add(PER_CASE.saturating_mul(cases));
            small.saturating_add(more)
        };
        let running = Running {
            began: Instant::now(),
            limit: self.given.unwrap_or_else(usual),
        };
        // Further calls do not restart the clock.
        let _ = self.running.set(running);
    }

    /// Returns whether the time has run out. A limit whose clock has not been started never runs
    /// out.
    pub fn is_over(&self) -> bool {
        let running = self.running.get();
        running.is_some_and(|it| it.began.elapsed() >= it.limit)
    }

    /// Returns the reason why the run ended, if the time has run out.
    pub fn why(&self) -> Option<String> {
        let running = self.running.get().filter(|_| self.is_over())?;
        Some(format!(
            "the run reached its time limit of {:?}; --time-limit changes the limit",
            running.limit
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_grows_with_the_number_of_cases() {
        let limit = TimeLimit::new(None);
        assert!(!limit.is_over());
        limit.begin(513, Duration::from_secs(7));
        let running = limit.running.get().expect("it has begun");
        assert_eq!(running.limit, Duration::from_secs(60 + 513 + 7));
        assert_eq!(limit.why(), None);
    }

    #[test]
    fn a_limit_ends() {
        let limit = TimeLimit::new(Some(Duration::ZERO));
        assert!(!limit.is_over());
        limit.begin(1, Duration::ZERO);
        assert!(limit.is_over());
        assert!(limit.why().is_some());
    }
}
