//! Coverage feedback from the reader under test.
//!
//! A reader instrumented for edge coverage (see `readers/kits/coverage`) is first run on its
//! author's tests. After these tests, every input that reaches a new edge is saved, and further
//! inputs are derived from it. An input that reaches a new edge is also minimized and written to a
//! folder. The folder is named after the part of the format that no earlier input contains.

mod about;
mod begin;
mod feedback;
mod keep;
mod known;
mod new_features;
mod own;
mod pool;
mod reach;
mod symbol_map;

use std::path::PathBuf;

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};
use tracegauge_corpus::score::Exclusions;
use tracegauge_results::Outcome;

pub(super) use begin::Beginning;
pub(super) use feedback::CoverageFeedback;
pub(super) use keep::{SeedJob, SeedKeeper};
pub(super) use known::{Known, is_sound};
pub(super) use new_features::NewFeatures;
pub use own::{OwnTest, own_tests};
pub use pool::Pool;
pub use reach::{ClassReach, FunctionReach, Missed, Reach, TestReach};
pub(super) use symbol_map::SymbolMap;

use super::input::InputId;

/// The options for coverage feedback.
#[derive(Debug, Default)]
pub struct Wanted {
    /// The reader's own tests.
    pub tests: Option<Vec<OwnTest>>,
    /// The obligations (parts and properties of the format) that no trace can meet.
    pub exclusions: Exclusions,
}

/// The saved state of coverage feedback.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageState {
    /// The folder with the reader's own tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<PathBuf>,
    /// The number of edges in the reader.
    pub edges: usize,
    /// The number of edges reached.
    pub reached: usize,
    /// The saved traces, in order of their numbers.
    pub seeds: Vec<Seed>,
}

/// A trace that reached new edges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed {
    /// The source of the trace.
    pub source: SeedSource,
    /// The outcome of the reader's answer.
    pub outcome: Outcome,
    /// The number of edges that the trace was the first to reach.
    pub opened: usize,
    /// The trace's folder, relative to the campaign's folder, once it is written. `None` for the
    /// author's tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// The source of a trace.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeedSource {
    /// The name of a test from the reader's own test suite.
    Test(String),
    /// An input of the campaign.
    Input(InputId),
}

/// An input that reached previously unknown edges.
#[derive(Clone, Debug)]
pub(super) struct Opened {
    /// Whether the input is malformed.
    pub(super) malformed: bool,
    /// The size of the input in bytes.
    pub(super) size: u64,
    /// The id of the input.
    pub(super) input: InputId,
    /// The outcome of the reader's answer.
    pub(super) outcome: Outcome,
    /// All edges that the input reached.
    pub(super) edges: FixedBitSet,
}
