//! Control groups that limit the number of processes and the total memory of all readers in a cell,
//! no matter how the readers distribute them over child processes.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// The maximum number of simultaneous processes and threads. Runtimes start a few dozen threads,
/// whereas a fork bomb starts thousands of processes.
const MOST: u32 = 512;

/// The prefix of the names of all groups that this program creates.
const PREFIX: &str = "tracegauge-";

/// The mount point of control groups version 2.
const ROOT: &str = "/sys/fs/cgroup";

/// A control group created by this program.
#[derive(Debug)]
pub(crate) struct Group {
    folder: PathBuf,
    version: Version,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    /// Version 1: each controller has its own hierarchy of groups, which contain threads.
    One,
    /// Version 2: all controllers share one hierarchy of groups, which contain processes.
    Two,
}

/// The resource that a group limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bounds {
    /// The number of processes.
    Processes,
    /// The total memory of the processes.
    Memory,
}

impl Bounds {
    fn controller(self) -> &'static str {
        match self {
            Self::Processes => "pids",
            Self::Memory => "memory",
        }
    }
}

impl Group {
    /// Creates a group inside the group of this program or, if that is not permitted, in the
    /// nearest group that permits it.
    ///
    /// # Errors
    /// Returns an error if this user cannot create a suitable control group.
    pub(crate) fn new(bounds: Bounds) -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{number}", std::process::id());
        let none = || io::Error::other(format!("no control group is available to limit {bounds}"));
        let mut failed = none();
        for (around, version) in around(bounds.controller()) {
            forget_dead(&around);
            let folder = around.join(&name);
            match fs::create_dir(&folder) {
                Ok(()) => {
                    let group = Self { folder, version };
                    match group.closed(bounds) {
                        Ok(()) => return Ok(group),
                        Err(error) => failed = error,
                    }
                }
                Err(error) => failed = error,
            }
        }
        Err(io::Error::new(
            failed.kind(),
            format!("cannot create a control group: {failed}"),
        ))
    }

    /// Sets the limit on processes, which does not depend on the reader. For memory, only checks
    /// that the kernel reports how many processes it killed.
    fn closed(&self, bounds: Bounds) -> io::Result<()> {
        match (bounds, self.version) {
            (Bounds::Processes, _) => self.write("pids.max", &MOST.to_string()),
            (Bounds::Memory, Version::One) => self.read("memory.oom_control").map(|_| ()),
            (Bounds::Memory, Version::Two) => self.read("memory.events").map(|_| ()),
        }
    }

    /// Adds a process to the group, along with all processes that it starts later.
    ///
    /// # Errors
    /// Returns an error if the process has already exited or may not be moved into the group.
    pub(crate) fn add(&self, pid: u32) -> io::Result<()> {
        self.write("cgroup.procs", &pid.to_string())
    }

    /// Sets the limit on the total memory of the group's processes. The kernel kills processes that
    /// exceed this limit.
    ///
    /// # Errors
    /// Returns an error if the limit cannot be set.
    pub(crate) fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        let bytes = bytes.to_string();
        let (memory, swap, swapped) = match self.version {
            Version::One => (
                "memory.limit_in_bytes",
                "memory.memsw.limit_in_bytes",
                &*bytes,
            ),
            Version::Two => ("memory.max", "memory.swap.max", "0"),
        };
        // In version 1, the limit including swap must not be lower than the memory limit. It is
        // therefore set first in case the limits are raised, and again afterwards in case they are
        // lowered.
        let _ = self.write(swap, swapped);
        self.write(memory, &bytes)?;
        let _ = self.write(swap, swapped);
        Ok(())
    }

    /// Returns the number of processes that the kernel killed for exceeding the memory limit.
    pub(crate) fn ended(&self) -> u64 {
        let file = match self.version {
            Version::One => "memory.oom_control",
            Version::Two => "memory.events",
        };
        let text = self.read(file).unwrap_or_default();
        let count = text.lines().find_map(|line| line.strip_prefix("oom_kill "));
        count
            .and_then(|count| count.trim().parse().ok())
            .unwrap_or(0)
    }

    /// Returns the peak memory use of the group in bytes.
    pub(crate) fn peak(&self) -> u64 {
        let file = match self.version {
            Version::One => "memory.max_usage_in_bytes",
            Version::Two => "memory.peak",
        };
        let text = self.read(file).unwrap_or_default();
        text.trim().parse().unwrap_or(0)
    }

    fn write(&self, file: &str, text: &str) -> io::Result<()> {
        fs::write(self.folder.join(file), text)
    }

    fn read(&self, file: &str) -> io::Result<String> {
        fs::read_to_string(self.folder.join(file))
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Processes => "processes",
            Self::Memory => "memory",
        })
    }
}

/// Describes the limit on the number of processes in a group.
pub(crate) fn most_processes() -> String {
    format!("at most {MOST} processes, limited by a control group")
}

impl Drop for Group {
    fn drop(&mut self) {
        // Version 2 kills all remaining processes at once. Version 1 has no `cgroup.kill`, so the
        // write fails; there, the launcher has killed the processes.
        let _ = self.write("cgroup.kill", "1");
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Removes the groups of earlier instances of this program that were killed before they could clean
/// up. A group that still contains a process is left in place.
fn forget_dead(around: &Path) {
    for entry in fs::read_dir(around).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(owner);
        if owner.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// Extracts the process id of a group's creator from the group's name.
fn owner(name: &str) -> Option<&str> {
    let (pid, number) = name.strip_prefix(PREFIX)?.split_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    (is_number(pid) && is_number(number)).then_some(pid)
}

/// Returns the folders in which a group with this controller may be created, starting with the
/// group of this program.
fn around(controller: &str) -> Vec<(PathBuf, Version)> {
    let Ok(groups) = fs::read_to_string("/proc/self/cgroup") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let old = groups.lines().find_map(|line| named(line, controller));
    if let Some(group) = old {
        let folder = Path::new(ROOT).join(controller).join(group);
        found.extend(
            folder
                .join("tasks")
                .exists()
                .then_some((folder, Version::One)),
        );
    }
    let new = groups.lines().find_map(|line| named(line, ""));
    let new = new.map(|group| Path::new(ROOT).join(group));
    // In version 2, a group that contains processes cannot delegate controllers, but one of its
    // ancestors may.
    let around = new.iter().flat_map(|group| group.ancestors());
    for folder in around.take_while(|folder| folder.starts_with(ROOT)) {
        let handed = fs::read_to_string(folder.join("cgroup.subtree_control"));
        let handed = handed.unwrap_or_default();
        if handed.split_whitespace().any(|name| name == controller) {
            found.push((folder.to_path_buf(), Version::Two));
        }
    }
    found
}

/// Returns the path in a line like `8:pids:/path` if the line names the controller.
fn named<'l>(line: &'l str, controller: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(':')?;
    let (controllers, path) = rest.split_once(':')?;
    let named = controllers.split(',').any(|name| name == controller);
    named.then(|| path.trim_start_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::{named, owner};

    #[test]
    fn groups_of_others_are_left_alone() {
        assert_eq!(owner("tracegauge-12-0"), Some("12"));
        for other in [
            "tracegauge-12",
            "tracegauge-a-1",
            "tracegauge-1-b",
            "user.slice",
            "12-0",
        ] {
            assert_eq!(owner(other), None, "{other}");
        }
    }

    #[test]
    fn the_group_of_a_controller_is_found() {
        assert_eq!(named("8:pids:/a/b", "pids"), Some("a/b"));
        assert_eq!(named("4:cpu,cpuacct:/", "cpuacct"), Some(""));
        assert_eq!(named("0::/user.slice", ""), Some("user.slice"));
        assert_eq!(named("8:pids:/a:b", "memory"), None);
        assert_eq!(named("nonsense", "pids"), None);
    }
}
