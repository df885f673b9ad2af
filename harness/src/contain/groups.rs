//! Control groups that bound what the readers of a cell are together: how many processes, and how
//! much memory they have, however they are spread over children.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// Processes and threads at once: runtimes start some dozens of threads, a fork bomb thousands.
const MOST: u32 = 512;

/// What the names of all groups begin with.
const PREFIX: &str = "tracegauge-";

/// Where version 2 has its groups.
const ROOT: &str = "/sys/fs/cgroup";

/// A control group of this program's.
#[derive(Debug)]
pub(super) struct Group {
    folder: PathBuf,
    version: Version,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Version {
    /// Each controller has groups of its own, of threads.
    One,
    /// All controllers have the same groups, of processes.
    Two,
}

/// What a group bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bounds {
    /// The number of processes.
    Processes,
    /// Their memory.
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
    /// A new group inside the one that this program is in, or where this user may make one near
    /// it.
    ///
    /// # Errors
    /// There are no control groups here that this user may make and enter.
    pub(super) fn new(bounds: Bounds) -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{PREFIX}{}-{number}", std::process::id());
        let none = || io::Error::other(format!("no control group for {bounds}"));
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
            format!("no control group can be made: {failed}"),
        ))
    }

    /// Sets what does not depend on the reader.
    fn closed(&self, bounds: Bounds) -> io::Result<()> {
        match (bounds, self.version) {
            (Bounds::Processes, _) => self.write("pids.max", &MOST.to_string()),
            (Bounds::Memory, Version::One) => self.read("memory.oom_control").map(|_| ()),
            (Bounds::Memory, Version::Two) => self.write("memory.oom.group", "1"),
        }
    }

    /// Puts the calling thread into the group, and with it all that it will start. Only groups of
    /// threads can be entered so; `false` where it is not one.
    ///
    /// # Errors
    /// The group cannot be entered.
    pub(super) fn enter(&self) -> io::Result<bool> {
        match self.version {
            Version::One => self.write("tasks", "0").map(|()| true),
            Version::Two => Ok(false),
        }
    }

    /// Sees whether processes can be put into the group from where this program is, by one that
    /// does nothing.
    ///
    /// # Errors
    /// They cannot.
    pub(super) fn is_open(&self) -> io::Result<()> {
        let mut idle = Command::new("cat")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let added = self.add(idle.id());
        // It ends with its input.
        drop(idle.stdin.take());
        idle.wait()?;
        added
    }

    /// Puts a process into the group, with all that it will start.
    ///
    /// # Errors
    /// It is over already, or the group cannot be entered from where it is.
    pub(super) fn add(&self, pid: u32) -> io::Result<()> {
        self.write("cgroup.procs", &pid.to_string())
    }

    /// Sets how much memory its processes may have. What it cannot hold it ends.
    ///
    /// # Errors
    /// This cannot be set.
    pub(super) fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        let bytes = bytes.to_string();
        let (memory, swap, swapped) = match self.version {
            Version::One => (
                "memory.limit_in_bytes",
                "memory.memsw.limit_in_bytes",
                &*bytes,
            ),
            Version::Two => ("memory.max", "memory.swap.max", "0"),
        };
        // What may be swapped was no more than what may be had: so it goes up first.
        let _ = self.write(swap, swapped);
        self.write(memory, &bytes)?;
        let _ = self.write(swap, swapped);
        Ok(())
    }

    /// How many processes were ended for want of memory.
    pub(super) fn ended(&self) -> u64 {
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

    /// The most memory that its processes had.
    pub(super) fn peak(&self) -> u64 {
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

/// What a group for processes is, in words.
pub(super) fn most_processes() -> String {
    format!("at most {MOST}, by a control group")
}

impl Drop for Group {
    fn drop(&mut self) {
        // Version 2 kills all that is left at once; elsewhere that has been done before.
        let _ = self.write("cgroup.kill", "1");
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Takes away groups of programs like this that were killed, and could not do it themselves. A
/// group with a process in it stays.
fn forget_dead(around: &Path) {
    for entry in fs::read_dir(around).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(owner);
        if owner.is_some_and(|pid| !Path::new("/proc").join(pid).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// The number of the process that made a group, by its name.
fn owner(name: &str) -> Option<&str> {
    let (pid, number) = name.strip_prefix(PREFIX)?.split_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    (is_number(pid) && is_number(number)).then_some(pid)
}

/// Folders in which a group that has a controller may be made: that of the group that this program
/// is in first.
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
    // A group with processes hands nothing down, but one around it may.
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

/// The path in a line `8:pids:/path` that names a controller.
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
