//! Compares the failures of a reader with the outcomes of known mistakes, each of which is a mutant
//! of the reference decoder, or several mutants that make the same mistake in different places.

mod dialects;
mod naming;
mod support;

use std::collections::{BTreeSet, HashMap, HashSet};

use tracegauge_corpus::case::Case;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::matrix::{
    self, Explanation, Failure, Matrix, Mistake, Observed, Scope, fingerprint,
};
use tracegauge_corpus::mutation_score::Wrong;
use tracegauge_corpus::progress::Progress;
use tracegauge_corpus::store::Store;
use tracegauge_plan::Plan;
use tracegauge_results::{
    CaseResult, Cause, Difference, Expectation, Outcome, ReaderResult, RunResult, Symptom,
};
use tracegauge_spec::bundled::in_checkout;

use super::oracle::{Oracle, parting};
use crate::compare::other_than_pairs;
use crate::mutants::outcomes_within;
use support::Failures;

/// If mistakes in at least this many fields explain the failures equally well, only the common
/// prefix of the fields' paths is named.
const MANY: usize = 3;

/// A mistake explains nearly all wrong values of a cause if at most one in `MOST` remains
/// unexplained.
const MOST: usize = 5;

/// The maximum number of causes per reader to compare with known mistakes.
const CAUSES: usize = 12;

/// Compares the first causes of each reader with the known mistakes in the outcome matrices of the
/// corpus, and records the mistakes that have the same effect. For a format without a matrix in
/// `store`, runs as many mutants on the `cases` of the run as a budget allows. A cause is merged
/// into an earlier cause if the mistake behind the earlier cause makes all cases of the later cause
/// fail in exactly the same way. Finally, joins causes of several formats that are due to the same bug.
pub fn compare_causes(
    result: &mut RunResult,
    formats: &Formats,
    (store, cases): (&Store, &[Case]),
    progress: &dyn Progress,
) {
    let cases: HashMap<&str, &Case> = cases.iter().map(|it| (it.id.as_str(), it)).collect();
    for reader in &mut result.readers {
        if reader.tail.remembers {
            continue;
        }
        let mut causes = std::mem::take(&mut reader.causes);
        for plan in formats.plans() {
            let mut first = causes.iter().take(CAUSES);
            if !first.any(|cause| cause.format == plan.format && may_be_known(cause)) {
                continue;
            }
            // An outdated matrix is ignored here, and `corpus verify` reports it.
            let matrix = matrix::load(store, plan).ok().flatten();
            let matrix = matrix.unwrap_or_else(|| {
                let case = |id: &str| cases.get(id).copied();
                outcomes_within(plan, reader, case, progress).matrix
            });
            causes = compared_with_mistakes((plan, &matrix), reader, causes);
        }
        reader.causes = dialects::joined(causes);
    }
}

/// Compares the first causes that belong to the matrix's format with the known mistakes in the matrix,
/// as [`compare_causes`] does.
pub fn compared_with_mistakes(
    (plan, matrix): (&Plan, &Matrix),
    reader: &ReaderResult,
    causes: Vec<Cause>,
) -> Vec<Cause> {
    let failures = Failures::of(reader, &matrix.format);
    let mut kept: Vec<Cause> = Vec::new();
    let mut known: Vec<Known> = Vec::new();
    for (number, mut cause) in causes.into_iter().enumerate() {
        let is_meant = number < CAUSES && cause.format == matrix.format && may_be_known(&cause);
        let found = match is_meant {
            true => explained(matrix, (reader, &failures), &cause),
            false => None,
        };
        let mistake = found.as_ref().and_then(|it| it.mistakes.first().copied());
        let is_same = |known: &&Known| {
            (known.is_exact || Some(known.mistake) == mistake)
                && failures.all_explained(matrix, &cause, known.mistake)
        };
        if let Some(earlier) = known.iter().find(is_same).filter(|_| is_meant) {
            let mistake = &matrix.mistakes[earlier.mistake];
            let earlier = &mut kept[earlier.cause];
            earlier.absorb(cause);
            naming::accepted_too(earlier, mistake);
            continue;
        }
        if let (Some(found), Some(mistake)) = (&found, mistake) {
            // Mutants are not run on long traces.
            let comparable = cause.cases.iter().filter(|case| matrix.knows(case)).count();
            let is_exact = found.exact.len() == comparable;
            naming::name((plan, matrix), found, comparable, &mut cause);
            if !known.iter().any(|it| it.mistake == mistake) {
                let cause = kept.len();
                known.push(Known {
                    mistake,
                    cause,
                    is_exact,
                });
            }
        }
        kept.push(cause);
    }
    kept
}

/// A known mistake that explains a cause.
struct Known {
    /// The index of the mistake.
    mistake: usize,
    /// The index of the cause.
    cause: usize,
    /// Whether the mistake explains all failures of the cause.
    is_exact: bool,
}

/// Returns whether a known mistake may explain a cause. Records that are wrong in nearly every
/// trace need no explanation, and neither does a reader that accepts nearly all malformed traces. A
/// mistake that has the same effect in many short traces would be a false lead.
fn may_be_known(cause: &Cause) -> bool {
    let accepts_all = matches!(cause.symptom, Symptom::Accepts { .. }) && cause.like.is_some();
    !cause.symptom.is_everywhere() && !accepts_all
}

/// Returns whether the reader rejects nearly every valid trace of the format, all of them because of
/// this cause.
fn rejects_everything(reader: &ReaderResult, cause: &Cause) -> bool {
    let valid = reader.cases.iter();
    let valid = valid.filter(|it| it.format == cause.format && it.expected == Expectation::Accept);
    let cases: HashSet<&str> = cause.cases.iter().map(String::as_str).collect();
    let (mut all, mut rejected) = (0, 0);
    for case in valid {
        all += 1;
        let is_rejected = case.outcome == Outcome::WrongReject;
        rejected += usize::from(is_rejected && cases.contains(case.case.as_str()));
    }
    MOST * rejected >= (MOST - 1) * all.max(1)
}

/// Describes the mistake named by an explanation and the location in the description that declares
/// the affected field.
fn like(matrix: &Matrix, explanation: &Explanation<'_>, all: usize) -> Option<String> {
    let first = matrix.mistakes.get(*explanation.mistakes.first()?)?;
    let words = consistent(matrix, explanation, all)?;
    let place = match (
        first.described.as_slice(),
        somewhere(&named(matrix, explanation)),
    ) {
        ([place], None) => format!(" ({})", opened(place)),
        _ => String::new(),
    };
    Some(format!("{words}{place}"))
}

/// Describes the mistake named by an explanation. The returned phrase is printed after the number
/// of cases, `all`. Returns `None` if the explanation names no mistake.
pub fn consistent(matrix: &Matrix, explanation: &Explanation<'_>, all: usize) -> Option<String> {
    let named = named(matrix, explanation);
    let explained = match explanation.exact.len() {
        1 if all == 1 => "the failure is".to_owned(),
        explained if explained == all => "the failures are".to_owned(),
        1 => "1 of the failures is".to_owned(),
        explained => format!("{explained} of the failures are"),
    };
    let records = match explanation.same_records {
        0 => "",
        _ => "; such a reader would report the same wrong records",
    };
    let does = match somewhere(&named) {
        Some(place) => format!("misreads part of {place}"),
        None => named.first()?.does.clone(),
    };
    Some(format!(
        "{explained} consistent with a reader that {does}{records}"
    ))
}

/// Returns the known mistakes named by an explanation.
pub fn named<'m>(matrix: &'m Matrix, explanation: &Explanation<'_>) -> Vec<&'m Mistake> {
    let named = explanation.mistakes.iter();
    named
        .filter_map(|index| matrix.mistakes.get(*index))
        .collect()
}

/// Returns the common prefix of the paths of several fields, if mistakes in at least `MANY` fields
/// explain the failures equally well. Naming a single field would then be a guess. For example, all
/// mistakes that make a reader decode the rest of a record at the wrong offset cause the same
/// failures.
pub fn somewhere(named: &[&Mistake]) -> Option<String> {
    let places = named.iter().map(|mistake| place(&mistake.mutant));
    let places: BTreeSet<&str> = places.collect();
    if places.len() < MANY {
        return None;
    }
    let mut places = places.into_iter();
    let first: Vec<&str> = places.next()?.split('.').collect();
    let common = places.fold(first.len(), |common, place| {
        let same = first.iter().zip(place.split('.'));
        common.min(same.take_while(|(one, other)| **one == *other).count())
    });
    (0 < common && common < first.len()).then(|| first[..common].join("."))
}

/// Returns the field that a mutant changes. The mutant's name has the form `operator@field/detail`.
fn place(mutant: &str) -> &str {
    let field = mutant.split_once('@').map_or(mutant, |(_, field)| field);
    field.split('/').next().unwrap_or(field)
}

/// Returns `place`, which has the form `FILE:LINE`. If the program runs in a checkout that contains
/// the file, the file is given as a path that can be opened.
pub fn opened(place: &str) -> String {
    let split = place.rsplit_once(':');
    let known = split.and_then(|(file, line)| Some((in_checkout(file)?, line)));
    known.map_or(place.to_owned(), |(file, line)| format!("{file}:{line}"))
}

/// Returns the known mistake that explains the failures of a cause, if any. The mistake must
/// explain at least half of the cases exactly, and no case may contradict it. If the reader rejects
/// nearly every valid trace, the mistake must also explain another failure.
pub fn mistake_of<'r>(
    matrix: &Matrix,
    reader: &'r ReaderResult,
    cause: &Cause,
) -> Option<Explanation<'r>> {
    let failures = Failures::of(reader, &matrix.format);
    explained(matrix, (reader, &failures), cause)
}

/// Returns the known mistake that explains the failures of a cause, as [`mistake_of`] does. `failures`
/// contains the failures of the reader in the format of the matrix.
fn explained<'r>(
    matrix: &Matrix,
    (reader, failures): (&'r ReaderResult, &Failures<'_>),
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
    let mut first = found.explanations.into_iter().next()?;
    if !first.contradicted.is_empty() || 2 * first.exact.len() < cases.len() {
        return None;
    }
    failures.best(matrix, cause, &mut first.mistakes);
    // Many mistakes make a reader reject everything, so a further failure must confirm the mistake.
    let is_confirmed = || failures.support(matrix, cause, first.mistakes[0]) > 0;
    (!rejects_everything(reader, cause) || is_confirmed()).then_some(first)
}

/// Converts a result to the type used for comparison with known mistakes. Returns `None` if the
/// result cannot be compared, because the reader does not support the case or writes values in an
/// unexpected form.
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
