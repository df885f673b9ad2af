//! The mounts that a reader sees. Everything is read-only except the scratch folder, which is a
//! file system in memory with a fixed size. Only harmless devices are available. Secrets and the
//! sockets of services are hidden under empty folders and files, which are mounted over them.

mod table;

use std::fs::{self, File, Permissions};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::CWD;
use rustix::mount::{
    MountFlags, MoveMountFlags, OpenTreeFlags, mount, mount_bind, mount_remount, move_mount,
    open_tree,
};

use super::namespaces::Separate;
use crate::plan::Plan;
use crate::reach::SINKS;

/// The maximum number of files in a scratch folder.
pub(crate) const MOST_FILES: u64 = 20_000;

/// Folders and files that contain system secrets or the sockets of services. Landlock and the
/// seccomp filter also protect most of these paths.
const SERVICES: [&str; 16] = [
    "/run/user",
    "/run/dbus",
    "/run/docker",
    "/run/docker.sock",
    "/run/containerd",
    "/run/podman",
    "/run/crio",
    "/run/libvirt",
    "/run/snapd.socket",
    "/run/systemd",
    "/run/credentials",
    "/run/secrets",
    "/run/udev",
    "/run/lock",
    "/tmp/.X11-unix",
    "/tmp/.ICE-unix",
];

/// Environment variables that name a socket.
const SOCKETS: [&str; 4] = [
    "DBUS_SESSION_BUS_ADDRESS",
    "DOCKER_HOST",
    "CONTAINER_HOST",
    "SSH_AUTH_SOCK",
];

/// Files in `/proc` and `/sys` that would let root inspect or affect the system even without
/// capabilities.
const KERNEL: [&str; 10] = [
    "/proc/acpi",
    "/proc/kallsyms",
    "/proc/kcore",
    "/proc/keys",
    "/proc/kmsg",
    "/proc/latency_stats",
    "/proc/sched_debug",
    "/proc/sysrq-trigger",
    "/proc/timer_list",
    "/sys/firmware",
];

/// The empty folder and the empty file in the new `/dev` that are mounted over hidden paths.
const EMPTY_FOLDER: &str = "/dev/.hidden-folder";
const EMPTY_FILE: &str = "/dev/.hidden-file";

/// The mounts of a launcher.
pub(super) struct Mounts {
    /// A description of the read-only files, or the list of mounts that are still writable.
    pub(super) read_only: Result<String, String>,
    /// The scratch folder in memory, or the reason why it is on disk.
    pub(super) scratch: Result<OwnedFd, String>,
}

/// Sets up the mounts in a new mount namespace.
///
/// # Errors
/// Returns the reason why the mounts cannot be set up. After an error, no program may be started in
/// the namespace.
pub(super) fn arrange(plan: &Plan, separate: Separate) -> Result<Mounts, String> {
    let silent = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    if separate.processes {
        mount("proc", "/proc", "proc", silent, None)
            .map_err(|error| format!("cannot mount /proc: {error}"))?;
    }
    let kept = kept(plan)?;
    let mut read_only = table::make_read_only(&|_| true);
    devices(&kept).map_err(|error| format!("cannot set up /dev: {error}"))?;
    // The devices and the parts of `/dev` that readers may read, such as cases in memory, were copied
    // before the mounts became read-only, so the copies are still writable. A device on a read-only
    // mount can still be written to, but its permissions and times cannot be changed.
    read_only.extend(table::make_read_only(&|path| path.starts_with("/dev/")));
    hide(plan);
    for (path, tree) in kept.iter().filter(|(path, _)| plan.write.contains(path)) {
        attach(tree, path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    let scratch = scratch(plan);
    if scratch.is_err() {
        for (path, tree) in kept.iter().filter(|(path, _)| *path == plan.scratch) {
            attach(tree, path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
    }
    Ok(Mounts {
        read_only: match read_only.as_slice() {
            [] => Ok("everything except the scratch folder is read-only".to_owned()),
            writable => Err(format!("still writable: {}", writable.join(", "))),
        },
        scratch: scratch.map_err(|error| format!("cannot mount an in-memory file system: {error}")),
    })
}

type Tree = (PathBuf, OwnedFd);

/// Copies the mounts that must remain: the harmless devices, the parts of `/dev` that readers may
/// read, and the files that they may write.
fn kept(plan: &Plan) -> Result<Vec<Tree>, String> {
    let sinks = SINKS.iter().map(PathBuf::from);
    let shown = plan.read.iter().filter(|path| path.starts_with("/dev"));
    let written = plan.write.iter().chain([&plan.scratch]);
    let paths = sinks.chain(shown.chain(written).cloned());
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let mut kept: Vec<Tree> = Vec::new();
    for path in paths {
        let is_known = kept.iter().any(|(known, _)| *known == path);
        if !is_known && path.exists() {
            let tree = open_tree(CWD, &path, flags)
                .map_err(|error| format!("cannot copy {}: {error}", path.display()))?;
            kept.push((path, tree));
        }
    }
    Ok(kept)
}

fn attach(tree: &OwnedFd, path: &Path) -> io::Result<()> {
    Ok(move_mount(
        tree,
        "",
        CWD,
        path,
        MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH,
    )?)
}

/// Replaces `/dev` with a folder that contains only the devices in `kept`.
fn devices(kept: &[Tree]) -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    mount("tmpfs", "/dev", "tmpfs", flags, Some(c"size=64k,mode=0755"))?;
    for (path, tree) in kept.iter().filter(|(path, _)| path.starts_with("/dev")) {
        let is_folder = rustix::fs::fstat(tree)
            .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode).is_dir());
        if let Some(around) = path.parent() {
            fs::create_dir_all(around)?;
        }
        match is_folder {
            true => fs::create_dir_all(path)?,
            false => File::create(path).map(|_| ())?,
        }
        attach(tree, path)?;
    }
    for (name, target) in [
        ("/dev/fd", "/proc/self/fd"),
        ("/dev/stdin", "/proc/self/fd/0"),
        ("/dev/stdout", "/proc/self/fd/1"),
        ("/dev/stderr", "/proc/self/fd/2"),
    ] {
        symlink(target, name)?;
    }
    fs::DirBuilder::new().mode(0o000).create(EMPTY_FOLDER)?;
    File::create(EMPTY_FILE)?.set_permissions(Permissions::from_mode(0o000))?;
    let sealed = MountFlags::BIND | MountFlags::RDONLY | flags;
    Ok(mount_remount("/dev", sealed, "")?)
}

/// Hides everything that readers must not see. Paths that cannot be hidden are protected only by
/// Landlock.
fn hide(plan: &Plan) {
    let run = ["/run", "/var/run"].map(PathBuf::from);
    let services = SERVICES.iter().chain(&KERNEL).map(PathBuf::from);
    let sockets = SOCKETS.iter().filter_map(|name| {
        let value = std::env::var(name).ok()?;
        let path = value
            .trim_start_matches("unix:")
            .trim_start_matches("path=");
        path.starts_with('/')
            .then(|| PathBuf::from(path.split(',').next().unwrap_or(path)))
    });
    let paths = run
        .into_iter()
        .chain(services)
        .chain(sockets)
        .chain(plan.hide.iter().cloned());
    for path in paths {
        // A mount on a link would cover the link's target, which the plan may refer to by another
        // path.
        let Ok(path) = path.canonicalize() else {
            continue;
        };
        let is_needed = |needed: &PathBuf| needed.starts_with(&path);
        let needed = plan.read.iter().chain(&plan.list).chain([&plan.scratch]);
        if needed.chain(&plan.write).any(is_needed) {
            continue;
        }
        let cover = if path.is_dir() {
            EMPTY_FOLDER
        } else {
            EMPTY_FILE
        };
        let _ = mount_bind(cover, &path);
    }
}

/// Mounts a file system in memory on the scratch folder.
fn scratch(plan: &Plan) -> io::Result<OwnedFd> {
    // The file system is one page larger than the limit, so that a reader that fills it has
    // exceeded the limit.
    let size = plan.size + rustix::param::page_size() as u64;
    let options = format!("size={size},nr_inodes={MOST_FILES},mode=0700");
    let options = std::ffi::CString::new(options)?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("tmpfs", &plan.scratch, "tmpfs", flags, Some(&*options))?;
    let folder =
        rustix::fs::OFlags::RDONLY | rustix::fs::OFlags::DIRECTORY | rustix::fs::OFlags::CLOEXEC;
    let opened = rustix::fs::open(&plan.scratch, folder, rustix::fs::Mode::empty());
    opened.map_err(io::Error::from)
}
