//! Folders that go with the run that made them. One that is killed cannot take them along, so the
//! next one removes what it finds without an owner.
//!
//! The owner holds a lock on a file in its folder, which the system lets go of when the process
//! ends, however it ends. Who cannot have the lock at once leaves the folder alone.

use std::env;
use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Once;

use tempfile::TempDir;

/// What the names of all these folders begin with.
const PREFIX: &str = "tracegauge-";

/// The file that the owner holds a lock on. A folder without it is none of ours.
const MARK: &str = ".tracegauge-owner";

/// Where Linux keeps files in memory. Thousands of small files are made there in no time,
/// where a disk may take seconds.
const MEMORY: &str = "/dev/shm";

/// Of what is free there, a run takes no more than this part.
const MEMORY_PART: u64 = 4;

/// Another process can take a folder for one that was left in the moment before it is locked.
const TRIES: usize = 16;

/// A folder that is removed with this value, or by a later run where this one is killed.
#[derive(Debug)]
pub(crate) struct Temporary {
    folder: TempDir,
    /// Let go of after the folder is gone.
    #[expect(dead_code, reason = "it is held, not used")]
    mark: File,
}

impl Temporary {
    /// A folder for small things, with so much of a name.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn new(name: &str) -> io::Result<Self> {
        Self::within(&env::temp_dir(), name)
    }

    /// A folder for files of so many bytes, in memory where that is possible.
    ///
    /// # Errors
    /// It cannot be made.
    pub(crate) fn for_bytes(name: &str, bytes: u64) -> io::Result<Self> {
        let in_memory = fits_in_memory(bytes).then(|| Self::within(Path::new(MEMORY), name).ok());
        match in_memory.flatten() {
            Some(folder) => Ok(folder),
            None => Self::new(name),
        }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
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
                // Where files cannot be locked, nobody may take this one for left.
                Err(_) => fs::remove_file(&path)?,
            }
            return Ok(Self { folder, mark });
        }
        Err(io::Error::other(format!(
            "other processes remove every folder that is made in {}",
            around.display()
        )))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        empty(self.folder.path());
    }
}

/// Locks a file, and says whether it has the lock: another process may have it, or may have had it
/// and removed the file.
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

/// Removes the folders of this user whose owners are gone. What cannot be removed stays: it is in
/// nobody's way.
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

/// Removes all but the mark, which goes last: who is killed in between leaves a folder that is
/// known for what it is.
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

/// Whether a folder or a file, and no link to one, is this user's.
fn is_own(path: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    fs::symlink_metadata(path).is_ok_and(|found| !found.is_symlink() && found.uid() == user)
}

/// Whether files of so many bytes may go to memory. Who sets `TMPDIR` has a reason to.
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
