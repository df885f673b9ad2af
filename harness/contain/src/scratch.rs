//! The scratch folder in which a reader works, and the cell that confines the reader: the launcher
//! process that starts the reader, and the control groups of that launcher.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use crate::cell::Cell;
use crate::lock::lock;
use crate::mechanism::Finding;
use crate::plan::Plan;
use crate::reach::Reach;
use crate::{Limits, discard, launcher};

/// The empty folder in which a reader works, and the cell that starts the reader.
///
/// Where possible, the folder is a file system in memory that only the cell sees.
#[derive(Debug)]
pub struct Scratch {
    /// The folder that contains the scratch folder.
    root: PathBuf,
    path: PathBuf,
    reach: Reach,
    /// Files outside the scratch folder that the reader may write.
    writable: Vec<PathBuf>,
    /// The cell, which is created for the first reader.
    cell: Mutex<Option<Arc<Cell>>>,
    /// The restrictions of the most recently created cell of the run.
    findings: Arc<Mutex<Option<Vec<Finding>>>>,
}

impl Scratch {
    pub(crate) fn new(
        root: &Path,
        reach: Reach,
        findings: Arc<Mutex<Option<Vec<Finding>>>>,
    ) -> io::Result<Self> {
        let root = fresh(root)?;
        Ok(Self {
            path: fresh(&root)?,
            root,
            reach,
            writable: Vec::new(),
            cell: Mutex::default(),
            findings,
        })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns a folder for files that are shared with the reader through [`Scratch::share`].
    pub fn shared_folder(&self) -> &Path {
        &self.root
    }

    /// Allows readers started from now on to write an existing file outside the scratch folder.
    pub fn share(&mut self, file: PathBuf) {
        self.writable.push(file);
        *lock(&self.cell) = None;
    }

    /// Returns the cell, or `None` if there is no launcher.
    ///
    /// # Errors
    /// Returns an error if the cell cannot be created.
    pub(crate) fn cell(&self, limits: &Limits) -> io::Result<Option<Arc<Cell>>> {
        if !launcher::is_known() {
            return Ok(None);
        }
        let mut cell = lock(&self.cell);
        if let Some(cell) = cell
            .as_ref()
            .filter(|it| it.size() == limits.scratch && it.is_whole())
        {
            return Ok(Some(Arc::clone(cell)));
        }
        // The old cell ends before the new one begins, because both use the same folder.
        *cell = None;
        let new = Arc::new(Cell::new(&self.plan(limits))?);
        *lock(&self.findings) = Some(new.findings().to_vec());
        *cell = Some(Arc::clone(&new));
        Ok(Some(new))
    }

    fn plan(&self, limits: &Limits) -> Plan {
        let list = |paths: &std::collections::BTreeSet<PathBuf>| paths.iter().cloned().collect();
        Plan {
            scratch: self.path.clone(),
            size: limits.scratch,
            read: list(&self.reach.read),
            list: list(&self.reach.list),
            hide: list(&self.reach.hidden),
            write: self.writable.clone(),
            runs_this_program: self.reach.runs_this_program,
            ..Plan::default()
        }
    }

    /// Empties the folder for the next process. A file system in memory that cannot be emptied
    /// quickly is discarded with its cell. A folder on disk that cannot be emptied is replaced by
    /// another folder and removed at the end of the run. The cell is discarded as well, because
    /// readers in the cell can write only to the old folder.
    ///
    /// # Errors
    /// Returns an error if no folder can be created.
    pub fn empty(&mut self) -> io::Result<()> {
        let mut cell = lock(&self.cell);
        match cell.as_ref().and_then(|cell| cell.empty()) {
            Some(true) => return Ok(()),
            Some(false) => {
                *cell = None;
                return Ok(());
            }
            None => {}
        }
        let is_empty = fs::read_dir(&self.path).is_ok_and(|mut entries| entries.next().is_none());
        if !is_empty && discard::contents(&self.path).is_err() {
            *cell = None;
            self.path = fresh(&self.root)?;
        }
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        *lock(&self.cell) = None;
        // Any remaining files are removed with the folder of the run.
        let _ = discard::contents(&self.root);
        let _ = fs::remove_dir(&self.root);
    }
}

fn fresh(root: &Path) -> io::Result<PathBuf> {
    tempfile::Builder::new()
        .prefix("scratch-")
        .tempdir_in(root)
        .map(tempfile::TempDir::keep)
}
