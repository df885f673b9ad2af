//! A running reader, started by a launcher if there is one and directly otherwise. A launcher, its
//! control groups and its scratch folder form a *cell*.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::cell::{Cell, Reader};
use crate::plan::Start;
use crate::system::{Watched, descriptor, forbid_cores, pipe, restrict};
use crate::{Input, Limits, Scratch, usage};

/// A started reader.
#[derive(Debug)]
pub(crate) enum Running {
    /// A child of a launcher.
    Contained(Arc<Cell>, Reader),
    /// A child of this process, with the limits that can be set from outside.
    Direct(Child, Option<OwnedFd>),
}

/// The harness's ends of a reader's standard streams.
#[derive(Debug)]
pub(crate) struct Streams {
    pub(crate) input: Option<ChildStdin>,
    pub(crate) output: Option<ChildStdout>,
    pub(crate) errors: Option<ChildStderr>,
}

impl Running {
    /// Starts a reader in the cell of `scratch`, or directly if there is no launcher.
    ///
    /// # Errors
    /// Returns an error if the reader cannot be started.
    pub(crate) fn start(
        command: Command,
        input: &Input,
        scratch: &Scratch,
        limits: &Limits,
    ) -> io::Result<(Self, Streams)> {
        match scratch.cell(limits)? {
            Some(cell) => contained(cell, &command, input, scratch, limits),
            None => direct(command, input, scratch, limits),
        }
    }

    /// Returns the process id.
    pub(crate) fn pid(&self) -> i32 {
        match self {
            Self::Contained(_, reader) => reader.pid,
            Self::Direct(child, _) => Pid::from_child(child).as_raw_nonzero().get(),
        }
    }

    /// Returns whether a launcher has started the process.
    pub(crate) fn has_launcher(&self) -> bool {
        matches!(self, Self::Contained(..))
    }

    /// Returns a descriptor that can be polled for the exit of the process, if the system supports
    /// such descriptors.
    pub(crate) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Self::Contained(_, reader) => Some(reader.descriptor.as_fd()),
            Self::Direct(_, descriptor) => descriptor.as_ref().map(AsFd::as_fd),
        }
    }

    /// Returns whether the process has exited, without waiting.
    pub(crate) fn has_exited(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        match self {
            Self::Contained(_, reader) => {
                let watched = Watched {
                    exit: Some(reader.descriptor.as_fd()),
                    ..Watched::default()
                };
                watched.wait(Duration::ZERO).exit
            }
            Self::Direct(child, _) => {
                matches!(
                    waitid(WaitId::Pid(Pid::from_child(child)), options),
                    Ok(Some(_))
                )
            }
        }
    }

    /// Kills the process and its group and, if the reader runs in a cell, all other processes that
    /// it has started. Returns the exit status of the process.
    pub(crate) fn end(&mut self) -> Option<ExitStatus> {
        match self {
            Self::Contained(cell, reader) => Some(cell.end(reader)),
            Self::Direct(child, _) => {
                // Until the leader is reaped, the id of the group cannot be reused. Killing fails
                // only if no process is left.
                let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
                child.wait().ok()
            }
        }
    }

    /// Returns the size of the files in the scratch folder.
    pub(crate) fn stored(&self, scratch: &std::path::Path) -> u64 {
        match self {
            Self::Contained(cell, _) => cell.stored(scratch),
            Self::Direct(..) => usage::stored(scratch),
        }
    }

    /// Returns the number of processes in the cell that the kernel has killed for lack of memory.
    pub(crate) fn starved(&self) -> u64 {
        match self {
            Self::Contained(cell, _) => cell.starved(),
            Self::Direct(..) => 0,
        }
    }

    /// Returns the peak total memory of all processes in the cell, in bytes.
    pub(crate) fn peak(&self) -> u64 {
        match self {
            Self::Contained(cell, _) => cell.peak(),
            Self::Direct(..) => 0,
        }
    }
}

fn contained(
    cell: Arc<Cell>,
    command: &Command,
    input: &Input,
    scratch: &Scratch,
    limits: &Limits,
) -> io::Result<(Running, Streams)> {
    let (output, output_in) = pipe()?;
    let (errors, errors_in) = pipe()?;
    let (given, input) = match input {
        Input::Nothing => (File::open("/dev/null")?.into(), None),
        Input::File(file) => (file.try_clone()?.into(), None),
        Input::Requests | Input::Pieces(_) => {
            let (given, input) = pipe()?;
            (given, Some(ChildStdin::from(input)))
        }
    };
    let program = [command.get_program()].into_iter();
    let start = Start {
        command: program
            .chain(command.get_args())
            .map(OsString::from)
            .collect(),
        environment: environment(command),
        folder: scratch.path().to_owned(),
    };
    // The scratch folder may be in memory, so its size counts too.
    let memory = limits.memory.saturating_add(limits.scratch);
    let given: [OwnedFd; 3] = [given, output_in, errors_in];
    let reader = cell.start(start, given.each_ref().map(AsFd::as_fd), memory)?;
    let streams = Streams {
        input,
        output: Some(output.into()),
        errors: Some(errors.into()),
    };
    Ok((Running::Contained(cell, reader), streams))
}

/// Returns the complete environment of a command.
fn environment(command: &Command) -> Vec<OsString> {
    let changed = |name: &OsString| command.get_envs().any(|(it, _)| it == name);
    let kept = env::vars_os().filter(|(name, _)| !changed(name));
    let set = command.get_envs();
    let set = set.filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned())));
    kept.chain(set)
        .flat_map(|(name, value)| [name, value])
        .collect()
}

fn direct(
    mut command: Command,
    input: &Input,
    scratch: &Scratch,
    limits: &Limits,
) -> io::Result<(Running, Streams)> {
    forbid_cores();
    command
        .current_dir(scratch.path())
        .process_group(0)
        .stdin(match input {
            Input::Nothing => Stdio::null(),
            Input::File(file) => Stdio::from(file.try_clone()?),
            Input::Requests | Input::Pieces(_) => Stdio::piped(),
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let pid = Pid::from_child(&child);
    restrict(pid, limits);
    let streams = Streams {
        input: child.stdin.take(),
        output: child.stdout.take(),
        errors: child.stderr.take(),
    };
    Ok((Running::Direct(child, descriptor(pid)), streams))
}
