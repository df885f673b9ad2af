//! Stub for systems without launchers.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
use std::process::ExitStatus;

use crate::mechanism::Finding;
use crate::plan::{Plan, Start};

/// A cell. The type has no values, because this system has no launchers.
#[derive(Debug)]
pub(crate) enum Cell {}

/// A reader in a cell, which is never created on this system.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) pid: i32,
    pub(crate) descriptor: OwnedFd,
}

impl Cell {
    pub(crate) fn new(_: &Plan) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn findings(&self) -> &[Finding] {
        match *self {}
    }

    pub(crate) fn size(&self) -> u64 {
        match *self {}
    }

    pub(crate) fn is_whole(&self) -> bool {
        match *self {}
    }

    pub(crate) fn start(&self, _: Start, _: [BorrowedFd<'_>; 3], _: u64) -> io::Result<Reader> {
        match *self {}
    }

    pub(crate) fn end(&self, _: &Reader) -> ExitStatus {
        match *self {}
    }

    pub(crate) fn starved(&self) -> u64 {
        match *self {}
    }

    pub(crate) fn peak(&self) -> u64 {
        match *self {}
    }

    pub(crate) fn stored(&self, _: &Path) -> u64 {
        match *self {}
    }

    pub(crate) fn empty(&self) -> Option<bool> {
        match *self {}
    }
}
