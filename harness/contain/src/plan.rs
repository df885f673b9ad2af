//! The instructions to a launcher.

use std::ffi::OsString;
use std::path::PathBuf;

/// The restrictions of a launcher and its readers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Plan {
    /// The folder in which readers work.
    pub(crate) scratch: PathBuf,
    /// The maximum size of the scratch folder in bytes.
    pub(crate) size: u64,
    /// Whether the memory of all readers together is limited.
    pub(crate) memory_is_limited: bool,
    /// Whether this program is itself the reader under test.
    pub(crate) runs_this_program: bool,
    /// Whether to run without Landlock. Only tests set this field.
    pub(crate) without_landlock: bool,
    /// Files and folders that readers may read.
    pub(crate) read: Vec<PathBuf>,
    /// Folders that readers may only list.
    pub(crate) list: Vec<PathBuf>,
    /// Files that readers may write.
    pub(crate) write: Vec<PathBuf>,
    /// Files and folders that are hidden from readers.
    pub(crate) hide: Vec<PathBuf>,
}

/// A program to start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Start {
    /// The program and its arguments.
    pub(crate) command: Vec<OsString>,
    /// The complete environment, as a list that alternates between names and values of variables.
    pub(crate) environment: Vec<OsString>,
    /// The working folder.
    pub(crate) folder: PathBuf,
}
