//! Tests that the failures of a reader with a single bug are attributed to that bug.
#![allow(clippy::unwrap_used)]

use crate::joining;
use std::path::Path;

use joining::{Output, Place, tags};
use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_corpus::mutation_score::{Oracle as _, Outcome, Wrong, answer, causes, common};
use tracegauge_corpus::suite::Suite;
use tracegauge_harness::judge::Oracle;
use tracegauge_spec::plan::Plan;
use tracegauge_spec::plan::mutate::{Mutant, mutants};

fn suite() -> Suite {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../spec/tests/formats/tlv/format.yaml");
    Suite::of_file(&path.to_string_lossy(), &[], &()).unwrap()
}

/// Returns the outcomes of the cases for a reader with the bugs of these mutants.
fn outcomes<'c>(plan: &Plan, wrong: &[&Mutant], cases: &'c [Case]) -> Vec<Outcome<'c>> {
    let wrong = wrong.iter();
    let mutated = wrong.fold(plan.clone(), |plan, mutant| mutant.of(&plan));
    let outcome = |case: &'c Case| {
        let judged = Oracle.judge(case, &answer(&mutated, &case.bytes, 100_000));
        let (wrong, parting) = judged.filter(|(wrong, _)| wrong.fails()).unzip();
        let parting = parting.flatten();
        Outcome {
            case,
            wrong,
            parting,
        }
    };
    cases.iter().map(outcome).collect()
}

#[test]
fn a_reader_with_one_mistake_is_found_out() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let mut tried = 0;
    for mutant in mutants(plan).iter().step_by(13) {
        let outcomes = outcomes(plan, &[mutant], &suite.cases);
        let failures = outcomes.iter().filter(|outcome| outcome.wrong.is_some());
        let failures = failures.count();
        if failures < 2 {
            continue;
        }
        tried += 1;
        let found = causes(plan, &outcomes, &Oracle, 3, &());
        // Another mutant may behave in exactly the same way, but none explains more failures.
        let first = &found[0];
        assert_eq!(
            first.explains.len(),
            failures,
            "{}: {first:?}",
            mutant.name()
        );
        assert!(
            first.contradicted.is_empty(),
            "{}: {first:?}",
            mutant.name()
        );
        assert_eq!(found.len(), 1, "nothing is left: {found:?}");
        let as_good = first.as_good.iter().map(|(name, _)| name.as_str());
        let mut named = as_good.chain([first.mutant.as_str()]);
        let several = first.mutant.contains(" places");
        assert!(
            several || named.any(|name| name == mutant.name()),
            "{} is not named: {first:?}",
            mutant.name()
        );
    }
    assert!(tried >= 5, "{tried} mutants");
}

/// A cause that explains most failures is not a bug of the reader if the reader passes a case that
/// the cause would fail.
#[test]
fn of_two_mistakes_both_are_named() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let all = mutants(plan);
    let failing = |wrong: &[&Mutant]| -> usize {
        let outcomes = outcomes(plan, wrong, &suite.cases);
        outcomes.iter().filter(|it| it.wrong.is_some()).count()
    };
    let single: Vec<&Mutant> = all
        .iter()
        .step_by(17)
        .filter(|mutant| (2..40).contains(&failing(&[mutant])))
        .collect();
    let (mut tried, mut both) = (0, 0);
    for pair in single.windows(2) {
        let outcomes = outcomes(plan, pair, &suite.cases);
        let failures = outcomes.iter().filter(|it| it.wrong.is_some()).count();
        tried += 1;
        let found = causes(plan, &outcomes, &Oracle, 6, &());
        let last = found
            .iter()
            .position(|cause| !cause.contradicted.is_empty());
        let after = last.map_or(&[][..], |last| &found[last..]);
        assert!(
            after.iter().all(|cause| !cause.contradicted.is_empty()),
            "{found:#?}"
        );
        let explained: usize = found.iter().map(|cause| cause.explains.len()).sum();
        assert_eq!(explained, failures, "{found:#?}");
        let right = found.iter().take_while(|it| it.contradicted.is_empty());
        both += usize::from(right.map(|it| it.explains.len()).sum::<usize>() == failures);
    }
    assert!(tried >= 3 && both == tried, "{both} of {tried}");
}

#[test]
fn a_reader_that_passes_has_no_mistake() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let right = |case| Outcome {
        case,
        wrong: None,
        parting: None,
    };
    let outcomes: Vec<Outcome<'_>> = suite.cases.iter().map(right).collect();
    assert!(causes(plan, &outcomes, &Oracle, 3, &()).is_empty());
}

/// Runs a reader of tags that reports `reported`, and explains its failures.
fn explained(place: &Place, reported: &str, more: &[&str]) -> Output {
    place.reader_of_tags(reported);
    let spec = tags();
    let run = ["run", "--spec", &spec, "--quiet", "--json", "result.json"];
    let ran = place.tracegauge(&[&run[..], &["--reader", "reader.yaml"]].concat());
    assert_eq!(ran.status, Some(1), "{}", ran.all());
    place.tracegauge(&[&["explain", "--results", "result.json"][..], more].concat())
}

/// Pairs in another shape cannot be compared with the expected ones, whatever their contents.
#[test]
fn pairs_in_another_shape_are_a_cause_of_their_own() {
    let place = Place::new();
    let output = explained(&place, "{}", &["--spec", &tags()]);
    assert_eq!(output.status, Some(0), "{}", output.all());
    let told = "as if the reader writes `tags` as an object instead of an array of [name, value] \
                pairs\n      tags-v1/";
    assert!(output.out.contains(told), "{}", output.out);
    // The reader also accepts every trace.
    assert!(
        output.out.contains("as if the reader accepts a trace"),
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
    let (_, rest) = output
        .out
        .split_once(" not explained by any single known mistake")
        .unwrap();
    assert!(
        rest.lines()
            .nth(1)
            .unwrap()
            .contains(" differ first in `tags"),
        "{rest}"
    );
    assert!(rest.lines().nth(2).unwrap().contains("tags-v1/"), "{rest}");
    assert!(rest.lines().count() <= 40, "{rest}");
}

/// A mutant that fails the same cases with other values is a different bug.
#[test]
fn a_mistake_that_reports_other_values_is_not_named() {
    let suite = suite();
    let plan = &suite.formats.plans()[0];
    let mut tried = 0;
    for mutant in mutants(plan)
        .iter()
        .filter(|it| it.operator() == "other-sign")
    {
        let mut outcomes = outcomes(plan, &[mutant], &suite.cases);
        let named = |outcomes: &[Outcome<'_>]| {
            let found = causes(plan, outcomes, &Oracle, 3, &());
            let same = found.iter().map(|cause| cause.same).sum::<usize>();
            (
                found
                    .iter()
                    .map(|cause| cause.explains.len())
                    .sum::<usize>(),
                same,
            )
        };
        let of_records =
            |it: &&Outcome<'_>| it.wrong == Some(Wrong::Records) && it.parting.is_some();
        let partings = outcomes.iter().filter(of_records).count();
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
        for parting in outcomes.iter_mut().filter_map(|it| it.parting.as_mut()) {
            parting.came = "\"neither\"".to_owned();
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
    let found = common(plan, &with, &without).unwrap();
    assert_eq!((found.failed, found.passed), (with.len(), 0), "{found:?}");
    assert!(found.what.contains("note"), "{found:?}");
    assert_eq!(common(plan, &with[..2], &without), None, "two are chance");
    assert_eq!(common(plan, &with, &with), None, "nothing tells them apart");
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
    // Cases of the same format from another version of the description are unknown too.
    let path = place.path().join("result.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("tags-v1/", "tags-v1/old/")).unwrap();
    let words = ["explain", "--results", "result.json", "--spec", &tags()];
    let output = place.tracegauge(&words);
    assert_eq!(output.status, Some(2), "{}", output.all());
}
