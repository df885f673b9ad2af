//! Detects whether standard output accepted everything that was written.

use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

use super::Exit;

/// The first reason why output was lost.
static LOST: OnceLock<String> = OnceLock::new();

/// Records a failed write to standard output. A broken pipe is not recorded: the program at the
/// other end chose to stop reading.
pub(crate) fn note(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        // Only the first reason is reported.
        let _ = LOST.set(error.to_string());
    }
}

/// The final exit status of a command: `Incomplete` if part of its output was lost.
pub fn finish(exit: Exit) -> Exit {
    note(io::stdout().lock().flush());
    match LOST.get() {
        Some(why) => exit.worse(super::incomplete(&format!("standard output: {why}"))),
        None => exit,
    }
}
