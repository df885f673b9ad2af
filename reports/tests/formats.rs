//! Tests the reports for CI servers, pull requests, web pages and code scanning.
#![allow(clippy::unwrap_used)]

use crate::common;
use std::io;

use common::{case, cases, story};
use tracegauge_reports::badge::badge;
use tracegauge_reports::casebook::NoCasebook;
use tracegauge_reports::sarif::{self, Finding, Place, Severity};
use tracegauge_reports::{html, junit, markdown, terminal};
use tracegauge_results::{CaseResult, Expectation, Outcome, RunResult};

fn text(render: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> String {
    let mut out = Vec::new();
    render(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn hostile() -> RunResult {
    let mut cases = cases();
    let detail = cases[1].detail.as_mut().unwrap();
    detail.actual = "]]> </testcase> ```` <script>alert(1)</script> \u{0} \u{1b}[31m @all".into();
    cases[2].case = "toy/<b>&amp;\u{202e}/`|`".into();
    story(&cases, 14)
}

#[test]
fn junit_has_a_test_for_each_case() {
    insta::assert_snapshot!(text(|out| junit::render(&[story(&cases(), 14)], out)));
}

/// Checks that the name of a test does not depend on the rule that separates failing traces. That
/// rule depends on all failures, and CI servers track a test by its name from run to run.
#[test]
fn a_test_keeps_its_names_whatever_sets_its_failure_apart() {
    let names = |cases: &[CaseResult]| {
        let xml = text(|out| junit::render(&[story(cases, 14)], out));
        let report = quick_junit::Report::deserialize_from_str(&xml).unwrap();
        let tests = report.test_suites.iter().flat_map(|it| &it.test_cases);
        let names = tests.map(|test| (test.classname.clone(), test.name.clone()));
        names.collect::<Vec<_>>()
    };
    let mut all = cases();
    let before = names(&all);
    let rejected = all.iter_mut().find(|it| it.outcome == Outcome::WrongReject);
    let rejected = rejected.unwrap();
    rejected.set_apart_by = Some("LABELS".into());
    assert_eq!(rejected.rule(), Some("LABELS"));
    assert_ne!(rejected.rules.first().unwrap(), "LABELS");
    assert_eq!(names(&all), before);
}

#[test]
fn junit_is_xml_whatever_readers_say() {
    let xml = text(|out| junit::render(&[hostile()], out));
    let report = quick_junit::Report::deserialize_from_str(&xml).unwrap();
    assert_eq!(report.failures + report.errors, 5 + 1, "{xml}");
    let tests: usize = report.test_suites.iter().map(|suite| suite.tests).sum();
    assert_eq!(tests, cases().len() + 2 + 2);
    assert!(!xml.contains(['\u{1b}', '\u{0}', '\u{202e}']));
}

#[test]
fn markdown_has_a_table_and_the_first_failures() {
    insta::assert_snapshot!(text(|out| markdown::render(&[story(&cases(), 14)], out)));
}

#[test]
fn markdown_leaves_nothing_to_readers() {
    let page = text(|out| markdown::render(&[hostile()], out));
    let outside: Vec<&str> = page.split("`````").step_by(2).collect();
    for part in &outside {
        assert!(
            !part.contains("<script>") && !part.contains('\u{1b}'),
            "{part}"
        );
    }
    // The text contains a fence, so the enclosing fence must be longer.
    assert!(page.contains("\n```````text\n"), "{page}");
}

#[test]
fn readers_of_several_results_stand_side_by_side() {
    let one = story(&cases(), 14);
    let mut other = one.clone();
    other.run.tool_version = "0.2.0".into();
    other.readers[0].reader.version = Some("1.5.0".into());
    let both = [one, other];
    let page = text(|out| markdown::render(&both, out));
    for row in ["| **my-reader 1.4.0** |", "| **my-reader 1.5.0** |"] {
        assert_eq!(page.matches(row).count(), 1, "{page}");
    }
    assert!(page.contains(", 0.2.0</sub>"), "{page}");
    let xml = text(|out| junit::render(&both, out));
    let report = quick_junit::Report::deserialize_from_str(&xml).unwrap();
    let mut names: Vec<&str> = report.test_suites.iter().map(|s| s.name.as_str()).collect();
    let suites = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), suites, "{names:?}");
    assert!(names.contains(&"my-reader 1.5.0/toy-v1"), "{names:?}");
}

#[test]
fn markdown_fits_into_a_comment() {
    let many: Vec<_> = (0..3000)
        .map(|n| {
            let mut case = case(
                &format!("toy/{n}"),
                &format!("RULE-{n}"),
                Expectation::Accept,
                Outcome::Crash,
            );
            case.detail.as_mut().unwrap().actual = "long ".repeat(2000);
            case
        })
        .collect();
    let mut result = story(&many, 3002);
    result.readers = (0..40).map(|_| result.readers[0].clone()).collect();
    let page = text(|out| markdown::render(&[result], out));
    assert!(page.len() <= 60_000, "{}", page.len());
    assert!(page.contains("and 2990 more"));
    assert!(page.contains("Some results are omitted"));
}

#[test]
fn a_badge_says_it_in_words() {
    let result = story(&cases(), 14);
    insta::assert_snapshot!(badge("toy <reader>", &result.readers[0]));
    assert!(badge("toy", &result.readers[1]).contains(": – skipped"));
}

#[test]
fn code_scanning_gets_its_form() {
    let place = |line: usize| Place {
        file: "formats/my format.yaml".into(),
        line,
        column: 3,
        end_line: line,
        end_column: 9,
    };
    let finding = Finding {
        code: "unknown-key".into(),
        severity: Severity::Error,
        message: "no such key\u{1b}".into(),
        place: place(4),
        related: vec![(place(2), "the type is here".into())],
    };
    let other = Finding {
        code: "rule-unused".into(),
        severity: Severity::Warning,
        related: Vec::new(),
        ..finding.clone()
    };
    insta::assert_snapshot!(text(|out| sarif::render(&[finding, other], "0.1.0", out)));
}

/// Checks a case that tests EVENTS first, although the rule PADDING applies to the member that
/// differs.
#[test]
fn every_report_has_a_wrong_record_under_the_rule_of_what_differs() {
    let wrong = cases().swap_remove(1);
    assert_eq!(wrong.rules, ["EVENTS"]);
    let result = story(&[wrong], 1);
    let heads = |text: &str| -> Vec<String> {
        let lines = text
            .lines()
            .filter_map(|line| line.split_once("about      "));
        lines.map(|(_, rule)| rule.to_owned()).collect()
    };
    let options = terminal::Options {
        rules: terminal::Rules::All,
        ..terminal::Options::default()
    };
    let shown = text(|out| terminal::render(&result, &options, out));
    assert_eq!(heads(&shown), ["PADDING (Header)"], "{shown}");
    assert!(shown.contains("\nPADDING      1 "), "{shown}");
    assert!(!shown.contains("\nEVENTS"), "{shown}");
    for report in [markdown::render, junit::render] {
        let report = text(|out| report(std::slice::from_ref(&result), out));
        assert_eq!(heads(&report), ["PADDING (Header)"], "{report}");
    }
    let page = text(|out| html::render(std::slice::from_ref(&result), "A", &NoCasebook, out));
    let (_, data) = page.split_once("id=\"data\">").unwrap();
    let data = data.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let rules = data["rules"].as_array().unwrap().iter();
    let rules: Vec<&str> = rules.map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(rules, ["PADDING"], "{data:#}");
}
