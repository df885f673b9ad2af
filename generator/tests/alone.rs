//! Tests that a malformed trace has one fault: a reader that does not enforce the violated rule
//! accepts it.

use std::sync::Arc;

use tracegauge_decoder::{Judgement, judge};
use tracegauge_generator::fault::{OtherFormats, decoded, systematic};
use tracegauge_plan::Plan;
use tracegauge_plan::mutate::rules_off;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

const RULES: &str = "
rules:
  WHOLE: { level: must, section: A, says: The parts are whole., reader: reject }
  LIMIT: { level: must, section: A, says: There is a limit., reader: reject }
  SUM: { level: must, section: A, says: The sum is right., reader: reject }
  TEXT: { level: must, section: A, says: A text is UTF-8., reader: reject }
  ROW: { level: must, section: A, says: The row exists., reader: reject }
  SAME: { level: may, section: A, says: A row may be repeated., reader: accept }
";

fn plan(description: &str) -> Plan {
    let text = format!(
        "meta: {{ id: x, endian: le, encoding: UTF-8 }}
faults: {{ eof: WHOLE, trailing: WHOLE, past: WHOLE, short: WHOLE, rest: WHOLE, encoding: TEXT }}
{description}{RULES}"
    );
    let loaded = load(&Memory::new().with("x.yaml", text), "x.yaml");
    let schema = loaded
        .schema
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    lower(&Arc::new(schema), "x").unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// Returns the cases of a rule in which its violation is the only fault.
fn alone(description: &str, traces: &[&str], rule: &str) -> Vec<String> {
    let plan = plan(description);
    let traces = traces
        .iter()
        .map(|trace| hex::decode(trace.replace(' ', "")).expect("hex"));
    let twins = decoded(&plan, traces);
    let off = rules_off(&plan);
    let off = off
        .iter()
        .find(|(number, _)| plan.rules[*number].id == rule);
    let lenient = off.expect("a rule").1.of(&plan);
    let made = systematic(&plan, (&twins, &[]), &OtherFormats::default());
    let cases = made.cases.iter().filter(|(_, case)| {
        let own = case
            .rules()
            .iter()
            .all(|violated| plan.rules[*violated].id == rule);
        own && judge(&lenient, &case.bytes).judgement == Judgement::Accepted
    });
    cases
        .map(|(_, case)| format!("{} {}", case.operator, hex::encode(&case.bytes)))
        .collect()
}

#[test]
fn contents_grow_with_the_size_that_is_too_large() {
    let description = "
seq: [ { id: length, type: u1, value: body._sizeof }, { id: body, type: body, size: length } ]
types:
  body: { seq: [ { id: size, type: u1, value: text._sizeof, valid: { max: 3, rule: LIMIT } }, { id: text, type: str, size: size } ] }";
    assert_eq!(
        alone(description, &["03 02 6869"], "LIMIT"),
        ["one-above 050468696161"]
    );
}

#[test]
fn a_list_grows_with_the_count_that_is_too_large() {
    let description = "
seq: [ { id: count, type: u1, value: list.size, valid: { max: 2, rule: LIMIT } }, { id: list, type: u2, repeat: expr, repeat-expr: count } ]";
    let found = alone(description, &["01 0700"], "LIMIT");
    assert_eq!(found[0], "one-above 03070007000700");
}

#[test]
fn a_list_shrinks_with_the_count_that_is_too_small() {
    let description = "
seq: [ { id: count, type: u1, value: list.size, valid: { min: 2, rule: LIMIT } }, { id: list, type: u2, repeat: expr, repeat-expr: count } ]";
    assert_eq!(
        alone(description, &["03 0700 0800 0900"], "LIMIT"),
        ["one-below 010700", "zero 00"]
    );
}

#[test]
fn a_sum_follows_the_size_that_it_is_computed_from() {
    let description = "
seq:
  - { id: length, type: u1, value: text._sizeof }
  - { id: sum, type: u1, value: (length + 7) % 256, rule: SUM }
  - { id: text, type: str, size: length }";
    let found = alone(description, &["01 08 61"], "TEXT");
    assert!(
        found.contains(&"overlong-2 030a61c080".to_owned()),
        "{found:?}"
    );
    assert!(found.len() > 10, "{found:?}");
}

#[test]
fn a_twin_without_later_references_is_preferred() {
    let description = "
tables: { rows: { key: u1, row: row } }
seq: [ { id: items, type: item, repeat: eos } ]
types:
  item: { seq: [ { id: kind, type: u1 }, { id: body, type: { switch-on: kind, cases: { 0: row, _: use } } } ] }
  row: { defines: { table: rows, key: id }, seq: [ { id: id, type: u1, valid: { min: 1, rule: LIMIT } } ] }
  use: { seq: [ { id: id, type: u1, refs: { table: rows, dangling: ROW } } ] }";
    let traces = ["0001 0101", "0001 0002 0102 0102"];
    assert_eq!(
        alone(description, &traces, "LIMIT"),
        ["one-below 0000000201020102"]
    );
}

#[test]
fn a_sum_of_all_values_follows_the_fault() {
    let description = "
state: { sum: { type: int, initial: 0 } }
seq:
  - { id: n, type: u1, value: items.size }
  - { id: items, type: item, repeat: expr, repeat-expr: n }
  - { id: sum, type: u1, value: state.sum & 0xff, rule: SUM }
types: { item: { sets: { sum: state.sum + low }, seq: [ { id: low, type: u1, valid: { max: 9, rule: LIMIT } } ] } }";
    assert_eq!(
        alone(description, &["02 03 04 07"], "LIMIT"),
        ["one-above 02030a0d", "greatest 0203ff02"]
    );
}

#[test]
fn a_list_of_references_grows_with_its_count() {
    let description = "
tables: { rows: { key: u1, row: row } }
seq:
  - { id: m, type: u1, value: rows.size }
  - { id: rows, type: row, repeat: expr, repeat-expr: m, defines: { table: rows, first-key: 0, again: ROW } }
  - { id: n, type: u1, value: frames.size, valid: { max: 2, rule: LIMIT } }
  - { id: frames, type: u1, repeat: expr, repeat-expr: n, refs: { table: rows, dangling: ROW } }
types: { row: { seq: [ { id: v, type: u1 } ] } }";
    let found = alone(description, &["01 05 01 00"], "LIMIT");
    assert_eq!(found[0], "one-above 010503000000");
}

#[test]
fn each_of_several_checks_of_a_rule_is_violated_alone() {
    let description = "
seq:
  - { id: a, type: u1, valid: { min: 2, rule: LIMIT } }
  - { id: b, type: u1, valid: { max: a, rule: LIMIT } }";
    // In the first trace, both values would violate the rule.
    let found = alone(description, &["02 02", "02 01"], "LIMIT");
    assert!(found.contains(&"one-below 0101".to_owned()), "{found:?}");
}

#[test]
fn checks_without_a_case_of_their_own_are_listed() {
    let plan = plan(
        "
seq:
  - { id: a, type: u1, valid: { min: 2, rule: LIMIT } }
  - { id: b, type: u1, valid: { max: a, rule: LIMIT } }",
    );
    let checks = |traces: &[&str]| -> Vec<(String, bool)> {
        let traces = traces.iter().map(|trace| hex::decode(trace).expect("hex"));
        let twins = decoded(&plan, traces);
        let made = systematic(&plan, (&twins, &[]), &OtherFormats::default());
        let checks = made.checks.into_iter();
        let checks = checks.filter(|check| check.name.starts_with("not-tested@"));
        let checks = checks.map(|check| (check.name, check.alone.is_some()));
        checks.collect()
    };
    let (a, b) = ("not-tested@a/LIMIT", "not-tested@b/LIMIT");
    assert_eq!(
        checks(&["0202"]),
        [(a.to_owned(), false), (b.to_owned(), true)]
    );
    assert_eq!(
        checks(&["0201"]),
        [(a.to_owned(), true), (b.to_owned(), true)]
    );
}

#[test]
fn a_count_of_all_items_follows_a_tolerated_repetition() {
    let plan = plan(
        "
state: { n: { type: int, initial: 0 } }
tables: { rows: { key: u1, row: row } }
seq: [ { id: items, type: item, repeat: until, repeat-until: _.kind == 0 } ]
types:
  item:
    sets: { n: state.n + 1 }
    seq:
      - { id: kind, type: u1, valid: { any-of: [0, 1], rule: WHOLE } }
      - { id: body, type: { switch-on: kind, cases: { 0: end, 1: row } } }
  row:
    defines: { table: rows, key: id, again: { compare: bytes, same: SAME, other: ROW, keeps: first } }
    seq: [ { id: id, type: u1 } ]
  end: { seq: [ { id: count, type: u1, value: state.n, rule: SUM } ] }",
    );
    let twins = decoded(&plan, [hex::decode("01070001").expect("hex")]);
    let made = systematic(&plan, (&twins, &[]), &OtherFormats::default());
    let cases = made.cases.iter();
    let mut cases = cases.filter(|(_, case)| case.operator == "twice-same");
    let (_, case) = cases.next().expect("a case");
    assert_eq!(hex::encode(&case.bytes), "010701070002");
}
