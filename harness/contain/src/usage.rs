//! Samples a reader's resource usage from outside.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat};

/// The maximum number of files to count. A folder with more files is considered to exceed every
/// limit.
const MOST_ENTRIES: usize = 20_000;

/// The maximum depth of folders to count. A deeper folder is considered to exceed every limit.
const MOST_DEPTH: usize = 64;

/// The unit, in bytes, that file systems use to report the disk space of a file.
const BLOCK: u64 = 512;

/// Returns the total size in bytes of all files in `folder`, including space that was reserved
/// beyond their ends. A folder that cannot be measured, for example because of its permissions, is
/// considered to exceed every limit.
pub(crate) fn stored(folder: &Path) -> u64 {
    size(CWD, folder, 0, &mut 0).unwrap_or(u64::MAX)
}

/// Adds up the sizes of the files in a folder. Folders are opened relative to each other, because
/// the path of an inner folder may be too long.
fn size<P: rustix::path::Arg>(
    around: impl std::os::fd::AsFd,
    name: P,
    depth: usize,
    entries: &mut usize,
) -> io::Result<u64> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(around, name, flags, Mode::empty())?;
    let mut total: u64 = 0;
    for entry in Dir::read_from(&folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        *entries += 1;
        if *entries > MOST_ENTRIES || depth > MOST_DEPTH {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        // The file may have been removed in the meantime.
        let Ok(data) = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) else {
            continue;
        };
        let bytes = match FileType::from_raw_mode(data.st_mode) {
            FileType::Directory => match size(&folder, name, depth + 1, entries) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
                other => other?,
            },
            _ => {
                let occupied = u64::try_from(data.st_blocks).unwrap_or_default() * BLOCK;
                occupied.max(u64::try_from(data.st_size).unwrap_or_default())
            }
        };
        total = total.saturating_add(bytes);
    }
    Ok(total)
}

/// Returns the resident memory of the process `pid` and its children in bytes, including their page
/// tables, or `None` if the system does not report it. `has_launcher` says whether the process was
/// started by a launcher. The launcher's other children are then counted too, because they are
/// processes of the reader whose parents have exited.
#[cfg(target_os = "linux")]
pub(crate) fn resident(pid: i32, has_launcher: bool) -> Option<u64> {
    let orphans = has_launcher.then(|| parent(pid)).flatten().map(children);
    let orphans = orphans.unwrap_or_default();
    let orphans = orphans.into_iter().filter(|orphan| *orphan != pid);
    let all = family([pid].into_iter().chain(orphans).collect());
    Some(all.into_iter().map(memory_of).sum())
}

/// Returns the resident memory of a process in bytes, including its page tables.
#[cfg(target_os = "linux")]
fn memory_of(pid: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let sizes = text.lines().filter_map(|line| {
        let (name, size) = line.split_once(':')?;
        let is_counted = matches!(name, "VmRSS" | "VmPTE");
        let size = size.trim().strip_suffix(" kB").filter(|_| is_counted)?;
        size.parse::<u64>().ok()
    });
    sizes.sum::<u64>() * 1024
}

/// Returns the parent of a process.
#[cfg(target_os = "linux")]
fn parent(pid: i32) -> Option<i32> {
    stat(pid)?.split_whitespace().nth(1)?.parse().ok()
}

/// Returns the content of `/proc/PID/stat` for a process, starting with its state (field 3 in
/// proc(5)).
#[cfg(target_os = "linux")]
fn stat(pid: i32) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name is in parentheses and may contain any character.
    let (_, rest) = text.rsplit_once(')')?;
    Some(rest.to_owned())
}

/// The CPU activity of a process and its children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Activity {
    /// The CPU time used, including that of children that have exited.
    pub used: Duration,
    /// Whether one of the processes is running, ready to run, or waiting for the disk.
    pub running: bool,
}

/// Returns the CPU activity of the process `pid` and its children, or `None` if the system does not
/// report it.
#[cfg(target_os = "linux")]
pub(crate) fn activity(pid: i32) -> Option<Activity> {
    let each_second = rustix::param::clock_ticks_per_second().max(1);
    let (mut ticks, mut running, mut known) = (0, false, false);
    for pid in family(vec![pid]) {
        let Some(text) = stat(pid) else {
            continue;
        };
        let fields: Vec<&str> = text.split_whitespace().collect();
        // The first of these fields is field 3 of proc(5). Fields 14 to 17 are times.
        running |= matches!(fields.first(), Some(&("R" | "D")));
        let times = fields.iter().skip(11).take(4);
        ticks += times
            .filter_map(|time| time.parse::<u64>().ok())
            .sum::<u64>();
        known = true;
    }
    known.then(|| Activity {
        used: Duration::from_millis(ticks * 1000 / each_second),
        running,
    })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn activity(_: i32) -> Option<Activity> {
    None
}

/// Returns the processes `pids` and all their descendants.
#[cfg(target_os = "linux")]
fn family(mut pids: Vec<i32>) -> Vec<i32> {
    /// The maximum number of processes to count.
    const MOST: usize = 256;
    let mut next = 0;
    while next < pids.len() && pids.len() < MOST {
        pids.extend(children(pids[next]));
        next += 1;
    }
    pids
}

#[cfg(target_os = "linux")]
fn children(pid: i32) -> Vec<i32> {
    let Ok(tasks) = std::fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    tasks
        .flatten()
        .filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok())
        .flat_map(|text| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
        .filter_map(|pid| pid.parse().ok())
        .collect()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn resident(_: i32, _: bool) -> Option<u64> {
    None
}
