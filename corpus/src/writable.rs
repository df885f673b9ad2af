//! Checks in advance whether a file or folder can be written, so that a long computation does not
//! start if its results cannot be saved.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

/// Checks that files can be written to the folder `path`. The folder does not have to exist if it
/// can be created.
///
/// # Errors
/// Returns an error if the path is not a folder, cannot be created or cannot be written to.
pub fn folder(path: &Path) -> io::Result<()> {
    let is_there = |folder: &&Path| folder.symlink_metadata().is_ok();
    let nearest = path.ancestors().find(is_there);
    existing(nearest.unwrap_or(Path::new(".")))
}

/// Checks that the file `path` can be written, without changing its content.
///
/// # Errors
/// Returns an error if the path is a folder or cannot be written to. For a new file, returns an
/// error if its folder does not exist or cannot be written to.
pub fn file(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if there.is_file() => OpenOptions::new().write(true).open(path).map(drop),
        // Assume that devices and pipes are writable.
        Ok(_) => Ok(()),
        Err(_) => match path.parent() {
            Some(folder) if folder != Path::new("") => existing(folder),
            _ => existing(Path::new(".")),
        },
    }
}

/// Checks that files can be written to an existing folder.
fn existing(folder: &Path) -> io::Result<()> {
    if !folder.metadata()?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    let tried = tempfile::NamedTempFile::new_in(folder);
    tried.map(drop).map_err(|error| match error.kind() {
        // The folder exists, but its file system, such as that of `/proc`, does not allow creating
        // files.
        io::ErrorKind::NotFound => io::Error::new(
            io::ErrorKind::Unsupported,
            format!("{} does not allow new files", folder.display()),
        ),
        // Return only the kind of error, because the full message would name the temporary file.
        kind => kind.into(),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn what_can_be_written_is_told_from_what_cannot() {
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::write(path("file"), "kept").unwrap();
        fs::create_dir(path("folder")).unwrap();
        for good in ["folder", "new", "new/and/deep"] {
            folder(&path(good)).unwrap();
        }
        for bad in ["file", "file/in"] {
            let error = folder(&path(bad)).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NotADirectory, "{bad}");
        }
        for good in ["file", "folder/new"] {
            file(&path(good)).unwrap();
        }
        assert_eq!(fs::read(path("file")).unwrap(), b"kept");
        for (bad, kind) in [
            ("folder", ErrorKind::IsADirectory),
            ("no/file", ErrorKind::NotFound),
            ("file/in", ErrorKind::NotADirectory),
        ] {
            assert_eq!(file(&path(bad)).unwrap_err().kind(), kind, "{bad}");
        }
        assert_eq!(
            fs::read_dir(place.path()).unwrap().count(),
            2,
            "nothing new"
        );
    }
}
