//! The launcher: this program once more, which becomes the reader.
//!
//! Safe code cannot set the limits of a process between fork and exec, and a reader that is started
//! without them runs for a moment before they are set from outside: a runtime that reads its limits at
//! its start and sets them, as AddressSanitizer does, fails where they are lowered in between. So a
//! reader is started by way of a process of this program with a single thread, which limits itself and
//! then executes the reader's program.
//!
//! It is executed from a copy in memory, since a cell hides the file of this program from its readers:
//! it has inside what is expected of them. Only this process has the copy open; it is closed in the
//! launcher long before the reader is there.

mod channel;
mod image;
mod inside;

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

/// The program that [`become_reader`] is called in.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// The copy of it, once it was needed; nothing where it cannot be made.
static IMAGE: OnceLock<Option<OwnedFd>> = OnceLock::new();

/// Has readers started by way of `program`, whose main function begins with [`become_reader`].
/// Programs that do not begin so themselves need this; without it, limits are set from outside,
/// just after the start. Only the first call counts.
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
    /// A launcher, where there is a program that can be one.
    pub(super) fn new() -> Option<Self> {
        let program = PROGRAM.get()?;
        let image = IMAGE.get_or_init(|| image::copy(program).ok()).as_ref()?;
        Some(Self {
            image,
            is_refused: AtomicBool::new(false),
        })
    }

    /// Whether readers can be started by it, as far as is known.
    pub(super) fn is_usable(&self) -> bool {
        !self.is_refused.load(Ordering::Relaxed)
    }

    /// To be called where a launcher could not be started, but the reader itself could: some systems
    /// execute no files in memory.
    pub(super) fn refuse(&self) {
        self.is_refused.store(true, Ordering::Relaxed);
    }

    /// A command that becomes the `reader` with files of at most `file_size` bytes, and the other end
    /// of it. Its standard error is taken.
    ///
    /// # Errors
    /// There are no more descriptors.
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

/// A launcher that waits for the word to become the reader.
#[derive(Debug)]
pub(super) struct Start {
    channel: Channel,
    errors: OwnedFd,
    errors_in: OwnedFd,
}

impl Start {
    /// Has it become the reader, and waits until it has; the standard error of the reader.
    ///
    /// # Errors
    /// The reader's program cannot be executed, or the launcher could not do its work.
    pub(super) fn go(self) -> Result<ChildStderr, NotLaunched> {
        let given = self.channel.give(self.errors_in);
        given.map_err(|_| NotLaunched::Launcher)?;
        self.channel.outcome()?;
        Ok(ChildStderr::from(self.errors))
    }
}

/// Why there is no reader.
#[derive(Debug)]
pub(super) enum NotLaunched {
    /// Its program cannot be executed.
    Reader(io::Error),
    /// The launcher ended before it tried.
    Launcher,
}
