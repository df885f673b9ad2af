//! Tests that failures are traced to causes, and that the causes are ordered from plain to unusual.
#![allow(clippy::unwrap_used)]

mod breakdowns;
mod joining;
mod laws;
mod levels;
mod malformed;
mod naming;
mod signs;

use crate::common::{case, story};
use tracegauge_results::{
    AlignedDifference, CaseResult, Cause, Confidence, Crash, Detail, Difference, Differences,
    Expectation, Outcome, RecordFault, RunResult, Severity, Totals,
};

/// Returns a valid case that tests `rules` and has `departures`.
fn valid(id: &str, departures: &[&str], rules: &[&str], outcome: Outcome) -> CaseResult {
    let mut case = case(id, "", Expectation::Accept, outcome);
    case.departures = owned(departures);
    case.rules = owned(rules);
    case.operator = None;
    case.detail = None;
    case
}

/// Returns a malformed case that violates `rule`.
fn malformed(id: &str, rule: &str, operator: &str, outcome: Outcome) -> CaseResult {
    let mut case = case(id, rule, Expectation::Reject, outcome);
    case.operator = Some(operator.into());
    case.detail = None;
    case.twin = None;
    case
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

/// Adds a wrong member and the rules for it to `case`.
fn differs(
    mut case: CaseResult,
    path: &str,
    [expected, actual]: [&str; 2],
    about: &[&str],
) -> CaseResult {
    case.detail = Some(Box::new(Detail {
        difference: Some(Difference {
            path: path.into(),
            expected: expected.into(),
            actual: actual.into(),
            rules: owned(about),
            ..Difference::default()
        }),
        ..Detail::default()
    }));
    case
}

fn wrong(id: &str, departures: &[&str], rules: &[&str], path: &str, about: &[&str]) -> CaseResult {
    let case = valid(id, departures, rules, Outcome::WrongRecords);
    differs(case, path, ["1", "2"], about)
}

/// Returns a case whose whole answer was compared and differs in these members, each with the rules
/// for it.
fn differs_in(
    id: &str,
    departures: &[&str],
    rules: &[&str],
    members: &[(&str, &[&str])],
) -> CaseResult {
    let (path, about) = members[0];
    let mut case = wrong(id, departures, rules, path, about);
    let list = members.iter().map(|(path, about)| AlignedDifference {
        fault: RecordFault::Value,
        kind: "event".into(),
        difference: Difference {
            path: (*path).into(),
            expected: "1".into(),
            actual: "2".into(),
            rules: owned(about),
            ..Difference::default()
        },
    });
    let differences = Differences {
        count: members.len(),
        is_complete: true,
        list: list.collect(),
    };
    case.detail.as_mut().unwrap().differences = Some(differences);
    case
}

/// Replaces the faults in the records of `case`.
fn with_fault(mut case: CaseResult, fault: RecordFault) -> CaseResult {
    let all = case.detail.as_mut().unwrap().differences.as_mut().unwrap();
    all.list.iter_mut().for_each(|it| it.fault = fault);
    case
}

/// Adds the reader's answer to `case`.
fn says(mut case: CaseResult, actual: &str) -> CaseResult {
    case.detail = Some(Box::new(Detail {
        actual: actual.into(),
        ..Detail::default()
    }));
    case
}

/// Returns a case in which a record of a kind is not reported.
fn lacks(id: &str, kind: &str, rule: &str, fault: RecordFault) -> CaseResult {
    let mut case = with_fault(differs_in(id, &[], &[rule], &[("", &[rule])]), fault);
    case.records = 2;
    let all = case.detail.as_mut().unwrap().differences.as_mut().unwrap();
    all.list[0].kind = kind.to_owned();
    case
}

fn crash(kind: &str, frame: Option<&str>) -> Crash {
    Crash {
        runtime: "Python".into(),
        kind: kind.into(),
        access: None,
        near_null: false,
        severity: Severity::NotExploitable,
        frames: frame.into_iter().map(str::to_owned).collect(),
    }
}

fn crashes(mut case: CaseResult, kind: &str, frame: Option<&str>) -> CaseResult {
    case.detail = Some(Box::new(Detail {
        crash: Some(crash(kind, frame)),
        ..Detail::default()
    }));
    case
}

fn result(cases: &[CaseResult]) -> RunResult {
    let mut result = story(cases, cases.len());
    result.readers.truncate(1);
    let reader = &mut result.readers[0];
    reader.tail.not_run = Default::default();
    reader.totals = Totals::of(cases.len(), 0, cases);
    result
}

fn causes(cases: &[CaseResult]) -> Vec<Cause> {
    let result = result(cases);
    result.readers[0].causes.clone()
}

/// Returns the only cause of the failures in `cases`.
fn cause(cases: &[CaseResult]) -> Cause {
    let causes = causes(cases);
    assert_eq!(causes.len(), 1, "{causes:#?}");
    causes[0].clone()
}

fn one_of(names: &[&str]) -> Confidence {
    Confidence::OneOf(owned(names))
}

const PASS: Outcome = Outcome::Pass;

const REJECT: Outcome = Outcome::WrongReject;

const ACCEPT: Outcome = Outcome::WrongAccept;
