//! A reader's own tests, written by its author: all files in a folder, regardless of their names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::campaign::CampaignError;

/// The maximum size of a test file in bytes. Larger files are ignored.
const LARGEST: u64 = 16 << 20;

/// A test from the reader's own test suite.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTest {
    /// The path relative to the test folder.
    pub name: String,
    /// The trace.
    pub bytes: Vec<u8>,
}

/// Reads all files in `folder` and its subfolders, except hidden files, in the order of their
/// paths.
///
/// # Errors
/// Returns an error if a file cannot be read or if there are no files.
pub fn own_tests(folder: &Path) -> Result<Vec<OwnTest>, CampaignError> {
    let mut paths = Vec::new();
    list(folder, &mut paths).map_err(|(path, error)| CampaignError::File(path, error))?;
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).map_err(|error| CampaignError::File(path.clone(), error))?;
        let below = path.strip_prefix(folder).unwrap_or(&path);
        Ok(OwnTest {
            name: below.to_string_lossy().into_owned(),
            bytes,
        })
    };
    let tests: Vec<OwnTest> = paths
        .into_iter()
        .map(read)
        .collect::<Result<_, CampaignError>>()?;
    if tests.is_empty() {
        let why = "the folder contains no files to start fuzzing from".to_owned();
        return Err(CampaignError::Other(folder.to_owned(), why));
    }
    Ok(tests)
}

fn list(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), (PathBuf, io::Error)> {
    let failed = |error| (folder.to_owned(), error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        // Symbolic links to folders are not followed, because they may form cycles. Links to files
        // are read.
        if kind.is_dir() {
            list(&entry.path(), found)?;
        } else if fs::metadata(entry.path()).is_ok_and(|it| it.is_file() && it.len() <= LARGEST) {
            found.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_all_folders_are_tests_and_hidden_ones_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).expect("a folder");
        for (name, text) in [("b", "2"), ("a", "1"), (".git", "0"), ("inner/c", "3")] {
            fs::write(folder.path().join(name), text).expect("written");
        }
        std::os::unix::fs::symlink(folder.path(), inner.join("back")).expect("a link");
        let found = own_tests(folder.path()).expect("tests");
        let names: Vec<&str> = found.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "inner/c"]);
        assert_eq!(found[2].bytes, b"3");
    }

    #[test]
    fn a_folder_without_files_is_a_mistake() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(own_tests(folder.path()).is_err());
        assert!(own_tests(&folder.path().join("none")).is_err());
    }
}
