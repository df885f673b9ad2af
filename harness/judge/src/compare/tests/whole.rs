//! Tests for the comparison of complete answers.

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use tracegauge_decoder::record::{Record, Value};
use tracegauge_protocol::reader_file::{Omission, Order};
use tracegauge_results::Differences;
use tracegauge_results::RecordFault as Fault;

use super::{expected, number, numbers, record, text};
use crate::compare::{Matcher, Reporting};

fn whole(records: Vec<Record>, lines: &[Json], reporting: &Reporting) -> Option<Differences> {
    let expected = expected(vec![records]);
    let mut matcher = Matcher::new(&expected, "boxes-v1", reporting).whole();
    for line in lines {
        matcher.record(line.as_object().unwrap());
    }
    let seen = matcher.finish();
    assert_eq!(seen.whole.is_some(), seen.differences.is_some());
    seen.differences
}

/// Compares numbers, and returns the faults with the indexes of the expected or reported records.
fn faults(expected: &[i32], reported: &[i32]) -> Vec<(Fault, usize)> {
    let records = expected.iter().map(|n| number((*n).into())).collect();
    let all = whole(records, &numbers(reported), &Reporting::default()).unwrap_or_default();
    let list = all.list.iter();
    let place = |it: &tracegauge_results::Difference| it.owed.unwrap_or(it.record);
    list.map(|it| (it.fault, place(&it.difference))).collect()
}

#[test]
fn records_are_aligned() {
    let all = [1, 2, 3, 4, 5, 6, 7, 8];
    assert_eq!(faults(&all, &all), []);
    assert_eq!(faults(&all, &[1, 2, 4, 5, 6, 7, 8]), [(Fault::Missing, 2)]);
    assert_eq!(
        faults(&all, &[1, 2, 3, 9, 4, 5, 6, 7, 8]),
        [(Fault::Extra, 3)]
    );
    assert_eq!(
        faults(&all, &[1, 2, 2, 3, 4, 5, 6, 7, 8]),
        [(Fault::Duplicate, 2)]
    );
    assert_eq!(faults(&all, &[1, 2, 3, 4, 5, 6, 9, 8]), [(Fault::Value, 6)]);
    assert_eq!(faults(&all, &[1, 3, 3, 4, 5, 6, 7, 8]), [(Fault::Value, 1)]);
    assert_eq!(faults(&all, &[2, 3, 4, 5, 1, 6, 7, 8]), [(Fault::Order, 0)]);
    assert_eq!(
        faults(&all, &[1, 2, 3, 4, 5, 6]),
        [(Fault::MissingTail, 6), (Fault::MissingTail, 7)]
    );
    assert_eq!(
        faults(&all, &[2, 9, 4, 5, 6, 7]),
        [
            (Fault::Missing, 0),
            (Fault::Value, 2),
            (Fault::MissingTail, 7)
        ]
    );
    assert_eq!(
        faults(&all, &[1, 2, 3, 4, 5, 6, 7, 8, 9]),
        [(Fault::Extra, 8)]
    );
    assert_eq!(faults(&[1, 2], &[2, 1]), [(Fault::Order, 0)]);
}

fn event(n: i128, time: i128, name: &str) -> Record {
    let members = [
        ("n", Value::Int(n)),
        ("time", Value::Int(time)),
        ("name", text(name)),
    ];
    record("event", &members)
}

#[test]
fn a_member_that_is_wrong_everywhere_does_not_hide_others() {
    let records: Vec<Record> = (0..20).map(|n| event(n, n * 10, "a")).collect();
    let line = |n: i32| json!({"record": "event", "n": n, "time": n * 10 + 1, "name": "a"});
    let mut lines: Vec<Json> = (0..20).map(line).collect();
    lines[7]["name"] = json!("b");
    lines.remove(12);
    let all = whole(records, &lines, &Reporting::default()).unwrap();
    assert!(all.is_complete);
    assert_eq!(all.count, 19 + 1 + 1);
    let others: Vec<(&str, Fault, Option<usize>)> = all
        .list
        .iter()
        .filter(|it| it.difference.path != "time")
        .map(|it| (&*it.difference.path, it.fault, it.difference.owed))
        .collect();
    assert_eq!(
        others,
        [
            ("name", Fault::Value, Some(7)),
            ("", Fault::Missing, Some(12))
        ]
    );
    let times = all.list.iter().filter(|it| it.difference.path == "time");
    assert_eq!(times.count(), 4, "differences that are alike are counted");
}

/// Checks that surplus records are recognized even if they have the kind and nearly the same
/// members as the expected records.
#[test]
fn an_equal_record_is_preferred_to_a_similar_one() {
    let records = vec![event(1, 10, "a"), event(1, 10, "b")];
    let line = |name: &str| json!({"record": "event", "n": 1, "time": 10, "name": name});
    let lines = ["define", "define", "a", "define", "b"].map(line);
    let all = whole(records, &lines, &Reporting::default()).unwrap();
    let faults: Vec<(Fault, usize)> = all
        .list
        .iter()
        .map(|it| (it.fault, it.difference.record))
        .collect();
    assert!(
        faults
            .iter()
            .all(|(fault, _)| matches!(fault, Fault::Extra | Fault::Duplicate)),
        "{faults:?}"
    );
}

#[test]
fn all_values_in_lists_are_compared() {
    let list = Value::List((1..=5).map(Value::Int).collect());
    let records = vec![record("event", &[("list", list), ("n", Value::Int(1))])];
    let line = json!({"record": "event", "list": [1, 9, 3, 9, 5], "n": 2, "more": 3});
    let all = whole(records.clone(), &[line], &Reporting::default()).unwrap();
    let places: Vec<(&str, Fault)> = all
        .list
        .iter()
        .map(|it| (&*it.difference.path, it.fault))
        .collect();
    assert_eq!(
        places,
        [
            ("list[1]", Fault::Element),
            ("list[3]", Fault::Element),
            ("n", Fault::Value),
            ("more", Fault::Surplus)
        ]
    );
    let line = json!({"record": "event", "list": [1, 2, 3], "n": 1});
    let all = whole(records, &[line], &Reporting::default()).unwrap();
    assert_eq!(all.count, 1);
    assert_eq!(
        all.list[0].difference.actual,
        "the end of the list; expected 5 values, got 3"
    );
}

#[test]
fn what_a_reader_does_not_report_is_no_difference() {
    let block = record("block", &[("size", Value::Int(1))]);
    let records = vec![block.clone(), event(1, 1, ""), block, event(2, 2, "b")];
    let reporting = Reporting {
        omits: vec![Omission::always("block"), Omission::always("event.name")],
        ..Reporting::default()
    };
    let lines = [
        json!({"record": "event", "n": 9, "time": 1}),
        json!({"record": "event", "n": 2, "time": 2}),
    ];
    let all = whole(records, &lines, &reporting).unwrap();
    assert_eq!((all.count, all.list.len()), (1, 1), "{all:?}");
    assert_eq!(all.list[0].difference.path, "n");
}

#[test]
fn a_reader_that_sorts_is_compared_as_a_whole() {
    let reporting = Reporting {
        order: Order::Time,
        ..Reporting::default()
    };
    let records: Vec<Record> = (0..6).map(|n| event(n, n * 10, "a")).collect();
    let line =
        |n: i32, name: &str| json!({"record": "event", "n": n, "time": n * 10, "name": name});
    let lines = [line(5, "a"), line(3, "b"), line(1, "a"), line(0, "a")];
    let all = whole(records, &lines, &reporting).unwrap();
    let found: Vec<(Fault, &str, Option<usize>)> = all
        .list
        .iter()
        .map(|it| (it.fault, &*it.difference.path, it.difference.owed))
        .collect();
    assert_eq!(
        found,
        [
            (Fault::Value, "name", Some(3)),
            (Fault::Missing, "", Some(2)),
            (Fault::Missing, "", Some(4))
        ]
    );
}

/// Checks that the number of comparisons is proportional to the number of records, whatever the
/// reader reports.
#[test]
fn large_answers_are_compared_in_linear_time() {
    let count = 20_000;
    let records: Vec<Record> = (0..count).map(|n| event(n, n, "a")).collect();
    let line = |n: i128| json!({"record": "event", "n": n, "time": 0, "name": "b"});
    let reversed: Vec<Json> = (0..count).rev().map(line).collect();
    let nothing: Vec<Json> = (0..count).map(|n| line(-n - 1)).collect();
    let began = std::time::Instant::now();
    for lines in [reversed, nothing] {
        let all = whole(records.clone(), &lines, &Reporting::default()).unwrap();
        assert!(all.list.len() <= 64, "{}", all.list.len());
    }
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}

fn few(count: usize) -> impl Strategy<Value = Vec<usize>> {
    prop::collection::btree_set(0..count, 0..12).prop_map(|set| set.into_iter().collect())
}

proptest! {
    /// Checks that after removing any records, exactly the removed records are reported as missing.
    #[test]
    fn removed_records_are_missing(removed in few(40)) {
        let all: Vec<i32> = (0..40).collect();
        let is_left = |n: &i32| !removed.iter().any(|it| *it as i32 == *n);
        let left: Vec<i32> = all.iter().copied().filter(is_left).collect();
        let found = whole(
            all.iter().map(|n| number((*n).into())).collect(),
            &numbers(&left),
            &Reporting::default(),
        );
        let found = found.unwrap_or_else(|| Differences { is_complete: true, ..Differences::default() });
        prop_assert!(found.is_complete);
        prop_assert_eq!(found.count, removed.len());
        let is_removed = |it: &tracegauge_results::AlignedDifference| {
            let owed = it.difference.owed.unwrap();
            matches!(it.fault, Fault::Missing | Fault::MissingTail) && removed.contains(&owed)
        };
        let all_are_removed = found.list.iter().all(is_removed);
        prop_assert!(all_are_removed);
    }

    /// Checks that after adding records anywhere, the added records are the only differences.
    #[test]
    fn added_records_are_extra(places in few(40)) {
        let all: Vec<i32> = (0..40).collect();
        let mut lines = all.clone();
        for (number, place) in places.iter().enumerate().rev() {
            lines.insert(*place, 1000 + number as i32);
        }
        let found = faults(&all, &lines);
        prop_assert!(found.iter().all(|(fault, _)| *fault == Fault::Extra), "{:?}", found);
        prop_assert_eq!(found.is_empty(), places.is_empty());
    }

    /// Checks that a differing record is never treated as correct, and that the first difference is
    /// unchanged.
    #[test]
    fn there_is_a_difference_if_and_only_if_the_answers_differ(
        some in prop::collection::vec(0_i32..4, 0..12),
        others in prop::collection::vec(0_i32..4, 0..12),
    ) {
        prop_assert_eq!(faults(&some, &others).is_empty(), some == others);
    }
}

/// Checks an array of code units that may also be reported as text. A mistake elsewhere in the
/// record must not make the other representation look like a second mistake.
#[test]
fn of_several_allowed_answers_the_most_similar_one_is_compared() {
    let units = Value::List(vec![Value::Int(101), Value::Int(102)]);
    let one = |units: Value| vec![record("event", &[("n", Value::Int(1)), ("units", units)])];
    for alternatives in [
        vec![one(text("ef")), one(units.clone())],
        vec![one(units), one(text("ef"))],
    ] {
        let expected = expected(alternatives);
        for units in [json!("ef"), json!([101, 102])] {
            let reporting = Reporting::default();
            let mut matcher = Matcher::new(&expected, "boxes-v1", &reporting).whole();
            let line = json!({"record": "event", "n": 2, "units": units});
            matcher.record(line.as_object().unwrap());
            let all = matcher.finish().differences.unwrap();
            let paths: Vec<&str> = all.list.iter().map(|it| &*it.difference.path).collect();
            assert_eq!(paths, ["n"], "{units}");
        }
    }
}
