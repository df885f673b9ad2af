//! Direct system calls for polling several descriptors and for setting limits that the kernel
//! enforces.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Pid;

use crate::Limits;

/// The descriptors of a process to poll. `None` means that the stream has ended or is not of
/// interest.
#[derive(Default)]
pub(crate) struct Watched<'p> {
    pub(crate) output: Option<BorrowedFd<'p>>,
    pub(crate) errors: Option<BorrowedFd<'p>>,
    pub(crate) exit: Option<BorrowedFd<'p>>,
    pub(crate) input: Option<BorrowedFd<'p>>,
}

/// The descriptors of a process that are ready.
#[derive(Default)]
pub(crate) struct Ready {
    pub(crate) output: bool,
    pub(crate) errors: bool,
    pub(crate) exit: bool,
    pub(crate) input: bool,
}

impl Ready {
    pub(crate) fn any(&self) -> bool {
        self.output || self.errors || self.exit || self.input
    }
}

impl Watched<'_> {
    /// Waits until a descriptor is ready or the timeout expires.
    pub(crate) fn wait(&self, timeout: Duration) -> Ready {
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
        // An interrupted call is treated as a timeout.
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

/// Creates a pipe that programs executed by this process do not inherit. Returns the read end and
/// the write end.
pub(crate) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    #[cfg(target_os = "linux")]
    let ends = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?;
    #[cfg(not(target_os = "linux"))]
    let ends = {
        let ends = rustix::pipe::pipe()?;
        for end in [&ends.0, &ends.1] {
            rustix::io::fcntl_setfd(end, rustix::io::FdFlags::CLOEXEC)?;
        }
        ends
    };
    Ok(ends)
}

/// Makes reads and writes return immediately if they would block.
pub(crate) fn unblock(fd: impl AsFd) -> io::Result<()> {
    use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
    let flags = fcntl_getfl(&fd)?;
    Ok(fcntl_setfl(&fd, flags | OFlags::NONBLOCK)?)
}

/// Returns a descriptor for polling for the exit of a process together with its output.
#[cfg(target_os = "linux")]
pub(crate) fn descriptor(pid: Pid) -> Option<OwnedFd> {
    use rustix::process::{PidfdFlags, pidfd_open};
    pidfd_open(pid, PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn descriptor(_: Pid) -> Option<OwnedFd> {
    None
}

/// Forbids core files for this process and for all processes that it starts from now on.
///
/// Readers must inherit this limit. Some runtimes, such as AddressSanitizer, read their limits at
/// startup and set them again, which fails if the limits are lowered in between. A reader may raise
/// the limit again up to its previous maximum. A core file then counts toward the same limits as
/// the reader's other files.
pub(crate) fn forbid_cores() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = Rlimit {
        current: Some(0),
        ..getrlimit(Resource::Core)
    };
    // Lowering a limit is always permitted.
    let _ = setrlimit(Resource::Core, limit);
}

/// Sets kernel limits from outside, just after the start of a reader without a launcher.
#[cfg(target_os = "linux")]
pub(crate) fn restrict(pid: Pid, limits: &Limits) {
    use rustix::process::{Resource, Rlimit, prlimit};
    /// The limit on open files. This limit is high enough for every language runtime, but low
    /// enough that a reader cannot use up the system-wide limit.
    const OPEN_FILES: u64 = 1024;
    let most = |most: u64| Rlimit {
        current: Some(most),
        maximum: Some(most),
    };
    // Setting fails if a limit is already lower, in which case nothing needs to be done.
    let _ = prlimit(Some(pid), Resource::Fsize, most(limits.scratch));
    let _ = prlimit(Some(pid), Resource::Nofile, most(OPEN_FILES));
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn restrict(_: Pid, _: &Limits) {}
