//! The cell of a worker: a thread that gives up all that a reader does not need, and then starts
//! the readers, who are born with no more than it has.
//!
//! Landlock and namespaces belong to a thread and what it starts, so that nothing has to run
//! between fork and exec, and no case pays for it. What a machine cannot give is noted.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use super::pids::Pids;
use super::reach::Reach;

/// What holds the readers of a cell in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walls {
    /// How the file system is closed; or why it is not.
    pub files: Result<String, String>,
    /// How the network is closed; or why it is not.
    pub network: Result<String, String>,
    /// How many processes there may be; or why there may be any number.
    pub processes: Result<String, String>,
}

/// A thread that starts readers.
#[derive(Debug)]
pub struct Cell {
    orders: Option<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
    walls: Walls,
    pids: Option<Pids>,
}

struct Order {
    command: Command,
    done: Sender<io::Result<Child>>,
}

impl Cell {
    /// A cell whose readers reach what is within `reach` and write to `folder`.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn new(reach: Reach, folder: &Path) -> io::Result<Self> {
        let (orders, taken) = mpsc::channel();
        let (closed, walls) = mpsc::channel();
        let folder = folder.to_path_buf();
        let work = move || {
            let (files, network) = system::close(&reach, &folder);
            // Whoever made this cell waits for it.
            let _ = closed.send((files, network));
            serve(&taken);
        };
        let thread = thread::Builder::new().name("cell".to_owned()).spawn(work)?;
        let (files, network) = walls
            .recv()
            .map_err(|_| io::Error::other("the cell of a reader cannot be closed"))?;
        let pids = Pids::new();
        let processes = match &pids {
            Ok(pids) => Ok(pids.to_string()),
            Err(error) => Err(error.to_string()),
        };
        Ok(Self {
            orders: Some(orders),
            thread: Some(thread),
            walls: Walls {
                files,
                network,
                processes,
            },
            pids: pids.ok(),
        })
    }

    /// What holds its readers in.
    pub fn walls(&self) -> &Walls {
        &self.walls
    }

    /// Starts a reader.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(&self, command: Command) -> io::Result<Child> {
        let gone = || io::Error::other("the cell of a reader is gone");
        let (done, started) = mpsc::channel();
        let orders = self.orders.as_ref().ok_or_else(gone)?;
        orders.send(Order { command, done }).map_err(|_| gone())?;
        let child = started.recv().map_err(|_| gone())??;
        if let Some(pids) = &self.pids {
            // A reader that is over already is in no group.
            let _ = pids.add(child.id());
        }
        Ok(child)
    }
}

fn serve(orders: &Receiver<Order>) {
    for Order { mut command, done } in orders {
        // Whoever asked waits for the answer.
        let _ = done.send(command.spawn());
    }
}

impl Drop for Cell {
    fn drop(&mut self) {
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

    /// The newest of the kernel's interfaces that is used; an older kernel does what it can.
    const NEWEST: ABI = ABI::V6;

    type Wall = Result<String, String>;

    /// Closes the calling thread in.
    pub(super) fn close(reach: &Reach, folder: &Path) -> (Wall, Wall) {
        let namespace = nix::sched::unshare(nix::sched::CloneFlags::CLONE_NEWNET);
        let locked = lock(reach, folder);
        let network = match (namespace, &locked) {
            (Ok(()), _) => Ok("a namespace without one".to_owned()),
            (Err(_), Ok(RulesetStatus::FullyEnforced)) => Ok(
                "TCP by Landlock; the rest needs a network namespace, which this user cannot make"
                    .to_owned(),
            ),
            (Err(error), _) => Err(format!("no network namespace: {}", error.desc())),
        };
        let files = match locked {
            Ok(RulesetStatus::FullyEnforced) => Ok("by Landlock".to_owned()),
            Ok(RulesetStatus::PartiallyEnforced) => {
                Ok("by Landlock, as far as this kernel has it".to_owned())
            }
            Ok(RulesetStatus::NotEnforced) => Err("this kernel has no Landlock".to_owned()),
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

    /// A rule for each of the paths that is there.
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
