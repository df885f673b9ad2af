//! Restricts the launcher in ways that its readers inherit: resource limits, no capabilities, and
//! no way to gain privileges by executing a program.

use std::io;

use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Resource, Rlimit, geteuid, getrlimit, set_dumpable_behavior, setrlimit,
};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, capabilities,
    capability_is_in_bounding_set, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_capabilities_secure_bits,
    set_no_new_privs,
};

/// The limit on open files. This limit is high enough for every language runtime, but low enough
/// that a reader cannot use up the system-wide limit.
const OPEN_FILES: u64 = 1024;

/// The limit on queued signals, which also count toward a limit on all processes of a user.
const PENDING_SIGNALS: u64 = 1024;

/// The limit on processes and threads. It is the same as that of the control group.
const PROCESSES: u64 = 512;

/// The first version of Linux that counts the processes of each user namespace separately.
const COUNTS_BY_NAMESPACE: (u32, u32) = (5, 14);

/// The number of bits in a set of capabilities.
const MOST_CAPABILITIES: u32 = u64::BITS;

/// Limits the number of processes and threads, even if the user cannot create a control group.
/// `is_own_user` says whether this process is in a user namespace of its own. Elsewhere, the other
/// processes of the user would count as well.
///
/// # Errors
/// Returns the reason why the number is not limited in this way.
pub(super) fn limit_processes(is_own_user: bool) -> Result<String, String> {
    if !is_own_user {
        return Err("no user namespace".to_owned());
    }
    if version().is_none_or(|version| version < COUNTS_BY_NAMESPACE) {
        let (major, minor) = COUNTS_BY_NAMESPACE;
        return Err(format!("Linux is older than {major}.{minor}"));
    }
    // The kernel exempts root, but the limit still applies if this process is root only in a user
    // namespace around its own.
    limit(Resource::Nproc, PROCESSES);
    match geteuid().is_root() {
        true => Err("the kernel does not limit the processes of root".to_owned()),
        false => Ok(format!(
            "at most {PROCESSES} processes, limited by a user namespace"
        )),
    }
}

/// Limits the other resources of this process. `file_size` is the maximum size of a file in bytes,
/// or `None` if files are already limited in another way.
pub(super) fn limit_resources(file_size: Option<u64>) {
    limit(Resource::Core, 0);
    if let Some(file_size) = file_size {
        limit(Resource::Fsize, file_size);
    }
    limit(Resource::Nofile, OPEN_FILES);
    limit(Resource::Sigpending, PENDING_SIGNALS);
}

/// Returns the major and minor version of the kernel.
fn version() -> Option<(u32, u32)> {
    let names = rustix::system::uname();
    let mut numbers = names.release().to_str().ok()?.split(['.', '-']);
    let mut number = || numbers.next()?.parse().ok();
    Some((number()?, number()?))
}

/// Lowers the limits on a resource to at most `most`. Leaves limits that are already lower
/// unchanged, because not every user may raise limits.
fn limit(resource: Resource, most: u64) {
    let now = getrlimit(resource);
    let lower = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
    let limit = Rlimit {
        current: lower(now.current),
        maximum: lower(now.maximum),
    };
    // Lowering a limit is always permitted.
    let _ = setrlimit(resource, limit);
}

/// Gives up all capabilities for good: programs that this process executes cannot regain them, even
/// if they are executed by root or have the set-user-ID bit.
///
/// # Errors
/// Returns an error if the kernel does not support this.
pub(super) fn drop_all() -> io::Result<()> {
    // Without the right to change the bounding set, `no_new_privs` alone must suffice.
    let may_bound = capabilities(None)?
        .effective
        .contains(CapabilitySet::SETPCAP);
    if may_bound {
        for bit in 0..MOST_CAPABILITIES {
            let capability = CapabilitySet::from_bits_retain(1 << bit);
            match capability_is_in_bounding_set(capability) {
                Ok(true) => remove_capability_from_bounding_set(capability)?,
                Ok(false) => {}
                // The kernel does not know this capability or any later one.
                Err(Errno::INVAL) => break,
                Err(error) => return Err(error.into()),
            }
        }
        set_capabilities_secure_bits(
            CapabilitiesSecureBits::NO_ROOT
                | CapabilitiesSecureBits::NO_ROOT_LOCKED
                | CapabilitiesSecureBits::NO_SETUID_FIXUP
                | CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED
                | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE
                | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE_LOCKED,
        )?;
    }
    clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    let none = CapabilitySets {
        effective: none,
        permitted: none,
        inheritable: none,
    };
    set_capabilities(None, none)?;
    set_no_new_privs(true)?;
    Ok(())
}

/// Prevents readers from reading or changing the memory of this process.
pub(super) fn protect_memory() {
    // The call fails only for an unknown argument.
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}
