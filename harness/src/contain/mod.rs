//! Containment: a reader is untrusted, and so is all that it writes.
//!
//! Each reader process leads a process group that is killed as a whole; it starts in an
//! empty scratch folder, with no descriptor but its three standard ones; what it writes is
//! read as it comes and capped; wall time and resident memory are bounded. All of it goes
//! through safe calls from outside: nothing runs between fork and exec.

mod clock;
mod lines;
mod orphans;
mod process;
mod scratch;
mod system;
mod usage;

use std::collections::BTreeSet;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tracegauge_reports::Measure;

pub use process::{Flood, Input, Process, Step, Stop};
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
    root: tempfile::TempDir,
}

impl Containment {
    /// Prepares this process to start readers: marks every descriptor that it was given as
    /// not to be inherited, and asks to be handed processes that readers abandon.
    ///
    /// # Errors
    /// The scratch folders cannot be made.
    pub fn begin() -> io::Result<Self> {
        close_fds::set_fds_cloexec_threadsafe(3, &[]);
        Ok(Self {
            orphans: orphans::Orphans::adopt(),
            live: Mutex::default(),
            root: tempfile::Builder::new().prefix("tracegauge-").tempdir()?,
        })
    }

    /// A new scratch folder.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn scratch(&self) -> io::Result<Scratch> {
        Scratch::new(self.root.path())
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
                elsewhere("by limits".to_owned()),
            ),
            measure(
                "CPU time",
                linux,
                elsewhere("decides instead of wall time".to_owned()),
            ),
            measure("file system", false, String::new()),
            measure("network", false, String::new()),
        ]
    }

    fn live(&self) -> MutexGuard<'_, BTreeSet<i32>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
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
