use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use crate::yaml::Recorded;

/// The maximum number of bytes to read from a file. The YAML parser has a smaller limit and reports
/// where a file exceeds it.
const LARGEST: u64 = 8 << 20;

/// A source of the files of a description. The parts of a path are separated by `/`, and paths are
/// relative to the root of the source.
pub trait Files {
    /// Reads the text of the file at `path`.
    ///
    /// # Errors
    /// Returns an error with the reason if the file cannot be read.
    fn read(&self, path: &str) -> Result<String, FileError>;

    /// Returns the YAML events of the file at `path` if they were recorded when the library was
    /// built. The loader then does not parse the text.
    fn recorded(&self, _path: &str) -> Option<Recorded> {
        None
    }
}

/// The reason why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileError {
    /// The file does not exist.
    Missing,
    /// The path refers to a folder, a device or a pipe.
    NoFile,
    /// The operating system reported the given error.
    Refused(std::io::ErrorKind),
    /// The file is too large to be a description.
    TooLarge,
    /// The file is not UTF-8. The given offset is the position of the first invalid byte.
    NotText(usize),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("no such file"),
            Self::NoFile => f.write_str("not a regular file"),
            Self::Refused(kind) => write!(f, "{kind}"),
            Self::TooLarge => f.write_str("the file is too large for a description"),
            Self::NotText(offset) => write!(f, "invalid UTF-8 at byte {offset}"),
        }
    }
}

impl std::error::Error for FileError {}

/// Files on disk in a folder.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// Creates a source for the files in `folder`. An empty path means the working directory.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
        }
    }
}

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, FileError> {
        let refused = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => FileError::Missing,
            kind => FileError::Refused(kind),
        };
        let path = self.folder.join(path);
        // Check before opening the file, because opening a pipe waits for a writer.
        let metadata = std::fs::metadata(&path).map_err(refused)?;
        if !metadata.is_file() {
            return Err(FileError::NoFile);
        }
        let file = File::open(&path).map_err(refused)?;
        let mut bytes = Vec::new();
        file.take(LARGEST + 1)
            .read_to_end(&mut bytes)
            .map_err(refused)?;
        if bytes.len() as u64 > LARGEST {
            return Err(FileError::TooLarge);
        }
        String::from_utf8(bytes)
            .map_err(|error| FileError::NotText(error.utf8_error().valid_up_to()))
    }
}

/// Files in memory.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: BTreeMap<String, String>,
}

impl Memory {
    /// Creates an empty source.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file.
    pub fn with(mut self, path: impl Into<String>, text: impl Into<String>) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }
}

impl Files for Memory {
    fn read(&self, path: &str) -> Result<String, FileError> {
        self.files.get(path).cloned().ok_or(FileError::Missing)
    }
}
