//! The files of the cases, under names that say nothing.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;
use tracegauge_corpus::case::Case;

/// Where Linux keeps files in memory. Thousands of small files are made there in no time,
/// where a disk may take seconds.
const MEMORY: &str = "/dev/shm";
/// Of what is free there, a run takes no more than this part.
const MEMORY_PART: u64 = 4;

/// The files of the cases, written once for all readers of a run.
#[derive(Debug)]
pub struct Files {
    folder: TempDir,
    /// For each case its opaque name and the path of its file.
    files: HashMap<String, (String, String)>,
}

impl Files {
    /// No files yet; so many bytes are to be expected.
    ///
    /// # Errors
    /// No folder can be made for them.
    pub fn new(bytes: u64) -> io::Result<Self> {
        Ok(Self {
            folder: folder("tracegauge-cases-", bytes)?,
            files: HashMap::new(),
        })
    }

    /// Where they are.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes those of `cases` that are not there yet. A reader cannot write to them without
    /// meaning to.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(&mut self, cases: &[&Case]) -> io::Result<()> {
        for case in cases {
            if self.files.contains_key(&case.id) {
                continue;
            }
            let name = format!("c-{:04}", self.files.len());
            let path = self.folder.path().join(format!("{name}.bin"));
            fs::write(&path, &case.bytes)?;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o444))?;
            let path = path.to_string_lossy().into_owned();
            self.files.insert(case.id.clone(), (name, path));
        }
        Ok(())
    }

    /// The opaque name of a case and the path of its file; empty for one not written.
    pub(crate) fn of(&self, id: &str) -> (&str, &str) {
        self.files
            .get(id)
            .map_or(("", ""), |(name, path)| (name, path))
    }
}

/// A folder for files of so many bytes, in memory where that is possible.
///
/// # Errors
/// It cannot be made.
pub(crate) fn folder(prefix: &str, bytes: u64) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    let in_memory = fits_in_memory(bytes).then(|| builder.tempdir_in(MEMORY).ok());
    match in_memory.flatten() {
        Some(folder) => Ok(folder),
        None => builder.tempdir(),
    }
}

/// Whether files of so many bytes may go to memory. Who sets `TMPDIR` has a reason to.
fn fits_in_memory(bytes: u64) -> bool {
    if std::env::var_os("TMPDIR").is_some() || !Path::new(MEMORY).is_dir() {
        return false;
    }
    rustix::fs::statvfs(MEMORY)
        .is_ok_and(|free| bytes < free.f_bavail.saturating_mul(free.f_frsize) / MEMORY_PART)
}
