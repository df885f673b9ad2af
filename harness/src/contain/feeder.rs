//! Feeds a process a file in pieces: the next piece only once it has taken the one before, so that
//! it sees each of them alone.

use std::io::Write;
use std::os::fd::AsFd;
use std::process::ChildStdin;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// What is fed, and how many bytes at a time.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The whole of it.
    pub bytes: Arc<[u8]>,
    /// Bytes of a piece.
    pub size: usize,
}

/// How long it is waited until a pipe is looked at again.
const GLANCE: Duration = Duration::from_micros(20);

/// Feeds it until it is whole or nobody reads any more. The thread ends with the process that
/// reads, at the latest.
pub(super) fn feed(pieces: Pieces, mut input: ChildStdin) {
    let work = move || {
        for piece in pieces.bytes.chunks(pieces.size.max(1)) {
            if input.write_all(piece).is_err() || !is_taken(&input) {
                return;
            }
        }
    };
    let thread = thread::Builder::new().name("feeder".to_owned());
    // Without a thread nothing is fed, which shows in the answer.
    let _ = thread.spawn(work);
}

/// Waits until nothing is left in the pipe; whether somebody took it.
fn is_taken(input: &ChildStdin) -> bool {
    loop {
        match rustix::io::ioctl_fionread(input) {
            Ok(0) => return true,
            Ok(_) if is_read(input) => thread::sleep(GLANCE),
            _ => return false,
        }
    }
}

/// Whether somebody may still read.
fn is_read(input: &ChildStdin) -> bool {
    let mut watched = [PollFd::from_borrowed_fd(input.as_fd(), PollFlags::empty())];
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let looked = poll(&mut watched, Some(&now)).is_ok();
    looked && !watched[0].revents().contains(PollFlags::ERR)
}
