//! The cell of a worker (a thread that runs reader processes): the launcher process that starts its
//! readers, the control groups of that launcher, and the scratch folder.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::ExitStatus;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::process::{Signal, pidfd_send_signal};

use crate::groups::{Bounds, Group, most_processes};
pub(crate) use crate::launcher::Reader;
use crate::launcher::namespaces::Separate;
use crate::launcher::{Launcher, NotReady, Ready};
use crate::lock::lock;
use crate::mechanism::{Finding, Mechanism};
use crate::plan::{Plan, Start};
use crate::switches::Switches;
use crate::{discard, usage};

/// The position in [`Separate::LEVELS`] of the best combination of namespaces found to work on this
/// machine so far.
static LEVEL: AtomicUsize = AtomicUsize::new(0);

/// The wait status of a process that was killed with `SIGKILL`.
const KILLED: i32 = 9;

/// The launcher and the resources that belong to it. The order of the fields is significant: they
/// are dropped in this order, and a control group can be removed only when it is empty.
#[derive(Debug)]
pub(crate) struct Cell {
    /// The launcher, or `None` if it has failed.
    launcher: Mutex<Option<Ready>>,
    memory: Option<Group>,
    /// The control group that limits the number of processes. The group exists until the launcher
    /// has exited.
    _processes: Option<Group>,
    findings: Vec<Finding>,
    /// The scratch folder, if it is in memory.
    scratch: Option<OwnedFd>,
    size: u64,
}

/// A launcher and the reasons why better combinations of namespaces are unavailable.
struct Built {
    ready: Ready,
    separate: Separate,
    refused: Vec<String>,
    memory: Result<Group, String>,
    processes: Result<Group, String>,
}

impl Cell {
    /// Creates a cell with the restrictions of `plan`.
    ///
    /// # Errors
    /// Returns an error if no launcher can be started, even without namespaces.
    pub(crate) fn new(plan: &Plan) -> io::Result<Self> {
        let Built {
            mut ready,
            separate,
            refused,
            memory,
            processes,
        } = build(plan)?;
        let why = |otherwise: &str| refused.first().map_or(otherwise, String::as_str).to_owned();
        let mut findings = std::mem::take(&mut ready.findings);
        let mut find = |mechanism, result| findings.push(Finding::new(mechanism, result));
        if !separate.system {
            find(Mechanism::Mounts, Err(why("no mount namespace")));
            find(
                Mechanism::Scratch,
                Err(format!(
                    "the size of the folder is measured ten times per second; {}",
                    why("no mount namespace")
                )),
            );
        }
        find(
            Mechanism::Namespace,
            match separate.processes {
                true => Ok(
                    "the reader has its own PID namespace; all processes in the namespace are \
                     killed when the reader ends"
                        .to_owned(),
                ),
                false => Err(why("no PID namespace")),
            },
        );
        let failed = |group: &Result<Group, String>| group.as_ref().err().cloned();
        find(
            Mechanism::Memory,
            failed(&memory).map_or_else(|| Ok("limited by a control group".to_owned()), Err),
        );
        if processes.is_ok() {
            find(Mechanism::Processes, Ok(most_processes()));
        } else if let Some(limited) = findings
            .iter_mut()
            .find(|it| it.mechanism == Mechanism::Processes)
            && let (Err(otherwise), Err(why)) = (&mut limited.result, &processes)
        {
            *otherwise = format!("{why}; {otherwise}");
        }
        let order = |it: &Finding| {
            Mechanism::ALL
                .iter()
                .position(|known| *known == it.mechanism)
        };
        findings.sort_by_key(order);
        Ok(Self {
            scratch: ready.scratch.take(),
            launcher: Mutex::new(Some(ready)),
            memory: memory.ok(),
            _processes: processes.ok(),
            findings,
            size: plan.size,
        })
    }

    /// Returns the state of each containment mechanism.
    pub(crate) fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the maximum size of the scratch folder in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Returns true if readers can still be started in the cell.
    pub(crate) fn is_whole(&self) -> bool {
        lock(&self.launcher).is_some()
    }

    /// Starts a reader. `memory` limits the total memory of the reader and its child processes.
    ///
    /// # Errors
    /// Returns an error if the reader cannot be started.
    pub(crate) fn start(
        &self,
        wanted: Start,
        streams: [BorrowedFd<'_>; 3],
        memory: u64,
    ) -> io::Result<Reader> {
        if let Some(group) = &self.memory {
            group.limit_memory(memory)?;
        }
        let mut launcher = lock(&self.launcher);
        let gone = || io::Error::other("the process that starts readers exited unexpectedly");
        match launcher.as_mut().ok_or_else(gone)?.start(wanted, streams) {
            Ok(started) => started,
            Err(error) => {
                *launcher = None;
                Err(error)
            }
        }
    }

    /// Kills a reader and all processes that it has started, and returns its exit status. If the
    /// launcher has failed, kills only the reader.
    pub(crate) fn end(&self, reader: &Reader) -> ExitStatus {
        let mut launcher = lock(&self.launcher);
        let ended = launcher.as_mut().map(|launcher| launcher.end(reader));
        match ended {
            Some(Ok(status)) => status,
            _ => {
                *launcher = None;
                // Outside a process namespace, the reader may outlive its launcher. Killing fails
                // only if the reader has already exited.
                let _ = pidfd_send_signal(&reader.descriptor, Signal::KILL);
                ExitStatus::from_raw(KILLED)
            }
        }
    }

    /// Returns the number of processes that the kernel killed for exceeding the memory limit.
    pub(crate) fn starved(&self) -> u64 {
        self.memory.as_ref().map_or(0, Group::ended)
    }

    /// Returns the peak total memory of all processes in bytes.
    pub(crate) fn peak(&self) -> u64 {
        self.memory.as_ref().map_or(0, Group::peak)
    }

    /// Returns the total size of all files in the scratch folder, which is at `path` if it is on
    /// disk. If a folder in memory can hold no further file, returns the maximum, which exceeds
    /// every limit.
    pub(crate) fn stored(&self, path: &Path) -> u64 {
        let Some(scratch) = &self.scratch else {
            return usage::stored(path);
        };
        let Ok(stat) = rustix::fs::fstatvfs(scratch) else {
            return 0;
        };
        match stat.f_ffree {
            0 => u64::MAX,
            _ => (stat.f_blocks - stat.f_bfree).saturating_mul(stat.f_frsize),
        }
    }

    /// Empties the scratch folder if it is in memory. Returns whether the folder is empty now, or
    /// `None` if it is on disk.
    pub(crate) fn empty(&self) -> Option<bool> {
        let scratch = self.scratch.as_ref()?;
        let files = || {
            let stat = rustix::fs::fstatvfs(scratch).ok()?;
            // The count includes the folder itself.
            Some(stat.f_files.saturating_sub(stat.f_ffree).saturating_sub(1))
        };
        match files() {
            Some(0) => Some(true),
            Some(some) if some <= discard::FEW => {
                discard::few(scratch);
                Some(files() == Some(0))
            }
            // If there are many files, replacing the whole file system is faster.
            _ => Some(false),
        }
    }
}

/// Starts a launcher in the best namespaces that work on this system.
fn build(plan: &Plan) -> io::Result<Built> {
    let switches = Switches::get();
    let mut refused = Vec::new();
    if switches.without_namespaces {
        refused.push("disabled".to_owned());
    }
    let levels = Separate::LEVELS.iter().enumerate();
    let known = LEVEL.load(Ordering::Relaxed);
    let mut failed = io::Error::other("the process that starts readers is unavailable");
    for (position, separate) in levels.skip(known) {
        if switches.without_namespaces && separate.system {
            continue;
        }
        let launcher = Launcher::start()?;
        let memory = group(Bounds::Memory, launcher.id(), switches);
        let processes = group(Bounds::Processes, launcher.id(), switches);
        let plan = Plan {
            memory_is_limited: memory.is_ok(),
            runs_this_program: plan.runs_this_program || switches.without_refusal,
            without_landlock: switches.without_landlock,
            ..plan.clone()
        };
        match launcher.restrict(*separate, &plan) {
            Ok(ready) => {
                LEVEL.fetch_max(position, Ordering::Relaxed);
                refusals(&mut refused);
                return Ok(Built {
                    ready,
                    separate: *separate,
                    refused,
                    memory,
                    processes,
                });
            }
            Err(NotReady::NotSeparate(why)) => refused.push(why),
            Err(NotReady::Failed(error)) => {
                refused.push(error.to_string());
                failed = error;
            }
        }
    }
    Err(failed)
}

/// Stores the reasons why better combinations of namespaces do not work, and copies these reasons
/// to cells that no longer try the combinations.
fn refusals(refused: &mut Vec<String>) {
    static REFUSED: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut known = lock(&REFUSED);
    match refused.is_empty() {
        true => refused.clone_from(&known),
        false => known.clone_from(refused),
    }
}

/// Creates a control group and moves the launcher into it.
fn group(bounds: Bounds, launcher: u32, switches: Switches) -> Result<Group, String> {
    if switches.without_groups {
        return Err("disabled".to_owned());
    }
    let entered = Group::new(bounds).and_then(|group| group.add(launcher).map(|()| group));
    entered.map_err(|error| error.to_string())
}
