//! What a reader uses, sampled from outside.

use std::fs;
use std::path::Path;

/// More entries than this are not counted one by one: the folder is over any allowance.
const MOST_ENTRIES: usize = 20_000;

/// The bytes of all files in `folder`.
pub(super) fn stored(folder: &Path) -> u64 {
    size(folder, &mut 0)
}

fn size(folder: &Path, entries: &mut usize) -> u64 {
    let Ok(listing) = fs::read_dir(folder) else {
        return 0;
    };
    let mut total: u64 = 0;
    for entry in listing.flatten() {
        *entries += 1;
        if *entries > MOST_ENTRIES {
            return u64::MAX;
        }
        let Ok(data) = entry.metadata() else { continue };
        let bytes = if data.is_dir() {
            size(&entry.path(), entries)
        } else {
            data.len()
        };
        total = total.saturating_add(bytes);
    }
    total
}

/// The resident memory in bytes of the process `pid` and its children; nothing where the
/// system does not say.
#[cfg(target_os = "linux")]
pub(super) fn resident(pid: i32) -> Option<u64> {
    /// A reader with more processes than this is counted by the first of them.
    const MOST: usize = 256;
    let page = rustix::param::page_size() as u64;
    let mut pages = 0;
    let mut pids = vec![pid];
    let mut next = 0;
    while next < pids.len() && pids.len() < MOST {
        let pid = pids[next];
        next += 1;
        let Ok(text) = std::fs::read_to_string(format!("/proc/{pid}/statm")) else {
            continue;
        };
        pages += text
            .split(' ')
            .nth(1)
            .and_then(|n| n.parse::<u64>().ok())
            .unwrap_or_default();
        pids.extend(children(pid));
    }
    Some(pages * page)
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
pub(super) fn resident(_: i32) -> Option<u64> {
    None
}
