//! The launcher process: it limits its own resources and executes the reader's program.

use std::env;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use rustix::stdio::dup2_stderr;

use super::channel::Channel;
use super::system_calls::{self, Circumstances};
use super::{NAME, privileges};

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
    privileges::limit_resources(size);
    privileges::drop_all()?;
    let circumstances = Circumstances {
        memory_is_limited: true,
        network_is_separate: false,
        files_are_read_only: false,
    };
    system_calls::restrict(circumstances).map_err(io::Error::other)?;
    channel.ready()?;
    // `exec` returns only if it fails.
    let error = reader.exec();
    channel.failed(&error)
}
