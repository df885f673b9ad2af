//! Tests for members that a reader omits.

use tracegauge_protocol::reader_file::When;

use super::*;

/// Returns the first difference for a reader that declares that it reports records.
fn held(expected: &Expected, omits: &[Omission], lines: &[Json]) -> Option<Difference> {
    let reporting = Reporting {
        omits: omits.to_vec(),
        ..Reporting::default()
    };
    let mut seen = seen(expected, &reporting, lines);
    seen.hold(|_| true);
    seen.whole
}

fn when_empty(name: &str) -> Omission {
    Omission {
        when: When::Empty,
        ..Omission::always(name)
    }
}

#[test]
fn a_member_that_is_left_out_is_wrong_unless_it_is_declared() {
    let event = |name: &str| record("event", &[("n", Value::Int(7)), ("name", text(name))]);
    let expected = expected(vec![vec![event("a"), event("")]]);
    let with = |name: &str| json!({"record": "event", "n": 7, "name": name});
    let without = json!({"record": "event", "n": 7});
    let check = |omits: &[Omission], lines: &[Json]| {
        let difference = held(&expected, omits, lines)?;
        assert_eq!(difference.actual, "no such member");
        assert_eq!(difference.owed, Some(difference.record));
        Some((difference.record, difference.path, difference.expected))
    };
    let [first, second] = [(0, "\"a\""), (1, "\"\"")]
        .map(|(record, name)| Some((record, "name".to_owned(), name.to_owned())));
    let none = [without.clone(), without.clone()];
    let if_empty = [with("a"), without.clone()];
    assert_eq!(check(&[], &none), first);
    assert_eq!(check(&[], &if_empty), second);
    assert_eq!(check(&[when_empty("event.name")], &none), first);
    assert_eq!(check(&[when_empty("event.name")], &if_empty), None);
    assert_eq!(check(&[Omission::always("event.name")], &none), None);
    assert_eq!(check(&[Omission::always("event.names")], &none), first);
    let elsewhere = Omission {
        formats: vec!["bags".to_owned()],
        ..Omission::always("event.name")
    };
    assert_eq!(check(std::slice::from_ref(&elsewhere), &none), first);
    let here = Omission {
        formats: vec!["boxes".to_owned()],
        ..elsewhere
    };
    assert_eq!(check(&[here], &none), None);
    let wrong = [without, json!({"record": "event", "n": 8, "name": ""})];
    let difference = held(&expected, &[], &wrong).unwrap();
    assert_eq!(
        (difference.record, difference.path.as_str()),
        (1, "n"),
        "a wrong value takes precedence over a missing member"
    );
}

#[test]
fn what_is_left_out_deep_inside_is_told_with_its_way() {
    let part = |size: i128| Value::Object(vec![("size".into(), Value::Int(size))]);
    let pair = Pair {
        name: text("p"),
        code: None,
        value: part(5),
    };
    let whole = record(
        "event",
        &[
            ("parts", Value::List(vec![part(1), part(2)])),
            ("fields", Value::Pairs(vec![pair])),
        ],
    );
    let expected = expected(vec![vec![whole]]);
    let check = |parts: Json, value: Json, omits: &[Omission]| {
        let line = json!({"record": "event", "parts": parts, "fields": [["p", value]]});
        held(&expected, omits, &[line]).map(|difference| difference.path)
    };
    let (parts, lacking) = (json!([{"size": 1}, {"size": 2}]), json!([{"size": 1}, {}]));
    let (value, empty) = (json!({"size": 5}), json!({}));
    assert_eq!(check(parts.clone(), value.clone(), &[]), None);
    let path = |path: &str| Some(path.to_owned());
    assert_eq!(
        check(lacking.clone(), value.clone(), &[]),
        path("parts[1].size")
    );
    assert_eq!(check(parts, empty, &[]), path("fields[0].value.size"));
    for declared in ["event.parts[].size", "event.parts", "event"] {
        let omits = [Omission::always(declared)];
        assert_eq!(check(lacking.clone(), value.clone(), &omits), None);
    }
}

/// Checks a reader that sorts records by time. The two expected records differ only in a member
/// that may be omitted when it is empty.
#[test]
fn by_time_a_record_is_the_one_that_it_leaves_nothing_out_of() {
    let event = |name: &str| record("event", &[("name", text(name))]);
    let expected = expected(vec![vec![event("a"), event("")]]);
    let reporting = Reporting {
        order: Order::Time,
        omits: vec![when_empty("event.name")],
        ..Reporting::default()
    };
    let lines = [
        json!({"record": "event"}),
        json!({"record": "event", "name": "a"}),
    ];
    let mut seen = seen(&expected, &reporting, &lines);
    seen.hold(|_| true);
    assert_eq!(seen.whole, None);
}

#[test]
fn empty_is_what_writers_of_json_leave_out_by_themselves() {
    let is_empty = |value: Value| {
        let expected = expected(vec![vec![record("event", &[("n", value)])]]);
        let line = json!({"record": "event"});
        held(&expected, &[when_empty("event.n")], &[line]).is_none()
    };
    let flags = |value| Value::Flags {
        names: Vec::new(),
        rest: value,
        value,
    };
    for empty in [
        text(""),
        Value::Bytes(Vec::new()),
        Value::List(Vec::new()),
        Value::Pairs(Vec::new()),
        Value::Int(0),
        Value::Bool(false),
        Value::F64(0),
        flags(0),
    ] {
        assert!(is_empty(empty.clone()), "{empty:?}");
    }
    for full in [
        text("0"),
        Value::Int(-1),
        Value::Bool(true),
        Value::F64((-0.0_f64).to_bits()),
        Value::List(vec![Value::Absent]),
        flags(8),
        Value::Enum {
            name: "None".into(),
            value: 0,
        },
    ] {
        assert!(!is_empty(full.clone()), "{full:?}");
    }
}
