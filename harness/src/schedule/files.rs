//! The trace files of the cases, with names that reveal nothing.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tracegauge_corpus::case::Case;

use crate::temporary::Temporary;

/// The trace files of the cases, written once for all readers of a run.
#[derive(Debug)]
pub struct Files {
    folder: Temporary,
    /// The opaque name and the file path of each case.
    files: HashMap<String, (String, String)>,
}

impl Files {
    /// Creates an empty set of files in a folder with room for `bytes` bytes.
    ///
    /// # Errors
    /// Returns an error if no folder can be created.
    pub fn new(bytes: u64) -> io::Result<Self> {
        Ok(Self {
            folder: Temporary::for_bytes("cases-", bytes)?,
            files: HashMap::new(),
        })
    }

    /// Returns the folder of the files.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Writes the files of those `cases` that have none yet. The files are read-only, so that
    /// readers do not modify them by mistake.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
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

    /// Returns the opaque name of a case and the path of its file, or empty strings if it has not
    /// been written.
    pub(crate) fn of(&self, id: &str) -> (&str, &str) {
        self.files
            .get(id)
            .map_or(("", ""), |(name, path)| (name, path))
    }
}
