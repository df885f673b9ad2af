//! Handling of processes that a reader abandons by leaving its process group.
//!
//! Where supported, the kernel reparents them to this process. Abandoned processes then appear as
//! children of the main thread, which starts no readers itself.

use std::collections::BTreeSet;

/// The number of rounds of killing before giving up on a reader that forks faster than they can be
/// killed.
const ROUNDS: usize = 64;

#[derive(Debug)]
pub(super) struct Orphans {
    adopted: bool,
    /// Children that existed before any reader was started and must not be killed.
    before: BTreeSet<i32>,
}

impl Orphans {
    /// Asks the kernel to reparent abandoned processes to this process.
    pub(super) fn adopt() -> Self {
        Self {
            adopted: system::adopt(),
            before: system::children().into_iter().collect(),
        }
    }

    pub(super) fn adopted(&self) -> bool {
        self.adopted
    }

    /// Kills and reaps every abandoned process outside the process groups in `live`. Killing a
    /// process may reparent its children to us, so this repeats until none are left.
    pub(super) fn sweep(&self, live: &BTreeSet<i32>) {
        if !self.adopted {
            return;
        }
        for _ in 0..ROUNDS {
            let found: Vec<i32> = system::children()
                .into_iter()
                .filter(|pid| !self.before.contains(pid) && !live.contains(pid))
                .filter(|pid| system::group(*pid).is_none_or(|group| !live.contains(&group)))
                .collect();
            if found.is_empty() {
                return;
            }
            found.into_iter().for_each(system::end);
        }
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::process::{
        Pid, Signal, WaitOptions, getpgid, getpid, kill_process, set_child_subreaper, waitpid,
    };

    /// How long to wait for a killed process to end.
    const PATIENCE: Duration = Duration::from_millis(20);

    /// The interval at which to check whether it has ended.
    const GLANCE: Duration = Duration::from_micros(100);

    pub(super) fn adopt() -> bool {
        set_child_subreaper(Some(getpid())).is_ok()
            && std::path::Path::new("/proc/self/task").exists()
    }

    pub(super) fn children() -> Vec<i32> {
        let main = getpid().as_raw_nonzero();
        std::fs::read_to_string(format!("/proc/self/task/{main}/children"))
            .map(|text| {
                text.split_whitespace()
                    .filter_map(|pid| pid.parse().ok())
                    .collect()
            })
            .unwrap_or_default()
    }

    pub(super) fn group(pid: i32) -> Option<i32> {
        let group = getpgid(Some(Pid::from_raw(pid)?)).ok()?;
        Some(group.as_raw_nonzero().get())
    }

    pub(super) fn end(pid: i32) {
        if let Some(pid) = Pid::from_raw(pid) {
            // Killing fails only if the process is already gone.
            let _ = kill_process(pid, Signal::KILL);
            let began = Instant::now();
            // The first process of a namespace ends only after all others in it, and those may have
            // to be reaped by a thread that waits for this one. So the wait is limited.
            while matches!(waitpid(Some(pid), WaitOptions::NOHANG), Ok(None))
                && began.elapsed() < PATIENCE
            {
                thread::sleep(GLANCE);
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub(super) fn adopt() -> bool {
        false
    }

    pub(super) fn children() -> Vec<i32> {
        Vec::new()
    }

    pub(super) fn group(_: i32) -> Option<i32> {
        None
    }

    pub(super) fn end(_: i32) {}
}
