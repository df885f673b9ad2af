//! Tests that a tolerated fault discards neither earlier values nor the element around it.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use tracegauge_decoder::decode;
use tracegauge_decoder::record::{Record, Value};
use tracegauge_decoder::verdict::{Judgement, Verdict};
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

fn read(description: &str, bytes: &[u8]) -> (Verdict, Vec<Record>) {
    let loaded = load(
        &Memory::new().with("format.yaml", description),
        "format.yaml",
    );
    let schema = Arc::new(loaded.schema.unwrap());
    let plan = lower(&schema, &schema.dialects[0].id).unwrap();
    decode(&plan, bytes)
}

/// Returns the members of each record of an accepted trace.
fn accepted(description: &str, bytes: &[u8]) -> Vec<Vec<(String, Value)>> {
    let (verdict, records) = read(description, bytes);
    assert_eq!(verdict.judgement, Judgement::Accepted, "{verdict:?}");
    records.into_iter().map(|record| record.members).collect()
}

/// Returns the numbers of records that consist of a single number.
fn numbers(records: &[Vec<(String, Value)>]) -> Vec<i128> {
    let number = |members: &Vec<(String, Value)>| match members.as_slice() {
        [(_, Value::Int(number))] => *number,
        other => panic!("{other:?}"),
    };
    records.iter().map(number).collect()
}

/// Returns the description of a list whose last element may be missing. `continues` is a key of the
/// rule that allows this.
fn missing_end(continues: &str) -> String {
    format!(
        "
meta: {{ id: k, endian: be }}
seq: [ {{ id: parts, type: part, repeat: eos }} ]
types:
  part: {{ seq: [ {{ id: n, type: u1, value: body._sizeof, rule: R }}, {{ id: body, size: n, type: body }} ] }}
  body: {{ seq: [ {{ id: a, type: u1 }}, {{ id: list, type: u1, repeat: until, repeat-until: _ == 0, faults: {{ missing: END }} }} ] }}
records: {{ body: {{ from: body, order: {{ file: true }}, members: {{ a: a }} }} }}
rules:
  R: {{ level: must, section: A, says: size, reader: reject }}
  END: {{ level: must, section: A, says: end may be missing, reader: accept, {continues} }}
"
    )
}

#[test]
fn a_list_without_its_last_element_does_not_cost_the_record_around_it() {
    let bytes = [3, 7, 1, 0, 3, 8, 1, 2, 2, 9, 0];
    for continues in [
        "continues: keep",
        "continues: skip",
        "continues: absent",
        "writer: fault",
    ] {
        let found = accepted(&missing_end(continues), &bytes);
        assert_eq!(numbers(&found), [7, 8, 9], "{continues}");
    }
    // Only the records before the fault are kept.
    let found = accepted(&missing_end("continues: stop"), &bytes);
    assert_eq!(numbers(&found), [7]);
}

const ROOT: &str = "
meta: { id: root, endian: be }
seq:
  - { id: a, type: u1 }
  - { id: list, type: u1, repeat: until, repeat-until: _ == 0, faults: { missing: END } }
records: { root: { from: root, members: { a: a, count: list.size } } }
rules: { END: { level: may, section: A, says: The end may be missing., reader: accept } }
";

#[test]
fn nor_the_record_that_is_the_whole_trace() {
    let found = accepted(ROOT, &[7, 1, 2]);
    let wanted = [("a", 7), ("count", 2)].map(|(name, n)| (name.to_owned(), Value::Int(n)));
    assert_eq!(found, [wanted]);
}

#[test]
fn what_must_follow_the_list_is_still_missed() {
    let description = ROOT.replace(
        "missing: END } }\n",
        "missing: END } }\n  - { id: sum, type: u1 }\n",
    );
    let (verdict, records) = read(&description, &[7, 1, 2]);
    let violation = verdict.violation().unwrap();
    assert_eq!((violation.path.as_str(), violation.span.start), ("sum", 3));
    assert_eq!(records, []);
}

/// Describes interfaces and the packets that refer to them, as in network capture formats.
const CAPTURE: &str = "
meta: { id: capture, endian: be, encoding: UTF-8 }
tables: { interfaces: { key: u1, row: interface } }
seq: [ { id: blocks, type: block, repeat: eos } ]
types:
  block:
    seq:
      - { id: kind, type: u1, enum: kind }
      - { id: size, type: u1, value: body._sizeof }
      - id: body
        size: size
        type: { switch-on: kind, cases: { kind::interface: interface, kind::packet: packet } }
      - { id: again, type: u1, value: size, rule: SIZE }
  interface:
    defines: { table: interfaces, key: id, again: AGAIN }
    seq:
      - { id: id, type: u1 }
      - { id: options, type: option, repeat: until, repeat-until: _.code == 0, faults: { missing: NO-END } }
    instances: { name: { value: \"options.find(code, 1).value\" } }
  packet:
    seq:
      - { id: interface, type: u1, refs: interfaces, dangling: INTERFACE }
      - { id: options, type: option, repeat: until, repeat-until: _.code == 0, faults: { missing: NO-END } }
  option:
    seq:
      - { id: code, type: u1 }
      - { id: value, type: strz }
enums: { kind: { 1: interface, 2: packet } }
records: { packet: { from: packet, members: { on: interfaces.get(interface).name, options: options.size } } }
rules:
  SIZE: { level: must, section: A, says: The size comes twice., reader: reject }
  AGAIN: { level: must, section: A, says: Ids differ., reader: reject }
  INTERFACE: { level: must, section: A, says: Interfaces come first., reader: reject }
  NO-END: { level: should, section: A, says: Options have an end., reader: accept, continues: keep }
";

#[test]
fn a_row_whose_options_do_not_end_is_defined() {
    let bytes = [
        1, 5, 9, 1, b'e', b'n', 0, 5, // an interface whose options have no end
        2, 3, 9, 0, 0, 3, // a packet with one option
        2, 1, 9, 1, // a packet without options
    ];
    let found = accepted(CAPTURE, &bytes);
    let packet = |options| {
        let on = ("on".to_owned(), Value::Text("en".to_owned()));
        vec![on, ("options".to_owned(), Value::Int(options))]
    };
    assert_eq!(found, [packet(1), packet(0)]);
}

/// Returns the description of parts that may be shorter than their fields. `continues` is a key of
/// the rule that allows this.
fn shorter(continues: &str) -> String {
    format!(
        "
meta: {{ id: shorter, endian: be }}
state: {{ base: {{ type: u2, initial: 100 }} }}
tables: {{ rows: {{ key: u1, row: body }} }}
seq: [ {{ id: parts, type: part, repeat: eos }} ]
types:
  part:
    seq:
      - {{ id: size, type: u1, value: body._sizeof }}
      - {{ id: body, size: size, type: body, faults: {{ short: SHORT }} }}
  body:
    defines: {{ table: rows, key: id, again: AGAIN }}
    valid: {{ expr: time < 50, rule: TIME }}
    sets: {{ base: time }}
    seq:
      - {{ id: id, type: u1 }}
      - {{ id: items, type: item, repeat: expr, repeat-expr: 2 }}
      - {{ id: other, type: u1, refs: rows, dangling: OTHER }}
      - {{ id: time, type: u1 }}
  item:
    seq: [ {{ id: low, type: u1 }}, {{ id: high, type: u1 }} ]
records:
  body: {{ from: body, members: {{ id: id, items: items, count: items.size, other: rows.get(other).id, time: time, base: state.base }} }}
rules:
  AGAIN: {{ level: must, section: A, says: Ids differ., reader: reject }}
  OTHER: {{ level: must, section: A, says: It names another., reader: reject }}
  TIME: {{ level: must, section: A, says: Times are small., reader: reject }}
  SHORT: {{ level: may, section: A, says: An older writer has fewer fields., reader: accept, {continues} }}
"
    )
}

fn int(name: &str, value: i128) -> (String, Value) {
    (name.to_owned(), Value::Int(value))
}

fn item(members: &[(&str, i128)]) -> Value {
    Value::Object(
        members
            .iter()
            .map(|(name, value)| int(name, *value))
            .collect(),
    )
}

#[test]
fn a_part_that_ends_early_leaves_the_rest_of_its_element_without_values() {
    let bytes = [
        1, 1, // ends before the items
        4, 2, 30, 31, 32, // ends in the second item
        6, 3, 40, 41, 42, 43, 2, // ends before the time, and refers to the previous part
        0, // is empty
        1, 4, // ends before the items again
    ];
    for continues in [
        "continues: keep",
        "continues: absent",
        "continues: skip",
        "writer: fault",
    ] {
        let found = accepted(&shorter(continues), &bytes);
        let list = |items: Vec<Value>| ("items".to_owned(), Value::List(items));
        let two = list(vec![
            item(&[("low", 30), ("high", 31)]),
            item(&[("low", 32)]),
        ]);
        let four = list(vec![
            item(&[("low", 40), ("high", 41)]),
            item(&[("low", 42), ("high", 43)]),
        ]);
        let base = int("base", 100);
        assert_eq!(
            found,
            [
                vec![int("id", 1), list(vec![]), int("count", 0), base.clone()],
                vec![int("id", 2), two, int("count", 2), base.clone()],
                vec![
                    int("id", 3),
                    four,
                    int("count", 2),
                    int("other", 2),
                    base.clone()
                ],
                vec![int("id", 4), list(vec![]), int("count", 0), base],
            ],
            "{continues}"
        );
    }
}

#[test]
fn rules_of_a_type_are_exercised_before_its_effects() {
    let description = "
meta: { id: k }
state: { who: { type: u1, initial: 0 }, when: { type: u1, initial: 0 } }
seq: [ { id: starts, type: start, repeat: eos } ]
types:
  start:
    obeys: { WHO: state.who > 0, WHEN: state.when > 0 }
    sets: { who: mark, when: 0 }
    seq: [ { id: mark, type: u1 } ]
rules:
  WHO: { level: may, section: A, says: Someone is known., reader: either }
  WHEN: { level: may, section: A, says: The time is known., reader: either }
";
    let exercised = |bytes: &[u8]| {
        let (verdict, _) = read(description, bytes);
        let shown = verdict.shown.iter();
        shown
            .map(|shown| (shown.rule.index(), shown.count))
            .collect::<Vec<_>>()
    };
    assert_eq!(exercised(&[7]), []);
    assert_eq!(exercised(&[7, 0, 8]), [(0, 1)]);
}
