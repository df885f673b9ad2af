//! Removes everything that a reader has left in its scratch folder, including deep chains of
//! folders, paths that are too long, and folders without permissions.
//!
//! A reader may also have replaced the folder, or folders inside it, by symbolic links. All files
//! and folders are therefore opened relative to their parent folder, and links are removed rather
//! than followed.

use std::ffi::{CStr, CString};
use std::fs::{self, Permissions};
use std::io;
#[cfg(target_os = "linux")]
use std::os::fd::AsRawFd;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, fstat, openat, renameat, statat, unlinkat,
};
use rustix::io::Errno;

/// An in-memory file system with more files than this is replaced instead of being emptied.
pub(crate) const FEW: u64 = 256;

/// The maximum number of files to remove before giving up. Remaining files are removed with the
/// folder of the run.
const MOST: usize = 1 << 20;

/// Flags for opening a folder that is not a link.
const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

/// Removes the contents of a folder with at most [`FEW`] files.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
pub(crate) fn few(folder: impl AsFd) {
    let _ = contents_of(folder.as_fd());
}

/// Removes the contents of `folder`, but not the folder itself.
///
/// # Errors
/// Returns an error if a file or folder cannot be removed, or if `folder` is a link.
pub(crate) fn contents(folder: &Path) -> io::Result<()> {
    let opened = openat(CWD, folder, FOLDER, Mode::empty())?;
    contents_of(opened.as_fd())
}

/// Removes the contents of `top`.
///
/// Before a folder is removed, the folders inside it are moved to `top`, so that folders nested to
/// any depth are removed with only one level open at a time.
fn contents_of(top: BorrowedFd<'_>) -> io::Result<()> {
    let mut folders: Vec<CString> = Vec::new();
    let mut number = 0;
    empty(top, None, &mut folders, &mut number)?;
    while let Some(name) = folders.pop() {
        let inner = opened(top, &name)?;
        empty(top, Some(inner.as_fd()), &mut folders, &mut number)?;
        unlinkat(top, &name, AtFlags::REMOVEDIR)?;
    }
    Ok(())
}

/// Opens a folder inside `top`. First gives the owner all permissions for the folder, because they
/// are needed to empty and move it.
fn opened(top: BorrowedFd<'_>, name: &CStr) -> io::Result<OwnedFd> {
    permit(top, name)?;
    Ok(openat(top, name, FOLDER, Mode::empty())?)
}

#[cfg(target_os = "linux")]
fn permit(around: BorrowedFd<'_>, name: &CStr) -> io::Result<()> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let found = openat(around, name, flags, Mode::empty())?;
    if FileType::from_raw_mode(fstat(&found)?.st_mode) != FileType::Directory {
        return Err(Errno::NOTDIR.into());
    }
    // This path refers to the opened folder, regardless of what `name` refers to now.
    let path = format!("/proc/self/fd/{}", found.as_raw_fd());
    fs::set_permissions(path, Permissions::from_mode(0o700))
}

#[cfg(not(target_os = "linux"))]
fn permit(around: BorrowedFd<'_>, name: &CStr) -> io::Result<()> {
    let flags = AtFlags::SYMLINK_NOFOLLOW;
    Ok(rustix::fs::chmodat(around, name, Mode::RWXU, flags)?)
}

/// Removes the files in `inner`, or in `top` if there is no `inner`. Moves the folders in `inner`
/// to `top` under new names.
fn empty(
    top: BorrowedFd<'_>,
    inner: Option<BorrowedFd<'_>>,
    folders: &mut Vec<CString>,
    number: &mut usize,
) -> io::Result<()> {
    let folder = inner.unwrap_or(top);
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        *number += 1;
        if *number > MOST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let kind = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode;
        if FileType::from_raw_mode(kind) != FileType::Directory {
            unlinkat(folder, name, AtFlags::empty())?;
            continue;
        }
        let Some(inner) = inner else {
            folders.push(name.to_owned());
            continue;
        };
        // A folder can be moved only if its owner has all permissions for it.
        permit(inner, name)?;
        folders.push(moved(inner, name, top, number)?);
    }
    Ok(())
}

/// Moves a folder to an unused name in `top` and returns that name.
fn moved(
    inner: BorrowedFd<'_>,
    name: &CStr,
    top: BorrowedFd<'_>,
    number: &mut usize,
) -> io::Result<CString> {
    let free = loop {
        let free = CString::new(format!(".discarded-{number}"))?;
        if statat(top, &free, AtFlags::SYMLINK_NOFOLLOW).is_err() {
            break free;
        }
        *number += 1;
    };
    renameat(inner, name, top, &free)?;
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
        // A path of 200 such names is longer than the system accepts, so the chain is built from
        // the inside out.
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

    #[test]
    fn links_are_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (kept, scratch) = (folder.path().join("kept"), folder.path().join("scratch"));
        fs::create_dir_all(kept.join("inner")).expect("a folder");
        fs::write(kept.join("inner/file"), "content").expect("a file");
        fs::create_dir_all(scratch.join("a/b")).expect("a folder");
        for link in ["link", "a/link", "a/b/link"] {
            std::os::unix::fs::symlink(&kept, scratch.join(link)).expect("a link");
        }
        contents(&scratch).expect("everything is removed");
        assert_eq!(fs::read_dir(&scratch).expect("a folder").count(), 0);
        // The scratch folder itself may be a link by now.
        fs::remove_dir(&scratch).expect("it is empty");
        std::os::unix::fs::symlink(&kept, &scratch).expect("a link");
        assert!(contents(&scratch).is_err());
        assert!(kept.join("inner/file").exists());
    }
}
