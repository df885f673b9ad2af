//! The launcher: a second instance of this program, which starts all readers of a worker (a thread
//! that runs reader processes).
//!
//! A launcher is a single-threaded process, so it can enter a user namespace. The launcher
//! restricts itself step by step and then starts readers, which inherit all restrictions from their
//! first instruction. Restrictions are therefore set up once for each worker and cost nothing for
//! each reader. A restriction that the system does not support is reported, and the others still
//! apply.
//!
//! | step | mechanism |
//! | --- | --- |
//! | 1 | `namespaces`: the launcher creates namespaces, and starts itself again as the first process of the process namespace |
//! | 2 | `mounts`: makes everything read-only and mounts a scratch folder of a fixed size |
//! | 3 | `privileges`: resource limits, no capabilities, no new privileges |
//! | 4 | `files`: Landlock |
//! | 5 | `system_calls`: a seccomp filter |
//!
//! The restrictions of a launcher cannot be lifted, so a launcher can do no harm even if a reader
//! gains control of it.

mod channel;
mod children;
mod files;
mod inside;
mod message;
mod mounts;
pub(crate) mod namespaces;
mod privileges;
mod system_calls;

use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use channel::Channel;
pub use inside::become_launcher;
use message::{Answer, Order};
use namespaces::Separate;
pub use system_calls::is_reader;

use crate::mechanism::{Finding, Mechanism};
use crate::plan::{Plan, Start};

/// The first argument of a launcher.
const NAME: &str = "__launch";

/// The maximum time to wait for a launcher to exit before killing it.
const PATIENCE: Duration = Duration::from_secs(5);

/// The interval at which to check whether the launcher has exited.
const GLANCE: Duration = Duration::from_micros(200);

/// The path of the program that calls [`become_launcher`].
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Uses `program` as the launcher of readers. The `main` function of `program` must begin with
/// [`become_launcher`]. Call this function only from a program whose own `main` function does not
/// begin with [`become_launcher`]. Without a launcher, readers are not contained. Only the first
/// call has an effect.
pub fn use_program(program: &Path) {
    PROGRAM.get_or_init(|| program.to_path_buf());
}

/// Returns whether a program can serve as a launcher.
pub(crate) fn is_known() -> bool {
    PROGRAM.get().is_some()
}

/// A launcher process that has not restricted itself yet.
#[derive(Debug)]
pub(crate) struct Launcher {
    child: Child,
    channel: Channel,
}

/// A launcher process that starts readers.
#[derive(Debug)]
pub(crate) struct Ready {
    launcher: Launcher,
    /// The state of each containment mechanism that the launcher sets up.
    pub(crate) findings: Vec<Finding>,
    /// The scratch folder, if it is in memory.
    pub(crate) scratch: Option<OwnedFd>,
}

/// A reader that a launcher has started.
#[derive(Debug)]
pub(crate) struct Reader {
    /// The process id in the namespace of the launcher.
    number: i32,
    /// The process id in the namespace of this program.
    pub(crate) pid: i32,
    /// A descriptor of the process.
    pub(crate) descriptor: OwnedFd,
}

/// The reason why a launcher is not ready.
#[derive(Debug)]
pub(crate) enum NotReady {
    /// The namespaces are unavailable.
    NotSeparate(String),
    /// The launcher failed.
    Failed(io::Error),
}

impl From<io::Error> for NotReady {
    fn from(error: io::Error) -> Self {
        Self::Failed(error)
    }
}

impl Launcher {
    /// Starts a launcher process, which then waits for messages.
    ///
    /// # Errors
    /// Returns an error if the process cannot be started.
    pub(crate) fn start() -> io::Result<Self> {
        let program = PROGRAM.get().ok_or(io::ErrorKind::NotFound)?;
        let (channel, theirs) = Channel::pair()?;
        let child = Command::new(program)
            .arg(NAME)
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        Ok(Self { child, channel })
    }

    /// Returns the process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Makes the launcher restrict itself.
    ///
    /// # Errors
    /// Returns an error if the namespaces are unavailable or the launcher fails.
    pub(crate) fn restrict(mut self, separate: Separate, plan: &Plan) -> Result<Ready, NotReady> {
        let channel = &mut self.channel;
        channel.send(&Order::Separate(separate).encode(), &[])?;
        // If the launcher could not create the namespaces, it may have exited already, but its
        // answer can still be read.
        let _ = channel.send(&Order::Restrict(plan.clone()).encode(), &[]);
        let (answer, descriptors) = answer(channel)?;
        match answer {
            Answer::Restricted(findings) => Ok(Ready {
                launcher: self,
                findings,
                scratch: descriptors.into_iter().next(),
            }),
            Answer::NotSeparate(why) => Err(NotReady::NotSeparate(why)),
            _ => Err(io::Error::from(io::ErrorKind::InvalidData).into()),
        }
    }
}

fn answer(channel: &mut Channel) -> io::Result<(Answer, Vec<OwnedFd>)> {
    let gone = || io::Error::other("the process that starts readers exited unexpectedly");
    let (message, descriptors) = channel.receive()?.ok_or_else(gone)?;
    let answer = Answer::decode(&message).ok_or(io::ErrorKind::InvalidData)?;
    Ok((answer, descriptors))
}

impl Ready {
    /// Starts a reader with these standard streams.
    ///
    /// # Errors
    /// The outer error means that the launcher failed; the inner error means that the reader cannot
    /// be started.
    pub(crate) fn start(
        &mut self,
        wanted: Start,
        streams: [BorrowedFd<'_>; 3],
    ) -> io::Result<io::Result<Reader>> {
        let channel = &mut self.launcher.channel;
        channel.send(&Order::Start(wanted).encode(), &streams)?;
        let (answer, descriptors) = answer(channel)?;
        match (answer, descriptors.into_iter().next()) {
            (Answer::Started(number), Some(descriptor)) => Ok(Ok(Reader {
                number,
                pid: pid_of(descriptor.as_fd())?,
                descriptor,
            })),
            (Answer::NotStarted(number), _) => Ok(Err(io::Error::from_raw_os_error(number))),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    /// Kills a reader and all processes that it has started, and returns its exit status.
    ///
    /// # Errors
    /// Returns an error if the launcher failed.
    pub(crate) fn end(&mut self, reader: &Reader) -> io::Result<ExitStatus> {
        let channel = &mut self.launcher.channel;
        channel.send(&Order::End(reader.number).encode(), &[])?;
        match answer(channel)?.0 {
            Answer::Ended(status) => Ok(ExitStatus::from_raw(status)),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

/// Returns the process id in the namespace of this program.
fn pid_of(descriptor: BorrowedFd<'_>) -> io::Result<i32> {
    let info = fs::read_to_string(format!("/proc/self/fdinfo/{}", descriptor.as_raw_fd()))?;
    let pid = info.lines().find_map(|line| line.strip_prefix("Pid:"));
    pid.and_then(|pid| pid.trim().parse().ok())
        .ok_or_else(|| io::ErrorKind::InvalidData.into())
}

impl Drop for Launcher {
    fn drop(&mut self) {
        // A launcher whose socket is closed kills its readers and exits, which also removes its
        // namespaces.
        self.channel.close();
        let began = Instant::now();
        while matches!(self.child.try_wait(), Ok(None)) {
            if began.elapsed() > PATIENCE {
                let _ = self.child.kill();
                let _ = self.child.wait();
                return;
            }
            thread::sleep(GLANCE);
        }
    }
}
