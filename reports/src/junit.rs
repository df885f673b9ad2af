//! The JUnit XML report for CI servers, with a suite for each reader and format and a test for each
//! case.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};
use tracegauge_results::text::visible;
use tracegauge_results::{
    CaseResult, Cause, Outcome, ReaderResult, ReaderState, RunResult, Standing,
};

use crate::account::{Line, account, place};
use crate::causes::REMEMBERS;
use crate::columns::columns;

/// Writes `results` to `out` as JUnit XML. If several results contain readers with the same name, a
/// version or a number is appended to the names of the later readers.
///
/// The `type` attribute of a failure names its outcome and its cause, so that CI servers can group
/// failures by cause. All causes of a failure are listed as properties of the test.
///
/// A known failure, or another failure that does not fail the run, becomes a skipped test with a
/// reason. Wrong entries in a reader's baseline are failures, and cases that did not run are an
/// error, so the report fails whenever the run does.
///
/// # Errors
/// Returns an error if `out` cannot be written to.
pub fn render(results: &[RunResult], out: &mut dyn Write) -> io::Result<()> {
    let mut report = Report::new("tracegauge");
    for column in columns(results) {
        report.add_test_suites(suites(column.result, column.reader, &column.name));
    }
    report.serialize(out).map_err(io::Error::other)
}

fn suites(result: &RunResult, reader: &ReaderResult, name: &str) -> Vec<TestSuite> {
    let mut formats: BTreeMap<&str, Vec<&CaseResult>> = BTreeMap::new();
    for case in &reader.cases {
        formats.entry(&case.format).or_default().push(case);
    }
    let mut suites: Vec<TestSuite> = formats
        .into_iter()
        .map(|(format, cases)| {
            let mut suite = TestSuite::new(format!("{name}/{format}"));
            let test = |case: &CaseResult| test(result, name, case, causes_of(reader, case));
            suite.add_test_cases(cases.into_iter().map(test));
            suite
        })
        .collect();
    let about = about_the_run(reader, name);
    if !about.is_empty() || suites.is_empty() {
        let mut suite = TestSuite::new(name);
        suite.add_test_cases(about);
        suites.push(suite);
    }
    if let Some(first) = suites.first_mut()
        && reader.tail.seconds.is_finite()
    {
        first.set_time(Duration::from_secs_f64(reader.tail.seconds.max(0.0)));
    }
    suites
}

/// Returns the causes that a failing case belongs to, most important first.
fn causes_of<'r>(reader: &'r ReaderResult, case: &CaseResult) -> Vec<&'r Cause> {
    if !case.fails_the_run() {
        return Vec::new();
    }
    let causes = reader.causes.iter();
    causes.filter(|it| it.cases.contains(&case.case)).collect()
}

fn test(result: &RunResult, reader: &str, case: &CaseResult, causes: Vec<&Cause>) -> TestCase {
    let headlines = causes.iter().map(|it| visible(&it.headline).into_owned());
    let headlines: Vec<String> = headlines.collect();
    let mut status = status(result, case);
    // CI servers group failures by their type.
    if let Some(first) = headlines.first() {
        status.set_type(format!("{}: {first}", case.outcome));
    }
    let mut test = TestCase::new(visible(&case.case), status);
    for cause in &headlines {
        test.add_property(Property::new("cause", cause.as_str()));
    }
    // The name of a test must not depend on the reader's behavior, because CI servers track tests
    // by name.
    let rule = case.rules.first().map_or("no rule", String::as_str);
    test.set_classname(format!("{reader}.{}.{}", case.format, visible(rule)));
    if let Some(seconds) = case.seconds.filter(|seconds| seconds.is_finite()) {
        // Most cases take less than a millisecond, the precision to which the JUnit writer would
        // round.
        let seconds = format!("{:.6}", seconds.max(0.0));
        test.extra.insert("time".into(), seconds.into());
    }
    test
}

fn status(result: &RunResult, case: &CaseResult) -> TestCaseStatus {
    let mut status = match case.outcome {
        Outcome::Pass => return TestCaseStatus::success(),
        Outcome::Unsupported => {
            let mut status = TestCaseStatus::skipped();
            status.set_message("unsupported, as declared in the reader file");
            return status;
        }
        outcome => match excuse(case) {
            Some(excuse) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(format!("{outcome}; {excuse}"));
                status
            }
            None => {
                let kind = if outcome.is_breakdown() {
                    NonSuccessKind::Error
                } else {
                    NonSuccessKind::Failure
                };
                let mut status = TestCaseStatus::non_success(kind);
                status.set_message(format!("{outcome}: {}", visible(&in_short(case))));
                status.set_type(outcome.to_string());
                status
            }
        },
    };
    status.set_description(described(&account(&result.run.rules, case)));
    status
}

/// Summarizes the expected and the actual result in one line.
fn in_short(case: &CaseResult) -> String {
    let Some(detail) = &case.detail else {
        return String::new();
    };
    let difference = detail.difference.as_ref();
    match difference.filter(|_| case.outcome == Outcome::WrongRecords) {
        Some(difference) => {
            let rule = case.about_difference().first();
            let rule = rule.map_or_else(String::new, |rule| format!("{rule}, "));
            let (place, expected) = (place(difference), &difference.expected);
            format!(
                "{rule}{place}: expected {expected}, got {}",
                difference.actual
            )
        }
        None => format!("expected {}, got {}", detail.expected, detail.actual),
    }
}

/// Returns the reason why a failure does not fail the run.
fn excuse(case: &CaseResult) -> Option<String> {
    if let Some(known) = &case.known {
        return Some(format!("known: {}", visible(known)));
    }
    let words = match case.standing {
        Standing::Counts => return None,
        Standing::Warning => "violates a recommendation: a warning",
        Standing::Disputed => "disputed: not counted",
        Standing::NotJudged => "judged only with --strict",
    };
    Some(words.to_owned())
}

fn described(lines: &[Line]) -> String {
    let texts: Vec<String> = lines
        .iter()
        .map(|line| {
            format!("{:10} {}", line.label, line.text)
                .trim_end()
                .to_owned()
        })
        .collect();
    texts.join("\n")
}

/// Returns the tests for problems that concern the reader's run as a whole rather than a single
/// case.
fn about_the_run(reader: &ReaderResult, name: &str) -> Vec<TestCase> {
    let mut tests = Vec::new();
    let mut add = |what: &str, mut status: TestCaseStatus, message: &str| {
        status.set_message(visible(message));
        let mut test = TestCase::new(what, status);
        test.set_classname(name);
        tests.push(test);
    };
    let failure = || TestCaseStatus::non_success(NonSuccessKind::Failure);
    let error = || TestCaseStatus::non_success(NonSuccessKind::Error);
    match &reader.state {
        ReaderState::Ran => {}
        ReaderState::Skipped(why) => add("the reader runs", TestCaseStatus::skipped(), why),
        ReaderState::Failed(why) => add("the reader runs", error(), why),
    }
    if reader.tail.not_run.cases > 0 {
        let why = reader
            .tail
            .not_run
            .why
            .as_deref()
            .unwrap_or("unknown reason");
        let message = match reader.tail.not_run.cases {
            1 => format!("1 case was not run: {why}"),
            cases => format!("{cases} cases were not run: {why}"),
        };
        add("every case runs", error(), &message);
    }
    if !reader.totals.add_up() {
        add(
            "the totals add up",
            error(),
            "results were lost; this is a bug in tracegauge",
        );
    }
    for crash in &reader.tail.crashes {
        add("every crash is caused by a case", failure(), crash);
    }
    if reader.only_remembers() {
        add("the reader keeps no state", failure(), REMEMBERS);
    }
    let differ = reader.tail.repeated.iter().flat_map(|it| &it.differ);
    for found in differ.filter(|it| it.fails) {
        let message = format!("{}: {}; again: {}", found.case, found.first, found.again);
        add("every answer is repeatable", failure(), &message);
    }
    if reader.accepts_nothing() {
        let message = "the reader accepted no traces, so its rejections prove nothing";
        add("the reader accepts a trace", failure(), message);
    }
    for summary in reader.no_better_than_chance() {
        let message = format!(
            "the verdicts for {} are no better than chance, so the passes prove nothing",
            summary.format
        );
        add("the verdicts are better than chance", failure(), &message);
    }
    for summary in reader.accepts_too_few() {
        let message = format!(
            "{} of the {} valid traces of {} were accepted with correct records",
            summary.accepted, summary.valid, summary.format
        );
        add(
            "the reader accepts at least half of the valid traces",
            failure(),
            &message,
        );
    }
    for problem in &reader.tail.baseline_problems {
        add("the baseline is correct", failure(), &problem.to_string());
    }
    tests
}
