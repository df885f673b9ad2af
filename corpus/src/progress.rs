//! Progress of long-running work.

use std::io::{self, Write};

/// A receiver of progress notifications.
pub trait Progress: Sync {
    /// Ends the previous task and starts a task called `what` with `steps` steps.
    fn begin(&self, what: &str, steps: u64);

    /// Reports that a step of the current task is done.
    fn step(&self);

    /// Ends the current task.
    fn end(&self);
}

/// Ignores all progress.
impl Progress for () {
    fn begin(&self, _: &str, _: u64) {}

    fn step(&self) {}

    fn end(&self) {}
}

/// A stream of messages for the user, separate from the results, together with the progress
/// display.
pub struct Messages<'a> {
    to: &'a mut dyn Write,
    /// The receiver of progress notifications.
    pub progress: &'a dyn Progress,
    /// Whether commands print only failures and errors.
    pub is_quiet: bool,
}

impl std::fmt::Debug for Messages<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Messages").finish_non_exhaustive()
    }
}

impl<'a> Messages<'a> {
    /// Creates a message stream that writes to `to`.
    pub fn new(to: &'a mut dyn Write, progress: &'a dyn Progress) -> Self {
        Self {
            to,
            progress,
            is_quiet: false,
        }
    }
}

/// Ends the progress display before a message is written, because the display would otherwise
/// overwrite the message.
impl Write for Messages<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.progress.end();
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
