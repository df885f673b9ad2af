//! Writes reports to disk atomically: other programs see the old file or the complete new one.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// An error that occurred while a report was written.
#[derive(Debug)]
pub struct WriteError {
    /// The file.
    pub path: PathBuf,
    /// The I/O error.
    pub error: io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for WriteError {}

/// Atomically replaces `path` with the bytes that `fill` writes.
///
/// # Errors
/// Returns an error if the directory cannot be written to or if `fill` fails.
pub fn replace(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), WriteError> {
    put(path, fill).map_err(|error| WriteError {
        path: path.to_owned(),
        error,
    })
}

/// Checks in advance that `path` can be written.
///
/// # Errors
/// Returns an error if the directory does not exist or cannot be written to, or if `path` is a
/// directory.
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
    // The error's message would name the temporary file, which is meaningless to the user.
    tempfile::NamedTempFile::new_in(folder)
        .map(drop)
        .map_err(|error| failed(error.kind().into()))
}

/// Returns the directory that contains `path`.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn put(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = Unfinished::beside(path)?;
    let mut out = BufWriter::new(&mut file);
    fill(&mut out)?;
    out.flush()?;
    drop(out);
    file.finish(path)
}

/// A file that is written under a temporary name, so that its final name never refers to an
/// incomplete file. The temporary file is removed unless [`Unfinished::finish`] is called. If the
/// program is killed, the temporary file remains. The temporary name begins with a dot and ends in
/// `.unfinished`.
#[derive(Debug)]
pub struct Unfinished(tempfile::NamedTempFile);

impl Unfinished {
    /// Creates a temporary file that [`Unfinished::finish`] can rename to `path`.
    ///
    /// # Errors
    /// Returns an error if the folder of `path` cannot be written to.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tracegauge-").suffix(".unfinished");
        builder.tempfile_in(folder_of(path)).map(Self)
    }

    /// Returns the temporary path.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Gives the file its final name.
    ///
    /// # Errors
    /// Returns an error if the file cannot be renamed.
    pub fn finish(self, path: &Path) -> io::Result<()> {
        open_to_others(self.0.as_file())?;
        self.0.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Makes a report readable for everyone. A temporary file is readable only by its owner.
#[cfg(unix)]
fn open_to_others(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn open_to_others(_: &File) -> io::Result<()> {
    Ok(())
}
