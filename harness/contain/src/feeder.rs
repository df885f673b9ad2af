//! Feeds a file to a process in pieces. Each piece is written only after the process has read the
//! previous one, so that the process receives the pieces separately.

use std::io::Write;
use std::os::fd::AsFd;
use std::process::ChildStdin;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The input to feed and the size of its pieces.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The whole input.
    pub bytes: Arc<[u8]>,
    /// The size of a piece in bytes.
    pub size: usize,
}

/// The interval at which to check whether the pipe is empty.
const GLANCE: Duration = Duration::from_micros(20);

/// Feeds the input to a process until all of it is written or the process no longer reads it. The
/// feeding thread ends no later than the reading process.
pub(crate) fn feed(pieces: Pieces, mut input: ChildStdin) {
    let work = move || {
        for piece in pieces.bytes.chunks(pieces.size.max(1)) {
            if input.write_all(piece).is_err() || !is_taken(&input) {
                return;
            }
        }
    };
    let thread = thread::Builder::new().name("feeder".to_owned());
    // If the thread cannot be started, the process receives no input, which its answer will show.
    let _ = thread.spawn(work);
}

/// Waits until the pipe is empty or its reading end is closed. Returns whether all bytes in the
/// pipe were read.
fn is_taken(input: &ChildStdin) -> bool {
    loop {
        match rustix::io::ioctl_fionread(input) {
            Ok(0) => return true,
            Ok(_) if is_read(input) => thread::sleep(GLANCE),
            _ => return false,
        }
    }
}

/// Returns whether the reading end of the pipe is still open.
fn is_read(input: &ChildStdin) -> bool {
    let mut watched = [PollFd::from_borrowed_fd(input.as_fd(), PollFlags::empty())];
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let looked = poll(&mut watched, Some(&now)).is_ok();
    looked && !watched[0].revents().contains(PollFlags::ERR)
}
