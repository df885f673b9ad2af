//! Where the corpus is kept: in a folder, or in this very program.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use serde::de::DeserializeOwned;

/// Path and bytes of each file, by path.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/corpus.rs"));

/// The vectors, real files and manifests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Store {
    /// Those that the program was built with.
    Embedded,
    /// Those in a folder.
    Folder(PathBuf),
    /// Those that the program was built with, and those of a folder that has no vectors and no
    /// manifests: cases that a reader's author keeps.
    Beside(PathBuf),
}

/// A file of the corpus that cannot be read or written.
#[derive(Debug)]
pub struct StoreError {
    /// Its path.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for StoreError {}

/// A file of the corpus that does not hold what it should.
#[derive(Debug)]
pub enum KeptError {
    /// It cannot be read or written.
    Store(StoreError),
    /// It is something else.
    Text {
        /// The file.
        file: String,
        /// The mistake, with its place.
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
    /// The folder `corpus` that is in the current folder or in one above it, if there is one with
    /// cases; else what the program was built with.
    pub fn nearest() -> Self {
        let here = std::env::current_dir().unwrap_or_default();
        here.ancestors()
            .map(|folder| folder.join("corpus"))
            .find(|folder| is_corpus(folder) || folder.join(REGRESSIONS).is_dir())
            .map_or(Self::Embedded, Self::at)
    }

    /// The corpus in `folder`, which may have nothing but cases to run beside the built-in ones.
    pub fn at(folder: PathBuf) -> Self {
        if folder.join(REGRESSIONS).is_dir() && !is_corpus(&folder) {
            Self::Beside(folder)
        } else {
            Self::Folder(folder)
        }
    }

    /// Where a case is kept: a folder that has nothing yet has it beside the built-in ones.
    pub fn keeping(self) -> Self {
        match self {
            Self::Folder(folder) if !is_corpus(&folder) => Self::Beside(folder),
            Self::Embedded if Path::new("corpus").is_dir() => Self::Beside("corpus".into()),
            other => other,
        }
    }

    /// The folder, where there is one.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Embedded => None,
            Self::Folder(root) | Self::Beside(root) => Some(root),
        }
    }

    /// The paths of all files below `folder`, with `/` between their parts, sorted.
    ///
    /// # Errors
    /// A folder cannot be listed. That there is none is no error.
    pub fn list(&self, folder: &str) -> Result<Vec<String>, StoreError> {
        match self {
            Self::Embedded => {
                let inside = |path: &&str| {
                    path.strip_prefix(folder)
                        .is_some_and(|rest| rest.starts_with('/'))
                };
                let paths = FILES.iter().map(|(path, _)| *path).filter(inside);
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

    /// The bytes of the file at `path`; `None` where there is none.
    ///
    /// # Errors
    /// It is there and cannot be read.
    pub fn read(&self, path: &str) -> Result<Option<Cow<'static, [u8]>>, StoreError> {
        match self {
            Self::Embedded => {
                let at = FILES.binary_search_by_key(&path, |(name, _)| name);
                Ok(at.ok().map(|index| Cow::Borrowed(FILES[index].1)))
            }
            Self::Folder(root) => {
                let path = root.join(path);
                match fs::read(&path) {
                    Ok(bytes) => Ok(Some(Cow::Owned(bytes))),
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

    /// What the file at `path` holds; `None` where there is none.
    ///
    /// # Errors
    /// It is there and cannot be read, or holds something else.
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

    /// Writes the file at `path` as a whole or not at all.
    ///
    /// # Errors
    /// It cannot be written, or the corpus is not in a folder.
    pub fn write(&self, path: &str, bytes: &[u8]) -> Result<(), StoreError> {
        let Some(root) = self.folder() else {
            let error = io::Error::other(
                "there is no folder `corpus` here to keep it in; make one, or name one with --corpus",
            );
            let path = PathBuf::from(path);
            return Err(StoreError { path, error });
        };
        let path = root.join(path);
        let written = path
            .parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| replace(&path, bytes));
        written.map_err(|error| StoreError { path, error })
    }

    /// The name of a file of the corpus in messages.
    pub fn shown(&self, path: &str) -> String {
        match self.folder() {
            None => path.to_owned(),
            Some(root) => root.join(path).display().to_string(),
        }
    }
}

/// Where a corpus has the cases that `tracegauge corpus add` keeps.
const REGRESSIONS: &str = "regressions";

/// A folder has a corpus of its own, which takes the place of the built-in one.
fn is_corpus(folder: &Path) -> bool {
    folder.join("vectors").is_dir() || folder.join("manifest").is_dir()
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
