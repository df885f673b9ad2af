//! Accesses a corpus that is stored in a folder or embedded in the program.

use std::io::{Read, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use flate2::Compression;
use flate2::read::{DeflateDecoder, GzDecoder};
use flate2::write::GzEncoder;
use serde::de::DeserializeOwned;

/// An embedded file.
struct File {
    path: &'static str,
    /// The length of the content.
    length: usize,
    /// The range of [`PACKED`] that contains the compressed content.
    packed: Range<usize>,
}

/// The embedded files, sorted by path.
static FILES: &[File] = &include!(concat!(env!("OUT_DIR"), "/corpus.rs"));

/// The content of the embedded files, each compressed with Deflate.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/corpus.deflate"));

impl File {
    fn read(&self) -> Result<Vec<u8>, StoreError> {
        let mut content = Vec::with_capacity(self.length);
        let mut inflated = DeflateDecoder::new(&PACKED[self.packed.clone()]);
        match inflated.read_to_end(&mut content) {
            Ok(_) => Ok(content),
            Err(error) => Err(StoreError {
                path: self.path.into(),
                error,
            }),
        }
    }
}

/// A store of vectors, real files, manifests and other files of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Store {
    /// The files embedded in the program.
    Embedded,
    /// The files in a folder.
    Folder(PathBuf),
    /// The embedded files plus the files in a folder that contains neither vectors nor manifests.
    /// The folder contains additional cases from the author of a reader.
    Beside(PathBuf),
}

/// An error that occurred while reading or writing a corpus file.
#[derive(Debug)]
pub struct StoreError {
    /// The path of the file.
    pub path: PathBuf,
    /// The underlying error.
    pub error: io::Error,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for StoreError {}

/// An error in a corpus file.
#[derive(Debug)]
pub enum KeptError {
    /// The file cannot be read or written.
    Store(StoreError),
    /// The content of the file is not valid.
    Text {
        /// The file.
        file: String,
        /// The parse error with its location.
        error: serde_yaml::Error,
    },
}

impl fmt::Display for KeptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Text { file, error } => write!(f, "{file}: {error}"),
        }
    }
}

impl std::error::Error for KeptError {}

impl From<StoreError> for KeptError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Store {
    /// Opens the nearest folder called `corpus` that contains cases, in the current folder or one
    /// of its parents. If there is no such folder, opens the embedded corpus.
    pub fn nearest() -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        here.ancestors()
            .map(|folder| folder.join("corpus"))
            .find(|folder| is_corpus(folder) || folder.join(REGRESSIONS).is_dir())
            .map_or(Self::Embedded, Self::at)
    }

    /// Opens the corpus in `folder`. If the folder contains only regressions, it is combined with
    /// the embedded corpus.
    pub fn at(folder: PathBuf) -> Self {
        if folder.join(REGRESSIONS).is_dir() && !is_corpus(&folder) {
            Self::Beside(folder)
        } else {
            Self::Folder(folder)
        }
    }

    /// Returns the store to add new cases to. If the folder does not contain a corpus of its own,
    /// it is combined with the embedded corpus.
    pub fn keeping(self) -> Self {
        match self {
            Self::Folder(folder) if !is_corpus(&folder) => Self::Beside(folder),
            Self::Embedded if Path::new("corpus").is_dir() => Self::Beside("corpus".into()),
            other => other,
        }
    }

    /// Returns the folder, if the store has one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Embedded => None,
            Self::Folder(root) | Self::Beside(root) => Some(root),
        }
    }

    /// Returns the paths of all files below `folder`, sorted and with `/` as the separator.
    ///
    /// # Errors
    /// Returns an error if a folder cannot be listed. A missing folder is not an error.
    pub fn list(&self, folder: &str) -> Result<Vec<String>, StoreError> {
        match self {
            Self::Embedded => {
                let inside = |path: &&str| {
                    path.strip_prefix(folder)
                        .is_some_and(|rest| rest.starts_with('/'))
                };
                let paths = FILES.iter().map(|file| file.path).filter(inside);
                Ok(paths.map(str::to_owned).collect())
            }
            Self::Folder(root) => {
                let mut paths = Vec::new();
                walk(&root.join(folder), folder, &mut paths)?;
                paths.sort();
                Ok(paths)
            }
            Self::Beside(root) => {
                let mut paths = Self::Embedded.list(folder)?;
                paths.extend(Self::Folder(root.clone()).list(folder)?);
                paths.sort();
                paths.dedup();
                Ok(paths)
            }
        }
    }

    /// Reads the file at `path`. Returns `None` if there is no such file.
    ///
    /// # Errors
    /// Returns an error if the file exists but cannot be read.
    pub fn read(&self, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        match self {
            Self::Embedded => match FILES.binary_search_by_key(&path, |file| file.path) {
                Ok(index) => FILES[index].read().map(Some),
                Err(_) => Ok(None),
            },
            Self::Folder(root) => {
                let path = root.join(path);
                match read_file(&path) {
                    Ok(bytes) => Ok(Some(bytes)),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                    Err(error) => Err(StoreError { path, error }),
                }
            }
            Self::Beside(root) => match Self::Folder(root.clone()).read(path)? {
                Some(bytes) => Ok(Some(bytes)),
                None => Self::Embedded.read(path),
            },
        }
    }

    /// Reads and parses the YAML file at `path`. Returns `None` if there is no such file.
    ///
    /// # Errors
    /// Returns an error if the file exists but cannot be read or parsed.
    pub fn yaml<T: DeserializeOwned>(&self, path: &str) -> Result<Option<T>, KeptError> {
        let Some(bytes) = self.read(path)? else {
            return Ok(None);
        };
        let held = serde_yaml::from_slice(&bytes);
        held.map(Some).map_err(|error| KeptError::Text {
            file: self.shown(path),
            error,
        })
    }

    /// Reads the file at `path`, which is compressed with gzip. Returns `None` if there is no such
    /// file.
    ///
    /// # Errors
    /// Returns an error if the file exists but cannot be read or decompressed.
    pub fn compressed(&self, path: &str) -> Result<Option<String>, StoreError> {
        let Some(bytes) = self.read(path)? else {
            return Ok(None);
        };
        let mut text = String::new();
        match GzDecoder::new(bytes.as_slice()).read_to_string(&mut text) {
            Ok(_) => Ok(Some(text)),
            Err(error) => Err(StoreError {
                path: self.shown(path).into(),
                error,
            }),
        }
    }

    /// Compresses `text` with gzip and writes it to the file at `path`, unless the file already
    /// contains it. Returns true if the file was written.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written or the store has no folder.
    pub fn compress(&self, path: &str, text: &str) -> Result<bool, StoreError> {
        // Compare the texts, because another version of the compressor may produce different bytes
        // for the same text.
        if self
            .compressed(path)
            .is_ok_and(|kept| kept.is_some_and(|kept| kept == text))
        {
            return Ok(false);
        }
        let failed = |error| StoreError {
            path: path.into(),
            error,
        };
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).map_err(failed)?;
        let bytes = encoder.finish().map_err(failed)?;
        self.write(path, &bytes)?;
        Ok(true)
    }

    /// Returns the folder that files are written to.
    ///
    /// # Errors
    /// Returns an error if the store has no folder.
    pub fn writable(&self) -> Result<&Path, StoreError> {
        self.folder().ok_or_else(|| StoreError {
            path: PathBuf::from("corpus"),
            error: io::Error::other(
                "cases cannot be saved, because this folder has no subfolder `corpus`; create it, or \
                 specify another corpus with --corpus",
            ),
        })
    }

    /// Writes the file at `path` atomically.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written or the store has no folder.
    pub fn write(&self, path: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let path = self.writable()?.join(path);
        let written = path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| replace(&path, bytes));
        written.map_err(|error| StoreError { path, error })
    }

    /// Returns the path of a corpus file for use in messages.
    pub fn shown(&self, path: &str) -> String {
        match self.folder() {
            None => path.to_owned(),
            Some(root) => root.join(path).display().to_string(),
        }
    }
}

/// The name of the folder for the cases added by `tracegauge corpus add`.
const REGRESSIONS: &str = "regressions";

/// Returns true if the folder contains a corpus of its own, which replaces the embedded corpus.
fn is_corpus(folder: &Path) -> bool {
    folder.join("vectors").is_dir() || folder.join("manifest").is_dir()
}

/// Reads a file of the corpus. The corpus may come from an untrusted source, so pipes and devices
/// are rejected: opening a pipe would wait for a writer, and reading a device might never end.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("not an ordinary file"));
    }
    fs::read(path)
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, bytes)?;
    fs::rename(&beside, path)
}

fn walk(folder: &Path, name: &str, paths: &mut Vec<String>) -> Result<(), StoreError> {
    let failed = |error| StoreError {
        path: folder.to_path_buf(),
        error,
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(failed(error)),
    };
    for entry in entries {
        let entry = entry.map_err(failed)?;
        let inner = format!("{name}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            walk(&entry.path(), &inner, paths)?;
        } else {
            paths.push(inner);
        }
    }
    Ok(())
}
