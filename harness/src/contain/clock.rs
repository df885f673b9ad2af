//! When a process has had its time: by the processor's time that it used where the system says
//! it, so that a busy machine makes no reader hang.

use std::time::Duration;

use super::usage::{self, Activity};

/// One that still works and has not yet used its time is looked at so often.
const SLICE: Duration = Duration::from_millis(250);
/// One that uses less than this in a slice does nothing but wait.
const IDLE: Duration = Duration::from_millis(10);
/// However busy the machine is, this many times its time is the end.
const MOST: u32 = 8;

/// The time that a process has for one case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    /// What it may use.
    allowed: Duration,
    /// Wall time spent when this began.
    began: Duration,
    /// Wall time until which nothing is asked.
    until: Duration,
    /// Processor time used by then.
    base: Option<Duration>,
    /// Processor time used when it was last asked for.
    last: Duration,
}

impl Clock {
    /// So much time from now on, where `spent` is spent already.
    pub(super) fn new(allowed: Duration, spent: Duration) -> Self {
        Self {
            allowed,
            began: spent,
            until: spent + allowed,
            base: None,
            last: Duration::ZERO,
        }
    }

    /// How much longer it is let alone.
    pub(super) fn left(&self, spent: Duration) -> Duration {
        self.until.saturating_sub(spent)
    }

    /// Looks at `pid` from time to time, the first time soon after the case began.
    pub(super) fn sample(&mut self, pid: i32, spent: Duration) {
        if self.base.is_none()
            && let Some(activity) = usage::activity(pid)
        {
            // What went before this look counts in full: it is a moment.
            let before = spent.saturating_sub(self.began);
            self.base = Some(activity.used.saturating_sub(before));
            self.last = activity.used;
        }
    }

    /// Whether its time is over. One that worked less than its time because others did is given
    /// a little more.
    pub(super) fn is_over(&mut self, pid: i32, spent: Duration) -> bool {
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
