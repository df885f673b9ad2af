//! The trace files of the cases. A reader sees only the trace that it is asked to read. The trace
//! file is written just before the request, under a name that reveals nothing about the case, and
//! removed afterwards.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tracegauge_contain::Temporary;
use tracegauge_corpus::case::Case;

use super::Seed;

/// The folder that contains the trace folders of all workers of a run.
#[derive(Debug)]
pub struct Files {
    folder: Temporary,
}

/// A folder for the traces of one reader process at a time.
#[derive(Debug)]
pub struct Desk {
    folder: PathBuf,
}

/// A trace file that is accessible to a reader. The file is removed when this value is dropped.
#[derive(Debug)]
pub struct Laid {
    name: String,
    path: PathBuf,
    shown: String,
}

impl Files {
    /// Creates a folder with room for `bytes` bytes.
    ///
    /// # Errors
    /// Returns an error if no folder can be created.
    pub fn new(bytes: u64) -> io::Result<Self> {
        Ok(Self {
            folder: Temporary::for_bytes("cases-", bytes)?,
        })
    }

    /// Creates a folder with enough room for `jobs` traces of `cases` at a time, one for each
    /// reader process.
    ///
    /// # Errors
    /// Returns an error if no folder can be created.
    pub fn for_jobs<'c>(jobs: usize, cases: impl Iterator<Item = &'c Case>) -> io::Result<Self> {
        let largest = cases
            .map(|case| case.trace().length())
            .max()
            .unwrap_or_default();
        Self::new(largest.saturating_mul(jobs as u64))
    }

    /// Creates a folder for the traces of one reader process at a time.
    ///
    /// # Errors
    /// Returns an error if no folder can be created.
    pub fn desk(&self) -> io::Result<Desk> {
        let folder = tempfile::Builder::new()
            .prefix("desk-")
            .tempdir_in(self.folder.path())?;
        Ok(Desk {
            folder: folder.keep(),
        })
    }
}

impl Desk {
    /// Returns the folder that a reader must be allowed to read.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes the trace of `case`. The file is read-only, so that readers do not modify it by
    /// mistake.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn lay(&self, case: &Case, seed: Seed) -> io::Result<Laid> {
        let name = seed.name(case);
        let path = self.folder.join(format!("{name}.bin"));
        let laid = Laid {
            name,
            shown: path.to_string_lossy().into_owned(),
            path,
        };
        case.trace().write(&laid.path)?;
        fs::set_permissions(&laid.path, fs::Permissions::from_mode(0o444))?;
        Ok(laid)
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        // Any remaining files are removed with the folder of the run.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl Laid {
    /// Returns the opaque name of the case.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &str {
        &self.shown
    }
}

impl Drop for Laid {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}
