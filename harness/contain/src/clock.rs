//! Time limits of processes. A limit applies to CPU time where the system reports it, so that
//! readers do not time out on a busy machine.

use std::time::Duration;

use crate::usage::{self, Activity};

/// The interval at which to check a process that is still working and has CPU time left.
const SLICE: Duration = Duration::from_millis(250);
/// A process that uses less CPU time than this in a [`SLICE`] is considered to be waiting.
const IDLE: Duration = Duration::from_millis(10);
/// The maximum wall time of a process on a busy machine, as a multiple of its time limit.
const MOST: u32 = 8;

/// The time limit of a process for one case.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    /// The allowed time.
    allowed: Duration,
    /// The wall time that the process had already taken when the case began.
    began: Duration,
    /// The wall time of the next check.
    until: Duration,
    /// The CPU time used before the case began.
    base: Option<Duration>,
    /// The CPU time used at the last check.
    last: Duration,
}

impl Clock {
    /// Creates a clock with a limit of `allowed`, counted from now. `spent` is the wall time that
    /// the process has already taken.
    pub(crate) fn new(allowed: Duration, spent: Duration) -> Self {
        Self {
            allowed,
            began: spent,
            until: spent + allowed,
            base: None,
            last: Duration::ZERO,
        }
    }

    /// Returns the wall time until the next check.
    pub(crate) fn left(&self, spent: Duration) -> Duration {
        self.until.saturating_sub(spent)
    }

    /// Samples the CPU time of `pid`. The first call, which is made soon after the case began,
    /// records the CPU time used before the case.
    pub(crate) fn sample(&mut self, pid: i32, spent: Duration) {
        if self.base.is_none()
            && let Some(activity) = usage::activity(pid)
        {
            // All of the short time between the start of the case and this first sample counts as
            // CPU time of the case.
            let before = spent.saturating_sub(self.began);
            self.base = Some(activity.used.saturating_sub(before));
            self.last = activity.used;
        }
    }

    /// Returns whether the process has exceeded the time limit. A process that is still working but
    /// got too little CPU time on a busy machine gets more wall time.
    pub(crate) fn is_over(&mut self, pid: i32, spent: Duration) -> bool {
        if spent < self.until {
            return false;
        }
        let (Some(base), Some(activity)) = (self.base, usage::activity(pid)) else {
            return true;
        };
        let over = self.judge(base, activity, spent);
        self.last = activity.used;
        self.until = spent + SLICE;
        over
    }

    fn judge(&self, base: Duration, activity: Activity, spent: Duration) -> bool {
        let used = activity.used.saturating_sub(base);
        let waits = !activity.running && activity.used.saturating_sub(self.last) < IDLE;
        let longest = self.allowed * MOST;
        waits || used >= self.allowed || spent.saturating_sub(self.began) >= longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn judged(used: Duration, last: Duration, running: bool, spent: Duration) -> bool {
        let mut clock = Clock::new(5 * SECOND, Duration::ZERO);
        clock.last = last;
        clock.judge(Duration::ZERO, Activity { used, running }, spent)
    }

    #[test]
    fn one_that_used_its_time_has_had_it() {
        assert!(judged(5 * SECOND, 4 * SECOND, true, 5 * SECOND));
    }

    #[test]
    fn one_that_waits_has_had_it() {
        assert!(judged(SECOND, SECOND, false, 5 * SECOND));
    }

    #[test]
    fn one_that_others_keep_from_working_goes_on() {
        assert!(!judged(SECOND, SECOND, true, 5 * SECOND));
        assert!(!judged(2 * SECOND, SECOND, false, 5 * SECOND));
    }

    #[test]
    fn patience_has_an_end() {
        assert!(judged(SECOND, SECOND, true, 40 * SECOND));
    }
}
