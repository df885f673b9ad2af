//! What a launcher does: it limits itself and executes the reader's program.

use std::env;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::stdio::dup2_stderr;

use super::NAME;
use super::channel::Channel;

/// Enough for every runtime, too few to use up the system's.
const OPEN_FILES: u64 = 1024;

/// Becomes a reader where this process was started as a launcher, and notes that it can be one
/// otherwise. Belongs first into the main function. What it returns, where this process was a launcher
/// that failed, is its exit status.
pub fn become_reader() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next().is_none_or(|first| first != NAME) {
        super::use_program(Path::new("/proc/self/exe"));
        return None;
    }
    // Whoever started it has been told why, or is gone.
    let _ = launch(arguments);
    Some(ExitCode::FAILURE)
}

fn launch(mut arguments: impl Iterator<Item = OsString>) -> io::Result<()> {
    let misused = || io::Error::from(io::ErrorKind::InvalidInput);
    let size = arguments
        .next()
        .and_then(|size| size.to_str()?.parse().ok());
    let size = size.ok_or_else(misused)?;
    let mut reader = Command::new(arguments.next().ok_or_else(misused)?);
    reader.args(arguments);
    let mut channel = Channel::inherited(io::stderr())?;
    dup2_stderr(channel.take()?)?;
    limit(Resource::Core, 0);
    limit(Resource::Fsize, size);
    limit(Resource::Nofile, OPEN_FILES);
    channel.ready()?;
    // This returns only if it fails.
    let error = reader.exec();
    channel.failed(&error)
}

/// Allows at most so much. A limit that is lower already stays, since not everyone may raise it.
fn limit(resource: Resource, most: u64) {
    let now = getrlimit(resource);
    let lower = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
    let limit = Rlimit {
        current: lower(now.current),
        maximum: lower(now.maximum),
    };
    // Whoever may lower a limit at all may lower this one.
    let _ = setrlimit(resource, limit);
}
