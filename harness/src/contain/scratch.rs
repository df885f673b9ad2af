//! The scratch folder that a reader works in, and the cell that confines it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use super::cell::{Cell, Inside, Walls};
use super::reach::Reach;

/// The empty folder that a reader works in, and the cell that starts the reader.
#[derive(Debug)]
pub struct Scratch {
    /// The folder of the cell. Readers cannot write outside it.
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

    /// Returns the restrictions on the readers.
    pub(super) fn walls(&self) -> &Walls {
        self.cell.walls()
    }

    /// Starts a reader in the cell. `memory` limits the total memory of the reader and its child
    /// processes.
    pub(super) fn start(&self, command: Command, memory: u64) -> io::Result<(Child, Inside)> {
        let child = self.cell.start(command, memory)?;
        Ok((child, self.cell.inside().clone()))
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Empties the folder for the next process. A folder that cannot be emptied is replaced by
    /// another one and left for removal at the end of the run.
    ///
    /// # Errors
    /// Returns an error if no folder can be created.
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
        // Anything left is removed with the folder of the run.
        let _ = fs::remove_dir_all(&self.root);
    }
}

fn fresh(root: &Path) -> io::Result<PathBuf> {
    tempfile::Builder::new()
        .prefix("scratch-")
        .tempdir_in(root)
        .map(tempfile::TempDir::keep)
}
