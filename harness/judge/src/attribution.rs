//! Compares the failures of a reader with the outcomes of known mistakes, each of which is a mutant
//! of the reference decoder, or several mutants that make the same mistake in different places.

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
use tracegauge_plan::terms::ReaderDuty;
use tracegauge_results::{
    CaseResult, Cause, Confidence, Difference, Expectation, Outcome, ReaderResult, RunResult,
    Symptom,
};
use tracegauge_spec::bundled::in_checkout;

use super::oracle::{Oracle, parting};
use crate::compare::other_than_pairs;
use crate::mutants::outcomes_within;

/// If mistakes in at least this many fields explain the failures equally well, only the common
/// prefix of the fields' paths is named.
const MANY: usize = 3;

/// A mistake explains nearly all wrong values of a cause if at most one in `MOST` remains
/// unexplained.
const MOST: usize = 5;

/// A mistake that explains at least this many failures, and all of them, is hardly a coincidence.
const SEVERAL: usize = 3;

/// The maximum number of rules that are named for a cause.
const CANDIDATES: usize = 5;

/// The maximum number of causes per reader to compare with known mistakes.
const CAUSES: usize = 12;

/// The maximum number of decoder operations to run for a reader's failures in a format that has no
/// stored outcome matrix. In a release build, this many operations take about a second.
const BUDGET: u64 = 30_000_000;

/// Compares the first causes of each reader with the known mistakes in the outcome matrices of the
/// corpus, and records the mistakes that have the same effect. For a format without a matrix in
/// `store`, runs as many mutants on the `cases` of the run as a budget allows. A cause is merged
/// into an earlier cause if the mistake behind the earlier cause makes all cases of the later cause
/// fail in exactly the same way.
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
            if !first.any(|cause| cause.format == plan.format && may_be_known(reader, cause)) {
                continue;
            }
            // An outdated matrix is ignored here, and `corpus verify` reports it.
            let matrix = matrix::load(store, plan).ok().flatten();
            let matrix = matrix.unwrap_or_else(|| {
                let case = |id: &str| cases.get(id).copied();
                outcomes_within(plan, reader, case, BUDGET, progress).matrix
            });
            causes = compared_with_mistakes((plan, &matrix), reader, causes);
        }
        reader.causes = causes;
    }
}

/// Compares the first causes that belong to the matrix's format with the known mistakes in the matrix,
/// as [`compare_causes`] does.
pub fn compared_with_mistakes(
    (plan, matrix): (&Plan, &Matrix),
    reader: &ReaderResult,
    causes: Vec<Cause>,
) -> Vec<Cause> {
    let mut kept: Vec<Cause> = Vec::new();
    // For each cause with a known mistake, the index of the mistake and the index of the cause in
    // `kept`.
    let mut mistakes: Vec<(usize, usize)> = Vec::new();
    for (number, mut cause) in causes.into_iter().enumerate() {
        let is_meant =
            number < CAUSES && cause.format == matrix.format && may_be_known(reader, &cause);
        let found = match is_meant {
            true => mistake_of(matrix, reader, &cause),
            false => None,
        };
        // Mutants are not run on long traces.
        let comparable = cause.cases.iter().filter(|case| matrix.knows(case)).count();
        if let Some(found) = &found {
            cause.like = like(matrix, found, comparable);
            if let Some(rule) = handled((plan, matrix), found, &cause) {
                name_first(&mut cause, rule);
            } else if let Some(mistake) = misread(matrix, found, comparable) {
                let is_certain = found.exact.len() == comparable && comparable >= SEVERAL;
                place_first(&mut cause, mistake, is_certain);
            }
        }
        let mistake = found.as_ref().and_then(|found| found.mistakes.first());
        let is_exact = found
            .as_ref()
            .is_some_and(|it| it.exact.len() == comparable);
        let earlier = mistakes.iter().find(|(known, _)| Some(known) == mistake);
        match (earlier, mistake) {
            (Some((_, at)), _) if is_exact => kept[*at].absorb(cause),
            (None, Some(mistake)) => {
                mistakes.push((*mistake, kept.len()));
                kept.push(cause);
            }
            _ => kept.push(cause),
        }
    }
    kept
}

/// Returns whether a known mistake may explain a cause. Records that are wrong in nearly every
/// trace, and the rejection of nearly every trace, need no explanation. A mistake that has the same
/// effect in many short traces would be a false lead.
fn may_be_known(reader: &ReaderResult, cause: &Cause) -> bool {
    !cause.symptom.is_everywhere() && !rejects_everything(reader, cause)
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

/// The operator of mutants that break a rule about how values are read. Such a rule says more about
/// a wrong value than the rules about the value itself.
const READING: &str = "other-byte-order@";

/// Returns the rule that a reader with the mistake named by `explanation` breaks, if the mistake
/// explains nearly all wrong values or rejections of `cause`, and if no other mistake that explains
/// them as well is about another rule. Rules that forbid traces say nothing about values.
fn handled<'m>(
    (plan, matrix): (&Plan, &'m Matrix),
    explanation: &Explanation<'_>,
    cause: &Cause,
) -> Option<&'m str> {
    let is_most = |explained: usize| MOST * explained >= (MOST - 1) * cause.cases.len();
    let known = named(matrix, explanation);
    let first = known.first()?;
    if cause.symptom == Symptom::Rejects && is_most(explanation.exact.len()) {
        let rule = first.handles.as_deref();
        return rule.filter(|_| known.iter().all(|it| it.handles.as_deref() == rule));
    }
    if !is_most(explanation.same_records) {
        return None;
    }
    if first.mutant.starts_with(READING) {
        return first.handles.as_deref();
    }
    let rule_of = |mistake: &'m Mistake| {
        let mut rules = mistake.rules.iter().map(String::as_str);
        rules.find(|rule| {
            let planned = plan.rule_named(rule).map(|id| &plan.rules[id]);
            planned.is_some_and(|rule| rule.duty == ReaderDuty::Accept)
        })
    };
    let rule = rule_of(first);
    rule.filter(|_| known.iter().all(|mistake| rule_of(mistake) == rule))
}

/// Returns the mistake named by `explanation`, if it explains nearly all of the `comparable` failures,
/// and all mistakes that explain them as well are in the same field.
fn misread<'m>(
    matrix: &'m Matrix,
    explanation: &Explanation<'_>,
    comparable: usize,
) -> Option<&'m Mistake> {
    if MOST * explanation.exact.len() < (MOST - 1) * comparable {
        return None;
    }
    let known = named(matrix, explanation);
    let first = known.first()?;
    let field = place(&first.mutant);
    let is_same = |mistake: &&Mistake| {
        let is_field = mistake.mutant.contains('@') && !mistake.is_combined();
        is_field && place(&mistake.mutant) == field
    };
    known.iter().all(is_same).then_some(first)
}

/// Puts the field of a mistake first in the list of what may be the reason for the failures, unless
/// the list starts with the rule that the reader may break. The names in it are otherwise contents
/// that the failing traces have in common by chance, and so are the rules about these contents. If
/// the mistake certainly explains the failures, a rule that is not about the field is such a chance,
/// too.
fn place_first(cause: &mut Cause, mistake: &Mistake, is_certain: bool) {
    let Confidence::OneOf(names) = &mut cause.confidence else {
        return;
    };
    let is_rule = !names.is_empty() && names.first() == cause.rule.as_ref();
    let is_about_field = |rule: &String| mistake.rules.contains(rule);
    if is_rule && (!is_certain || cause.rule.as_ref().is_some_and(is_about_field)) {
        return;
    }
    let field = place(&mistake.mutant);
    names.insert(0, format!("how {field} is read"));
    names.truncate(CANDIDATES);
    if !cause.rule.as_ref().is_some_and(is_about_field) {
        cause.rule = mistake.rules.first().cloned();
    }
}

/// Puts `rule` first in the list of rules that the reader may break, unless another rule is proven
/// to be the cause.
fn name_first(cause: &mut Cause, rule: &str) {
    if cause.rule.as_deref() == Some(rule) && cause.confidence == Confidence::Likely {
        return;
    }
    let others = match std::mem::replace(&mut cause.confidence, Confidence::Proven) {
        Confidence::Proven => return,
        Confidence::Likely => cause.rule.take().into_iter().collect(),
        Confidence::OneOf(names) => names,
    };
    let others = others.into_iter().filter(|name| name != rule);
    let names = [rule.to_owned()].into_iter().chain(others);
    cause.confidence = Confidence::OneOf(names.take(CANDIDATES).collect());
    cause.rule = Some(rule.to_owned());
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
/// explain at least half of the cases exactly, and no case may contradict it.
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

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn cause(confidence: Confidence, rule: Option<&str>) -> Cause {
        let json = serde_json::json!({
            "format": "f", "impact": "plain", "headline": "a is wrong", "simplest": "f/vector/a",
            "symptom": { "kind": "records", "fault": "value", "member": "a" },
            "cases": ["f/vector/a"], "alone": 1, "confidence": confidence, "rule": rule,
        });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn a_mistake_puts_its_rule_first_unless_another_rule_is_proven() {
        let one_of = |names: &[&str]| {
            Confidence::OneOf(names.iter().map(|name| (*name).to_owned()).collect())
        };
        let named = |mut cause: Cause| {
            name_first(&mut cause, "ORDER");
            (cause.rule.unwrap(), cause.confidence)
        };
        let order = "ORDER".to_owned();
        assert_eq!(
            named(cause(one_of(&["A", "ORDER", "B"]), Some("A"))),
            (order.clone(), one_of(&["ORDER", "A", "B"]))
        );
        assert_eq!(
            named(cause(one_of(&["A", "B", "C", "D", "E"]), Some("A"))),
            (order.clone(), one_of(&["ORDER", "A", "B", "C", "D"]))
        );
        assert_eq!(
            named(cause(Confidence::Likely, Some("A"))),
            (order, one_of(&["ORDER", "A"]))
        );
        assert_eq!(
            named(cause(Confidence::Likely, Some("ORDER"))),
            ("ORDER".to_owned(), Confidence::Likely)
        );
        assert_eq!(
            named(cause(Confidence::Proven, Some("A"))),
            ("A".to_owned(), Confidence::Proven)
        );
    }

    #[test]
    fn a_misread_field_comes_before_contents_but_not_before_rules() {
        let names = |names: &[&str]| {
            Confidence::OneOf(names.iter().map(|name| (*name).to_owned()).collect())
        };
        let mistake = Mistake {
            mutant: "other-sign@a.size/if".into(),
            does: String::new(),
            rules: vec!["SIZE".into()],
            handles: None,
            described: Vec::new(),
            mutants: vec![0],
        };
        let placed = |mut cause: Cause| {
            place_first(&mut cause, &mistake, false);
            cause.confidence
        };
        let contents = names(&["traces with b"]);
        assert_eq!(
            placed(cause(contents.clone(), None)),
            names(&["how a.size is read", "traces with b"])
        );
        assert_eq!(
            placed(cause(names(&["A", "B"]), Some("A"))),
            names(&["A", "B"])
        );
        // The mistake explains all failures, and the rule is about something else.
        let mut certain = cause(names(&["A", "B"]), Some("A"));
        place_first(&mut certain, &mistake, true);
        assert_eq!(certain.confidence, names(&["how a.size is read", "A", "B"]));
        assert_eq!(certain.rule.as_deref(), Some("SIZE"));
        assert_eq!(placed(cause(Confidence::Likely, None)), Confidence::Likely);
        assert_eq!(
            placed(cause(names(&[]), None)),
            names(&["how a.size is read"])
        );
        // The rule about contents that occur by chance is not the reason either.
        let mut other = cause(contents, Some("B"));
        place_first(&mut other, &mistake, false);
        assert_eq!(other.rule.as_deref(), Some("SIZE"));
    }
}
