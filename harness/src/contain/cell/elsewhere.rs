//! Stub for systems without launchers.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::Path;
use std::process::ExitStatus;

use super::mechanism::Finding;
use super::plan::{Plan, Start};

/// A cell. The type has no values, because this system has no launchers.
#[derive(Debug)]
pub(super) enum Cell {}

/// A reader in a cell, which is never created on this system.
#[derive(Debug)]
pub(super) struct Reader {
    pub(super) pid: i32,
    pub(super) descriptor: OwnedFd,
}

impl Cell {
    pub(super) fn new(_: &Plan) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn findings(&self) -> &[Finding] {
        match *self {}
    }

    pub(super) fn size(&self) -> u64 {
        match *self {}
    }

    pub(super) fn is_whole(&self) -> bool {
        match *self {}
    }

    pub(super) fn start(&self, _: Start, _: [BorrowedFd<'_>; 3], _: u64) -> io::Result<Reader> {
        match *self {}
    }

    pub(super) fn end(&self, _: &Reader) -> ExitStatus {
        match *self {}
    }

    pub(super) fn starved(&self) -> u64 {
        match *self {}
    }

    pub(super) fn peak(&self) -> u64 {
        match *self {}
    }

    pub(super) fn stored(&self, _: &Path) -> u64 {
        match *self {}
    }

    pub(super) fn empty(&self) -> Option<bool> {
        match *self {}
    }
}
