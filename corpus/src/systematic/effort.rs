//! Defines options for the search for valid traces: the duration of the search, and where to save
//! the traces found.

use std::path::PathBuf;
use std::sync::Arc;

use tracegauge_generator::Generator;

use super::trace::LARGEST;
use crate::seeds;

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
    /// The number of fields, elements and structures that the generator may write and read for one
    /// trace on average. If it needs more, all numbers of traces are reduced accordingly.
    pub usual_work: u64,
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
                usual_work: 200_000,
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
                usual_work: 2_000,
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
                usual_work: 2_000,
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

/// The number of traces whose generation is measured.
const MEASURED: u64 = 32;

/// The number of different sizes of these traces.
const SIZES: u64 = 80;

impl Limits {
    /// Reduces the numbers of traces if generating a trace takes long. A search for a description
    /// whose values refer to one another, or that hardly any trace satisfies, then takes no longer
    /// than other searches, but finds less. The result depends only on the description.
    pub(super) fn paced(self, generator: &Generator) -> Self {
        let measured = Generator::new(Arc::clone(generator.plan()));
        for seed in 0..MEASURED {
            let _ = seeds::make(&measured, seed, SIZES);
        }
        let work = measured.work() / MEASURED;
        if work <= self.usual_work {
            return self;
        }
        let fewer = |number: u64| match number {
            0 => 0,
            number => (number.saturating_mul(self.usual_work) / work).max(number.min(LEAST)),
        };
        let few = |number: usize| usize::try_from(fewer(number as u64)).unwrap_or(number);
        Self {
            plain_patience: fewer(self.plain_patience),
            single: fewer(self.single).min(1),
            random: fewer(self.random),
            random_patience: fewer(self.random_patience),
            targeted: few(self.targeted),
            packings: few(self.packings),
            candidates: few(self.candidates),
            twin_seeds: fewer(self.twin_seeds),
            twin_candidates: few(self.twin_candidates),
            mistake_traces: fewer(self.mistake_traces),
            mistake_candidates: few(self.mistake_candidates),
            rejected_seeds: fewer(self.rejected_seeds),
            ..self
        }
    }
}

/// The number of traces that remains of each limit.
const LEAST: u64 = 8;

#[cfg(test)]
mod tests {
    use tracegauge_plan::Plan;
    use tracegauge_spec::load::{Memory, load};
    use tracegauge_spec::lower::lower;

    use super::*;

    fn plan(text: &str) -> Arc<Plan> {
        let loaded = load(&Memory::new().with("a.ksy", text), "a.ksy");
        let schema = loaded.schema.expect("a description");
        Arc::new(lower(&Arc::new(schema), "a").expect("a plan"))
    }

    #[test]
    fn a_search_among_traces_that_take_long_is_shorter() {
        let quick = Effort::Quick.limits();
        let simple = plan("meta: { id: a }\nseq: [ { id: x, type: u1, repeat: eos } ]\n");
        let paced = quick.paced(&Generator::new(simple));
        assert_eq!(paced.random, quick.random);
        // Each element of a list refers to a list, so there are exponentially many values.
        let refers = plan(
            "meta: { id: a }\nseq: [ { id: x, type: list } ]\ntypes:\n  list:\n    \
             seq: [ { id: all, type: e, repeat: until, repeat-until: _.at == 0 } ]\n  e:\n    \
             seq: [ { id: at, type: u1 } ]\n    \
             instances: { to: { io: _root._io, pos: at, type: list, if: at > 1 } }\n",
        );
        let paced = quick.paced(&Generator::new(refers));
        assert!(paced.random < quick.random && paced.random >= LEAST);
        assert_eq!(Effort::Trial.limits().twin_seeds, 0);
    }
}
