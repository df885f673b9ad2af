/*
 * A reader that tries to leave its containment. It exits with 0 if everything was refused, and
 * otherwise with 65 after naming on standard error what was not.
 *
 * Usage: attacker VICTIM PID FILE. VICTIM is a folder of the same user with the files `file` and
 * `socket`, and PID is the number of a process of the same user.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static int breaches;

static void breach(const char *what) {
    fprintf(stderr, "BREACH %s (errno %s)\n", what, strerror(errno));
    breaches++;
}

/* Reports a breach if an operation succeeded. */
static void must_fail(const char *what, long result) {
    if (result >= 0) breach(what);
}

/* Checks a call with invalid arguments, which the kernel must deny before it examines the
 * arguments. */
static void must_be_denied(const char *what, long result) {
    if (result >= 0 || (errno != EPERM && errno != EACCES && errno != ENOSYS)) breach(what);
}

static void must_not_open(const char *path, int flags) {
    int fd = open(path, flags);
    if (fd >= 0) {
        errno = 0;
        breach(path);
        close(fd);
    }
}

static void privileges(void) {
    char line[256];
    FILE *status = fopen("/proc/self/status", "r");
    if (!status) return breach("/proc/self/status is unreadable");
    while (fgets(line, sizeof line, status)) {
        unsigned long long value;
        if (sscanf(line, "CapInh: %llx", &value) == 1 || sscanf(line, "CapPrm: %llx", &value) == 1 ||
            sscanf(line, "CapEff: %llx", &value) == 1 || sscanf(line, "CapAmb: %llx", &value) == 1) {
            if (value) breach(line);
        } else if (sscanf(line, "NoNewPrivs: %llu", &value) == 1) {
            if (value != 1) breach(line);
        } else if (sscanf(line, "Seccomp: %llu", &value) == 1) {
            if (value != 2) breach(line);
        }
    }
    fclose(status);
}

static void devices(void) {
    must_fail("mknod of a character device", mknod("char", S_IFCHR | 0666, makedev(1, 1)));
    must_fail("mknod of a block device", mknod("block", S_IFBLK | 0666, makedev(7, 0)));
    const char *nodes[] = {"/dev/loop0", "/dev/loop-control", "/dev/vda", "/dev/sda",
                           "/dev/mem", "/dev/kmsg", "/dev/kvm", "/dev/fuse", "/dev/net/tun",
                           "/dev/ptmx", "/dev/tty"};
    for (unsigned i = 0; i < sizeof nodes / sizeof *nodes; i++) must_not_open(nodes[i], O_RDONLY);
    const char *files[] = {"/etc/shadow", "/etc/gshadow", "/etc/shadow-", "/etc/sudoers",
                           "/proc/kcore", "/proc/kmsg", "/proc/1/environ", "/proc/1/mem",
                           "/proc/1/exe", "/proc/1/root/etc/passwd"};
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++) must_not_open(files[i], O_RDONLY);
    must_not_open("/proc/sysrq-trigger", O_WRONLY);
    must_not_open("/proc/sys/kernel/core_pattern", O_WRONLY);
    must_not_open("/proc/sys/kernel/hostname", O_WRONLY);
    must_not_open("/sys/kernel/mm/transparent_hugepage/enabled", O_WRONLY);
    must_not_open("/dev/shm/made-by-a-reader", O_CREAT | O_WRONLY);
}

static void kernel(void) {
    char stack[4096];
    uint64_t arguments[11] = {CLONE_NEWUSER};
    (void)stack;
    must_be_denied("mount", mount("none", ".", "tmpfs", 0, ""));
    must_be_denied("umount", umount2("/", MNT_DETACH | 0x40000000));
    must_be_denied("chroot", chroot("."));
    must_be_denied("unshare", unshare(CLONE_NEWUSER));
    must_be_denied("setns", setns(-1, 0));
    must_be_denied("clone of a namespace", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    must_be_denied("clone3", syscall(SYS_clone3, arguments, 64));
    must_be_denied("fsopen", syscall(SYS_fsopen, "tmpfs", 0));
    must_be_denied("open_tree", syscall(SYS_open_tree, AT_FDCWD, "/", 1));
    must_be_denied("bpf", syscall(SYS_bpf, 0, 0, 0));
    must_be_denied("perf_event_open", syscall(SYS_perf_event_open, 0, 0, -1, -1, 0));
    must_be_denied("keyctl", syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_USER_KEYRING, 1));
    must_be_denied("add_key", syscall(SYS_add_key, "user", "left", "x", 1, KEY_SPEC_USER_KEYRING));
    must_be_denied("ptrace", ptrace(PTRACE_ATTACH, getppid(), 0, 0));
    must_be_denied("ptrace of itself", ptrace(PTRACE_TRACEME, 0, 0, 0));
    must_be_denied("process_vm_readv", syscall(SYS_process_vm_readv, 1, 0, 0, 0, 0, 0));
    must_be_denied("io_uring", syscall(SYS_io_uring_setup, 1, 0));
    must_be_denied("setsid", setsid());
    unsigned long context = 0;
    must_be_denied("io_setup", syscall(SYS_io_setup, 1, &context));
    must_be_denied("userfaultfd", syscall(SYS_userfaultfd, 0));
    must_be_denied("init_module", syscall(SYS_init_module, 0, 0, 0));
    must_be_denied("kexec_load", syscall(SYS_kexec_load, 0, 0, 0, 0));
    must_be_denied("swapoff", syscall(SYS_swapoff, "."));
    must_be_denied("sethostname", sethostname("x", 1));
    must_be_denied("open_by_handle_at", syscall(SYS_open_by_handle_at, -1, 0, 0));
    must_be_denied("a system call of the future", syscall(500));
#ifdef __x86_64__
    must_be_denied("a system call of x32", syscall(0x40000000 | 39));
    pid_t child = fork();
    if (child == 0) {
        long result;
        __asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
        _exit(result > 0 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) breach("a system call of i386");
#endif
}

static void sockets(const char *victim) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", victim);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd >= 0) {
        breach("socket(AF_UNIX)");
        must_fail("connect to a UNIX socket", connect(fd, (void *)&address, sizeof address));
    }
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0) breach("socketpair of datagrams");
    if (socketpair(AF_UNIX, SOCK_RAW, 0, pair) == 0) breach("raw socketpair");
    /* Runtimes use pairs of streams to communicate with their children. */
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) breach("no socketpair of streams");
    else if (connect(pair[0], (void *)&address, sizeof address) == 0)
        breach("connect of a pair");
    must_fail("socket(AF_PACKET)", socket(AF_PACKET, SOCK_RAW, 0));
    must_fail("socket(AF_VSOCK)", socket(AF_VSOCK, SOCK_STREAM, 0));
    must_fail("socket(AF_ALG)", socket(AF_ALG, SOCK_SEQPACKET, 0));
}

static void ipc(void) {
    must_fail("shmget", syscall(SYS_shmget, 0x7261, 1 << 20, 01600));
    must_fail("msgget", syscall(SYS_msgget, 0x7261, 01600));
    must_fail("semget", syscall(SYS_semget, 0x7261, 1, 01600));
    must_fail("mq_open", mq_open("/left-by-a-reader", O_CREAT | O_RDWR, 0600, NULL));
}

static void processes(pid_t harness) {
    pid_t others[] = {harness, getppid(), 1};
    struct rlimit none = {0, 0};
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    struct sched_param parameter = {0};
    for (unsigned i = 0; i < 3; i++) {
        pid_t pid = others[i];
        if (pid <= 0) continue;
        must_fail("prlimit of another process", prlimit(pid, RLIMIT_FSIZE, &none, NULL));
        must_fail("setpriority of another process", setpriority(PRIO_PROCESS, pid, 19));
        must_fail("sched_setaffinity of another process", sched_setaffinity(pid, sizeof set, &set));
        must_fail("sched_setscheduler", sched_setscheduler(pid, SCHED_IDLE, &parameter));
        must_fail("ioprio_set", syscall(SYS_ioprio_set, 1, pid, 3 << 13));
        if (pid != 1) must_fail("kill of another process", kill(pid, 0));
    }
    must_fail("setpriority of the user", setpriority(PRIO_USER, 0, 19));
    must_fail("setpriority of a group", setpriority(PRIO_PGRP, getpgid(0), 19));
    /* A process may still limit itself. */
    struct rlimit own;
    if (getrlimit(RLIMIT_NOFILE, &own) || setrlimit(RLIMIT_NOFILE, &own)) breach("no setrlimit");
    if (setpriority(PRIO_PROCESS, 0, 1)) breach("no nice");
}

static void files(const char *victim) {
    char path[4096];
    struct timespec times[2] = {{1, 0}, {1, 0}};
    snprintf(path, sizeof path, "%s/file", victim);
    int fd = open(path, O_RDONLY);
    if (fd < 0) return breach("the file is unreadable");
    must_fail("chmod", chmod(path, 0777));
    must_fail("fchmod", fchmod(fd, 0777));
    must_fail("fchmodat2", syscall(452, AT_FDCWD, path, 0777, 0));
    must_fail("chown", chown(path, getuid(), -1));
    must_fail("utimensat", utimensat(AT_FDCWD, path, times, 0));
    must_fail("futimens", futimens(fd, times));
    must_fail("setxattr", setxattr(path, "user.left", "x", 1, 0));
    must_fail("fsetxattr", fsetxattr(fd, "user.left", "x", 1, 0));
    must_fail("truncate", truncate(path, 0));
    must_fail("rename", rename(path, "stolen"));
    must_fail("link", link(path, "linked"));
    must_fail("unlink", unlink(path));
    must_not_open(path, O_WRONLY);
    snprintf(path, sizeof path, "%s/made", victim);
    must_not_open(path, O_CREAT | O_WRONLY);
    must_fail("chmod of a folder", chmod(victim, 0777));
    close(fd);
}

/* Attacks the devices that every reader may use. The permissions are those that the device has. */
static void sinks(void) {
    struct timespec times[2] = {{1, 0}, {1, 0}};
    must_fail("chmod of a device", chmod("/dev/full", 0666));
    must_fail("utimensat of a device", utimensat(AT_FDCWD, "/dev/full", times, 0));
    must_fail("chown of a device", chown("/dev/full", 0, 0));
    int fd = open("/dev/null", O_WRONLY);
    if (fd < 0 || write(fd, "x", 1) != 1) return breach("a device is not writable");
    close(fd);
}

/* Attacks the surroundings of the reader: the folder of the case, and the parent of the scratch
 * folder. */
static void surroundings(const char *victim, const char *trace) {
    char path[4096];
    snprintf(path, sizeof path, "%s", trace);
    for (int i = 0; i < 2; i++) {
        must_fail("chmod of a case", chmod(path, 0));
        must_fail("setxattr of a case", setxattr(path, "user.left", "x", 1, 0));
        must_fail("utimensat of a case", utimensat(AT_FDCWD, path, NULL, 0));
        must_not_open(path, O_WRONLY);
        char *slash = strrchr(path, '/');
        if (slash) *slash = 0;
    }
    must_fail("inotify", inotify_init1(0));
    int fd = open(trace, O_RDONLY);
    if (fd < 0) return breach("the case is unreadable");
    uint64_t hint = 2;
    must_be_denied("hint about a file", fcntl(fd, 1036, &hint));
    must_be_denied("hint about an open file", fcntl(fd, 1038, &hint));
    must_be_denied("lease", fcntl(fd, F_SETLEASE, F_RDLCK));
    must_be_denied("notification", fcntl(fd, F_NOTIFY, 1));
    int generation = 4242;
    must_fail("generation of a file", ioctl(fd, _IOW('f', 4, long), &generation));
    close(fd);
    /* The harness must not follow a link in place of the scratch folder when it removes the
     * folder. */
    char scratch[4096];
    if (!getcwd(scratch, sizeof scratch)) return breach("no working folder");
    must_not_open("../left-by-a-reader", O_CREAT | O_WRONLY);
    must_fail("rename of the scratch folder", rename(scratch, "../moved"));
    must_fail("link in place of the scratch folder", symlink(victim, "../scratch-link"));
    if (symlink(victim, "link")) breach("no link inside the scratch folder");
}

int main(int count, char **words) {
    if (count != 4) return 2;
    privileges();
    devices();
    sinks();
    kernel();
    sockets(words[1]);
    ipc();
    processes(atoi(words[2]));
    files(words[1]);
    surroundings(words[1], words[3]);
    return breaches ? 65 : 0;
}
