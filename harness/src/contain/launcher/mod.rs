//! The launcher: a second instance of this program that becomes the reader.
//!
//! Safe code cannot set the limits of a process between fork and exec. If limits were set from
//! outside, the reader would run for a moment without them. Some runtimes, such as
//! AddressSanitizer, read their limits at startup and set them again, which fails if they are
//! lowered in between. So readers are started through a single-threaded process of this program,
//! which limits itself and then executes the reader's program.
//!
//! The launcher is executed from a copy in memory, because a cell hides this program's file from
//! its readers: the file contains the expected results. Only this process has the copy open, and
//! the launcher closes it before it executes the reader.

mod channel;
mod image;
mod inside;
mod privileges;
mod system_calls;

use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::process::{ChildStderr, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::pipe::{PipeFlags, pipe_with};

use channel::Channel;
pub use inside::become_reader;

/// The first argument of a launcher.
const NAME: &str = "__launch";

/// The path of the program that calls [`become_reader`].
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The in-memory copy of the program, made on first use. `None` inside means that it cannot be
/// made.
static IMAGE: OnceLock<Option<OwnedFd>> = OnceLock::new();

/// Makes readers start through `program`, whose `main` function must begin with [`become_reader`].
/// Only a program whose own `main` function does not begin with `become_reader` needs to call this
/// function. Without a launcher, limits are set from outside just after the start. Only the first
/// call has an effect.
pub fn use_program(program: &Path) {
    PROGRAM.get_or_init(|| program.to_path_buf());
}

/// Starts processes that limit themselves and then become readers.
#[derive(Debug)]
pub(super) struct Launcher {
    image: &'static OwnedFd,
    is_refused: AtomicBool,
}

impl Launcher {
    /// Creates a launcher, or returns `None` if no program can serve as one.
    pub(super) fn new() -> Option<Self> {
        let program = PROGRAM.get()?;
        let image = IMAGE.get_or_init(|| image::copy(program).ok()).as_ref()?;
        Some(Self {
            image,
            is_refused: AtomicBool::new(false),
        })
    }

    /// Returns whether the launcher can start readers, as far as is known.
    pub(super) fn is_usable(&self) -> bool {
        !self.is_refused.load(Ordering::Relaxed)
    }

    /// Marks the launcher as unusable. Called when the launcher failed to start but the reader
    /// itself could be started, because some systems do not execute files in memory.
    pub(super) fn refuse(&self) {
        self.is_refused.store(true, Ordering::Relaxed);
    }

    /// Creates a command that becomes `reader` and may write files of at most `file_size` bytes.
    /// Also returns the handle that lets the launcher continue. The command's standard error is
    /// already in use.
    ///
    /// # Errors
    /// Returns an error if no more descriptors are available.
    pub(super) fn command(&self, reader: &Command, file_size: u64) -> io::Result<(Command, Start)> {
        let (channel, theirs) = Channel::pair()?;
        let (errors, errors_in) = pipe_with(PipeFlags::CLOEXEC)?;
        let mut command = Command::new(format!("/proc/self/fd/{}", self.image.as_raw_fd()));
        command
            .args([NAME, &file_size.to_string()])
            .arg(reader.get_program())
            .args(reader.get_args())
            .stderr(Stdio::from(theirs));
        for (name, value) in reader.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let start = Start {
            channel,
            errors,
            errors_in,
        };
        Ok((command, start))
    }
}

/// A started launcher that waits for the signal to become the reader.
#[derive(Debug)]
pub(super) struct Start {
    channel: Channel,
    errors: OwnedFd,
    errors_in: OwnedFd,
}

impl Start {
    /// Lets the launcher become the reader, waits until it has, and returns the reader's standard
    /// error.
    ///
    /// # Errors
    /// Returns an error if the reader's program cannot be executed or the launcher failed.
    pub(super) fn go(self) -> Result<ChildStderr, NotLaunched> {
        let given = self.channel.give(self.errors_in);
        given.map_err(|_| NotLaunched::Launcher)?;
        self.channel.outcome()?;
        Ok(ChildStderr::from(self.errors))
    }
}

/// An error in launching a reader.
#[derive(Debug)]
pub(super) enum NotLaunched {
    /// The reader's program cannot be executed.
    Reader(io::Error),
    /// The launcher ended before it tried to execute the reader.
    Launcher,
}
