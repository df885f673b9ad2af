//! Containment: a reader is untrusted, and so is all that it writes.
//!
//! Each reader process leads a process group that is killed as a whole; it starts in an
//! empty scratch folder, with no descriptor but its three standard ones; what it writes is
//! read as it comes and capped; wall time and resident memory are bounded. It reaches its own
//! files and those of the system, no network, and writes to its scratch folder alone. All of it
//! goes through safe calls: from outside, in the thread that it is started from, or in the
//! [launcher] that becomes the reader.

mod cell;
mod clock;
mod feeder;
mod groups;
#[cfg(target_os = "linux")]
pub mod launcher;
#[cfg(not(target_os = "linux"))]
#[path = "launcher/elsewhere.rs"]
pub mod launcher;
mod lines;
mod namespace;
mod orphans;
mod process;
mod reach;
mod scratch;
mod system;
mod usage;

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use tracegauge_corpus::store::Store;
use tracegauge_reports::Measure;

use crate::lock::lock;
use crate::temporary::Temporary;

use cell::Walls;
pub use feeder::Pieces;
use launcher::Launcher;
pub use process::{Flood, Input, Process, Step, Stop};
pub use reach::{Origin, Reach};
pub use scratch::Scratch;

/// What a reader may use on one case.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Time of the processor, and wall time in which it does nothing but wait.
    pub timeout: Duration,
    /// Resident memory of the process and its children, in bytes.
    pub memory: u64,
    /// Bytes on standard output.
    pub output: u64,
    /// Bytes on standard error.
    pub errors: u64,
    /// Bytes of one line.
    pub line: usize,
    /// Bytes in the scratch folder.
    pub scratch: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(5),
            memory: 1 << 30,
            output: 64 << 20,
            errors: 16 << 20,
            line: 64 << 20,
            scratch: 256 << 20,
        }
    }
}

/// The containment of a run, shared by all its workers.
#[derive(Debug)]
pub struct Containment {
    orphans: orphans::Orphans,
    /// Leaders of the process groups that may live.
    live: Mutex<BTreeSet<i32>>,
    root: Temporary,
    /// Starts readers; nothing where limits can only be set from outside.
    launcher: Option<Launcher>,
    /// Folders of cases.
    cases: Mutex<Vec<PathBuf>>,
    /// What held the last reader in.
    walls: Mutex<Option<Walls>>,
}

impl Containment {
    /// Prepares this process to start readers: marks every descriptor that it was given as
    /// not to be inherited, and asks to be handed processes that readers abandon.
    ///
    /// # Errors
    /// The scratch folders cannot be made.
    pub fn begin() -> io::Result<Self> {
        close_fds::set_fds_cloexec_threadsafe(3, &[]);
        let launcher = Launcher::new();
        if launcher.is_none() {
            system::forbid_cores();
        }
        Ok(Self {
            launcher,
            orphans: orphans::Orphans::adopt(),
            live: Mutex::default(),
            root: Temporary::new("")?,
            cases: Mutex::default(),
            walls: Mutex::default(),
        })
    }

    /// Lets readers that start from now on read a folder of cases.
    pub fn show(&self, folder: &Path) {
        lock(&self.cases).push(folder.to_path_buf());
    }

    /// A new scratch folder, and all that holds a reader of this origin in it.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn scratch(&self, origin: &Origin) -> io::Result<Scratch> {
        let mut reach = Reach::of(origin, &expectations());
        reach.read.extend(lock(&self.cases).iter().cloned());
        let scratch = Scratch::new(self.root.path(), reach)?;
        *lock(&self.walls) = Some(scratch.walls().clone());
        Ok(scratch)
    }

    /// What is in force under `limits`, and what is not.
    pub fn measures(&self, limits: &Limits) -> Vec<Measure> {
        let linux = cfg!(target_os = "linux");
        let mib = |bytes: u64| format!("{} MiB", bytes.div_ceil(1 << 20));
        let measure = |name: &str, in_force: bool, note: String| Measure {
            name: name.to_owned(),
            in_force,
            note,
        };
        let elsewhere = |note: String| if linux { note } else { "Linux only".to_owned() };
        vec![
            measure("process group", true, "killed as a whole".to_owned()),
            measure(
                "abandoned processes",
                self.orphans.adopted(),
                "reaped and killed".to_owned(),
            ),
            measure("descriptors", true, "only standard ones".to_owned()),
            measure("time", true, format!("{:?} a case", limits.timeout)),
            measure("output", true, format!("{} a case", mib(limits.output))),
            measure("scratch folder", true, mib(limits.scratch)),
            measure(
                "resident memory",
                linux,
                elsewhere(format!("{}, sampled", mib(limits.memory))),
            ),
            measure(
                "file size, open files",
                linux,
                elsewhere(match self.launcher() {
                    Some(_) => "by limits".to_owned(),
                    None => "by limits, just after its start".to_owned(),
                }),
            ),
            measure(
                "CPU time",
                linux,
                elsewhere("decides instead of wall time".to_owned()),
            ),
        ]
        .into_iter()
        .chain(self.walls())
        .collect()
    }

    /// What closes the last reader's cell.
    fn walls(&self) -> Vec<Measure> {
        let Some(walls) = lock(&self.walls).clone() else {
            return Vec::new();
        };
        let measure = |name: &str, wall: Result<String, String>| Measure {
            name: name.to_owned(),
            in_force: wall.is_ok(),
            note: wall.unwrap_or_else(|why| why),
        };
        vec![
            measure("file system", walls.files),
            measure("network", walls.network),
            measure("processes", walls.processes),
            measure("namespace of processes", walls.namespace),
            measure("memory of all processes", walls.memory),
        ]
    }

    /// What starts readers with their limits.
    fn launcher(&self) -> Option<&Launcher> {
        self.launcher.as_ref().filter(|it| it.is_usable())
    }

    fn live(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        lock(&self.live)
    }

    /// Kills what readers that are gone have left behind.
    fn sweep(&self) {
        self.orphans.sweep(&self.live());
    }
}

impl Drop for Containment {
    fn drop(&mut self) {
        self.sweep();
    }
}

/// Where it stands what is expected of a reader: the corpus, the checkout's history of it, this
/// program, which has it inside, and what runs before have left.
fn expectations() -> Vec<PathBuf> {
    let mut hidden = Vec::new();
    let store = Store::nearest();
    if let Some(corpus) = store.folder() {
        hidden.extend(corpus.parent().map(|checkout| checkout.join(".git")));
        hidden.push(corpus.to_path_buf());
    }
    hidden.extend(std::env::current_exe());
    hidden.extend(std::env::current_dir().map(|folder| folder.join(".tracegauge")));
    hidden
}
