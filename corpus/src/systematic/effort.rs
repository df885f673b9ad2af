//! Defines options for the search for valid traces: the duration of the search, and where to save
//! the traces found.

use std::path::PathBuf;

use super::trace::LARGEST;

/// Options for a search for valid traces of descriptions that have no recipes in the corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchOptions {
    /// The duration of the search.
    pub effort: Effort,
    /// The folder that stores the traces found, so that the next search with the same description
    /// ends immediately.
    pub cache: Option<PathBuf>,
}

impl SearchOptions {
    /// Creates options for a search that saves no traces.
    pub fn without_cache(effort: Effort) -> Self {
        Self {
            effort,
            cache: None,
        }
    }
}

/// The duration of a search for valid traces. A longer search meets more obligations with plainer
/// and shorter traces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// A search of a minute or more, for traces that are stored in a corpus.
    #[default]
    Thorough,
    /// A search of a few seconds, for a description that has no corpus.
    Quick,
    /// A search of one second that shows whether any traces can be found.
    Trial,
}

/// The limits of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The search among plain traces ends after this many consecutive seeds without a new
    /// obligation.
    pub plain_patience: u64,
    /// The number of traces to generate for each single departure.
    pub single: u64,
    /// The size in bytes of traces that target type codes, by round. These traces need room for
    /// type descriptions and values with these codes.
    pub target_bytes: [u64; 3],
    /// The maximum number of bytes in a trace.
    pub largest: u64,
    /// The maximum number of prefixes of a trace to examine. A trace with many frames has many
    /// prefixes.
    pub prefixes: usize,
    /// The maximum number of seeds for random traces. A trace is kept only if it meets new
    /// obligations.
    pub random: u64,
    /// The search among random traces ends after this many consecutive seeds without a new
    /// obligation.
    pub random_patience: u64,
    /// The maximum number of rounds that target missed obligations.
    pub rounds: usize,
    /// The maximum number of traces generated in the targeted rounds.
    pub targeted: usize,
    /// The targeted search ends after this many consecutive rounds without a new obligation: for
    /// plain traces, for plain and other traces in turn, and for random traces. By the time random
    /// traces are tried, few obligations are left, so the limit for these traces is low.
    pub rounds_in_vain: [usize; 3],
    /// The maximum number of rounds that pack several combinations into one trace.
    pub packings: usize,
    /// The maximum number of candidates to try when making one trace plainer and shorter. Later
    /// candidates take little time, because the trace has become short.
    pub candidates: usize,
    /// The number of random traces to search for twins of faults that no other trace allows.
    pub twin_seeds: u64,
    /// The maximum number of candidates to try when making the twin of one malformed trace plainer.
    pub twin_candidates: usize,
    /// The maximum number of random traces to try against the mutants that no case detects.
    pub mistake_traces: u64,
    /// The maximum number of operations that mutants execute to find out which of them no case
    /// detects.
    pub missed_operations: u64,
    /// The maximum number of operations that mutants execute on random traces.
    pub mistake_operations: u64,
    /// The maximum number of candidates to try when making a trace that detects a mutant plainer.
    pub mistake_candidates: usize,
    /// The number of traces that the generator of each mutant makes to find one that readers must
    /// reject.
    pub rejected_seeds: u64,
}

impl Effort {
    pub(super) fn limits(self) -> Limits {
        match self {
            Self::Thorough => Limits {
                plain_patience: 256,
                single: 8,
                target_bytes: [12_000, 3_000, 6_000],
                largest: LARGEST,
                prefixes: usize::MAX,
                random: 3000,
                random_patience: 1000,
                rounds: 96,
                targeted: 8000,
                rounds_in_vain: [3, 12, 48],
                packings: 24,
                candidates: 1600,
                twin_seeds: 2000,
                twin_candidates: 400,
                mistake_traces: 4000,
                missed_operations: 2_000_000_000,
                mistake_operations: 500_000_000,
                mistake_candidates: 1600,
                rejected_seeds: 1000,
            },
            Self::Quick => Limits {
                plain_patience: 64,
                single: 4,
                target_bytes: [3_000, 800, 1_500],
                largest: 1 << 20,
                prefixes: 16,
                random: 500,
                random_patience: 250,
                rounds: 8,
                targeted: 1000,
                rounds_in_vain: [1, 3, 6],
                packings: 4,
                candidates: 150,
                twin_seeds: 600,
                twin_candidates: 100,
                mistake_traces: 400,
                missed_operations: 50_000_000,
                mistake_operations: 8_000_000,
                mistake_candidates: 400,
                rejected_seeds: 96,
            },
            Self::Trial => Limits {
                plain_patience: 32,
                single: 1,
                target_bytes: [1_000; 3],
                largest: 1 << 16,
                prefixes: 1,
                random: 32,
                random_patience: 32,
                rounds: 1,
                targeted: 32,
                rounds_in_vain: [1, 1, 1],
                packings: 0,
                candidates: 0,
                twin_seeds: 0,
                twin_candidates: 0,
                mistake_traces: 0,
                missed_operations: 0,
                mistake_operations: 0,
                mistake_candidates: 0,
                rejected_seeds: 0,
            },
        }
    }
}
