//! Containment of readers. A reader and all of its output are untrusted.
//!
//! Each reader process leads a process group that is killed as a whole. The process starts in an
//! empty scratch folder with only the three standard descriptors. The output of the process is read
//! as it arrives and is limited in size. Time and resident memory are limited. The reader can
//! access its own files and system files, has no network and no privileges, and can write only to
//! its scratch folder. The restrictions are set up without unsafe code, either from outside or in
//! the [launcher], a process that starts the readers of a worker (a thread that runs reader
//! processes). The launcher, its control groups and its scratch folder form the *cell* of the
//! worker.
//!
//! The launcher is a second instance of the program that runs readers, so the `main` function of
//! that program begins with [`launcher::become_launcher`]. [`Containment`] then provides a
//! [`Scratch`] folder for each worker, in which [`Process::start`] starts a reader. This crate
//! knows neither what readers are asked nor what they answer.

#[cfg(target_os = "linux")]
mod cell;
#[cfg(not(target_os = "linux"))]
#[path = "cell/elsewhere.rs"]
mod cell;
mod clock;
mod discard;
pub mod environment;
mod feeder;
#[cfg(target_os = "linux")]
mod groups;
#[cfg(target_os = "linux")]
pub mod launcher;
#[cfg(not(target_os = "linux"))]
#[path = "launcher/elsewhere.rs"]
pub mod launcher;
mod lines;
mod lock;
mod mechanism;
mod plan;
mod process;
mod reach;
mod running;
mod scratch;
#[cfg(target_os = "linux")]
mod switches;
mod system;
mod temporary;
mod usage;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

pub use feeder::Pieces;
use lock::lock;
pub use mechanism::Measure;
use mechanism::{Finding, Mechanism};
pub use process::{Flood, Input, Observer, Process, Step, Stop};
pub use reach::Origin;
use reach::Reach;
pub use scratch::Scratch;
pub use temporary::Temporary;

/// The resources that a reader may use for one case.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The limit on CPU time, and on the wall time that the reader spends waiting.
    pub timeout: Duration,
    /// The limit on the resident memory of the process and its children, in bytes.
    pub memory: u64,
    /// The maximum number of bytes on standard output.
    pub output: u64,
    /// The maximum number of lines on standard output.
    pub lines: u64,
    /// The maximum number of bytes on standard error, where each line counts as at least 64 bytes.
    pub errors: u64,
    /// The maximum number of bytes in one line.
    pub line: usize,
    /// The maximum number of bytes in the scratch folder.
    pub scratch: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(5),
            memory: 1 << 30,
            output: 64 << 20,
            lines: 1 << 20,
            errors: 16 << 20,
            line: 64 << 20,
            scratch: 256 << 20,
        }
    }
}

/// The containment of a run, shared by all its workers.
#[derive(Debug)]
pub struct Containment {
    root: Temporary,
    /// Returns the paths to hide from readers, some of which may not exist yet when a run begins.
    hidden: fn(&Path) -> Vec<PathBuf>,
    /// The folders of cases that readers may read.
    cases: Mutex<Vec<PathBuf>>,
    /// The restrictions of the most recently created cell.
    findings: Arc<Mutex<Option<Vec<Finding>>>>,
    /// Whether all readers are to be stopped.
    halted: AtomicBool,
}

impl Containment {
    /// Prepares this process to start readers. Marks all inherited descriptors as close-on-exec.
    /// `hidden` returns the paths to hide from readers, and is called for each scratch folder with the
    /// checkout of the reader.
    ///
    /// # Errors
    /// Returns an error if the folder for scratch folders cannot be created.
    pub fn begin(hidden: fn(&Path) -> Vec<PathBuf>) -> io::Result<Self> {
        close_fds::set_fds_cloexec_threadsafe(3, &[]);
        Ok(Self {
            root: Temporary::new("")?,
            hidden,
            cases: Mutex::default(),
            findings: Arc::default(),
            halted: AtomicBool::new(false),
        })
    }

    /// Stops all readers, and those started later, as if their time had run out.
    pub fn halt(&self) {
        self.halted.store(true, Ordering::Relaxed);
    }

    /// Returns whether all readers are to be stopped.
    pub fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    /// Returns the measures that are unavailable on this machine.
    ///
    /// # Errors
    /// Returns an error if readers cannot be started at all.
    pub fn missing(&self, limits: &Limits) -> io::Result<Vec<Measure>> {
        let scratch = self.scratch(&Origin::default())?;
        scratch.cell(limits)?;
        let mut measures = self.measures(limits);
        measures.retain(|measure| !measure.is_enabled);
        Ok(measures)
    }

    /// Allows readers started from now on to read a folder of cases.
    pub fn show(&self, folder: &Path) {
        lock(&self.cases).push(folder.to_path_buf());
    }

    /// Creates a scratch folder for a reader. The reader's restrictions depend on `origin`.
    ///
    /// # Errors
    /// Returns an error if the scratch folder cannot be created.
    pub fn scratch(&self, origin: &Origin) -> io::Result<Scratch> {
        let mut reach = Reach::of(origin, &(self.hidden)(&origin.project()));
        reach.read.extend(lock(&self.cases).iter().cloned());
        Scratch::new(self.root.path(), reach, Arc::clone(&self.findings))
    }

    /// Returns all containment measures under `limits`, whether or not they are enabled.
    pub fn measures(&self, limits: &Limits) -> Vec<Measure> {
        let linux = cfg!(target_os = "linux");
        let mib = |bytes: u64| format!("{} MiB", bytes.div_ceil(1 << 20));
        let measure = |name: &str, is_enabled: bool, note: String| Measure {
            name: name.to_owned(),
            is_enabled,
            note,
        };
        let elsewhere = |note: String| if linux { note } else { "Linux only".to_owned() };
        let always = [
            measure("process group", true, "killed as a group".to_owned()),
            measure(
                "file descriptors",
                true,
                "only the standard ones".to_owned(),
            ),
            measure("time", true, format!("{:?} per case", limits.timeout)),
            measure("output", true, format!("{} per case", mib(limits.output))),
            measure("scratch size", true, mib(limits.scratch)),
            measure(
                "resident memory",
                linux,
                elsewhere(format!("{}, sampled", mib(limits.memory))),
            ),
            measure(
                "file size, open files",
                linux,
                elsewhere(match launcher::is_known() {
                    true => "resource limits".to_owned(),
                    false => "resource limits, set just after the reader starts".to_owned(),
                }),
            ),
            measure(
                "CPU time",
                linux,
                elsewhere("time limits apply to CPU time instead of wall time".to_owned()),
            ),
        ];
        let findings = lock(&self.findings).clone();
        let findings = findings.unwrap_or_else(|| Mechanism::ALL.map(unavailable).to_vec());
        always
            .into_iter()
            .chain(findings.iter().map(Finding::measure))
            .collect()
    }
}

/// Returns the finding about a mechanism if no cell has been created, because no reader was started
/// or because there is no launcher.
fn unavailable(mechanism: Mechanism) -> Finding {
    let why = match cfg!(target_os = "linux") {
        true => "no reader was started",
        false => "Linux only",
    };
    Finding {
        mechanism,
        result: Err(why.to_owned()),
    }
}
