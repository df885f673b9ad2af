//! The launcher process: it limits its own resources and executes the reader's program.

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

/// The limit on open files. The limit is enough for every runtime, but too low to exhaust the limit
/// of the whole system.
const OPEN_FILES: u64 = 1024;

/// Becomes a reader if this process was started as a launcher. Otherwise, registers this program
/// for use as a launcher and returns `None`. Call it first in `main`. If it returns an exit status,
/// the launcher has failed and `main` must return that status.
pub fn become_reader() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next().is_none_or(|first| first != NAME) {
        super::use_program(Path::new("/proc/self/exe"));
        return None;
    }
    // The other end has been told about an error, unless it is gone.
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
    // `exec` returns only if it fails.
    let error = reader.exec();
    channel.failed(&error)
}

/// Lowers the limits on a resource to at most `most`. Limits that are already lower stay, because
/// not every user may raise them.
fn limit(resource: Resource, most: u64) {
    let now = getrlimit(resource);
    let lower = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
    let limit = Rlimit {
        current: lower(now.current),
        maximum: lower(now.maximum),
    };
    // Lowering a limit is always permitted.
    let _ = setrlimit(resource, limit);
}
