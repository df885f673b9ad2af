//! The results of a run, and the reports that are rendered from them.
//!
//! The harness announces the progress of a run as [`Event`]s to a [`Sink`]. One sink, the
//! [`Collector`], turns the events into a [`RunResult`]. All reports are rendered from this model
//! alone: the terminal report, the JSON result file and all others. This crate knows neither how
//! readers are run nor what traces contain.

pub mod account;
pub mod badge;
mod breakdown;
pub mod casebook;
pub mod causes;
mod columns;
pub mod crash;
pub mod diff;
mod differences;
pub mod dump;
pub mod event;
pub mod excerpt;
pub mod file;
pub mod format_summary;
pub mod guard;
pub mod headline;
pub mod html;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod merge;
pub mod model;
pub mod outcome;
pub mod rows;
pub mod rule;
pub mod sarif;
mod spread;
pub mod terminal;
pub mod text;
pub mod totals;

pub use causes::{Cause, Confidence, Impact, RecordFault, Symptom};
pub use crash::{Access, Crash, Severity};
pub use differences::{AlignedDifference, Differences};
pub use event::{Collector, Event, Fan, Sink};
pub use excerpt::Excerpt;
pub use format_summary::{FormatSummary, Verdicts};
pub use model::{
    BaselineProblem, CaseResult, Detail, Difference, Fault, LookAt, Measure, NotRepeatable, NotRun,
    Observed, Origin, OriginPart, ReaderInfo, ReaderResult, ReaderState, ReaderTail, Repeated,
    RunHead, RunResult, Selection,
};
pub use outcome::{Expectation, Grade, Noted, Outcome, Proof, Standing};
pub use rule::{Level, Profile, ReaderDuty, RuleInfo};
pub use totals::Totals;
