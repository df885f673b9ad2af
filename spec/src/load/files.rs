use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// Most bytes of one file; the YAML budget refuses larger ones with a place.
const LARGEST: u64 = 8 << 20;

/// Where the files of a description come from. Paths have `/` between their parts and are
/// relative to whatever the description was asked for.
pub trait Files {
    /// The text of the file at `path`.
    ///
    /// # Errors
    /// Why there is none.
    fn read(&self, path: &str) -> Result<String, FileError>;
}

/// Why a file cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileError {
    /// There is no such file.
    Missing,
    /// It is a folder, a device or a pipe.
    NoFile,
    /// The system refuses it.
    Refused(std::io::ErrorKind),
    /// It is larger than any description.
    TooLarge,
    /// It is not UTF-8 from this byte on.
    NotText(usize),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("there is no such file"),
            Self::NoFile => f.write_str("it is no regular file"),
            Self::Refused(kind) => write!(f, "the system says: {kind}"),
            Self::TooLarge => f.write_str("it is larger than any description"),
            Self::NotText(offset) => write!(f, "it is not UTF-8, first at byte {offset}"),
        }
    }
}

impl std::error::Error for FileError {}

/// Files on disk, under a folder.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    folder: PathBuf,
}

impl Disk {
    /// Files under `folder`; the empty path is the working directory.
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
        // Asked before it is opened: opening a pipe waits for a writer.
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
    /// No files.
    pub fn new() -> Self {
        Self::default()
    }

    /// With a file more.
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
