//! The launcher process: it restricts itself and then starts readers, which inherit its
//! restrictions.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, PidfdFlags, Signal, getpid, pidfd_open, set_child_subreaper,
    set_parent_process_death_signal, setsid,
};
use rustix::stdio::dup2_stdin;

use super::channel::Channel;
use super::children::Children;
use super::message::{Answer, Order};
use super::mounts::{self, Mounts};
use super::namespaces::{self, Separate};
use super::system_calls::{self, Circumstances};
use super::{Finding, Mechanism, NAME, files, privileges};
use crate::plan::{Plan, Start};

/// The second argument of the first process of a process namespace.
const FIRST: &str = "first";

/// The interval at which to reap abandoned processes while a reader runs.
const REAPING: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 250_000_000,
};

/// Turns this process into a launcher if it was started as one. Otherwise, registers this program
/// for use as a launcher and returns `None`. Call this function first in `main`. If this function
/// returns an exit status, `main` must return that status.
pub fn become_launcher() -> Option<ExitCode> {
    let mut arguments = env::args_os().skip(1);
    if arguments.next().is_none_or(|first| first != NAME) {
        super::use_program(Path::new("/proc/self/exe"));
        return None;
    }
    let bits = match arguments.next() {
        Some(first) if first == FIRST => arguments.next().unwrap_or_default(),
        _ => return Some(exit(outside())),
    };
    let bits = bits.to_str().and_then(|bits| bits.parse().ok());
    Some(exit(
        bits.map_or(Ok(()), |bits| first(Separate::of_bits(bits))),
    ))
}

/// Converts the result to an exit status. The harness notices an error because the process closes
/// the socket when it exits.
fn exit(result: io::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Creates the namespaces, and runs the launcher inside them or as their first process.
fn outside() -> io::Result<()> {
    // Keys pressed in the terminal must not kill a launcher before its readers. Linux also shares
    // the CPU time fairly among sessions, so that readers with hundreds of threads cannot starve
    // the process that watches them.
    let _ = setsid();
    let mut channel = take_channel()?;
    let Some(Order::Separate(separate)) = order(&mut channel)?.map(|(order, _)| order) else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    if let Err(why) = namespaces::enter(separate) {
        return channel.send(&Answer::NotSeparate(why).encode(), &[]);
    }
    if !separate.processes {
        return serve(channel, separate);
    }
    let mut command = Command::new("/proc/self/exe");
    command.args([NAME, FIRST, &separate.bits().to_string()]);
    let socket: OwnedFd = channel.as_fd().try_clone_to_owned()?;
    let started = command.stdin(Stdio::from(socket)).spawn();
    let mut first = match started {
        Ok(first) => first,
        Err(error) => {
            let why = format!("cannot start the first process in the PID namespace: {error}");
            return channel.send(&Answer::NotSeparate(why).encode(), &[]);
        }
    };
    // If this process kept the socket open, the harness would not notice when the first process
    // exits.
    drop(channel);
    first.wait().map(|_| ())
}

/// Runs as the first process of a process namespace, which receives all abandoned processes in it.
fn first(separate: Separate) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    serve(take_channel()?, separate)
}

/// Takes over the socket from standard input, which readers must not inherit.
fn take_channel() -> io::Result<Channel> {
    let channel = Channel::inherited(io::stdin())?;
    dup2_stdin(File::open("/dev/null")?)?;
    Ok(channel)
}

fn order(channel: &mut Channel) -> io::Result<Option<(Order, Vec<OwnedFd>)>> {
    let Some((message, descriptors)) = channel.receive()? else {
        return Ok(None);
    };
    let order = Order::decode(&message).ok_or(io::ErrorKind::InvalidData)?;
    Ok(Some((order, descriptors)))
}

fn serve(mut channel: Channel, separate: Separate) -> io::Result<()> {
    let Some(Order::Restrict(plan)) = order(&mut channel)?.map(|(order, _)| order) else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let adopted = separate.processes || set_child_subreaper(Some(getpid())).is_ok();
    let mounts = match separate.system {
        true => match mounts::arrange(&plan, separate) {
            Ok(mounts) => Some(mounts),
            Err(why) => return channel.send(&Answer::NotSeparate(why).encode(), &[]),
        },
        false => None,
    };
    let mut findings = restrict(&plan, separate, mounts.as_ref());
    findings.push(Finding {
        mechanism: Mechanism::Abandoned,
        result: match adopted {
            true => Ok("killed and reaped".to_owned()),
            false => Err(
                "this kernel cannot reparent abandoned processes to the process that starts readers"
                    .to_owned(),
            ),
        },
    });
    let scratch = mounts.and_then(|mounts| mounts.scratch.ok());
    let descriptors: Vec<_> = scratch.iter().map(AsFd::as_fd).collect();
    channel.send(&Answer::Restricted(findings).encode(), &descriptors)?;
    drop(scratch);
    let mut children = Children::new(separate.processes);
    loop {
        while !children.is_empty() && !is_readable(&channel) {
            children.reap();
        }
        let Some((order, descriptors)) = order(&mut channel)? else {
            return Ok(());
        };
        match order {
            Order::Start(wanted) => start(&wanted, descriptors, &mut children, &mut channel)?,
            Order::End(pid) => {
                let status = children.end(pid).unwrap_or_default();
                channel.send(&Answer::Ended(status).encode(), &[])?;
            }
            Order::Separate(_) | Order::Restrict(_) => {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
    }
}

/// Waits briefly for a message. Returns true if a message has arrived.
fn is_readable(channel: &Channel) -> bool {
    let mut watched = [PollFd::new(channel, PollFlags::IN)];
    !matches!(poll(&mut watched, Some(&REAPING)), Ok(0))
}

/// Gives up all privileges that readers do not need, and returns the restrictions that are enabled.
fn restrict(plan: &Plan, separate: Separate, mounts: Option<&Mounts>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut find = |mechanism, result| findings.push(Finding { mechanism, result });
    if let Some(mounts) = mounts {
        find(Mechanism::Mounts, mounts.read_only.clone());
        let scratch = mounts.scratch.as_ref();
        let in_memory = |_| "the folder is an in-memory file system with a limited size".to_owned();
        find(
            Mechanism::Scratch,
            scratch.map(in_memory).map_err(Clone::clone),
        );
    }
    // If everything except a scratch folder of a fixed size is read-only, the size of files is
    // already limited. A limit on the size of each file would affect only sparse files in memory,
    // such as the file with which Java's ZGC collector reserves the maximum heap.
    let has_fixed_size = |it: &Mounts| it.read_only.is_ok() && it.scratch.is_ok();
    let file_size = (!mounts.is_some_and(has_fixed_size)).then_some(plan.size);
    privileges::limit_resources(file_size);
    find(
        Mechanism::Processes,
        privileges::limit_processes(separate.users),
    );
    privileges::protect_memory();
    let dropped = privileges::drop_all();
    find(
        Mechanism::Privileges,
        dropped
            .map(|()| "the reader has no capabilities and cannot gain any".to_owned())
            .map_err(|error| error.to_string()),
    );
    let landlock = files::restrict(plan);
    let tracing_is_confined = separate.processes || landlock.is_ok();
    find(Mechanism::Landlock, landlock);
    let filtered = system_calls::restrict(Circumstances {
        memory_is_limited: plan.memory_is_limited,
        network_is_separate: separate.system,
        files_are_read_only: mounts.is_some_and(|mounts| mounts.read_only.is_ok()),
        tracing_is_confined,
        launcher: (!separate.processes).then(|| getpid().as_raw_nonzero().get()),
        runs_this_program: plan.runs_this_program,
    });
    let network = match (separate.system, &filtered) {
        (true, _) => Ok("isolated by a network namespace".to_owned()),
        (false, Ok(())) => Ok("all sockets are denied".to_owned()),
        (false, Err(why)) => Err(why.clone()),
    };
    find(Mechanism::Network, network);
    let filtered = filtered.map(|()| "system calls that no reader needs are denied".to_owned());
    find(Mechanism::SystemCalls, filtered);
    findings
}

fn start(
    wanted: &Start,
    descriptors: Vec<OwnedFd>,
    children: &mut Children,
    channel: &mut Channel,
) -> io::Result<()> {
    let started = spawn(wanted, descriptors).and_then(|child| {
        let pid = Pid::from_child(&child);
        children.add(child);
        let number = pid.as_raw_nonzero().get();
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(descriptor) => Ok((number, descriptor)),
            Err(error) => {
                children.end(number);
                Err(error.into())
            }
        }
    });
    match started {
        Ok((pid, descriptor)) => {
            channel.send(&Answer::Started(pid).encode(), &[descriptor.as_fd()])
        }
        Err(error) => {
            let number = error.raw_os_error().unwrap_or_default();
            channel.send(&Answer::NotStarted(number).encode(), &[])
        }
    }
}

fn spawn(wanted: &Start, descriptors: Vec<OwnedFd>) -> io::Result<std::process::Child> {
    let misused = || io::Error::from(io::ErrorKind::InvalidInput);
    let (program, arguments) = wanted.command.split_first().ok_or_else(misused)?;
    let [input, output, errors] = <[OwnedFd; 3]>::try_from(descriptors).map_err(|_| misused())?;
    let variables = wanted.environment.chunks_exact(2);
    let variables = variables.map(|pair: &[OsString]| (&pair[0], &pair[1]));
    Command::new(program)
        .args(arguments)
        .env_clear()
        .envs(variables)
        .current_dir(&wanted.folder)
        .process_group(0)
        .stdin(Stdio::from(input))
        .stdout(Stdio::from(output))
        .stderr(Stdio::from(errors))
        .spawn()
}
