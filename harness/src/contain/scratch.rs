//! The empty folder that a reader works in.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The empty folder that a reader works in.
#[derive(Debug)]
pub struct Scratch {
    root: PathBuf,
    path: PathBuf,
}

impl Scratch {
    pub(super) fn new(root: &Path) -> io::Result<Self> {
        Ok(Self {
            root: root.to_owned(),
            path: fresh(root)?,
        })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes it empty again for the next process. A folder that cannot be emptied is left
    /// for the end of the run, and another takes its place.
    ///
    /// # Errors
    /// No folder can be made.
    pub fn empty(&mut self) -> io::Result<()> {
        let is_empty = fs::read_dir(&self.path).is_ok_and(|mut entries| entries.next().is_none());
        if is_empty {
            return Ok(());
        }
        let _ = fs::remove_dir_all(&self.path);
        self.path = fresh(&self.root)?;
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What is left goes with the folder of the run.
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn fresh(root: &Path) -> io::Result<PathBuf> {
    tempfile::Builder::new()
        .prefix("scratch-")
        .tempdir_in(root)
        .map(tempfile::TempDir::keep)
}
