//! The result of a run.
//!
//! The harness announces the progress of a run as [`Event`]s to a [`Sink`]. The outcome is a
//! [`RunResult`], which the modules that judge readers build and which all reports are rendered
//! from. [`json`] writes a result to a file and reads it back. [`text`] and [`guard`] make text
//! from readers and traces safe to display, and [`mod@file`] replaces files atomically. This crate
//! knows neither how readers are run nor what traces contain.

mod baseline;
mod case;
mod cause;
mod crash;
mod differences;
mod event;
mod excerpt;
pub mod file;
mod format_summary;
pub mod guard;
pub mod json;
mod outcome;
mod place;
mod reader;
mod rule;
mod run;
mod symptom;
pub mod text;
pub mod totals;

pub use baseline::BaselineProblem;
pub use case::{CaseResult, Detail, Suspect};
pub use cause::{Cause, Confidence, Impact};
pub use crash::{Access, Crash, Severity};
pub use differences::{AlignedDifference, Difference, Differences};
pub use event::{Event, Fan, Sink};
pub use excerpt::Excerpt;
pub use format_summary::{FormatSummary, KindCount, Verdicts};
pub use outcome::{Expectation, Grade, Noted, Outcome, Proof, Standing};
pub use place::{Fault, LookAt, Origin, OriginPart};
pub use reader::{
    Measure, NotRepeatable, NotRun, Observed, ReaderInfo, ReaderResult, ReaderState, ReaderTail,
    Repeated,
};
pub use rule::{Level, Profile, ReaderDuty, RuleInfo};
pub use run::{FORM, RunHead, RunResult, Selection};
pub use symptom::{NOT_IN_FORMAT, RecordFault, Symptom};
pub use totals::Totals;

/// Returns whether a member with the default value 0 is omitted from the result file.
fn is_zero(count: &usize) -> bool {
    *count == 0
}
