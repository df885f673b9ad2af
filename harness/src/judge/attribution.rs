//! Compares the results of a reader with the outcomes of known mistakes.

use std::collections::HashSet;

use tracegauge_corpus::matrix::{Explanation, Failure, Matrix, Observed, Scope, fingerprint};
use tracegauge_corpus::mutation_score::Wrong;
use tracegauge_reports::causes::Cause;
use tracegauge_reports::model::{CaseResult, ReaderResult};
use tracegauge_reports::{Difference, Outcome};

use super::oracle::{Oracle, parting};
use crate::compare::other_than_pairs;

/// Returns a mistake that explains at least half of the cases of a cause exactly and that no case
/// contradicts, if there is one.
pub fn mistake_of<'r>(
    matrix: &Matrix,
    reader: &'r ReaderResult,
    cause: &Cause,
) -> Option<Explanation<'r>> {
    let cases: HashSet<&str> = cause.cases.iter().map(String::as_str).collect();
    let of_format = reader.cases.iter();
    let of_format = of_format.filter(|found| {
        found.format == matrix.format
            && (!found.outcome.is_failure() || cases.contains(found.case.as_str()))
    });
    let scope = match reader.tail.observed.seen {
        0 => Scope::Verdicts,
        _ => Scope::Records,
    };
    let found = matrix.explain(of_format.filter_map(observed), scope, 1);
    let first = found.explanations.into_iter().next();
    first.filter(|it| it.contradicted.is_empty() && 2 * it.exact.len() >= cases.len())
}

/// Converts a result to the form in which it is compared with mistakes. Returns `None` if it cannot
/// be compared, because the reader does not support the case or writes values in another form.
pub fn observed(found: &CaseResult) -> Option<Observed<'_>> {
    let difference = found.detail.as_ref().and_then(|it| it.difference.as_ref());
    let wrong = match found.outcome {
        Outcome::Pass => None,
        Outcome::Unsupported => return None,
        Outcome::WrongRecords if is_other_form(difference) => return None,
        Outcome::WrongRecords => Some(Wrong::Records),
        Outcome::WrongReject | Outcome::WrongAccept => Some(Wrong::Verdict),
        // Mutants never crash, so a crash is treated as a reader that does not terminate.
        _ => Some(Wrong::Endless),
    };
    Some(Observed {
        case: &found.case,
        version: found.version,
        failure: wrong.map(|wrong| Failure {
            wrong,
            difference: difference.map(|it| fingerprint(&parting(it), &Oracle)),
        }),
    })
}

fn is_other_form(difference: Option<&Difference>) -> bool {
    difference.is_some_and(|it| other_than_pairs(it).is_some())
}
