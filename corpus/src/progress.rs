//! How far something is that takes more than a moment.

use std::io::{self, Write};

/// Is told how far something is.
pub trait Progress: Sync {
    /// Something of so many steps begins; what was before has ended.
    fn begin(&self, what: &str, steps: u64);

    /// A step is done.
    fn step(&self);

    /// Nothing goes on any more.
    fn end(&self);
}

/// Nobody wants to know.
impl Progress for () {
    fn begin(&self, _: &str, _: u64) {}

    fn step(&self) {}

    fn end(&self) {}
}

/// Messages for people, beside the results: lines, and how far it is.
pub struct Messages<'a> {
    to: &'a mut dyn Write,
    /// Is told how far it is.
    pub progress: &'a dyn Progress,
}

impl std::fmt::Debug for Messages<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Messages").finish_non_exhaustive()
    }
}

impl<'a> Messages<'a> {
    /// Messages that are written `to` something.
    pub fn new(to: &'a mut dyn Write, progress: &'a dyn Progress) -> Self {
        Self { to, progress }
    }
}

/// A line ends what is shown of the progress: it would be written over otherwise.
impl Write for Messages<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.progress.end();
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
