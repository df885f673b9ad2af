//! A PID namespace. When its first process dies, the kernel kills all others in it at once, even
//! those that have left their process group or session. Processes inside cannot see those outside.
//!
//! The first process is a shell that becomes `cat`. That process ends when this program does,
//! because only this program holds the other end of its standard input. With the `/proc` of the
//! system, a reader that looks up one of its process ids would find an unrelated process. So the
//! namespace comes with a mount namespace that has its own `/proc`.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use crate::lock::lock;

/// The script that the first process runs. The script ends as `cat`, which waits for this program
/// to end.
const FIRST: &str = "mount -t proc proc /proc && echo ready && exec cat";

/// How long to wait for the end of a namespace.
const PATIENCE: Duration = Duration::from_secs(1);

/// A PID namespace, represented by its first process.
#[derive(Debug)]
pub(super) struct Namespace {
    pid: u32,
    /// The first process, or `None` once the namespace has ended.
    first: Mutex<Option<Child>>,
}

impl Namespace {
    /// Creates a new namespace and makes the calling thread start all processes in it. If this
    /// fails, the thread must not be used anymore.
    ///
    /// # Errors
    /// Returns an error if this user may not create a namespace or mount its own `/proc`.
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
            return Err(io::Error::other(format!("cannot mount /proc: {why}")));
        }
        *lock(&namespace.first) = Some(first);
        Ok(namespace)
    }

    /// Returns whether processes can still be started in the namespace.
    pub(super) fn lives(&self) -> bool {
        lock(&self.first).is_some()
    }

    /// Ends the namespace if it contains abandoned processes, which are children of its first
    /// process. Call this only when none of our own child processes is left in the namespace.
    pub(super) fn sweep(&self) {
        let path = format!("/proc/{0}/task/{0}/children", self.pid);
        let children = std::fs::read_to_string(path);
        if children.is_ok_and(|children| !children.trim().is_empty()) {
            self.end();
        }
    }

    /// Ends the namespace and kills all processes in it.
    pub(super) fn end(&self) {
        if let Some(mut first) = lock(&self.first).take() {
            // `kill` fails only if the process is already gone, and the whole namespace with it.
            let _ = first.kill();
            // The first process ends only after a reader in the namespace, which is our own child,
            // has been reaped too. So the wait here is limited.
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
        // Mounts made from now on must not be visible elsewhere.
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
