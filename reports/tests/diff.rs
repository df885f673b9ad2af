//! Tests the text of comparisons between two runs.
#![allow(clippy::unwrap_used)]

use crate::common;
use common::{case, cases, story};
use tracegauge_reports::diff::{diff, render};
use tracegauge_results::{Expectation, Outcome, ReaderState, RunResult};

fn words(old: &RunResult, new: &RunResult) -> String {
    let mut out = Vec::new();
    render(&diff(old, new), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn the_same_twice_is_no_change() {
    let result = story(&cases(), 14);
    assert!(diff(&result, &result).is_empty());
    insta::assert_snapshot!(words(&result, &result), @r"
    my-reader 1.4.0: no changes, 12 cases
    other 1.4.0: no changes, 0 cases
    broken 1.4.0: no changes, 0 cases
    ");
}

#[test]
fn reader_and_corpus_are_told_apart() {
    let old = story(&cases(), 14);
    let mut changed = cases();
    changed[0] = case("toy/valid/1", "EVENTS", Expectation::Accept, Outcome::Hang);
    changed[1].outcome = Outcome::Pass;
    changed[3].outcome = Outcome::WrongReject;
    changed[6].outcome = Outcome::Pass;
    changed[6].version = 2;
    changed.remove(5);
    changed.push(case(
        "toy/new\u{1b}/1",
        "NEW",
        Expectation::Accept,
        Outcome::Crash,
    ));
    let mut new = story(&changed, 14);
    new.run.tool_version = "0.2.0".into();
    new.readers[1].state = ReaderState::Ran;
    new.readers[2].reader.name = "mended".into();
    assert!(!diff(&old, &new).is_empty());
    insta::assert_snapshot!(words(&old, &new));
    new.readers[0].reader.version = Some("1.5.0".into());
    let text = words(&old, &new);
    assert!(text.contains("my-reader 1.4.0 → 1.5.0"), "{text}");
    assert!(!text.contains("a different build"), "{text}");
}

#[test]
fn one_reader_each_is_one_reader_under_two_names() {
    let mut old = story(&cases(), 14);
    old.readers.truncate(1);
    let mut new = old.clone();
    new.readers[0].reader.name = "renamed".into();
    assert!(diff(&old, &new).is_empty());
    insta::assert_snapshot!(words(&old, &new), @r"
    compared as the same reader: my-reader in the older run, renamed in the newer run
    renamed 1.4.0: no changes, 12 cases
    ");
    new.readers[0].cases[0].outcome = Outcome::Hang;
    assert!(!diff(&old, &new).is_empty());
    new.readers = story(&cases(), 14).readers;
    new.readers[0].reader.name = "renamed".into();
    let text = words(&old, &new);
    assert!(
        text.starts_with("my-reader: only in the older run"),
        "{text}"
    );
}
