//! Runs mutants of the reference decoder on the cases of a run, so that the failures of a reader can
//! be compared with theirs even if the corpus stores no outcome matrix.

use tracegauge_corpus::case::Case;
use tracegauge_corpus::matrix::{self, Failure, Limited};
use tracegauge_corpus::mutation_score::Wrong;
use tracegauge_corpus::progress::Progress;
use tracegauge_plan::Plan;
use tracegauge_results::{Outcome, ReaderResult};

use crate::attribution::observed;
use crate::oracle::Oracle;

/// The maximum length in bytes of the traces that mutants are run on. A longer trace would take as
/// much work as hundreds of typical traces.
const LONGEST: usize = 1 << 16;

/// The maximum number of decoder operations to run for a reader's failures in a format. In a release
/// build, this many operations take a few seconds.
const BUDGET: u64 = 100_000_000;

/// Computes the part of the outcome matrix of `plan` that may explain the failures of `reader`,
/// executing a limited number of operations of the decoder. `case` returns the case with an identity;
/// results of unknown cases, of other versions of a case, and of long traces are ignored.
pub fn outcomes_within<'c>(
    plan: &Plan,
    reader: &ReaderResult,
    case: impl Fn(&str) -> Option<&'c Case>,
    progress: &dyn Progress,
) -> Limited {
    let results = reader.cases.iter().filter(|it| it.format == plan.format);
    let results = results.filter(|it| it.outcome != Outcome::Unsupported);
    let outcomes: Vec<(&Case, Option<Failure>)> = results
        .filter_map(|found| {
            let case = case(&found.case).filter(|case| case.bytes.len() <= LONGEST)?;
            // Values that are not written in the JSON form of the protocol cannot be compared.
            let incomparable = Some(Failure {
                wrong: Wrong::Records,
                difference: None,
            });
            let failure = observed(found).map_or(incomparable, |it| it.failure);
            (case.version == found.version).then_some((case, failure))
        })
        .collect();
    matrix::compute_within(plan, &outcomes, &Oracle, BUDGET, progress)
}
