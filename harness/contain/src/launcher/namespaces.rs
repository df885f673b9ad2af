//! The namespaces of a launcher and its readers.

use std::fs;
use std::io;

use nix::sched::{CloneFlags, unshare};
use rustix::mount::{MountPropagationFlags, mount_change};
use rustix::process::{getegid, geteuid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, configure_capability_in_ambient_set,
    set_capabilities,
};

/// The namespaces to create. Mount, IPC, network and UTS namespaces are created together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Separate {
    /// A user namespace, in which a non-root user may create the other namespaces.
    pub(crate) users: bool,
    /// Mount, IPC, network and UTS namespaces.
    pub(crate) system: bool,
    /// A process namespace.
    pub(crate) processes: bool,
}

impl Separate {
    /// The combinations to try, best first. If user namespaces are forbidden, root can create the
    /// other namespaces without one. A process namespace needs its own `/proc`, but many containers
    /// do not allow mounting one.
    pub(crate) const LEVELS: [Self; 5] = [
        Self::new(true, true, true),
        Self::new(false, true, true),
        Self::new(true, true, false),
        Self::new(false, true, false),
        Self::new(false, false, false),
    ];

    const fn new(users: bool, system: bool, processes: bool) -> Self {
        Self {
            users,
            system,
            processes,
        }
    }

    /// Returns the combination as a bit set.
    pub(super) fn bits(self) -> u8 {
        u8::from(self.users) | u8::from(self.system) << 1 | u8::from(self.processes) << 2
    }

    /// Returns the combination for a bit set from [`Separate::bits`].
    pub(super) fn of_bits(bits: u8) -> Self {
        Self::new(bits & 1 != 0, bits & 2 != 0, bits & 4 != 0)
    }
}

/// Creates the namespaces. The process namespace contains only processes that are started
/// afterwards.
///
/// # Errors
/// Returns a message that names the namespace that cannot be created, and the reason.
pub(super) fn enter(separate: Separate) -> Result<(), String> {
    if separate.users {
        enter_user_namespace().map_err(|error| format!("user namespace: {error}"))?;
    }
    let mut flags = CloneFlags::empty();
    if separate.system {
        flags |= CloneFlags::CLONE_NEWNS
            | CloneFlags::CLONE_NEWIPC
            | CloneFlags::CLONE_NEWNET
            | CloneFlags::CLONE_NEWUTS;
    }
    if separate.processes {
        flags |= CloneFlags::CLONE_NEWPID;
    }
    unshare(flags).map_err(|error| format!("namespaces: {}", error.desc()))?;
    if separate.system {
        // Mounts created from now on must not be visible outside this namespace.
        let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
        mount_change("/", private).map_err(|error| format!("private mounts: {error}"))?;
    }
    if separate.users {
        keep_capabilities().map_err(|error| format!("capabilities: {error}"))?;
    }
    Ok(())
}

/// Enters a user namespace in which this user and group keep their ids.
fn enter_user_namespace() -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(CloneFlags::CLONE_NEWUSER)?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    // Without this step, a user who is not root may not map the group. Kernels before 3.19 do not
    // have this file and do not need it.
    match fs::write("/proc/self/setgroups", "deny") {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Lets the next program that this process executes keep the capabilities in the user namespace,
/// even if the user is not root.
fn keep_capabilities() -> io::Result<()> {
    let sets = capabilities(None)?;
    let inheritable = CapabilitySets {
        inheritable: sets.permitted,
        ..sets
    };
    set_capabilities(None, inheritable)?;
    for bit in 0..u64::BITS {
        let capability = CapabilitySet::from_bits_retain(1 << bit);
        if sets.permitted.contains(capability) {
            configure_capability_in_ambient_set(capability, true)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_for_all_combinations() {
        for level in Separate::LEVELS {
            assert_eq!(Separate::of_bits(level.bits()), level);
        }
    }
}
