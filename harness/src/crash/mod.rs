//! Crash reports on a reader's standard error.
//!
//! [`Watch`] reads standard error as it comes and recognizes the reports of the runtimes in
//! `table.rs`: each by the full form of its own lines, at the start of a line. A reader that repeats
//! the strings of a trace may print `==1==ERROR: AddressSanitizer` or `panicked at` without being
//! taken for one that crashed. Standard output is not searched: it belongs to records and free text.

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
pub(crate) use words::without_values;

use tracegauge_reports::{Access, Crash};

/// The frames of a crash that are kept; the first of them tell one crash from another.
const KEPT_FRAMES: usize = 6;

/// What a report says.
#[derive(Debug, Default)]
struct Report {
    /// The runtime, where one form of report is that of several.
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
