//! The cell of a worker: a thread that gives up every privilege that readers do not need and then
//! starts the readers, which inherit its restrictions.
//!
//! Landlock rules and namespaces apply to a thread and the processes it starts. So nothing has to
//! run between fork and exec, and starting a reader costs nothing extra. Restrictions that the
//! system does not support are recorded in [`Walls`].

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use super::groups::{Bounds, Group, most_processes};
use super::namespace::Namespace;
use super::reach::Reach;

/// The restrictions on the readers of a cell. Each is a description, or the reason why it is not
/// enabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walls {
    /// How access to the file system is restricted.
    pub files: Result<String, String>,
    /// How access to the network is restricted.
    pub network: Result<String, String>,
    /// How the number of processes is limited.
    pub processes: Result<String, String>,
    /// How processes outside the cell are kept out of reach and those inside are kept from hiding.
    pub namespace: Result<String, String>,
    /// How the total memory of all processes is limited.
    pub memory: Result<String, String>,
}

/// A thread that starts readers under restrictions.
#[derive(Debug)]
pub struct Cell {
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    walls: Walls,
    inside: Inside,
}

/// The namespace and control groups that contain the readers of a cell. Fields are dropped in
/// declaration order, because a control group can only be removed when it is empty.
#[derive(Clone, Debug, Default)]
pub(super) struct Inside {
    namespace: Option<Arc<Namespace>>,
    processes: Option<Arc<Group>>,
    memory: Option<Arc<Group>>,
}

struct Order {
    command: Command,
    done: Sender<io::Result<Child>>,
}

impl Cell {
    /// Creates a cell whose readers can access only the paths in `reach` and write only to
    /// `folder`.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started.
    pub fn new(reach: &Reach, folder: &Path) -> io::Result<Self> {
        let cell = Self::build(reach, folder, true)?;
        if cell.walls.namespace.is_ok() {
            return Ok(cell);
        }
        // The thread that failed to create a namespace may be in a half-created one, so start over.
        let why = cell.walls.namespace.clone();
        drop(cell);
        let mut cell = Self::build(reach, folder, false)?;
        cell.walls.namespace = why;
        Ok(cell)
    }

    fn build(reach: &Reach, folder: &Path, apart: bool) -> io::Result<Self> {
        let (orders, taken) = mpsc::channel();
        let (closed, walls) = mpsc::channel();
        let (reach, folder) = (reach.clone(), folder.to_path_buf());
        let work = move || {
            let (mut processes, processes_said) = group(Bounds::Processes);
            let (mut memory, memory_said) = group(Bounds::Memory);
            let namespace = match apart {
                true => Namespace::enter().map_err(|error| error.to_string()),
                false => Err(String::new()),
            };
            let (files, network) = system::close(&reach, &folder);
            let walls = Walls {
                files,
                network,
                processes: processes_said,
                namespace: match &namespace {
                    Ok(_) => Ok("separate; all its processes end with the reader".to_owned()),
                    Err(why) => Err(why.clone()),
                },
                memory: memory_said,
            };
            let inside = Inside {
                namespace: namespace.ok().map(Arc::new),
                processes: processes.take().map(Arc::new),
                memory: memory.take().map(Arc::new),
            };
            // The creator of this cell is waiting for the message, so sending cannot fail.
            let _ = closed.send((walls, inside));
            serve(&taken);
        };
        let thread = thread::Builder::new().name("cell".to_owned()).spawn(work)?;
        let (walls, inside) = walls
            .recv()
            .map_err(|_| io::Error::other("cannot create the sandbox of a reader"))?;
        Ok(Self {
            orders: Some(orders),
            thread: Some(thread),
            walls,
            inside,
        })
    }

    /// Returns the restrictions on the readers.
    pub fn walls(&self) -> &Walls {
        &self.walls
    }

    /// Returns the namespace and control groups of the readers.
    pub(super) fn inside(&self) -> &Inside {
        &self.inside
    }

    /// Returns whether readers can still be started in the cell.
    pub fn is_whole(&self) -> bool {
        let namespace = self.inside.namespace.as_ref();
        namespace.is_none_or(|namespace| namespace.lives())
    }

    /// Starts a reader. `memory` limits the total memory of the reader and its child processes.
    ///
    /// # Errors
    /// Returns an error if the reader cannot be started.
    pub fn start(&self, command: Command, memory: u64) -> io::Result<Child> {
        if let Some(group) = &self.inside.memory {
            group.limit_memory(memory)?;
        }
        let gone = || io::Error::other("the sandbox of the reader has ended");
        let (done, started) = mpsc::channel();
        let orders = self.orders.as_ref().ok_or_else(gone)?;
        orders.send(Order { command, done }).map_err(|_| gone())?;
        let child = started.recv().map_err(|_| gone())??;
        for group in self.inside.processes.iter().chain(&self.inside.memory) {
            // Adding fails if the reader has already exited, which does no harm.
            let _ = group.add(child.id());
        }
        Ok(child)
    }
}

impl Inside {
    /// Kills the processes that finished readers left behind.
    pub(super) fn sweep(&self) {
        if let Some(namespace) = &self.namespace {
            namespace.sweep();
        }
    }

    /// Returns how many processes the kernel killed for exceeding the memory limit.
    pub(super) fn ended(&self) -> u64 {
        self.memory.as_ref().map_or(0, |group| group.ended())
    }

    /// Returns the peak total memory of all processes.
    pub(super) fn peak(&self) -> u64 {
        self.memory.as_ref().map_or(0, |group| group.peak())
    }
}

/// Creates a control group and moves the calling thread into it if possible. Returns the group and
/// its description, or the reason for the failure.
fn group(bounds: Bounds) -> (Option<Group>, Result<String, String>) {
    let entered = Group::new(bounds).and_then(|group| {
        if !group.enter()? {
            group.is_open()?;
        }
        Ok(group)
    });
    match (entered, bounds) {
        (Ok(group), Bounds::Processes) => (Some(group), Ok(most_processes())),
        (Ok(group), Bounds::Memory) => (Some(group), Ok("limited by a control group".to_owned())),
        (Err(error), _) => (None, Err(error.to_string())),
    }
}

fn serve(orders: &Receiver<Order>) {
    for Order { mut command, done } in orders {
        // The requester is waiting for the answer, so sending cannot fail.
        let _ = done.send(command.spawn());
    }
}

impl Drop for Cell {
    fn drop(&mut self) {
        // Processes that the thread leaves behind are reparented to our main thread and would be
        // mistaken for abandoned ones.
        if let Some(namespace) = &self.inside.namespace {
            namespace.end();
        }
        self.orders = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(target_os = "linux")]
mod system {
    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
        RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
    };

    use super::super::reach::SINKS;
    use super::{Path, PathBuf, Reach};

    /// The newest Landlock ABI to use. Older kernels enforce what they support.
    const NEWEST: ABI = ABI::V6;

    type Wall = Result<String, String>;

    /// Restricts the calling thread.
    pub(super) fn close(reach: &Reach, folder: &Path) -> (Wall, Wall) {
        let namespace = nix::sched::unshare(nix::sched::CloneFlags::CLONE_NEWNET);
        let locked = lock(reach, folder);
        let network = match (namespace, &locked) {
            (Ok(()), _) => Ok("isolated by a network namespace".to_owned()),
            (Err(_), Ok(RulesetStatus::FullyEnforced)) => Ok(
                "TCP is blocked by Landlock; blocking other protocols requires a network \
                 namespace, which this user cannot create"
                    .to_owned(),
            ),
            (Err(error), _) => Err(format!(
                "cannot create a network namespace: {}",
                error.desc()
            )),
        };
        let files = match locked {
            Ok(RulesetStatus::FullyEnforced) => Ok("restricted by Landlock".to_owned()),
            Ok(RulesetStatus::PartiallyEnforced) => {
                Ok("restricted by Landlock, as far as this kernel supports it".to_owned())
            }
            Ok(RulesetStatus::NotEnforced) => {
                Err("this kernel does not support Landlock".to_owned())
            }
            Err(error) => Err(format!("Landlock: {error}")),
        };
        (files, network)
    }

    fn lock(reach: &Reach, folder: &Path) -> Result<RulesetStatus, RulesetError> {
        let ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(AccessFs::from_all(NEWEST))?
            .handle_access(AccessNet::from_all(NEWEST))?
            .scope(Scope::from_all(NEWEST))?
            .create()?;
        let ruleset = ruleset
            .add_rules(rules(&reach.read, AccessFs::from_read(NEWEST)))?
            .add_rules(rules(&reach.list, AccessFs::ReadDir.into()))?
            .add_rules(rules(
                SINKS.iter().map(PathBuf::from),
                AccessFs::from_file(NEWEST),
            ))?
            .add_rules(rules([folder], AccessFs::from_all(NEWEST)))?;
        Ok(ruleset.restrict_self()?.ruleset)
    }

    /// Creates a rule for each path that exists.
    fn rules<P: AsRef<Path>>(
        paths: impl IntoIterator<Item = P>,
        access: landlock::BitFlags<AccessFs>,
    ) -> impl Iterator<Item = Result<PathBeneath<PathFd>, RulesetError>> {
        paths.into_iter().filter_map(move |path| {
            let opened = PathFd::new(path.as_ref()).ok()?;
            let access = if path.as_ref().is_dir() {
                access
            } else {
                access & AccessFs::from_file(NEWEST)
            };
            Some(Ok(PathBeneath::new(opened, access)))
        })
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::{Path, Reach};

    type Wall = Result<String, String>;

    pub(super) fn close(_: &Reach, _: &Path) -> (Wall, Wall) {
        let linux = || Err("Linux only".to_owned());
        (linux(), linux())
    }
}
