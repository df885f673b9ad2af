//! A control group that bounds how many processes the readers of a cell may be.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Processes and threads at once: runtimes start some dozens of threads, a fork bomb thousands.
const MOST: u32 = 512;

/// A control group of this program's.
#[derive(Debug)]
pub(super) struct Pids {
    folder: PathBuf,
}

impl Pids {
    /// A new group inside the one that this program is in.
    ///
    /// # Errors
    /// There are no control groups here that this user may make.
    pub(super) fn new() -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let around = around().ok_or_else(|| io::Error::other("no control group for processes"))?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = around.join(format!("tracegauge-{}-{number}", std::process::id()));
        let failed = |error: io::Error| {
            io::Error::new(
                error.kind(),
                format!("no control group can be made: {error}"),
            )
        };
        fs::create_dir(&folder).map_err(failed)?;
        let group = Self { folder };
        fs::write(group.folder.join("pids.max"), MOST.to_string()).map_err(failed)?;
        Ok(group)
    }

    /// Puts a process into the group, with all that it will start.
    ///
    /// # Errors
    /// It is over already.
    pub(super) fn add(&self, pid: u32) -> io::Result<()> {
        fs::write(self.folder.join("cgroup.procs"), pid.to_string())
    }
}

impl fmt::Display for Pids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at most {MOST}, by a control group")
    }
}

impl Drop for Pids {
    fn drop(&mut self) {
        // Version 2 kills all that is left at once; elsewhere that has been done before.
        let _ = fs::write(self.folder.join("cgroup.kill"), "1");
        let _ = fs::remove_dir(&self.folder);
    }
}

/// The folder of the control group that this program is in, of the kind that counts processes.
fn around() -> Option<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let group = groups.lines().find_map(|line| named(line, "pids"));
    let old = group.map(|group| Path::new("/sys/fs/cgroup/pids").join(group));
    let new = groups.lines().find_map(|line| named(line, ""));
    let new = new.map(|group| Path::new("/sys/fs/cgroup").join(group));
    old.into_iter().chain(new).find(|folder| {
        // In version 2 the group must hand the controller down.
        let handed = fs::read_to_string(folder.join("cgroup.subtree_control"));
        match handed {
            Ok(controllers) => controllers.split_whitespace().any(|name| name == "pids"),
            Err(_) => folder.join("cgroup.procs").exists(),
        }
    })
}

/// The path in a line `8:pids:/path` that names a controller.
fn named<'l>(line: &'l str, controller: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(':')?;
    let (controllers, path) = rest.split_once(':')?;
    let named = controllers.split(',').any(|name| name == controller);
    named.then(|| path.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn the_group_of_a_controller_is_found() {
        assert_eq!(named("8:pids:/a/b", "pids"), Some("a/b"));
        assert_eq!(named("4:cpu,cpuacct:/", "cpuacct"), Some(""));
        assert_eq!(named("0::/user.slice", ""), Some("user.slice"));
        assert_eq!(named("8:pids:/a:b", "memory"), None);
        assert_eq!(named("nonsense", "pids"), None);
    }
}
