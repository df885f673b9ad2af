//! Stub for systems that cannot execute files in memory and therefore have no launcher.

use std::convert::Infallible;
use std::io;
use std::path::Path;
use std::process::{ChildStderr, Command, ExitCode};

/// Does nothing on this system.
pub fn become_reader() -> Option<ExitCode> {
    None
}

/// Does nothing on this system.
pub fn use_program(_: &Path) {}

/// A launcher, which cannot exist on this system.
#[derive(Debug)]
pub(super) struct Launcher(Infallible);

impl Launcher {
    pub(super) fn new() -> Option<Self> {
        None
    }

    pub(super) fn is_usable(&self) -> bool {
        match self.0 {}
    }

    pub(super) fn refuse(&self) {}

    pub(super) fn command(&self, _: &Command, _: u64) -> io::Result<(Command, Start)> {
        match self.0 {}
    }
}

/// A started launcher, which cannot exist on this system.
#[derive(Debug)]
pub(super) struct Start(Infallible);

impl Start {
    pub(super) fn go(self) -> Result<ChildStderr, NotLaunched> {
        match self.0 {}
    }
}

/// A launch error, which cannot occur on this system.
#[derive(Debug)]
pub(super) enum NotLaunched {
    Reader(io::Error),
    Launcher,
}
