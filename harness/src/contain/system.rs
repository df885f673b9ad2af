//! What is asked of the system directly: waiting for several descriptors, and limits that
//! the kernel keeps.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Pid;

use super::Limits;

/// What of a process is waited for; nothing stands for what is over or not wanted.
pub(super) struct Watched<'p> {
    pub(super) output: Option<BorrowedFd<'p>>,
    pub(super) errors: Option<BorrowedFd<'p>>,
    pub(super) exit: Option<BorrowedFd<'p>>,
    pub(super) input: Option<BorrowedFd<'p>>,
}

/// What of a process is ready.
#[derive(Default)]
pub(super) struct Ready {
    pub(super) output: bool,
    pub(super) errors: bool,
    pub(super) exit: bool,
    pub(super) input: bool,
}

impl Ready {
    pub(super) fn any(&self) -> bool {
        self.output || self.errors || self.exit || self.input
    }
}

impl Watched<'_> {
    /// Waits until something is ready, or the time is over.
    pub(super) fn wait(&self, timeout: Duration) -> Ready {
        let wanted = [
            (self.output, PollFlags::IN),
            (self.errors, PollFlags::IN),
            (self.exit, PollFlags::IN),
            (self.input, PollFlags::OUT),
        ];
        let mut descriptors: Vec<PollFd<'_>> = wanted
            .iter()
            .filter_map(|(fd, flags)| fd.map(|fd| PollFd::from_borrowed_fd(fd, *flags)))
            .collect();
        let timeout = Timespec {
            tv_sec: timeout.as_secs().try_into().unwrap_or(i64::MAX),
            tv_nsec: timeout.subsec_nanos().into(),
        };
        // An interruption is like a time in which nothing happened.
        if poll(&mut descriptors, Some(&timeout)).is_err() {
            return Ready::default();
        }
        let mut answers = descriptors.iter().map(|fd| !fd.revents().is_empty());
        let mut is_ready =
            |fd: Option<BorrowedFd<'_>>| fd.is_some() && answers.next() == Some(true);
        Ready {
            output: is_ready(self.output),
            errors: is_ready(self.errors),
            exit: is_ready(self.exit),
            input: is_ready(self.input),
        }
    }
}

/// Makes reads and writes return at once where there is nothing to do.
pub(super) fn unblock(fd: impl AsFd) -> io::Result<()> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    let flags = fcntl_getfl(&fd)?;
    Ok(fcntl_setfl(&fd, flags | OFlags::NONBLOCK)?)
}

/// A descriptor by which the end of a process can be waited for together with its output.
#[cfg(target_os = "linux")]
pub(super) fn descriptor(pid: Pid) -> Option<OwnedFd> {
    use rustix::process::{PidfdFlags, pidfd_open};
    pidfd_open(pid, PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn descriptor(_: Pid) -> Option<OwnedFd> {
    None
}

/// Has this process, and all that it starts from now on, write no core files. Readers are born with
/// this limit: a runtime that reads its limits at its start and sets them, as AddressSanitizer does,
/// fails where somebody lowers them in between. They may raise it again, to what they were allowed
/// before; a core is then one of their files, and bounded as those are.
pub(super) fn forbid_cores() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = Rlimit {
        current: Some(0),
        ..getrlimit(Resource::Core)
    };
    // Whoever may lower a limit at all may lower this one.
    let _ = setrlimit(Resource::Core, limit);
}

/// Limits that the kernel keeps, set from outside just after the start: for readers without a launcher.
#[cfg(target_os = "linux")]
pub(super) fn restrict(pid: Pid, limits: &Limits) {
    use rustix::process::{Resource, Rlimit, prlimit};
    /// Enough for every runtime, too few to use up the system's.
    const OPEN_FILES: u64 = 1024;
    let most = |most: u64| Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    // A limit that is lower already cannot be raised, and need not be.
    let _ = prlimit(Some(pid), Resource::Fsize, most(limits.scratch));
    let _ = prlimit(Some(pid), Resource::Nofile, most(OPEN_FILES));
}

#[cfg(not(target_os = "linux"))]
pub(super) fn restrict(_: Pid, _: &Limits) {}
