use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};
use tracegauge_corpus::case::{Expected, ExpectedVerdict};
use tracegauge_decoder::record::{Pair, Record, Value, write_record, write_value};

use super::*;

mod due;
mod left_out;
mod pairs;
mod readings;
mod whole;

fn same(expected: &Value, json: &str) -> bool {
    let json: Json = serde_json::from_str(json).unwrap();
    compare_value(expected, &json).is_ok()
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

#[test]
fn integers_are_numbers_or_decimal_strings_with_all_their_digits() {
    let big = Value::Int((1 << 60) + 1);
    for json in [
        "1152921504606846977",
        "\"1152921504606846977\"",
        "1152921504606846977.0",
        "1152921504606846977e0",
        "115292150460684697.7E+1",
    ] {
        assert!(same(&big, json), "{json}");
    }
    for json in [
        "1152921504606846976",
        "1.152921504606847e18",
        "\"0x1000000000000001\"",
        "null",
    ] {
        assert!(!same(&big, json), "{json}");
    }
    let power = Value::Int(10_i128.pow(18));
    assert!(same(&power, "1e18") && same(&power, "1.0E+18") && !same(&power, "1e19"));
    assert!(!same(&power, "1e999999999999") && !same(&power, "1e-18"));
    let seven = Value::Int(7);
    assert!(same(&seven, "7") && same(&seven, "\"7\"") && same(&seven, "7.0"));
    for json in [
        "\"07\"", "\"+7\"", "\" 7\"", "7.5", "\"7.0\"", "true", "[7]",
    ] {
        assert!(!same(&seven, json), "{json}");
    }
    assert!(same(&Value::Int(0), "-0") && same(&Value::Int(-5), "\"-5\""));
    assert!(same(
        &Value::Int(i128::from(u64::MAX)),
        "18446744073709551615"
    ));
}

#[test]
fn floats_are_equal_after_rounding_to_their_width() {
    let tenth = Value::F32(0.1f32.to_bits());
    for json in ["0.1", "0.10000000149011612", "0.100000001"] {
        assert!(same(&tenth, json), "{json}");
    }
    assert!(!same(&tenth, "0.1000001") && !same(&tenth, "\"0.1\""));
    let tenth = Value::F64(0.1f64.to_bits());
    assert!(same(&tenth, "0.1") && !same(&tenth, "0.10000000149011612"));
    let infinity = Value::F32(f32::INFINITY.to_bits());
    assert!(same(&infinity, "\"Infinity\"") && same(&infinity, "1e39"));
    assert!(!same(&infinity, "\"-Infinity\"") && !same(&infinity, "3e38"));
    let nan = Value::F64(f64::NAN.to_bits());
    assert!(same(&nan, "\"NaN\"") && !same(&nan, "null"));
    for (zero, right, wrong) in [(-0.0_f64, "-0.0", "0.0"), (0.0, "0", "-0")] {
        let (wide, narrow) = (Value::F64(zero.to_bits()), zero as f32);
        let narrow = Value::F32(narrow.to_bits());
        assert!(same(&wide, right) && same(&narrow, right), "{right}");
        assert!(!same(&wide, wrong) && !same(&narrow, wrong), "{wrong}");
    }
    assert!(same(&Value::F64(1e300f64.to_bits()), "1e300"));
}

#[test]
fn guids_are_read_in_upper_case_and_braces() {
    let guid = Value::Guid("0f8fad5b-d9cb-469f-a165-70867728950e".into());
    assert!(same(&guid, "\"0f8fad5b-d9cb-469f-a165-70867728950e\""));
    assert!(same(&guid, "\"{0F8FAD5B-D9CB-469F-A165-70867728950E}\""));
    assert!(!same(&guid, "\"{0f8fad5b-d9cb-469f-a165-70867728950e\""));
    assert!(!same(&guid, "\"0f8fad5bd9cb469fa16570867728950e\""));
}

#[test]
fn enum_members_and_flags_are_names_or_numbers() {
    let member = Value::Enum {
        name: "Read".into(),
        value: 4,
    };
    assert!(same(&member, "\"Read\"") && same(&member, "4"));
    assert!(!same(&member, "\"read\"") && !same(&member, "5"));
    let flags = Value::Flags {
        names: vec!["A".into(), "B".into()],
        rest: 8,
        value: 11,
    };
    for json in ["11", "[\"A\",\"B\",8]", "[8,\"B\",\"A\"]"] {
        assert!(same(&flags, json), "{json}");
    }
    for json in [
        "8",
        "[\"A\",\"B\"]",
        "[\"A\",\"A\",8]",
        "[\"A\",\"B\",8,\"C\"]",
        "\"A\"",
    ] {
        assert!(!same(&flags, json), "{json}");
    }
}

#[test]
fn bytes_are_hex_and_nothing_else() {
    let bytes = Value::Bytes(vec![0xab, 1]);
    assert!(same(&bytes, "{\"hex\":\"ab01\"}") && same(&bytes, "{\"hex\":\"AB01\"}"));
    for json in [
        "\"ab01\"",
        "[171,1]",
        "{\"hex\":\"ab0\"}",
        "{\"hex\":\"ab01\",\"x\":1}",
    ] {
        assert!(!same(&bytes, json), "{json}");
    }
}

#[test]
fn json_inside_is_equal_as_doubles_and_in_any_order() {
    let value = Value::Json(json!({"a": 1, "b": [1e2, null]}));
    assert!(same(&value, "{\"b\":[100,null],\"a\":1.0}"));
    assert!(!same(&value, "{\"a\":1}") && !same(&value, "{\"b\":[100,0],\"a\":1}"));
}

#[test]
fn json_numbers_beyond_all_doubles_are_infinite() {
    let value = Value::Json(serde_json::from_str("[1e400,-1e999]").unwrap());
    assert!(same(&value, "[\"Infinity\",\"-Infinity\"]") && same(&value, "[1e400,-1e400]"));
    assert!(!same(&value, "[\"-Infinity\",\"-Infinity\"]"));
    assert!(!same(&Value::Json(json!([1e300])), "[\"Infinity\"]"));
    assert!(!same(&Value::Json(json!(["Infinity"])), "[1e400]"));
}

fn pair(name: &str, value: Value) -> Pair {
    Pair {
        name: text(name),
        code: None,
        value,
    }
}

#[test]
fn a_difference_says_where_and_what() {
    let value = Value::Object(vec![(
        "fields".into(),
        Value::Pairs(vec![pair(
            "x",
            Value::List(vec![Value::Int(1), Value::Int(2)]),
        )]),
    )]);
    let mismatch = compare_value(&value, &json!({"fields": [["x", [1, 3]]]})).unwrap_err();
    assert_eq!(mismatch.path(), "fields[0].value[1]");
    assert_eq!(
        (mismatch.expected.as_str(), mismatch.actual.as_str()),
        ("2", "3")
    );
    let mismatch = compare_value(&value, &json!({"fields": [["x", [1]]]})).unwrap_err();
    assert_eq!(
        mismatch.actual,
        "the end of the list; expected 2 values, got 1"
    );
    let mismatch = compare_value(&value, &json!({"fields": [["x", [3, 2, 1]]]})).unwrap_err();
    assert_eq!(mismatch.path(), "fields[0].value[0]");
    assert_eq!(mismatch.actual, "3; expected 2 values, got 3");
    let long = compare_value(&text("a"), &json!("ü".repeat(5000))).unwrap_err();
    assert!(long.actual.len() < 450 && long.actual.ends_with("… (10002 bytes)"));
}

#[test]
fn another_shape_is_told_as_such() {
    let pairs = Value::Pairs(vec![pair("a", Value::Int(1))]);
    let value = Value::Object(vec![("fields".into(), pairs)]);
    let told = |json: Json| {
        let mismatch = compare_value(&value, &json).unwrap_err();
        [mismatch.path(), mismatch.expected, mismatch.actual]
    };
    assert_eq!(
        told(json!({"fields": {"a": 1}})),
        [
            "fields",
            "an array of [name, value] pairs: [[\"a\",1]]",
            "an object: {\"a\":1}"
        ]
    );
    assert_eq!(
        told(json!({"fields": [{"name": "a", "value": 1}]})),
        [
            "fields[0]",
            "a pair [name, value]: [\"a\",1]",
            "an object: {\"name\":\"a\",\"value\":1}"
        ]
    );
    let list = Value::List(vec![Value::Int(1)]);
    let mismatch = compare_value(&list, &json!("1")).unwrap_err();
    assert_eq!(
        (mismatch.expected.as_str(), mismatch.actual.as_str()),
        ("an array: [1]", "a string: \"1\"")
    );
}

fn record(kind: &str, members: &[(&str, Value)]) -> Record {
    let members = members
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()));
    Record {
        kind: kind.into(),
        members: members.collect(),
    }
}

fn number(value: i128) -> Record {
    record("event", &[("n", Value::Int(value))])
}

fn expected(alternatives: Vec<Vec<Record>>) -> Expected {
    Expected {
        verdict: ExpectedVerdict::Accept,
        records: alternatives,
        due: None,
        open: false,
        violation: None,
    }
}

fn seen(expected: &Expected, reporting: &Reporting, lines: &[Json]) -> Seen {
    let mut matcher = Matcher::new(expected, "boxes-v1", reporting);
    for line in lines {
        matcher.record(line.as_object().unwrap());
    }
    matcher.finish()
}

fn numbers(values: &[i32]) -> Vec<Json> {
    values
        .iter()
        .map(|n| json!({"record": "event", "n": n}))
        .collect()
}

#[test]
fn left_out_members_are_counted_and_unknown_ones_are_wrong() {
    let whole = record(
        "event",
        &[
            ("name", text("a")),
            ("n", Value::Int(1)),
            ("gone", Value::Absent),
            ("lost", Value::Missing("why".into())),
            ("free", Value::Free),
        ],
    );
    let expected = expected(vec![vec![whole]]);
    let check = |line: Json| seen(&expected, &Reporting::default(), &[line]);
    let result = check(json!({"record": "event", "name": "a"}));
    assert_eq!(result.whole, None);
    assert_eq!((result.tally.seen, result.tally.expected), (1, 2));
    assert_eq!(
        result.tally.left_out.into_iter().collect::<Vec<_>>(),
        ["event.n"]
    );
    let result = check(json!({"record": "event", "n": 1, "gone": null, "lost": null, "free": [3]}));
    assert_eq!(result.whole, None);
    let difference = check(json!({"record": "event", "extra": 1})).whole.unwrap();
    assert_eq!(
        (difference.path.as_str(), difference.expected.as_str()),
        ("extra", "no such member")
    );
    assert_eq!(check(json!({"record": "event", "extra": null})).whole, None);
    let difference = check(json!({"record": "event", "name": "b", "extra": 1}));
    assert_eq!(
        difference.whole.unwrap().path,
        "extra",
        "an unexpected member takes precedence over a wrong value"
    );
    let difference = check(json!({"record": "event", "n": null})).whole.unwrap();
    assert_eq!(difference.path, "n", "null is a wrong value");
    assert!(check(json!({"record": "event", "gone": 0})).whole.is_some());
    let difference = check(json!({"record": "other"})).whole.unwrap();
    assert_eq!(
        (difference.path.as_str(), difference.actual.as_str()),
        ("record", "\"other\"")
    );
}

#[test]
fn a_rejecting_reader_owes_a_prefix_and_an_accepting_one_all() {
    let expected = expected(vec![vec![number(1), number(2), number(3)]]);
    let check = |values: &[i32]| seen(&expected, &Reporting::default(), &numbers(values));
    let whole = check(&[1, 2, 3]);
    assert_eq!((whole.whole, whole.before_fault), (None, None));
    let prefix = check(&[1, 2]);
    assert_eq!(prefix.whole.unwrap().actual, "no further record");
    assert_eq!(prefix.before_fault, None);
    assert_eq!(check(&[1, 3]).before_fault.unwrap().record, 1);
    assert_eq!(
        check(&[1, 2, 3, 4]).whole.unwrap().expected,
        "no further record"
    );
}

#[test]
fn what_was_complete_is_owed_though_the_trace_is_cut() {
    let mut expected = expected(vec![vec![number(1), number(2), number(3)]]);
    expected.due = Some(2);
    let check = |values: &[i32], reporting| seen(&expected, &reporting, &numbers(values));
    let held_back = check(&[1], Reporting::default()).before_fault.unwrap();
    assert_eq!(
        (held_back.record, held_back.actual.as_str()),
        (1, "no further record")
    );
    for right in [&[1, 2][..], &[1, 2, 3]] {
        assert_eq!(check(right, Reporting::default()).before_fault, None);
    }
    let sorts = Reporting {
        order: Order::Time,
        ..Reporting::default()
    };
    assert_eq!(
        check(&[1], sorts).before_fault,
        None,
        "a reader may hold back records"
    );
}

#[test]
fn a_reader_that_sorts_owes_a_subset() {
    let expected = expected(vec![vec![number(1), number(2), number(2), number(3)]]);
    let reporting = Reporting {
        order: Order::Time,
        ..Reporting::default()
    };
    let check = |values: &[i32]| seen(&expected, &reporting, &numbers(values));
    assert_eq!(check(&[3, 2, 1, 2]).whole, None);
    assert_eq!(check(&[3, 2]).before_fault, None);
    assert!(check(&[3, 2]).whole.is_some());
    assert_eq!(
        check(&[3, 3]).before_fault.unwrap().record,
        1,
        "each record is expected only once"
    );
    assert!(check(&[4]).before_fault.is_some());
}

#[test]
fn of_several_right_answers_one_must_fit() {
    let expected = expected(vec![
        vec![number(1), number(2)],
        vec![number(1)],
        vec![number(1), number(9)],
    ]);
    let check = |values: &[i32]| seen(&expected, &Reporting::default(), &numbers(values)).whole;
    assert_eq!(
        (check(&[1]), check(&[1, 2]), check(&[1, 9])),
        (None, None, None)
    );
    assert_eq!(check(&[1, 5]).unwrap().record, 1);
    assert_eq!(check(&[5]).unwrap().record, 0);
}

#[test]
fn nothing_is_compared_after_an_open_end() {
    let mut expected = expected(vec![vec![number(1)]]);
    expected.open = true;
    for order in [Order::File, Order::Time] {
        let reporting = Reporting {
            order,
            ..Reporting::default()
        };
        let check = |values: &[i32]| seen(&expected, &reporting, &numbers(values)).whole;
        assert_eq!((check(&[1]), check(&[1, 7, 8])), (None, None));
        assert!(check(&[]).is_some());
    }
}

#[test]
fn kinds_that_a_reader_omits_are_not_owed() {
    let block = record("block", &[("size", Value::Int(1))]);
    let expected = expected(vec![vec![
        block.clone(),
        number(1),
        block.clone(),
        number(2),
        block,
    ]]);
    for order in [Order::File, Order::Time] {
        let reporting = Reporting {
            order,
            omits: vec![Omission::always("block")],
            ..Reporting::default()
        };
        let result = seen(&expected, &reporting, &numbers(&[1, 2]));
        assert_eq!(result.whole, None);
        assert_eq!((result.tally.seen, result.tally.expected), (2, 5));
    }
    assert!(
        seen(&expected, &Reporting::default(), &numbers(&[1, 2]))
            .whole
            .is_some()
    );
}

#[test]
fn a_case_without_records_expects_none() {
    let none = expected(vec![Vec::new()]);
    let result = seen(&none, &Reporting::default(), &[]);
    assert_eq!((result.whole, result.expected), (None, false));
    assert!(
        seen(&none, &Reporting::default(), &numbers(&[1]))
            .whole
            .is_some()
    );
}

fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Free),
        any::<bool>().prop_map(Value::Bool),
        any::<i128>().prop_map(Value::Int),
        any::<i32>().prop_map(|n| Value::Int(n.into())),
        any::<u32>().prop_map(Value::F32),
        any::<u64>().prop_map(Value::F64),
        ".{0,6}".prop_map(Value::Text),
        any::<Vec<u8>>().prop_map(Value::Bytes),
        any::<Vec<u8>>().prop_map(Value::IllFormed),
        "[a-z]{1,3}".prop_map(Value::Missing),
        ("[A-Z]{1,3}", any::<i64>()).prop_map(|(name, n)| Value::Enum {
            name,
            value: n.into()
        }),
        any::<u64>().prop_map(|rest| Value::Flags {
            names: vec!["A".into()],
            rest,
            value: 0
        }),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        let names = "[a-z]{1,4}";
        let pair = (names, inner.clone()).prop_map(|(name, value)| pair(&name, value));
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec(pair, 0..4).prop_map(Value::Pairs),
            prop::collection::btree_map(names, inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    /// Checks that every value equals its own canonical JSON.
    #[test]
    fn every_value_equals_its_canonical_json(value in any_value()) {
        let mut json = Vec::new();
        write_value(&value, &mut json);
        let json: Json = serde_json::from_slice(&json).unwrap();
        prop_assert_eq!(compare_value(&value, &json), Ok(()));
    }

    /// Checks that a reported integer matches only if it equals the expected one, as a number or as
    /// a string.
    #[test]
    fn another_number_is_never_right(a: i64, b: i64) {
        let json = json!(b);
        prop_assert_eq!(compare_value(&Value::Int(a.into()), &json).is_ok(), a == b);
        let json = json!(b.to_string());
        prop_assert_eq!(compare_value(&Value::Int(a.into()), &json).is_ok(), a == b);
    }

    #[test]
    fn every_record_equals_its_canonical_line(values in prop::collection::vec(any_value(), 0..5)) {
        let members = values.into_iter().enumerate().map(|(i, value)| (format!("m{i}"), value));
        let record = Record { kind: "event".into(), members: members.collect() };
        let mut line = Vec::new();
        write_record(&record, &mut line);
        let line: Map<String, Json> = serde_json::from_slice(&line).unwrap();
        for order in [Order::File, Order::Time] {
            let reporting = Reporting { order, ..Reporting::default() };
            let expected = expected(vec![vec![record.clone()]]);
            let mut matcher = Matcher::new(&expected, "boxes-v1", &reporting);
            matcher.record(&line);
            let seen = matcher.finish();
            prop_assert_eq!(seen.whole, None);
            prop_assert_eq!(seen.tally.seen, seen.tally.expected);
        }
    }
}

#[test]
fn values_that_came_are_the_same_however_they_are_written() {
    for (one, other) in [
        ("5", "\"5\""),
        ("1.50", "1.5"),
        ("18446744073709551615", "\"18446744073709551615\""),
        (r#"{"a":[1,"2"]}"#, r#"{"a":["1",2]}"#),
        (r#"{"missing":"no row 7"}"#, r#"{"missing":"7"}"#),
        ("no further record", "no further record"),
        (r#"{"a":1,"b":[]}"#, r#"{"b":[],"a":1}"#),
        ("1e400", "\"Infinity\""),
        ("4.6013e-41", "4.601303637456969e-41"),
        ("0.1", "0.10000000149011612"),
    ] {
        assert_eq!(canonical_shown(one), canonical_shown(other));
    }
    for (one, other) in [
        ("18446744073709551615", "18446744073709551614"),
        ("true", "1"),
        ("0.1", "0.1000000001"),
        ("[1,2]", "[2,1]"),
        ("[1]", "[1,1]"),
        (r#"{"a":1}"#, r#"{"b":1}"#),
        ("no further record", "{}"),
    ] {
        assert_ne!(canonical_shown(one), canonical_shown(other));
    }
}
