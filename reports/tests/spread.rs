//! Tests that reports cover every kind of failure if they cannot show all failures.
#![allow(clippy::unwrap_used)]

use crate::common;
use common::{case, story};
use tracegauge_reports::markdown;
use tracegauge_reports::terminal::{self, Options};
use tracegauge_results::{Expectation, Outcome, RunResult};

/// Returns a result with five failures of one rule, followed by failures of other kinds.
fn lopsided() -> RunResult {
    let wrong = |id: &str, rule| case(id, rule, Expectation::Reject, Outcome::WrongAccept);
    let mut cases: Vec<_> = (0..5)
        .map(|n| wrong(&format!("toy/a/{n}"), "MAGIC"))
        .collect();
    cases.push(wrong("toy/b/0", "SIZE"));
    cases.push(case("toy/b/1", "SIZE", Expectation::Accept, Outcome::Crash));
    cases.extend((0..2).map(|n| wrong(&format!("toy/c/{n}"), "COUNT")));
    story(&cases, cases.len())
}

/// Returns the case names in the order in which they are shown.
fn order(text: &str, mark: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.contains(mark));
    let named = lines.filter_map(|line| line.split_once("toy/"));
    named.map(|(_, name)| name[..3].to_owned()).collect()
}

#[test]
fn the_terminal_shows_one_of_each_kind_first() {
    let options = Options {
        failures: 6,
        explain: Some("tracegauge explain --spec toy.yaml".to_owned()),
        ..Options::default()
    };
    let mut out = Vec::new();
    terminal::render(&lopsided(), &options, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert_eq!(
        order(&text, "FAIL"),
        ["b/1", "a/0", "c/0", "b/0", "a/1", "c/1"]
    );
    assert!(text.contains("and 3 more failures"), "{text}");
    let next = "to see which bugs could explain these, run `tracegauge explain --spec toy.yaml`";
    assert!(text.contains(next), "{text}");
}

#[test]
fn where_none_is_shown_none_is_called_more() {
    let options = Options {
        failures: 0,
        ..Options::default()
    };
    let mut out = Vec::new();
    terminal::render(&lopsided(), &options, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let said = "\n9 failures; --failures N shows N of them in full\n";
    assert!(text.contains(said), "{text}");
}

#[test]
fn a_summary_shows_one_of_each_kind_first() {
    let mut out = Vec::new();
    markdown::render(&[lopsided()], &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let order = order(&text, "<summary>");
    assert_eq!(order[..4], ["b/1", "a/0", "c/0", "b/0"]);
}

#[test]
fn of_many_rules_the_first_is_told_and_the_others_are_named() {
    let mut one = case(
        "toy/a/0",
        "MAGIC",
        Expectation::Reject,
        Outcome::WrongAccept,
    );
    let shown = |case: &tracegauge_results::CaseResult| {
        let mut out = Vec::new();
        let result = story(std::slice::from_ref(case), 1);
        terminal::render(&result, &Options::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert!(!shown(&one).contains("also about"));
    one.rules = ["MAGIC", "SIZE", "COUNT", "END"].map(str::to_owned).into();
    let text = shown(&one);
    assert!(text.contains("also about SIZE, COUNT, END"), "{text}");
}
