//! The seccomp filter for readers. The filter denies system calls that no reader needs and that
//! would reach outside the containment.
//!
//! Denied calls fail with `EPERM`. System calls that are newer than this program, and `clone3`,
//! whose flags a filter cannot see, fail with `ENOSYS`, so that programs fall back to older calls.

use std::collections::BTreeMap;
use std::env::consts::ARCH;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter, sock_filter,
};

mod denied;

/// The newest system call that was considered when the lists of denied calls were written:
/// `file_setattr` of Linux 6.17. System calls with numbers from 424 on have the same number on all
/// architectures.
const NEWEST: u32 = 469;

/// The circumstances that the filter depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Circumstances {
    /// Whether all memory of the reader is limited, including files in memory.
    pub(super) memory_is_limited: bool,
    /// Whether the reader is in a network namespace of its own.
    pub(super) network_is_separate: bool,
    /// Whether everything except the scratch folder is mounted read-only.
    pub(super) files_are_read_only: bool,
    /// Whether a reader can use `ptrace` only on its own processes.
    pub(super) tracing_is_confined: bool,
    /// The launcher, if readers could end it with a signal. The first process of a process
    /// namespace ignores the signals of readers.
    pub(super) launcher: Option<i32>,
    /// Whether this program is the reader.
    pub(super) runs_this_program: bool,
}

/// The id of a process that cannot exist, since process ids have at most 22 bits.
const NOBODY: i32 = 0x5447_4147;

/// The error number that the filter returns when a process queries the priority of [`NOBODY`]. No
/// system call otherwise fails with this number.
const MARK: u16 = 3797;

/// Returns true if this process is a reader under test or was started by one. Copies of this
/// program may be anywhere and have any name, so a reader that parses nothing could start one of
/// them to get the expected answers. This program therefore refuses to do any work inside the
/// containment unless the reader file names it as the reader.
pub fn is_reader() -> bool {
    let nobody = rustix::process::Pid::from_raw(NOBODY);
    let answer = rustix::process::getpriority_process(nobody);
    answer.is_err_and(|error| error.raw_os_error() == i32::from(MARK))
}

/// Restricts this process and all programs that it executes.
///
/// # Errors
/// Returns the reason why the filter cannot be installed.
pub(super) fn restrict(circumstances: Circumstances) -> Result<(), String> {
    let program = program(circumstances)?;
    apply_filter(&program).map_err(|error| error.to_string())
}

/// Builds the filter.
fn program(circumstances: Circumstances) -> Result<BpfProgram, String> {
    let architecture = TargetArch::try_from(ARCH).map_err(|error| error.to_string())?;
    let filter = SeccompFilter::new(
        rules(circumstances)?,
        SeccompAction::Allow,
        SeccompAction::Errno(errno(libc::EPERM)),
        architecture,
    );
    let filter = filter.map_err(|error| error.to_string())?;
    let denying = BpfProgram::try_from(filter).map_err(|error| error.to_string())?;
    let mark = (!circumstances.runs_this_program).then(mark);
    let mark = mark.into_iter().flatten();
    Ok(mark.chain(unknown()).chain(denying).collect())
}

const LOAD: u16 = 0x20;
const JUMP_IF_GREATER: u16 = 0x25;
const JUMP_IF_EQUAL: u16 = 0x15;
const RETURN: u16 = 0x06;

/// The offset of the system call number in the input of a filter.
const NUMBER: u32 = 0;

/// The offset of the lower half of the second argument.
const SECOND: u32 = 24;

fn instruction(code: u16, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

/// Returns the part of the filter that lets [`is_reader`] detect the containment.
fn mark() -> [sock_filter; 5] {
    let question = u32::try_from(libc::SYS_getpriority).unwrap_or(u32::MAX);
    let answer = u32::from(SeccompAction::Errno(u32::from(MARK)));
    [
        instruction(LOAD, 0, 0, NUMBER),
        instruction(JUMP_IF_EQUAL, 0, 3, question),
        instruction(LOAD, 0, 0, SECOND),
        instruction(JUMP_IF_EQUAL, 0, 1, NOBODY.cast_unsigned()),
        instruction(RETURN, 0, 0, answer),
    ]
}

/// Returns the part of the filter that answers unknown system calls with `ENOSYS`. The x32 calls of
/// x86-64 have higher numbers than all other calls, so they count as unknown too.
fn unknown() -> [sock_filter; 4] {
    let clone3 = u32::try_from(libc::SYS_clone3).unwrap_or(u32::MAX);
    [
        instruction(LOAD, 0, 0, NUMBER),
        instruction(JUMP_IF_GREATER, 1, 0, NEWEST),
        instruction(JUMP_IF_EQUAL, 0, 1, clone3),
        instruction(
            RETURN,
            0,
            0,
            u32::from(SeccompAction::Errno(errno(libc::ENOSYS))),
        ),
    ]
}

fn errno(number: i32) -> u32 {
    number.unsigned_abs()
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// A condition on one argument of a system call.
#[derive(Clone, Copy, Debug)]
enum If {
    /// The argument has this value.
    Is(u8, u64),
    /// The argument does not have this value.
    IsNot(u8, u64),
    /// The argument is a pointer that is not null.
    IsPointer(u8),
    /// The argument, masked with the second field, equals the third field.
    Bits(u8, u64, u64),
}

impl If {
    fn condition(self) -> Result<SeccompCondition, String> {
        // The kernel ignores the upper half of integer arguments, but not of pointers.
        let mut length = SeccompCmpArgLen::Dword;
        let (argument, operator, value) = match self {
            Self::Is(argument, value) => (argument, SeccompCmpOp::Eq, value),
            Self::IsNot(argument, value) => (argument, SeccompCmpOp::Ne, value),
            Self::IsPointer(argument) => {
                length = SeccompCmpArgLen::Qword;
                (argument, SeccompCmpOp::Ne, 0)
            }
            Self::Bits(argument, bits, value) => (argument, SeccompCmpOp::MaskedEq(bits), value),
        };
        SeccompCondition::new(argument, length, operator, value).map_err(|error| error.to_string())
    }
}

fn rules(circumstances: Circumstances) -> Result<Rules, String> {
    let mut rules = Rules::new();
    let always = denied::ALWAYS.iter();
    let unlimited = denied::MEMORY_FILES
        .iter()
        .filter(|_| !circumstances.memory_is_limited);
    let writable = denied::FILE_ATTRIBUTES
        .iter()
        .filter(|_| !circumstances.files_are_read_only);
    for call in always.chain(unlimited).chain(writable) {
        rules.insert(*call, Vec::new());
    }
    let mut deny = |call: i64, conditions: &[If]| -> Result<(), String> {
        if conditions.is_empty() {
            rules.insert(call, Vec::new());
            return Ok(());
        }
        let conditions: Result<Vec<_>, _> = conditions.iter().map(|it| it.condition()).collect();
        let rule = SeccompRule::new(conditions?).map_err(|error| error.to_string())?;
        rules.entry(call).or_default().push(rule);
        Ok(())
    };
    for (call, conditions) in denied::SOMETIMES {
        deny(*call, conditions)?;
    }
    for flag in denied::NAMESPACES {
        deny(libc::SYS_clone, &[If::Bits(0, *flag, *flag)])?;
    }
    for kind in denied::DEVICES {
        deny(denied::MKNOD_AT, &[If::Bits(2, denied::FILE_KIND, *kind)])?;
        #[cfg(target_arch = "x86_64")]
        deny(libc::SYS_mknod, &[If::Bits(1, denied::FILE_KIND, *kind)])?;
    }
    if !circumstances.files_are_read_only {
        for request in denied::ATTRIBUTE_REQUESTS {
            deny(libc::SYS_ioctl, &[If::Is(1, *request)])?;
        }
    }
    match circumstances.tracing_is_confined {
        true => deny(
            libc::SYS_ptrace,
            &denied::HARMLESS_TRACING.map(|it| If::IsNot(0, it)),
        )?,
        false => deny(libc::SYS_ptrace, &[])?,
    }
    if let Some(launcher) = circumstances.launcher {
        for (call, conditions) in denied::signals(launcher) {
            deny(call, &conditions)?;
        }
    }
    let allowed: &[u64] = match circumstances.network_is_separate {
        true => &denied::NETWORK_FAMILIES,
        false => &[],
    };
    let others: Vec<If> = allowed.iter().map(|family| If::IsNot(0, *family)).collect();
    deny(libc::SYS_socket, &others)?;
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_fit_into_the_kernel() {
        /// The kernel's limit on the number of instructions in a filter.
        const MOST: usize = 4096;
        for bits in 0..16 {
            let circumstances = Circumstances {
                memory_is_limited: bits & 1 != 0,
                network_is_separate: bits & 2 != 0,
                files_are_read_only: bits & 4 != 0,
                launcher: (bits & 8 != 0).then_some(4711),
                tracing_is_confined: bits & 8 == 0,
                runs_this_program: bits & 1 == 0,
            };
            let program = program(circumstances).expect("a filter");
            assert!(program.len() < MOST, "{}", program.len());
        }
    }
}
