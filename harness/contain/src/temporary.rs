//! Temporary folders that are removed at the end of the run. A run that is killed cannot remove its
//! folders, so the next run removes all folders whose owner has exited.
//!
//! The process that owns a folder holds a lock on a file in it. The system releases the lock when
//! the process ends for any reason. If the lock cannot be acquired at once, the folder is in use
//! and is left alone.

use std::env;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Once;

use tempfile::TempDir;

/// The prefix of the names of all temporary folders.
const PREFIX: &str = "tracegauge-";

/// The name of the file that the owner locks. A folder without this file was not created by this
/// program.
const MARK: &str = ".tracegauge-owner";

/// Linux's in-memory file system, which can create thousands of small files almost instantly,
/// whereas a disk may take seconds.
const MEMORY: &str = "/dev/shm";

/// The reciprocal of the share of free memory that a run may use for files.
const MEMORY_PART: u64 = 4;

/// The maximum number of attempts to create a folder. Creation can fail because another process may
/// mistake a new folder that is not locked yet for an abandoned one and remove it.
const TRIES: usize = 16;

/// A folder that is removed when this value is dropped, or by a later run if this run is killed.
#[derive(Debug)]
pub struct Temporary {
    folder: TempDir,
    /// The locked file. The file must be closed after the folder is removed.
    #[expect(dead_code, reason = "the file stays locked while this handle is open")]
    mark: File,
}

impl Temporary {
    /// Creates a folder for small files. `name` becomes part of the folder's name.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created.
    pub fn new(name: &str) -> io::Result<Self> {
        Self::within(&env::temp_dir(), name)
    }

    /// Creates a folder for files with a total size of `bytes` bytes, in memory if possible.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created.
    pub fn for_bytes(name: &str, bytes: u64) -> io::Result<Self> {
        let in_memory = fits_in_memory(bytes).then(|| Self::within(Path::new(MEMORY), name).ok());
        match in_memory.flatten() {
            Some(folder) => Ok(folder),
            None => Self::new(name),
        }
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn within(around: &Path, name: &str) -> io::Result<Self> {
        static LEFT: Once = Once::new();
        LEFT.call_once(|| {
            let memory = PathBuf::from(MEMORY);
            for around in [env::temp_dir(), memory] {
                remove_abandoned(&around);
            }
        });
        for _ in 0..TRIES {
            let name = format!("{PREFIX}{name}");
            let folder = tempfile::Builder::new().prefix(&name).tempdir_in(around)?;
            let path = folder.path().join(MARK);
            let mark = match File::create_new(&path) {
                Ok(mark) => mark,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(error),
            };
            match holds(&mark, &path) {
                Ok(false) => continue,
                Ok(true) => {}
                // Without file locking, other processes might consider this folder abandoned, so
                // the owner file is removed.
                Err(_) => fs::remove_file(&path)?,
            }
            return Ok(Self { folder, mark });
        }
        Err(io::Error::other(format!(
            "cannot create a temporary folder in {}: other processes keep removing it",
            around.display()
        )))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        empty(self.folder.path());
    }
}

/// Tries to lock a file. Returns true if this process holds the lock on the file at `path`, and
/// false if another process holds the lock, or held it and removed the file.
fn holds(file: &File, path: &Path) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Ok(false),
        Err(TryLockError::Error(error)) => return Err(error),
    }
    let own = file.metadata()?;
    match fs::symlink_metadata(path) {
        Ok(there) => Ok((there.dev(), there.ino()) == (own.dev(), own.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes this user's temporary folders whose owner processes have ended. Folders that cannot be
/// removed are left in place.
fn remove_abandoned(around: &Path) {
    for entry in fs::read_dir(around).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_named = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let mark = path.join(MARK);
        if !is_named || !is_own(&path) || !is_own(&mark) {
            continue;
        }
        if let Ok(file) = File::open(&mark)
            && holds(&file, &mark).is_ok_and(|holds| holds)
        {
            empty(&path);
            let _ = fs::remove_dir_all(&path);
        }
    }
}

/// Removes everything in a folder except the owner file. The caller then removes the owner file
/// together with the folder, so that a folder is still recognized as abandoned if the process is
/// killed in between.
fn empty(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let _ = match entry.file_name() == MARK {
            true => Ok(()),
            false if is_folder => fs::remove_dir_all(entry.path()),
            false => fs::remove_file(entry.path()),
        };
    }
}

/// Returns whether a file or folder belongs to this user and is not a symbolic link.
fn is_own(path: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    fs::symlink_metadata(path).is_ok_and(|found| !found.is_symlink() && found.uid() == user)
}

/// Returns true if files with a total size of `bytes` bytes may be stored in memory. If `TMPDIR` is
/// set, returns false, because the user has chosen a folder.
fn fits_in_memory(bytes: u64) -> bool {
    if env::var_os("TMPDIR").is_some() || !Path::new(MEMORY).is_dir() {
        return false;
    }
    rustix::fs::statvfs(MEMORY)
        .is_ok_and(|free| bytes < free.f_bavail.saturating_mul(free.f_frsize) / MEMORY_PART)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_marked_folders_without_an_owner_are_removed() {
        let around = tempfile::tempdir().expect("a folder");
        let make = |name: &str| {
            let path = around.path().join(name);
            fs::create_dir(&path).expect("a folder");
            path
        };
        let left = make("tracegauge-left");
        fs::write(left.join(MARK), "").expect("a file");
        fs::create_dir(left.join("more")).expect("a folder");
        let foreign = make("tracegauge-notes");
        let other = make("another-left");
        fs::write(other.join(MARK), "").expect("a file");
        let living = Temporary::within(around.path(), "living-").expect("a folder");
        let link = around.path().join("tracegauge-link");
        std::os::unix::fs::symlink(&other, &link).expect("a link");
        remove_abandoned(around.path());
        assert!(!left.exists());
        for stays in [&foreign, &other, &link] {
            assert!(stays.exists(), "{}", stays.display());
        }
        assert!(living.path().exists());
        let path = living.path().to_path_buf();
        drop(living);
        assert!(!path.exists());
    }

    #[test]
    fn starts_that_race_take_nothing_from_each_other() {
        let around = tempfile::tempdir().expect("a folder");
        let start = || {
            for _ in 0..50 {
                let own = Temporary::within(around.path(), "").expect("a folder");
                remove_abandoned(around.path());
                fs::write(own.path().join("case"), "").expect("its own folder is there");
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(start);
            }
        });
        assert_eq!(fs::read_dir(around.path()).expect("a folder").count(), 0);
    }
}
