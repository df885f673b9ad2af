//! Reads the table of mounts and makes mounts read-only.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::mount::{MountFlags, mount_remount};

/// A mount.
#[derive(Debug, PartialEq, Eq)]
struct Mount {
    path: PathBuf,
    flags: MountFlags,
}

/// Makes each mount of this namespace read-only if `is_meant` returns true for it. Returns the
/// mounts that could not be changed.
pub(super) fn make_read_only(is_meant: &dyn Fn(&Path) -> bool) -> Vec<String> {
    let table = fs::read("/proc/self/mountinfo").unwrap_or_default();
    if table.is_empty() {
        return vec!["/".to_owned()];
    }
    let mut writable = Vec::new();
    for line in table.split(|byte| *byte == b'\n') {
        let Some(mount) = parse(line).filter(|mount| is_meant(&mount.path)) else {
            continue;
        };
        // In a user namespace, a mount that is remounted must keep its existing flags.
        let flags = mount.flags | MountFlags::BIND | MountFlags::RDONLY;
        match mount_remount(&mount.path, flags, "") {
            // A mount that is covered by another mount cannot be reached. A mount inside a folder
            // that this user must not enter cannot be reached either, because the reader has no
            // additional rights.
            Ok(()) | Err(Errno::INVAL | Errno::NOENT | Errno::ACCESS | Errno::NOTDIR) => {}
            Err(error) => writable.push(format!("{} ({error})", mount.path.display())),
        }
    }
    writable
}

/// Parses a line of `mountinfo`, which proc(5) describes.
fn parse(line: &[u8]) -> Option<Mount> {
    let mut fields = line.split(|byte| *byte == b' ');
    let path = OsString::from_vec(unescaped(fields.nth(4)?));
    let options = std::str::from_utf8(fields.next()?).ok()?;
    let flag = |option: &str| match option {
        "ro" => MountFlags::RDONLY,
        "nosuid" => MountFlags::NOSUID,
        "nodev" => MountFlags::NODEV,
        "noexec" => MountFlags::NOEXEC,
        "noatime" => MountFlags::NOATIME,
        "nodiratime" => MountFlags::NODIRATIME,
        "relatime" => MountFlags::RELATIME,
        _ => MountFlags::empty(),
    };
    let mut flags = options.split(',').map(flag).collect::<MountFlags>();
    if !flags.intersects(MountFlags::NOATIME | MountFlags::RELATIME) {
        flags |= MountFlags::STRICTATIME;
    }
    Some(Mount {
        path: path.into(),
        flags,
    })
}

/// Replaces escapes like `\040` with the bytes that they represent.
fn unescaped(field: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field;
    while let [first, after @ ..] = rest {
        let digits = after.get(..3).filter(|_| *first == b'\\');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[3..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_and_escaped_paths_are_read() {
        let line =
            b"36 35 98:0 /mnt1 /mnt\\040a\\134 rw,nosuid,noatime master:1 - ext3 /dev/root rw";
        let mount = parse(line).expect("a mount");
        assert_eq!(mount.path, PathBuf::from("/mnt a\\"));
        assert_eq!(mount.flags, MountFlags::NOSUID | MountFlags::NOATIME);
        let line = b"1 1 0:1 / / rw - ext4 /dev/vda rw";
        let mount = parse(line).expect("a mount");
        assert_eq!(mount.flags, MountFlags::STRICTATIME);
        assert!(parse(b"").is_none());
    }
}
