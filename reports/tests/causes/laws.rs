//! Tests properties that hold for the causes of any set of cases.

use std::collections::BTreeSet;

use super::{causes, crash, differs, owned, result, valid};
use proptest::prelude::*;
use tracegauge_reports::merge::merge;
use tracegauge_results::{
    AlignedDifference, CaseResult, Difference, Differences, Expectation, Impact, Outcome,
    RecordFault, RunResult,
};

fn names(
    choices: &'static [&'static str],
    most: usize,
) -> impl Strategy<Value = Vec<&'static str>> {
    prop::sample::subsequence(choices, 0..=most)
}

fn any_case() -> impl Strategy<Value = CaseResult> {
    let outcome = prop::sample::select(Outcome::ALL.to_vec());
    let expected = prop::sample::select(vec![
        Expectation::Accept,
        Expectation::Accept,
        Expectation::Reject,
        Expectation::Either,
    ]);
    let path = prop::sample::select(vec!["", "record", "time", "values[1].value"]);
    let frame = prop::option::of(prop::sample::select(vec!["parse", "skip"]));
    let about = names(&["R1", "R2", "R3"], 2);
    let names = (
        names(&["D1", "D2", "D3", "R4"], 3),
        names(&["R1", "R2", "R3", "R4"], 4),
    );
    let twin = prop::option::of(0usize..12);
    let fault = prop::sample::select(vec![
        RecordFault::Value,
        RecordFault::Element,
        RecordFault::Missing,
        RecordFault::MissingTail,
        RecordFault::Order,
    ]);
    let place = prop::sample::select(vec!["time", "name", "values[1].value"]);
    let more = prop::collection::vec((place, fault), 0..4);
    let all = (outcome, expected, names, path, frame, about, twin, more);
    all.prop_map(
        |(outcome, expected, (departures, rules), path, frame, about, twin, more)| {
            let mut case = valid("", &departures, &rules, outcome);
            case = differs(case, path, ["1", "2"], &about);
            case.expected = expected;
            case.operator = Some(format!("operator-{}", rules.len()));
            case.twin = twin.map(|twin| format!("toy/{twin:02}"));
            case.format = format!("toy-v{}", 1 + departures.len() / 3);
            let detail = case.detail.as_mut().unwrap();
            detail.crash = (outcome == Outcome::Crash).then(|| crash("IndexError", frame));
            let list: Vec<AlignedDifference> = more
                .into_iter()
                .map(|(path, fault)| AlignedDifference {
                    fault,
                    kind: "event".into(),
                    difference: Difference {
                        path: path.into(),
                        rules: owned(&about),
                        ..Difference::default()
                    },
                })
                .collect();
            if outcome == Outcome::WrongRecords && !list.is_empty() {
                detail.differences = Some(Differences {
                    count: list.len(),
                    is_complete: list.len() % 2 == 1,
                    list,
                });
            }
            case
        },
    )
}

fn any_cases() -> impl Strategy<Value = Vec<CaseResult>> {
    let cases = prop::collection::vec(any_case(), 0..24);
    cases.prop_map(|mut cases| {
        for (number, case) in cases.iter_mut().enumerate() {
            case.case = format!("toy/{number:02}");
        }
        cases
    })
}

/// Returns the key that sorts cases from plain to unusual: valid ones first, then those with few
/// departures.
fn level(case: &CaseResult) -> (bool, usize) {
    (case.expected == Expectation::Reject, case.departures.len())
}

proptest! {
    #[test]
    fn every_failure_has_a_cause_whose_simplest_case_is_its_plainest(cases in any_cases()) {
        let found = causes(&cases);
        let failing = cases.iter().filter(|case| case.fails_the_run());
        let failing: BTreeSet<&str> = failing.map(|case| case.case.as_str()).collect();
        let listed: Vec<&str> =
            found.iter().flat_map(|it| &it.cases).map(String::as_str).collect();
        prop_assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), failing);
        let case_of = |id: &str| cases.iter().find(|case| case.case == id).unwrap();
        for cause in &found {
            prop_assert_eq!(&cause.simplest, &cause.cases[0]);
            let simplest = case_of(&cause.simplest);
            prop_assert_eq!(&simplest.departures, &cause.departures);
            prop_assert!(cause.alone <= cause.cases.len());
            let distinct: BTreeSet<&String> = cause.cases.iter().collect();
            prop_assert_eq!(distinct.len(), cause.cases.len());
            for id in &cause.cases {
                prop_assert!(level(simplest) <= level(case_of(id)));
                prop_assert_eq!(&case_of(id).format, &cause.format);
            }
        }
        prop_assert!(found.is_sorted_by_key(|cause| cause.impact));
    }

    /// Checks that a feature does not occur in a case that the reader reads correctly, because such
    /// a feature could not be the reason for the failures.
    #[test]
    fn no_passing_case_contains_a_feature(cases in any_cases()) {
        for cause in causes(&cases) {
            let is_valid = !matches!(cause.impact, Impact::Malformed | Impact::Accepts);
            let read = cases.iter().filter(|case| {
                case.expected == Expectation::Accept
                    && case.outcome == Outcome::Pass
                    && case.format == cause.format
            });
            for case in read.filter(|_| is_valid && !cause.feature.is_empty()) {
                let has = |name| case.departures.contains(name) || case.rules.contains(name);
                prop_assert!(!cause.feature.iter().all(has), "{:?} {:?}", cause, case);
            }
        }
    }

    #[test]
    fn order_and_shards_change_nothing(
        cases in any_cases(),
        seed in any::<prop::sample::Index>(),
        choice in prop::collection::vec(0usize..3, 24),
    ) {
        let wanted = causes(&cases);
        let mut moved = cases.clone();
        if !moved.is_empty() {
            let turn = seed.index(moved.len());
            moved.rotate_left(turn);
            moved.reverse();
        }
        prop_assert_eq!(&causes(&moved), &wanted);
        let shards: Vec<RunResult> = (0..3)
            .map(|shard| {
                let own = cases.iter().zip(&choice).filter(|(_, at)| **at == shard);
                let own: Vec<CaseResult> = own.map(|(case, _)| case.clone()).collect();
                let mut part = result(&own);
                part.run.selection.shard = Some(format!("{}/3", shard + 1));
                part
            })
            .collect();
        prop_assert_eq!(&merge(&shards).unwrap().readers[0].causes, &wanted);
    }
}
