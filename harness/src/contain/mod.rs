//! Containment of readers. A reader is untrusted, and so is everything it writes.
//!
//! Each reader process leads a process group that is killed as a whole. The process starts in an
//! empty scratch folder with only the three standard descriptors. Its output is read as it arrives
//! and is limited in size. Time and resident memory are limited. The reader can access its own
//! files and those of the system, has no network, and can write only to its scratch folder. All of
//! this uses safe calls only: from outside, in the thread that starts the reader, or in the
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
pub mod unfound;
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

/// The resources that a reader may use for one case.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The limit on CPU time, and on the wall time the reader spends waiting.
    pub timeout: Duration,
    /// Resident memory of the process and its children, in bytes.
    pub memory: u64,
    /// Bytes on standard output.
    pub output: u64,
    /// Bytes on standard error.
    pub errors: u64,
    /// Bytes in one line.
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
    /// The leaders of the process groups that may be alive.
    live: Mutex<BTreeSet<i32>>,
    root: Temporary,
    /// The launcher of readers, or `None` if limits can only be set from outside.
    launcher: Option<Launcher>,
    /// Folders of cases.
    cases: Mutex<Vec<PathBuf>>,
    /// The restrictions on the readers in the most recently created scratch folder.
    walls: Mutex<Option<Walls>>,
}

impl Containment {
    /// Prepares this process to start readers. Marks all inherited descriptors as close-on-exec,
    /// and asks the kernel to reparent processes that readers abandon to this process.
    ///
    /// # Errors
    /// Returns an error if the folder for scratch folders cannot be created.
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

    /// Allows readers started from now on to read a folder of cases.
    pub fn show(&self, folder: &Path) {
        lock(&self.cases).push(folder.to_path_buf());
    }

    /// Creates a scratch folder with the restrictions for a reader of this origin.
    ///
    /// # Errors
    /// Returns an error if the scratch folder cannot be created.
    pub fn scratch(&self, origin: &Origin) -> io::Result<Scratch> {
        let mut reach = Reach::of(origin, &expectations());
        reach.read.extend(lock(&self.cases).iter().cloned());
        let scratch = Scratch::new(self.root.path(), reach)?;
        *lock(&self.walls) = Some(scratch.walls().clone());
        Ok(scratch)
    }

    /// Returns all containment measures under `limits`, whether enabled or not.
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
            measure("process group", true, "killed as a group".to_owned()),
            measure(
                "abandoned processes",
                self.orphans.adopted(),
                "reaped and killed".to_owned(),
            ),
            measure(
                "file descriptors",
                true,
                "only the standard ones".to_owned(),
            ),
            measure("time", true, format!("{:?} per case", limits.timeout)),
            measure("output", true, format!("{} per case", mib(limits.output))),
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
                    Some(_) => "resource limits".to_owned(),
                    None => "resource limits, set just after the start".to_owned(),
                }),
            ),
            measure(
                "CPU time",
                linux,
                elsewhere("measured instead of wall time".to_owned()),
            ),
        ]
        .into_iter()
        .chain(self.walls())
        .collect()
    }

    /// Returns the measures that restrict the last reader's cell.
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
            measure("PID namespace", walls.namespace),
            measure("total memory", walls.memory),
        ]
    }

    /// Returns the launcher if it is usable.
    fn launcher(&self) -> Option<&Launcher> {
        self.launcher.as_ref().filter(|it| it.is_usable())
    }

    fn live(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        lock(&self.live)
    }

    /// Kills the processes that finished readers left behind.
    fn sweep(&self) {
        self.orphans.sweep(&self.live());
    }
}

impl Drop for Containment {
    fn drop(&mut self) {
        self.sweep();
    }
}

/// Returns the paths that reveal expected results and must be hidden from readers: the corpus, its
/// history in the checkout, this program, which embeds the corpus, and the results of earlier runs.
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
