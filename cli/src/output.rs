//! Writes the output of commands, and detects whether all of it was written to standard output
//! successfully.

use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use tracegauge_results::guard::{Guarded, Sequences, guarded};

use super::Exit;

/// The first error that caused output to be lost.
static LOST: OnceLock<String> = OnceLock::new();

/// Whether the program that reads standard output has closed it.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Records a failed write to standard output. A broken pipe is not an error, because the program at
/// the other end chose to stop reading.
pub(crate) fn note(written: io::Result<()>) {
    let Err(error) = written else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        close();
    } else {
        // Only the first reason is reported.
        let _ = LOST.set(error.to_string());
    }
}

/// Writes text to standard output. The text may be colored.
pub(crate) fn say(text: &str) {
    note(
        io::stdout()
            .lock()
            .write_all(guarded(text, Sequences::Style).as_bytes()),
    );
}

/// Writes a message to standard error.
pub(crate) fn remark(text: &str) {
    // After a hangup, nobody may read standard error anymore.
    let _ = writeln!(io::stderr(), "{}", guarded(text, Sequences::None));
}

/// Returns a writer to standard output for text, which may be colored.
pub fn text() -> Guarded<io::StdoutLock<'static>> {
    Guarded::new(io::stdout().lock(), Sequences::Style)
}

/// Returns a writer to standard error for messages.
pub fn messages() -> Guarded<io::Stderr> {
    Guarded::new(io::stderr(), Sequences::None)
}

/// Records that nobody reads standard output anymore.
pub(crate) fn close() {
    CLOSED.store(true, Ordering::Relaxed);
}

/// Returns whether nobody reads standard output anymore, so that a command can stop early.
pub(crate) fn is_closed() -> bool {
    if !CLOSED.load(Ordering::Relaxed) && has_lost_its_reader() {
        close();
    }
    CLOSED.load(Ordering::Relaxed)
}

/// Asks the system whether the other end of standard output is closed. Without this check, a
/// command would not notice the closed pipe until it prints something.
fn has_lost_its_reader() -> bool {
    let stdout = io::stdout();
    let mut polled = [PollFd::new(&stdout, PollFlags::empty())];
    let at_once = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    poll(&mut polled, Some(&at_once)).is_ok()
        && polled[0]
            .revents()
            .intersects(PollFlags::ERR | PollFlags::HUP)
}

/// Prints the help that was asked for, or what is wrong with the arguments.
pub fn usage_or_help(message: &clap::Error) -> Exit {
    let printed = message.print();
    if message.use_stderr() {
        return Exit::Usage;
    }
    note(printed);
    finish(Exit::Ok)
}

/// Returns the final exit status of a command: `Incomplete` if part of its output was lost.
pub fn finish(exit: Exit) -> Exit {
    note(io::stdout().lock().flush());
    match LOST.get() {
        Some(why) => exit.worse(super::incomplete(&format!("standard output: {why}"))),
        None => exit,
    }
}
