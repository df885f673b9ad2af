//! The files of the cases, under names that say nothing.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tracegauge_corpus::case::Case;

use crate::temporary::Temporary;

/// The files of the cases, written once for all readers of a run.
#[derive(Debug)]
pub struct Files {
    folder: Temporary,
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
            folder: Temporary::for_bytes("cases-", bytes)?,
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
