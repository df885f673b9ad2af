//! Systems without executable files in memory have no launcher.

use std::convert::Infallible;
use std::io;
use std::path::Path;
use std::process::{ChildStderr, Command, ExitCode};

/// Does nothing here.
pub fn become_reader() -> Option<ExitCode> {
    None
}

/// Does nothing here.
pub fn use_program(_: &Path) {}

/// There is none.
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

/// There is none.
#[derive(Debug)]
pub(super) struct Start(Infallible);

impl Start {
    pub(super) fn go(self) -> Result<ChildStderr, NotLaunched> {
        match self.0 {}
    }
}

/// Never met.
#[derive(Debug)]
pub(super) enum NotLaunched {
    Reader(io::Error),
    Launcher,
}
