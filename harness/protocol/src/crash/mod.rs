//! Recognizes crash reports on a reader's standard error.
//!
//! [`Watch`] reads standard error as it arrives and recognizes the reports of the runtimes in
//! `table.rs`. A report is recognized only if its lines have the complete form that the runtime
//! uses and begin at the start of a line. A reader that echoes strings from a trace can therefore
//! print `==1==ERROR: AddressSanitizer` or `panicked at` without being mistaken for a crashed
//! reader. Standard output is not searched, because it contains records and free text. However,
//! text that appears in place of an answer is searched, because the Java virtual machine reports
//! its fatal errors on standard output.

mod frames;
mod language;
mod native;
mod sanitizer;
mod severity;
mod table;
mod watch;
mod words;

#[cfg(test)]
mod tests;

pub use watch::{Sighted, Watch};
pub use words::without_values;

use tracegauge_results::{Access, Crash};

/// The maximum number of frames to keep for each crash. The first frames are enough to tell crashes
/// apart.
const KEPT_FRAMES: usize = 6;

/// The content of a crash report.
#[derive(Debug, Default)]
struct Report {
    /// The name of the runtime, if several runtimes use the same form of report.
    runtime: Option<String>,
    kind: String,
    access: Option<Access>,
    near_null: bool,
    frames: Vec<String>,
}

impl Report {
    fn crash(self, runtime: &str) -> Crash {
        let mut frames = self.frames;
        frames.truncate(KEPT_FRAMES);
        Crash {
            severity: severity::severity(&self.kind, self.access, self.near_null),
            runtime: self.runtime.unwrap_or_else(|| runtime.to_owned()),
            kind: self.kind,
            access: self.access,
            near_null: self.near_null,
            frames,
        }
    }
}
