//! Tests that the failures of a reader with a single bug are attributed to that bug.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::LazyLock;

use joining::{Output, Place, tags};
use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_corpus::matrix::{
    Explained, Explanation, Failure, Matrix, Observed, Scope, compute, compute_within, fingerprint,
};
use tracegauge_corpus::mutation_score::{Oracle as _, Passed, Wrong, answer};
use tracegauge_corpus::suite::Suite;
use tracegauge_corpus::systematic::{Effort, SearchOptions};
use tracegauge_judge::Oracle;
use tracegauge_plan::Plan;
use tracegauge_plan::mutate::{Mutant, mutants};

use crate::joining;

/// Returns the suite of a small format, which is generated once for all tests.
fn suite() -> &'static Suite {
    static SUITE: LazyLock<Suite> = LazyLock::new(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = root.join("../spec/tests/formats/tlv/format.yaml");
        let mut suite = Suite::of_file(
            &path.to_string_lossy(),
            &[],
            &SearchOptions::without_cache(Effort::Quick),
            &(),
        )
        .unwrap();
        // A mutant executes as many operations on the long trace as on all other cases.
        suite.cases.retain(|case| case.bytes.len() <= 1 << 16);
        suite
    });
    &SUITE
}

/// Returns the outcomes of the cases for a reader with the bugs of these mutants.
fn outcomes<'c>(plan: &Plan, wrong: &[&Mutant], cases: &'c [Case]) -> Vec<Observed<'c>> {
    let wrong = wrong.iter();
    let mutated = wrong.fold(plan.clone(), |plan, mutant| mutant.of(&plan));
    let outcome = |case: &'c Case| {
        let judged = Oracle.judge(case, &answer(&mutated, &case.bytes, 100_000));
        let failed = judged.filter(|(wrong, _)| wrong.fails());
        Observed {
            case: &case.id,
            version: case.version,
            failure: failed.map(|(wrong, parting)| Failure {
                wrong,
                difference: parting.map(|parting| fingerprint(&parting, &Oracle)),
            }),
        }
    };
    cases.iter().map(outcome).collect()
}

/// Returns the outcomes of the cases of this suite for each mutant.
fn matrix() -> &'static Matrix {
    static MATRIX: LazyLock<Matrix> = LazyLock::new(|| {
        let Suite { formats, cases, .. } = suite();
        compute(
            &formats.plans()[0],
            &cases.iter().collect::<Vec<_>>(),
            &Oracle,
            &(),
        )
    });
    &MATRIX
}

#[test]
fn a_reader_with_one_mistake_is_found_out() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let matrix = matrix();
    let mut tried = 0;
    for (index, mutant) in mutants(plan).iter().enumerate().step_by(13) {
        let outcomes = outcomes(plan, &[mutant], &suite.cases);
        let failures = outcomes.iter().filter(|outcome| outcome.failure.is_some());
        let failures = failures.count();
        if failures < 2 {
            continue;
        }
        tried += 1;
        let found = matrix.explain(outcomes, Scope::Records, 3);
        // Another mutant may behave in exactly the same way, but none explains more failures.
        let first = &found.explanations[0];
        let name = mutant.name();
        assert_eq!(first.exact.len(), failures, "{name}: {first:?}");
        assert!(first.contradicted.is_empty(), "{name}: {first:?}");
        assert_eq!(found.explanations.len(), 1, "{name}: {found:?}");
        assert!(first.mistakes.contains(&index), "{name}: {first:?}");
    }
    assert!(tried >= 5, "{tried} mutants");
}

/// Checks that a mistake that explains most failures is not named as the bug if the reader passes a
/// case on which a reader with this mistake would fail.
#[test]
fn of_two_mistakes_both_are_named() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let matrix = matrix();
    let all = mutants(plan);
    let single = (0..all.len()).step_by(5);
    let single = single.filter(|mutant| (2..40).contains(&matrix.spread(*mutant)));
    let single: Vec<usize> = single.collect();
    let (mut tried, mut both) = (0, 0);
    for pair in single.windows(2) {
        let (one, other) = (&all[pair[0]], &all[pair[1]]);
        if !one.is_independent_of(other) {
            continue;
        }
        let outcomes = outcomes(plan, &[one, other], &suite.cases);
        let found = matrix.explain(outcomes, Scope::Records, 6);
        let explanations = &found.explanations;
        tried += 1;
        let near = explanations
            .iter()
            .position(|it| !it.contradicted.is_empty());
        let after = near.map_or(&[][..], |near| &explanations[near..]);
        assert!(
            after.iter().all(|it| !it.contradicted.is_empty()),
            "{found:#?}"
        );
        let mut named = explanations.iter().flat_map(|it| &it.mistakes);
        both += usize::from(pair.iter().all(|wrong| named.clone().any(|it| it == wrong)));
        assert!(named.next().is_some());
    }
    assert!(tried >= 3 && 10 * both >= 7 * tried, "{both} of {tried}");
}

#[test]
fn a_reader_that_passes_has_no_mistake() {
    let suite = suite();
    let right = suite.cases.iter().map(|case| Observed {
        case: &case.id,
        version: case.version,
        failure: None,
    });
    let found = matrix().explain(right, Scope::Records, 3);
    assert_eq!(found, Explained::default());
}

/// Checks that a search with a limited budget finds the same mistakes, or reports the number of
/// mistakes that were not run.
#[test]
fn without_a_matrix_a_limited_amount_of_work_is_done() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let whole = matrix();
    let all = mutants(plan);
    let wrong = (0..all.len()).find(|mutant| (5..40).contains(&whole.spread(*mutant)));
    let wrong = wrong.unwrap();
    let outcomes = outcomes(plan, &[&all[wrong]], &suite.cases);
    let cases: Vec<(&Case, Option<Failure>)> = suite
        .cases
        .iter()
        .zip(&outcomes)
        .map(|(case, outcome)| (case, outcome.failure))
        .collect();
    let first = |matrix: &Matrix| {
        let found = matrix.explain(outcomes.iter().copied(), Scope::Records, 3);
        found.explanations.into_iter().next()
    };
    let enough = compute_within(plan, &cases, &Oracle, u64::MAX / 4, &());
    assert_eq!(enough.left_out, 0);
    assert_eq!(first(&enough.matrix), first(whole));
    let too_little = compute_within(plan, &cases, &Oracle, 100_000, &());
    assert!(too_little.left_out > 0);
    let nothing = compute_within(plan, &cases, &Oracle, 0, &());
    assert!(nothing.left_out > too_little.left_out);
    assert_eq!(first(&nothing.matrix), None);
}

/// Runs a reader of the `tags` format that reports `reported`, and explains its failures.
fn explained(place: &Place, reported: &str, more: &[&str]) -> Output {
    place.reader_of_tags(reported);
    let spec = tags();
    let run = ["run", "--spec", &spec, "--quiet", "--json", "result.json"];
    let ran = place.tracegauge(&[&run[..], &["--reader", "reader.yaml"]].concat());
    assert_eq!(ran.status, Some(1), "{}", ran.all());
    place.tracegauge(&[&["explain", "--results", "result.json"][..], more].concat())
}

/// Checks that pairs in another JSON shape are a separate cause, because their contents cannot be
/// compared with the expected pairs.
#[test]
fn pairs_in_another_shape_are_a_cause_of_their_own() {
    let place = Place::new();
    let output = explained(&place, "{}", &["--spec", &tags()]);
    assert_eq!(output.status, Some(0), "{}", output.all());
    let told = "the reader writes `tags` as an object instead of an array of [name, value] pairs";
    assert!(output.out.contains(told), "{}", output.out);
    // The reader also accepts every trace.
    assert!(
        output
            .out
            .contains("consistent with a reader that accepts a trace"),
        "{}",
        output.out
    );
    assert!(output.out.contains("fault-taken@"), "{}", output.out);
    let result = std::fs::read_to_string(place.path().join("result.json")).unwrap();
    assert!(
        result.contains("an array of [name, value] pairs: "),
        "{result}"
    );
}

#[test]
fn cases_that_look_like_no_mistake_are_told_by_what_is_wrong_in_them() {
    let place = Place::new();
    let output = explained(&place, "[[1,77],[2,78]]", &["--spec", &tags()]);
    let told = output.out.lines();
    let mut told = told.skip_while(|line| !line.contains(" differ first in `tags"));
    assert!(told.next().is_some(), "{}", output.out);
    assert!(told.next().unwrap().contains("tags-v1/"), "{}", output.out);
    assert!(output.out.lines().count() <= 60, "{}", output.out);
}

/// Checks that the report and `explain` attribute the failures to the same causes and rules.
#[test]
fn the_causes_are_those_of_the_run() {
    let place = Place::new();
    let output = explained(&place, "[[1,77],[2,78]]", &["--spec", &tags()]);
    let result = std::fs::read_to_string(place.path().join("result.json")).unwrap();
    let result: serde_json::Value = serde_json::from_str(&result).unwrap();
    let causes = result["readers"][0]["causes"].as_array().unwrap();
    assert!(!causes.is_empty(), "{result}");
    let told: Vec<&str> = output.out.lines().collect();
    let heads = told
        .iter()
        .filter(|it| it.starts_with("  ") && !it.starts_with("   "));
    assert_eq!(heads.clone().count(), causes.len(), "{}", output.out);
    for (head, cause) in heads.zip(causes) {
        assert!(head.contains(cause["headline"].as_str().unwrap()), "{head}");
        if let Some(rule) = cause.get("rule").and_then(|rule| rule.as_str()) {
            let named = told
                .iter()
                .any(|line| line.contains(&format!(": {rule} (")));
            assert!(named, "{rule}: {}", output.out);
        }
    }
}

/// Checks that a mutant that fails the same cases with other values is treated as a different bug.
#[test]
fn a_mistake_that_reports_other_values_is_not_named() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let matrix = matrix();
    let mut tried = 0;
    for mutant in mutants(plan)
        .iter()
        .filter(|it| it.operator() == "other-sign")
    {
        let mut outcomes = outcomes(plan, &[mutant], &suite.cases);
        let named = |outcomes: &[Observed<'_>]| {
            let found = matrix.explain(outcomes.iter().copied(), Scope::Records, 3);
            let of = |count: fn(&Explanation<'_>) -> usize| -> usize {
                found.explanations.iter().map(count).sum()
            };
            (of(|it| it.exact.len()), of(|it| it.same_records))
        };
        let of_records =
            |failure: &Failure| failure.wrong == Wrong::Records && failure.difference.is_some();
        let partings = outcomes
            .iter()
            .filter(|it| it.failure.as_ref().is_some_and(of_records));
        let partings = partings.count();
        if partings == 0 {
            continue;
        }
        tried += 1;
        let (explained, same) = named(&outcomes);
        assert!(
            explained >= partings && same == partings,
            "{}",
            mutant.name()
        );
        for failure in outcomes.iter_mut().filter_map(|it| it.failure.as_mut()) {
            failure.difference = failure.difference.map(|known| !known);
        }
        assert!(
            named(&outcomes).0 <= explained - partings,
            "{}",
            mutant.name()
        );
    }
    assert!(tried > 0);
}

#[test]
fn what_failing_traces_have_and_others_have_not_is_found() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let valid = suite.cases.iter();
    let valid = valid.filter(|case| case.expected.verdict == ExpectedVerdict::Accept);
    let has_note = |case: &&Case| {
        let mut records = case.expected.records.iter().flatten();
        records.any(|record| record.kind == "note")
    };
    let (with, without): (Vec<&Case>, Vec<&Case>) = valid.partition(has_note);
    assert!(with.len() >= 3 && without.len() >= 3);
    let found = Passed::new(plan, &without).common(&with).unwrap();
    assert_eq!((found.failed, found.passed), (with.len(), 0), "{found:?}");
    assert!(found.what.contains("note"), "{found:?}");
    assert_eq!(
        Passed::new(plan, &without).common(&with[..2]),
        None,
        "two are chance"
    );
    assert_eq!(
        Passed::new(plan, &with).common(&with),
        None,
        "nothing tells them apart"
    );
}

#[test]
fn a_result_of_cases_that_the_corpus_has_not_is_an_error() {
    let place = Place::new();
    let output = explained(&place, "{}", &[]);
    assert_eq!(output.status, Some(2), "{}", output.all());
    let words = ["tags-v1", "--spec FILE"];
    for word in words {
        assert!(output.err.contains(word), "{}", output.err);
    }
    // Cases of the same format but from another version of the description are unknown too.
    let path = place.path().join("result.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("tags-v1/", "tags-v1/old/")).unwrap();
    let words = ["explain", "--results", "result.json", "--spec", &tags()];
    let output = place.tracegauge(&words);
    assert_eq!(output.status, Some(2), "{}", output.all());
}

/// Checks that, without arguments, the last run in the folder is explained.
#[test]
fn the_last_run_is_explained() {
    let place = Place::new();
    let none = place.tracegauge(&["explain"]);
    assert_eq!(none.status, Some(2), "{}", none.all());
    assert!(
        none.err.contains("no run was saved in this folder"),
        "{}",
        none.err
    );
    let of_results = explained(&place, "{}", &["--spec", &tags()]);
    let of_last_run = place.tracegauge(&["explain", "--spec", &tags()]);
    assert_eq!(of_last_run.status, Some(0), "{}", of_last_run.all());
    let (first, rest) = of_last_run.out.split_once('\n').unwrap();
    assert!(first.starts_with("last run: "), "{first}");
    assert!(first.contains(" ago (.tracegauge"), "{first}");
    assert_eq!(rest, of_results.out);
}
