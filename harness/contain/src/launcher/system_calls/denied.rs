//! The system calls that are denied to readers.

use super::If;

/// System calls whose numbers are missing from libc. New calls with numbers from 424 on have the
/// same number on all architectures.
const SET_XATTR_AT: i64 = 463;
const REMOVE_XATTR_AT: i64 = 466;
const OPEN_TREE_ATTR: i64 = 467;
const FILE_SET_ATTR: i64 = 469;
const FCHMOD_AT_2: i64 = 452;

pub(super) const MKNOD_AT: i64 = libc::SYS_mknodat;

/// System calls that are always denied.
pub(super) const ALWAYS: &[i64] = &[
    // Mounts.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    // Watches reveal what happens in folders that may not be read, and use up a quota of the user.
    #[cfg(target_arch = "x86_64")]
    libc::SYS_inotify_init,
    libc::SYS_inotify_init1,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    // Namespaces.
    libc::SYS_unshare,
    libc::SYS_setns,
    // Other processes.
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    // Parts of the kernel with many vulnerabilities.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Keys, which outlive the reader.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // Memory and queues of System V and POSIX, which outlive the reader.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    // Memory that is not counted toward any limit.
    libc::SYS_memfd_secret,
    // Sessions of their own, each of which would get as much processor time as all of tracegauge.
    libc::SYS_setsid,
    // Asynchronous input and output, whose contexts count toward a limit on the whole system.
    libc::SYS_io_setup,
    // The system as a whole.
    libc::SYS_kexec_load,
    #[cfg(not(target_arch = "riscv64"))]
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
];

/// System calls that create files in memory. These calls are denied if the memory limit does not
/// cover such files.
pub(super) const MEMORY_FILES: &[i64] = &[libc::SYS_memfd_create];

/// System calls that are denied if files outside the scratch folder are not mounted read-only.
/// Landlock does not cover these calls, and a filter cannot see which file a call applies to.
pub(super) const FILE_ATTRIBUTES: &[i64] = &[
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMOD_AT_2,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SET_XATTR_AT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVE_XATTR_AT,
    FILE_SET_ATTR,
];

/// `ioctl` requests that change files through a descriptor opened for reading: `FS_IOC_SETFLAGS`,
/// `FS_IOC_FSSETXATTR`, `FS_IOC_SETVERSION`, `EXT4_IOC_SETVERSION` and `EXT4_IOC_ALLOC_DA_BLKS`.
/// These requests are denied together with [`FILE_ATTRIBUTES`].
pub(super) const ATTRIBUTE_REQUESTS: &[u64] =
    &[0x4008_6602, 0x401c_5820, 0x4008_7602, 0x4008_6604, 0x660c];

/// Flags of `clone` that create namespaces: mount, cgroup, UTS, IPC, user, process and network.
pub(super) const NAMESPACES: &[u64] = &[
    0x0002_0000,
    0x0200_0000,
    0x0400_0000,
    0x0800_0000,
    0x1000_0000,
    0x2000_0000,
    0x4000_0000,
];

/// `ptrace` requests that let a process stop another process and examine its registers, but not
/// change them. LeakSanitizer uses these requests on the process that it examines: `PTRACE_CONT`,
/// `PTRACE_KILL`, `PTRACE_GETREGS`, `PTRACE_GETFPREGS`, `PTRACE_ATTACH`, `PTRACE_DETACH` and
/// `PTRACE_GETREGSET`.
pub(super) const HARMLESS_TRACING: [u64; 7] = [7, 8, 12, 14, 16, 17, 0x4204];

/// The bits of a file's mode that encode the file type (`S_IFMT`).
pub(super) const FILE_KIND: u64 = 0o170_000;

/// The file types of devices: `S_IFCHR` for character devices and `S_IFBLK` for block devices.
pub(super) const DEVICES: &[u64] = &[0o020_000, 0o060_000];

/// The socket families that a network namespace isolates and that runtimes use to inspect their own
/// network: IPv4, IPv6 and netlink. UNIX sockets are not included, because they can reach services
/// by path.
pub(super) const NETWORK_FAMILIES: [u64; 3] = [2, 10, 16];

/// The bits of a socket's type argument that encode the type, as opposed to flags.
const SOCKET_KIND: u64 = 0xf;

/// System calls that are denied if their arguments satisfy all conditions.
pub(super) const SOMETIMES: &[(i64, &[If])] = &[
    // Resources and scheduling of other processes. A process refers to itself as 0.
    (libc::SYS_prlimit64, &[If::IsNot(0, 0), If::IsPointer(2)]),
    (libc::SYS_setpriority, &[If::IsNot(0, 0)]),
    (libc::SYS_setpriority, &[If::IsNot(1, 0)]),
    (libc::SYS_ioprio_set, &[If::IsNot(0, 1)]),
    (libc::SYS_ioprio_set, &[If::IsNot(1, 0)]),
    (libc::SYS_sched_setaffinity, &[If::IsNot(0, 0)]),
    (libc::SYS_sched_setscheduler, &[If::IsNot(0, 0)]),
    (libc::SYS_sched_setparam, &[If::IsNot(0, 0)]),
    (libc::SYS_sched_setattr, &[If::IsNot(0, 0)]),
    // Unlike a pair of stream sockets, a pair of datagram sockets can still send to any path.
    (
        libc::SYS_socketpair,
        &[If::Bits(1, SOCKET_KIND, libc::SOCK_DGRAM as u64)],
    ),
    (
        libc::SYS_socketpair,
        &[If::Bits(1, SOCKET_KIND, libc::SOCK_RAW as u64)],
    ),
    // Hints about the lifetime of data: `F_SET_RW_HINT` and `F_SET_FILE_RW_HINT`. They change files
    // that are open only for reading.
    (libc::SYS_fcntl, &[If::Is(1, 1036)]),
    (libc::SYS_fcntl, &[If::Is(1, 1038)]),
    // Leases delay other programs that open a file, and notifications spy on folders.
    (libc::SYS_fcntl, &[If::Is(1, libc::F_SETLEASE as u64)]),
    (libc::SYS_fcntl, &[If::Is(1, libc::F_NOTIFY as u64)]),
    // Simulated terminal input: `TIOCSTI` and `TIOCLINUX`.
    (libc::SYS_ioctl, &[If::Is(1, 0x5412)]),
    (libc::SYS_ioctl, &[If::Is(1, 0x541c)]),
];

/// Returns the system calls, with conditions on their arguments, that can send a signal to the
/// process `launcher`, which leads its own process group.
pub(super) fn signals(launcher: i32) -> Vec<(i64, Vec<If>)> {
    const SET_OWNER: u64 = libc::F_SETOWN as u64;
    /// The `F_SETOWN_EX` command. A filter cannot see which process the command targets.
    const SET_OWNER_EXTENDED: u64 = 15;
    let as_argument = |number: i32| u64::from(number.cast_unsigned());
    let (process, group) = (as_argument(launcher), as_argument(-launcher));
    let everyone = as_argument(-1);
    let mut ways = vec![(libc::SYS_fcntl, vec![If::Is(1, SET_OWNER_EXTENDED)])];
    for target in [process, group, everyone] {
        ways.push((libc::SYS_kill, vec![If::Is(0, target)]));
        ways.push((
            libc::SYS_fcntl,
            vec![If::Is(1, SET_OWNER), If::Is(2, target)],
        ));
    }
    for call in [
        libc::SYS_tkill,
        libc::SYS_tgkill,
        libc::SYS_rt_sigqueueinfo,
        libc::SYS_rt_tgsigqueueinfo,
        libc::SYS_pidfd_open,
    ] {
        ways.push((call, vec![If::Is(0, process)]));
    }
    ways
}
