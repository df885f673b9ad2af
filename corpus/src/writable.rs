//! Whether something can be written, as far as this shows before there is anything to write: what
//! takes minutes is not begun where nobody could read what comes of it.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

/// Whether files can be written to the folder `path`, which is made where it is not there yet.
///
/// # Errors
/// It is no folder, it cannot be made, or it cannot be written to.
pub fn folder(path: &Path) -> io::Result<()> {
    let is_there = |folder: &&Path| folder.symlink_metadata().is_ok();
    let nearest = path.ancestors().find(is_there);
    existing(nearest.unwrap_or(Path::new(".")))
}

/// Whether the file `path` can be written; what is in it stays.
///
/// # Errors
/// It is a folder, it cannot be written to, or the folder that it is to be in is not there or
/// cannot be written to.
pub fn file(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if there.is_file() => OpenOptions::new().write(true).open(path).map(drop),
        // A device or a pipe is what it is.
        Ok(_) => Ok(()),
        Err(_) => match path.parent() {
            Some(folder) if folder != Path::new("") => existing(folder),
            _ => existing(Path::new(".")),
        },
    }
}

/// Whether files can be written to a folder that is there.
fn existing(folder: &Path) -> io::Result<()> {
    if !folder.metadata()?.is_dir() {
        return Err(io::ErrorKind::NotADirectory.into());
    }
    // The name of the file that was tried would tell nobody anything.
    let tried = tempfile::NamedTempFile::new_in(folder);
    tried.map(drop).map_err(|error| error.kind().into())
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
