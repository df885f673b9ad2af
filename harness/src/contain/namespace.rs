//! A namespace of processes: what is started in it dies with its first process, at once and
//! however it has gone into hiding, and sees no process outside.
//!
//! The first process is a shell that has become `cat`: it ends when we do, since only we hold the
//! other end of what it reads. Without a `/proc` of its own a reader would find other processes
//! under the numbers that it knows, so the namespace has one, in a namespace of mounts.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::lock::lock;

/// What the first process does before it waits for our end.
const FIRST: &str = "mount -t proc proc /proc && echo ready && exec cat";

/// How long the end of a namespace is waited for.
const PATIENCE: Duration = Duration::from_secs(1);

/// The first process of a namespace.
#[derive(Debug)]
pub(super) struct Namespace {
    pid: u32,
    /// Nothing, once the namespace is over.
    first: Mutex<Option<Child>>,
}

impl Namespace {
    /// Makes the calling thread start all processes in a new namespace. Where this fails the
    /// thread is good for nothing any more.
    ///
    /// # Errors
    /// This user may not make one, or it would be without a `/proc` of its own.
    pub(super) fn enter() -> io::Result<Self> {
        system::unshare()?;
        let mut first = Command::new("/bin/sh")
            .args(["-c", FIRST])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut said = String::new();
        if let Some(output) = first.stdout.take() {
            BufReader::new(output).read_line(&mut said)?;
        }
        let namespace = Self {
            pid: first.id(),
            first: Mutex::new(None),
        };
        if said.trim() != "ready" {
            let mut why = String::new();
            if let Some(errors) = first.stderr.as_mut() {
                errors.take(400).read_to_string(&mut why)?;
            }
            *lock(&namespace.first) = Some(first);
            let why = why.lines().next().unwrap_or_default();
            return Err(io::Error::other(format!("its /proc cannot be had: {why}")));
        }
        *lock(&namespace.first) = Some(first);
        Ok(namespace)
    }

    /// Whether processes can still be started in it.
    pub(super) fn lives(&self) -> bool {
        lock(&self.first).is_some()
    }

    /// Ends the namespace where something is in it that was abandoned: its first process has been
    /// handed it. To be called when no process is left in it that is our own child.
    pub(super) fn sweep(&self) {
        let path = format!("/proc/{0}/task/{0}/children", self.pid);
        let children = std::fs::read_to_string(path);
        if children.is_ok_and(|children| !children.trim().is_empty()) {
            self.end();
        }
    }

    /// Ends it with all that is in it.
    pub(super) fn end(&self) {
        if let Some(mut first) = lock(&self.first).take() {
            // This fails only where it is gone already, and all else with it.
            let _ = first.kill();
            // It is over only when a reader in it, our own child, has been reaped too: that is not
            // for us to wait for without end.
            let began = Instant::now();
            while matches!(first.try_wait(), Ok(None)) && began.elapsed() < PATIENCE {
                thread::sleep(Duration::from_millis(1));
            }
            if matches!(first.try_wait(), Ok(None)) {
                thread::spawn(move || first.wait());
            }
        }
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::io;

    use nix::sched::{CloneFlags, unshare as leave};
    use rustix::mount::{MountPropagationFlags, mount_change};

    pub(super) fn unshare() -> io::Result<()> {
        leave(CloneFlags::CLONE_NEWNS | CloneFlags::CLONE_NEWPID)?;
        // What is mounted from here on is seen nowhere else.
        let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        Ok(mount_change("/", private)?)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use std::io;

    pub(super) fn unshare() -> io::Result<()> {
        Err(io::Error::other("Linux only"))
    }
}
