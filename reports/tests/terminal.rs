//! Tests the terminal report.
#![allow(clippy::unwrap_used)]

use crate::common;
use common::{case, cases, story};
use tracegauge_reports::terminal::{Color, Detail, Options, Rules, Scope, render};
use tracegauge_results::{
    BaselineProblem, Expectation, NotRepeatable, Outcome, ReaderTail, Repeated, RunResult,
};

fn text(result: &RunResult, options: &Options) -> String {
    let mut out = Vec::new();
    render(result, options, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn a_report_with_something_of_everything() {
    insta::assert_snapshot!(text(&story(&cases(), 14), &Options::default()));
}

#[test]
fn every_rule_has_a_row_where_asked_for() {
    let options = Options {
        rules: Rules::All,
        failures: 0,
        ..Options::default()
    };
    insta::assert_snapshot!(text(&story(&cases(), 14), &options));
}

#[test]
fn rules_without_a_case_are_listed_below_the_table() {
    let cases = cases();
    let mut result = story(&cases, 14);
    let mut rule = result.run.rules[0].clone();
    (rule.id, rule.format) = ("UNTESTED".into(), cases[0].format.clone());
    result.run.rules = vec![rule];
    let options = Options {
        rules: Rules::All,
        ..Options::default()
    };
    let note = "\nrules without a case: UNTESTED\n";
    assert!(
        !text(&result, &options).contains(note),
        "only a shard was run"
    );
    result.run.selection.shard = None;
    assert!(text(&result, &options).contains(note));
    // The causes of failures replace the table.
    assert!(!text(&result, &Options::default()).contains(note));
    let clean = |case: &tracegauge_results::CaseResult| case.outcome == Outcome::Pass;
    for reader in &mut result.readers {
        reader.cases.retain(clean);
        reader.causes.clear();
    }
    assert!(text(&result, &Options::default()).contains(note));
}

#[test]
fn a_clean_run_is_short() {
    let cases: Vec<_> = (0..50)
        .map(|n| {
            let rule = format!("RULE-{}", n % 7);
            case(
                &format!("toy/{n}"),
                &rule,
                Expectation::Accept,
                Outcome::Pass,
            )
        })
        .collect();
    let text = text(&story(&cases, 52), &Options::default());
    let table: Vec<&str> = text.lines().skip(1).take(3).collect();
    insta::assert_snapshot!(table.join("\n"), @r"
    rule       cases  pass  unproven  known
    (7 rules)     50    50
    total         50    50
    ");
}

#[test]
fn lost_results_are_cried_out() {
    let text = text(&story(&cases(), 15), &Options::default());
    assert!(text.contains("The totals do not add up"), "{text}");
}

#[test]
fn colour_adds_nothing_but_colour_and_readers_cannot_add_their_own() {
    let result = story(&cases(), 14);
    let plain = text(&result, &Options::default());
    assert!(
        !plain.contains('\u{1b}'),
        "escape sequences of a reader reach the terminal"
    );
    let colored = text(
        &result,
        &Options {
            color: Color::Always,
            ..Options::default()
        },
    );
    assert!(colored.contains("\u{1b}["));
    let mut stripped = String::new();
    let mut rest = colored.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        stripped.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    stripped.push_str(rest);
    assert_eq!(stripped, plain);
}

#[test]
fn a_list_that_is_not_true_is_told_in_short_with_what_to_do() {
    let mut result = story(&[], 0);
    result.readers.truncate(1);
    result.run.selection.shard = None;
    let reader = &mut result.readers[0];
    reader.reader.baseline = Some("/a b/known.yaml".into());
    reader.tail.unexplained = 0;
    reader.tail.baseline_problems = (0..13)
        .map(|n| BaselineProblem::Passes {
            pattern: format!("toy/{n}"),
            case: format!("toy/{n}"),
        })
        .collect();
    let baseline = |result: &RunResult| {
        let text = text(result, &Options::default());
        let lines = text.lines().filter(|line| line.starts_with("baseline:"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let lines = baseline(&result);
    assert_eq!(lines.len(), 12, "{lines:?}");
    assert_eq!(
        lines[9],
        "baseline: toy/9 is listed but passes; remove the entry"
    );
    assert_eq!(lines[10], "baseline: … and 3 more");
    assert_eq!(
        lines[11],
        "baseline: `tracegauge baseline update '/a b/known.yaml'` updates the file and keeps the \
         reasons"
    );
    result.run.selection.shard = Some("1/2".into());
    assert!(baseline(&result)[11].contains("first run all cases; then `tracegauge"));
    result.readers[0].tail.baseline_problems.clear();
    assert!(baseline(&result).is_empty());
    result.readers[0].totals.known = 23;
    result.readers[0].tail.unexplained = 4;
    assert_eq!(
        baseline(&result),
        [
            "baseline: 23 known failures, 4 of them unexplained; in these entries, describe what \
             the reader does wrong, then remove `unexplained`"
        ]
    );
}

#[test]
fn what_holds_several_readers_in_is_told_once() {
    let mut result = story(&cases(), 14);
    let again = result.readers[0].clone();
    result.readers.push(again);
    let told = |result: &RunResult, containment: Detail| {
        let options = Options {
            containment,
            ..Options::default()
        };
        let text = text(result, &options);
        let lines = text.lines().filter(|line| line.starts_with("containment"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        told(&result, Detail::Short),
        [
            "containment of every reader: 1 of 2 measures enforced; not enforced: network (-v lists \
             them)"
        ]
    );
    let shared = "containment of every reader, enforced: process group (killed as a group)";
    let missing = "containment of every reader, not enforced: network";
    assert_eq!(told(&result, Detail::Full), [shared, missing]);
    // Measures that differ between readers are listed with each reader.
    result.readers[3].tail.containment[1].in_force = true;
    assert_eq!(
        told(&result, Detail::Full),
        [
            "containment, not enforced: network",
            "containment, enforced: network",
            shared
        ]
    );
    // If only one reader ran, there are no shared measures.
    result.readers.pop();
    assert_eq!(
        told(&result, Detail::Short),
        ["containment: 1 of 2 measures enforced; not enforced: network (-v lists them)"]
    );
    assert_eq!(
        told(&result, Detail::Full),
        [
            "containment, enforced: process group (killed as a group)",
            "containment, not enforced: network"
        ]
    );
}

#[test]
fn what_fails_may_be_all_that_is_told() {
    let options = Options {
        scope: Scope::Failing,
        failures: 1,
        ..Options::default()
    };
    insta::assert_snapshot!(text(&story(&cases(), 14), &options));
}

#[test]
fn the_last_line_says_what_no_case_shows() {
    let passing = case("a", "MAGIC", Expectation::Accept, Outcome::Pass);
    let last = |change: &dyn Fn(&mut ReaderTail)| {
        let mut result = story(std::slice::from_ref(&passing), 1);
        result.readers.truncate(1);
        result.readers[0].totals.not_run = 0;
        let tail = &mut result.readers[0].tail;
        *tail = ReaderTail::default();
        change(tail);
        let text = text(&result, &Options::default());
        text.lines().last().unwrap_or_default().to_owned()
    };
    let repeated = Repeated {
        cases: 4,
        differ: vec![NotRepeatable {
            case: "a".into(),
            first: "accept".into(),
            again: "reject".into(),
            fails: false,
        }],
    };
    let good = last(&|_| ());
    assert!(good.starts_with("✓ conforms; "), "{good}");
    let state = last(&|tail| tail.remembers = true);
    let told = "✗ does not conform: the reader keeps state from one trace to the next; ";
    assert!(state.starts_with(told), "{state}");
    let crash = last(&|tail| tail.crashes = vec!["terminated with SIGABRT".into()]);
    assert!(crash.starts_with("✗ fails: 1 failure"), "{crash}");
    let varying = last(&|tail| tail.repeated = Some(repeated.clone()));
    let told = "◆ conforms, but 1 answer is not repeatable; ";
    assert!(varying.starts_with(told), "{varying}");
    let fails = last(&|tail| {
        let mut repeated = repeated.clone();
        repeated.differ[0].fails = true;
        tail.repeated = Some(repeated);
    });
    let told = "✗ does not conform: 1 case failed in another order, time zone, locale or folder; ";
    assert!(fails.starts_with(told), "{fails}");
}
