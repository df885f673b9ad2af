//! Tests the causes of crashes and hangs.

use super::{PASS, cause, causes, crashes, malformed, one_of, says, valid};
use tracegauge_results::{Confidence, Impact, Outcome};

#[test]
fn a_reader_that_hangs_hangs_for_one_reason_unless_proven_otherwise() {
    let hangs =
        |id, departures: &[&str], rules: &[&str]| valid(id, departures, rules, Outcome::Hang);
    let causes = causes(&[
        valid("a", &[], &["MAGIC"], PASS),
        hangs("b", &[], &["TEXT"]),
        hangs("c", &["ODD", "LONG"], &["OTHER"]),
        hangs("d", &["ONE"], &["MAGIC"]),
    ]);
    let cases: Vec<usize> = causes.iter().map(|it| it.cases.len()).collect();
    assert_eq!(cases, [2, 1], "{causes:#?}");
}

#[test]
fn breakdowns_are_told_apart() {
    let all = [
        valid("a", &[], &["R"], PASS),
        valid("b", &["HANG"], &["R"], Outcome::Hang),
        valid("c", &["MEMORY"], &["R"], Outcome::OutOfMemory),
        valid("d", &["FLOOD"], &["R"], Outcome::Flood),
        says(
            valid("e", &["TALK"], &["R"], Outcome::Protocol),
            "line 3 is not JSON",
        ),
        says(
            valid("f", &["GAP"], &["R"], Outcome::UndeclaredGap),
            "unsupported: lz4",
        ),
        says(
            valid("g", &["DIE"], &["R"], Outcome::Crash),
            "terminated with SIGSEGV",
        ),
        says(
            valid("h", &["END"], &["R"], Outcome::Crash),
            "exited with status 3",
        ),
    ];
    let causes = causes(&all);
    let headlines: Vec<&str> = causes.iter().map(|it| it.headline.as_str()).collect();
    assert_eq!(
        headlines,
        [
            "hangs on traces with HANG",
            "runs out of memory on traces with MEMORY",
            "prints endless output on traces with FLOOD",
            "violates the reader protocol (line # is not JSON) on traces with TALK",
            "reports an undeclared gap (unsupported: lz4) on traces with GAP",
            "crashes (terminated with SIGSEGV) on traces with DIE",
            "crashes (exited with status 3) on traces with END",
        ]
    );
}

#[test]
fn crashes_in_one_function_are_one_cause() {
    let broken = |id: &str, departures: &[&str], rules: &[&str], frame| {
        let case = valid(id, departures, rules, Outcome::Crash);
        crashes(case, "IndexError", Some(frame))
    };
    let causes = causes(&[
        valid("a", &[], &["R"], PASS),
        broken("b", &[], &["R", "ONE"], "parse"),
        broken("c", &["EXTRA"], &["R", "TWO"], "parse"),
        broken("d", &["EXTRA"], &["R", "TWO"], "skip"),
    ]);
    assert_eq!(causes.len(), 2);
    assert_eq!(causes[0].headline, "crashes in parse (IndexError)");
    assert_eq!(causes[0].cases, ["b", "c"]);
    // The second case does not have the rule of the first one.
    assert!(causes[0].feature.is_empty());
    assert_eq!(causes[0].confidence, one_of(&["ONE"]));
    assert_eq!(
        causes[1].headline,
        "crashes in skip (IndexError) on traces with EXTRA"
    );
}

#[test]
fn crashes_because_of_one_rule_are_one_cause_wherever_the_reader_notices() {
    let broken = |id: &str, departures: &[&str], rules: &[&str], frame| {
        let case = valid(id, departures, rules, Outcome::Crash);
        crashes(case, "IndexError", Some(frame))
    };
    let all = [
        valid("a", &[], &["R"], PASS),
        broken("b", &["EXTRA"], &["R", "EXTRA"], "parse"),
        broken("c", &["EXTRA"], &["R", "EXTRA"], "skip"),
    ];
    let one = cause(&all);
    assert_eq!(one.cases, ["b", "c"]);
    assert_eq!(one.rule.as_deref(), Some("EXTRA"));
    let other = broken("d", &["GAP"], &["R", "GAP"], "skip_gap");
    let causes = causes(&[all.as_slice(), &[other]].concat());
    assert_eq!(causes.len(), 2, "the last crash is due to another rule");
}

#[test]
fn a_breakdown_on_malformed_traces_only_is_named_by_the_violated_rule() {
    let cause = cause(&[
        valid("a", &[], &["R"], PASS),
        malformed("b", "SIZE", "cut", Outcome::Hang),
        malformed("c", "SIZE", "set", Outcome::Hang),
    ]);
    assert_eq!(cause.headline, "hangs on traces that violate SIZE");
    assert_eq!(cause.impact, Impact::Malformed);
    assert_eq!(cause.confidence, Confidence::Likely);
}
