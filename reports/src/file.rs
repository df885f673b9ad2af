//! Reports on disk: who looks sees the old file or the whole new one, never half.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A report could not be written.
#[derive(Debug)]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for WriteError {}

/// Puts what `fill` writes in the place of `path`, all of it or nothing.
///
/// # Errors
/// The folder cannot be written to, or `fill` fails.
pub fn replace(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    put(path, fill).map_err(|error| WriteError {
        path: path.to_owned(),
        error,
    })
}

/// Whether `path` can be written, as far as this shows before there is anything to write.
///
/// # Errors
/// The folder is not there or cannot be written to, or `path` is a folder.
pub fn check(path: &Path) -> Result<(), WriteError> {
    let failed = |error| WriteError {
        path: path.to_owned(),
        error,
    };
    let folder = folder_of(path);
    if !folder.is_dir() {
        let why = format!("there is no folder {}", folder.display());
        return Err(failed(io::Error::new(io::ErrorKind::NotFound, why)));
    }
    if path.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    // The name of the file that was tried would tell nobody anything.
    tempfile::NamedTempFile::new_in(folder)
        .map(drop)
        .map_err(|error| failed(error.kind().into()))
}

/// The folder that `path` is in.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn put(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(folder_of(path))?;
    let mut out = BufWriter::new(file.as_file_mut());
    fill(&mut out)?;
    out.flush()?;
    drop(out);
    open_to_others(file.as_file())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// A temporary file is for its owner only; a report is as readable as any other file.
#[cfg(unix)]
fn open_to_others(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn open_to_others(_: &File) -> io::Result<()> {
    Ok(())
}
