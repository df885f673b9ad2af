//! What a campaign reaches of the reader itself.
//!
//! A reader that marks its edges (see `readers/kits/coverage`) is asked about the tests of its author
//! first. An input that reaches an edge that nothing before it did is kept: further inputs grow from it
//! as it was found, and made small it is written to a folder that is named by what of the format it is
//! the first to have.

mod about;
mod atlas;
mod begin;
mod keep;
mod known;
mod novelty;
mod own;
mod pool;
mod reach;
mod steering;

use std::path::PathBuf;

use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};
use tracegauge_corpus::score::Exclusions;
use tracegauge_reports::Outcome;

pub(super) use atlas::Atlas;
pub(super) use begin::Beginning;
pub(super) use keep::{SeedJob, SeedKeeper};
pub(super) use known::{Known, is_sound};
pub(super) use novelty::Novelty;
pub use own::{OwnTest, own_tests};
pub use pool::Pool;
pub use reach::{ClassReach, FunctionReach, Missed, Reach, TestReach};
pub(super) use steering::Steering;

use super::input::InputId;

/// What is wanted of a campaign that looks at its reader's edges.
#[derive(Debug, Default)]
pub struct Wanted {
    /// The tests of the reader's author.
    pub tests: Option<Vec<OwnTest>>,
    /// What no trace of the format can have.
    pub exclusions: Exclusions,
}

/// What a campaign remembers of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoverageState {
    /// The folder of the author's tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<PathBuf>,
    /// How many edges the reader has.
    pub edges: usize,
    /// How many of them were reached.
    pub reached: usize,
    /// The traces that were kept, in the order of their numbers.
    pub seeds: Vec<Seed>,
}

/// A trace that reached something new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed {
    /// Where it comes from.
    pub source: SeedSource,
    /// How the reader's answer was judged.
    pub outcome: Outcome,
    /// How many edges it was the first to reach.
    pub opened: usize,
    /// Its folder, below that of the campaign, once it is written; none for a test of the author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
}

/// Where a trace comes from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeedSource {
    /// It is a test of the author's, by its name.
    Test(String),
    /// It is an input of the campaign.
    Input(InputId),
}

/// An input that reached edges that were not known.
#[derive(Clone, Debug)]
pub(super) struct Opened {
    /// Whether it is malformed.
    pub(super) malformed: bool,
    /// Its bytes.
    pub(super) size: u64,
    /// Which it is.
    pub(super) input: InputId,
    /// How the answer was judged.
    pub(super) outcome: Outcome,
    /// All the edges that it reached.
    pub(super) edges: FixedBitSet,
}
