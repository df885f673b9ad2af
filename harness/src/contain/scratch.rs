//! The empty folder that a reader works in, and what keeps it there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use super::cell::{Cell, Inside, Walls};
use super::reach::Reach;

/// The empty folder that a reader works in, and the cell that it is started from.
#[derive(Debug)]
pub struct Scratch {
    /// The folder of the cell; readers write to nothing outside it.
    root: PathBuf,
    path: PathBuf,
    reach: Reach,
    cell: Cell,
}

impl Scratch {
    pub(super) fn new(root: &Path, reach: Reach) -> io::Result<Self> {
        let root = fresh(root)?;
        let cell = Cell::new(&reach, &root)?;
        Ok(Self {
            path: fresh(&root)?,
            root,
            reach,
            cell,
        })
    }

    /// What holds readers in.
    pub(super) fn walls(&self) -> &Walls {
        self.cell.walls()
    }

    /// Starts a reader in its cell, which may have so much memory with all that it starts.
    pub(super) fn start(&self, command: Command, memory: u64) -> io::Result<(Child, Inside)> {
        let child = self.cell.start(command, memory)?;
        Ok((child, self.cell.inside().clone()))
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
        if !self.cell.is_whole() {
            self.cell = Cell::new(&self.reach, &self.root)?;
        }
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
        let _ = fs::remove_dir_all(&self.root);
    }
}

fn fresh(root: &Path) -> io::Result<PathBuf> {
    tempfile::Builder::new()
        .prefix("scratch-")
        .tempdir_in(root)
        .map(tempfile::TempDir::keep)
}
