//! The instructions to a launcher.

use std::ffi::OsString;
use std::path::PathBuf;

/// The restrictions of a launcher and its readers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    /// The folder in which readers work.
    pub(super) scratch: PathBuf,
    /// The maximum size of the scratch folder in bytes.
    pub(super) size: u64,
    /// Whether the memory of all readers together is limited.
    pub(super) memory_is_limited: bool,
    /// Whether this program is itself the reader under test.
    pub(super) runs_this_program: bool,
    /// Whether to run without Landlock. Only tests set this field.
    pub(super) without_landlock: bool,
    /// Files and folders that readers may read.
    pub(super) read: Vec<PathBuf>,
    /// Folders that readers may only list.
    pub(super) list: Vec<PathBuf>,
    /// Files that readers may write.
    pub(super) write: Vec<PathBuf>,
    /// Files and folders that are hidden from readers.
    pub(super) hide: Vec<PathBuf>,
}

/// A program to start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Start {
    /// The program and its arguments.
    pub(super) command: Vec<OsString>,
    /// The complete environment, as a list that alternates between names and values of variables.
    pub(super) environment: Vec<OsString>,
    /// The working folder.
    pub(super) folder: PathBuf,
}
