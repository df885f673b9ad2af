//! Removal of what a reader has left in its scratch folder, however it is arranged: in deep chains
//! of folders, under paths that are too long, or in folders without permissions.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A file system in memory with more files than this is replaced instead of emptied.
pub(super) const FEW: u64 = 256;

/// The maximum number of files to remove before giving up. What is left is removed with the folder
/// of the run.
const MOST: usize = 1 << 20;

/// Removes the contents of a folder with at most [`FEW`] files.
pub(super) fn few(folder: &Path) {
    let _ = contents(folder);
}

/// Removes everything in `folder`, but not the folder itself.
///
/// The contents of each folder are moved to the top before the folder is removed. So no path is
/// ever longer than two names.
///
/// # Errors
/// Returns an error if something cannot be removed.
pub(super) fn contents(folder: &Path) -> io::Result<()> {
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut number = 0;
    empty(folder, folder, &mut folders, &mut number)?;
    while let Some(inner) = folders.pop() {
        empty(&inner, folder, &mut folders, &mut number)?;
        fs::remove_dir(&inner)?;
    }
    Ok(())
}

/// Removes the files in `inner` and moves its folders to `top` under new names.
fn empty(
    inner: &Path,
    top: &Path,
    folders: &mut Vec<PathBuf>,
    number: &mut usize,
) -> io::Result<()> {
    for entry in fs::read_dir(inner)? {
        let entry = entry?;
        *number += 1;
        if *number > MOST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        if !entry.file_type()?.is_dir() {
            fs::remove_file(entry.path())?;
            continue;
        }
        // A folder can only be moved and emptied by a user with all permissions for it.
        fs::set_permissions(entry.path(), Permissions::from_mode(0o700))?;
        let moved = match inner == top {
            true => entry.path(),
            false => moved(&entry.path(), top, number)?,
        };
        folders.push(moved);
    }
    Ok(())
}

/// Moves a folder to a name in `top` that is free, and returns its new path.
fn moved(folder: &Path, top: &Path, number: &mut usize) -> io::Result<PathBuf> {
    let free = loop {
        let free = top.join(format!(".discarded-{number}"));
        if fs::symlink_metadata(&free).is_err() {
            break free;
        }
        *number += 1;
    };
    fs::rename(folder, &free)?;
    Ok(free)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deep_chains_and_closed_folders_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let name = "a".repeat(200);
        let top = folder.path().join("top");
        fs::create_dir(&top).expect("a folder");
        // A path of 200 such names is longer than the system accepts, so it is built from inside.
        let mut chain = top.join(&name);
        fs::create_dir(&chain).expect("a folder");
        for _ in 0..200 {
            let outer = top.join("outer");
            fs::create_dir(&outer).expect("a folder");
            fs::rename(&chain, outer.join(&name)).expect("it is moved");
            fs::rename(&outer, &chain).expect("it is moved");
        }
        chain.push("file");
        fs::write(&chain, "content").expect("a file");
        let closed = top.join("closed");
        fs::create_dir_all(closed.join("inner")).expect("a folder");
        fs::write(closed.join("inner/file"), "content").expect("a file");
        fs::set_permissions(closed.join("inner"), Permissions::from_mode(0o000))
            .expect("it is ours");
        fs::set_permissions(&closed, Permissions::from_mode(0o000)).expect("it is ours");
        std::os::unix::fs::symlink("/", top.join("link")).expect("a link");
        contents(&top).expect("everything is removed");
        assert_eq!(fs::read_dir(&top).expect("a folder").count(), 0);
    }
}
