//! Standard output, and whether it took what was written.

use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

use super::Exit;

/// Why something that was to be read is lost.
static LOST: OnceLock<String> = OnceLock::new();

/// Remembers that something could not be written. Who does not read to the end knows why.
pub(crate) fn note(written: io::Result<()>) {
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        // The first reason is the one that is told.
        let _ = LOST.set(error.to_string());
    }
}

/// What a command ends with: not as expected where its output is lost.
pub fn finish(exit: Exit) -> Exit {
    note(io::stdout().lock().flush());
    match LOST.get() {
        Some(why) => exit.worse(super::incomplete(&format!("standard output: {why}"))),
        None => exit,
    }
}
