//! Tests the order of causes, and the counts of cases by their departures.

use super::{ACCEPT, PASS, REJECT, causes, differs_in, malformed, result, valid, wrong};
use tracegauge_reports::causes::{self, Levels};
use tracegauge_results::{Confidence, Impact, Outcome, Standing};

#[test]
fn a_reader_without_failures_has_no_causes() {
    let mut known = valid("b", &[], &["R"], REJECT);
    known.known = Some("issue 1".into());
    let mut warning = valid("c", &[], &["R"], REJECT);
    warning.standing = Standing::Warning;
    assert!(causes(&[valid("a", &[], &["R"], PASS), known, warning]).is_empty());
}

#[test]
fn causes_are_ordered_by_impact_and_then_by_the_number_of_cases() {
    let cases = [
        valid("a", &[], &["R"], PASS),
        malformed("b", "SIZE", "cut", ACCEPT),
        valid("c", &["GAP"], &["R"], REJECT),
        valid("d", &["EXTRA"], &["R"], REJECT),
        valid("e", &["EXTRA", "MORE"], &["R"], REJECT),
        valid("f", &["ORDER"], &["R"], REJECT),
        wrong("g", &[], &["R", "DELTA"], "time", &["DELTA"]),
    ];
    let mut result = result(&cases);
    let written = vec!["ORDER".to_owned(), "MORE".to_owned()];
    result.run.written.insert("toy-v1".into(), written);
    let causes = causes::of(&result.run, &result.readers[0]);
    let order: Vec<(Impact, &str)> = causes
        .iter()
        .map(|it| (it.impact, it.simplest.as_str()))
        .collect();
    assert_eq!(
        order,
        [
            (Impact::Plain, "g"),
            (Impact::Written, "f"),
            (Impact::Legal, "d"),
            (Impact::Legal, "c"),
            (Impact::Accepts, "b"),
        ]
    );
}

#[test]
fn cases_with_further_causes_are_counted() {
    let causes = causes(&[
        valid("a", &[], &["R"], PASS),
        valid("b", &["EXTRA"], &["R"], REJECT),
        valid("c", &["GAP"], &["R"], Outcome::Hang),
        valid("d", &["EXTRA", "GAP"], &["R"], REJECT),
    ]);
    assert_eq!((causes[0].cases.len(), causes[0].alone), (2, 1));
    assert_eq!((causes[1].cases.len(), causes[1].alone), (1, 1));
}

#[test]
fn valid_cases_are_counted_by_level() {
    let result = result(&[
        valid("a", &[], &["R"], PASS),
        valid("b", &["EXTRA"], &["R"], REJECT),
        valid("c", &["EXTRA", "GAP"], &["R"], REJECT),
        valid("d", &["ONE", "TWO", "THREE", "FOUR"], &["R"], PASS),
        valid("e", &["ONE"], &["R"], Outcome::Unsupported),
        malformed("f", "SIZE", "cut", ACCEPT),
        differs_in("g", &[], &["R"], &[("time", &[])]),
        differs_in("h", &["ONE", "TWO"], &["R"], &[("time", &[])]),
        differs_in(
            "i",
            &["ONE", "GAP"],
            &["R"],
            &[("time", &[]), ("name", &[])],
        ),
    ]);
    let levels: Levels = causes::levels(&result.readers[0]);
    assert_eq!(
        levels.to_string(),
        "valid traces passed: 1 of 2 plain, 0 of 1 with one departure, \
         0 of 3 with two departures (1 otherwise correct), 1 of 1 with more departures"
    );
    let otherwise_correct = levels.0.map(|level| level.otherwise_correct);
    assert_eq!(otherwise_correct, [0, 0, 1, 0]);
}

/// Checks that a reader that reports all records of a trace is not considered to have rejected it.
#[test]
fn a_case_with_other_wrong_records_is_evidence() {
    let time: (&str, &[&str]) = ("time", &["DELTA"]);
    let causes = causes(&[
        differs_in("a", &[], &["R", "KIND"], &[time]),
        differs_in("b", &["ODD"], &["R"], &[time]),
        valid("c", &["LONG"], &["R", "KIND"], REJECT),
        valid("d", &["LONG", "ODD"], &["R", "KIND"], REJECT),
    ]);
    assert_eq!(causes[1].headline, "rejects valid traces with LONG");
    assert_eq!(causes[1].confidence, Confidence::Proven);
    assert_eq!(causes[1].cases, ["c", "d"]);
}
