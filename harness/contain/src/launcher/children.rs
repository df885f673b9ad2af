//! The readers that a launcher has started, and the processes that they leave behind.
//!
//! Processes whose parents exit become children of the launcher, either because the launcher is the
//! first process of a process namespace or because it is a child subreaper.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal;
use nix::unistd::Pid as AnyPid;
use rustix::process::{
    Pid, Signal, WaitOptions, getpid, kill_process, kill_process_group, wait, waitpid,
};

/// The maximum number of attempts to kill all processes of readers that fork faster than they can
/// be killed. Only readers outside a process namespace can fork that fast.
const ROUNDS: usize = 256;

/// The maximum number of processes to reap before the next attempt to kill. Processes that fork and
/// exit at once could otherwise keep the launcher busy with reaping.
const REAPED: usize = 1024;

/// The maximum time to wait for killed processes to exit.
const PATIENCE: Duration = Duration::from_secs(10);

/// The interval at which to check whether killed processes have exited.
const GLANCE: Duration = Duration::from_micros(200);

/// The readers of a launcher.
#[derive(Debug)]
pub(super) struct Children {
    running: Vec<Child>,
    /// Whether this process is the first process of a process namespace.
    is_first: bool,
}

impl Children {
    pub(super) fn new(is_first: bool) -> Self {
        Self {
            running: Vec::new(),
            is_first,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    pub(super) fn add(&mut self, child: Child) {
        self.running.push(child);
    }

    /// Kills a reader with its process group and returns its status. If this was the last reader,
    /// also kills all processes that readers have left behind.
    pub(super) fn end(&mut self, pid: i32) -> Option<i32> {
        let at = self.running.iter().position(|it| number(it) == pid)?;
        let mut child = self.running.swap_remove(at);
        // Until the leader is reaped, the id of the group cannot be reused. Killing fails only if
        // no process is left.
        let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
        let status = child.wait().ok()?;
        if self.running.is_empty() {
            self.sweep();
        }
        Some(status.into_raw())
    }

    /// Reaps abandoned processes that have exited, so that they no longer count as processes of the
    /// reader.
    pub(super) fn reap(&self) {
        for pid in children() {
            let is_reader = self
                .running
                .iter()
                .any(|child| Pid::from_child(child) == pid);
            if !is_reader {
                let _ = waitpid(Some(pid), WaitOptions::NOHANG);
            }
        }
    }

    /// Kills all remaining processes.
    fn sweep(&self) {
        let began = Instant::now();
        for _ in 0..ROUNDS {
            self.kill_all();
            for _ in 0..REAPED {
                match wait(WaitOptions::NOHANG) {
                    Ok(Some(_)) => {}
                    Ok(None) => break,
                    // No process is left.
                    Err(_) => return,
                }
            }
            if began.elapsed() > PATIENCE {
                return;
            }
            thread::sleep(GLANCE);
        }
    }

    fn kill_all(&self) {
        if self.is_first {
            // This signal reaches all processes of the namespace except this one, and no others.
            let _ = signal::kill(AnyPid::from_raw(-1), signal::Signal::SIGKILL);
            return;
        }
        // When a process is killed, its children may become children of this process, so repeat
        // until none is left.
        for pid in children() {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        for child in &mut self.running {
            let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
        }
        self.sweep();
    }
}

fn number(child: &Child) -> i32 {
    Pid::from_child(child).as_raw_nonzero().get()
}

/// Returns the children of this process.
fn children() -> Vec<Pid> {
    let own = getpid().as_raw_nonzero();
    let text = fs::read_to_string(format!("/proc/self/task/{own}/children")).unwrap_or_default();
    text.split_whitespace()
        .filter_map(|pid| Pid::from_raw(pid.parse().ok()?))
        .collect()
}
