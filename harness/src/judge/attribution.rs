//! Compares the results of a reader with the outcomes of known mistakes.

use tracegauge_corpus::matrix::{Explained, Failure, Matrix, Observed, Scope, fingerprint};
use tracegauge_corpus::mutation_score::Wrong;
use tracegauge_reports::model::{CaseResult, ReaderResult};
use tracegauge_reports::{Difference, Outcome};

use super::oracle::{Oracle, parting};
use crate::compare::other_than_pairs;

/// Explains the failures of `reader` in the format of `matrix` with at most `most` mistakes. All
/// reports and commands that attribute failures to mistakes get them from here.
pub fn explained<'r>(matrix: &Matrix, reader: &'r ReaderResult, most: usize) -> Explained<'r> {
    let of_format = reader.cases.iter();
    let of_format = of_format.filter(|found| found.format == matrix.format);
    let observed = of_format.filter_map(observed);
    let scope = match reader.tail.observed.seen {
        0 => Scope::Verdicts,
        _ => Scope::Records,
    };
    matrix.explain(observed, scope, most)
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
        // No mutant crashes.
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
