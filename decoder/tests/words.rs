//! Tests of the programs that steps run for one value of a word. Whatever comes between two elements,
//! these programs must give the same results as the operations.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use tracegauge_plan::Plan;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

use crate::steps::same;

/// Events with optional fields, between definitions and removals of the rows that they refer to.
const EVENTS: &str = "
meta: { id: events, endian: le, bit-endian: le }
seq: [{ id: items, type: item, repeat: eos }]
tables:
  rows: { key: u1, row: row, columns: { last: { type: u1, initial: 0 } } }
types:
  item:
    seq:
      - { id: tag, type: u1 }
      - { id: body, type: { switch-on: tag, cases: { 0: event, 1: row, 2: gone } } }
  row:
    defines: { table: rows, key: id }
    seq: [{ id: id, type: u1 }, { id: note, type: u1 }]
  gone:
    removes: { table: rows, key: id }
    seq: [{ id: id, type: u1 }]
  event:
    sets: { rows.get(row).last: time }
    seq:
      - { id: has_row, type: b1 }
      - { id: has_amount, type: b1 }
      - { id: has_kind, type: b1 }
      - { id: has_note, type: b1 }
      - { id: has_size, type: b1 }
      - { id: spare, type: b3, valid: 0, rule: SPARE }
      - { id: row, type: u1, if: has_row, carry: replace, refs: rows, dangling: MISSING }
      - { id: amount, type: u1, if: has_amount, carry: add, then: 1, wraps: 8 }
      - { id: kind, type: u1, if: has_kind, carry: replace, valid: { max: 9 }, rule: KIND }
      - { id: note, type: u1, if: has_note }
      - { id: size, type: u1, if: has_size, carry: replace, valid: { max: 5 }, rule: LARGE }
      - { id: time, type: u1, carry: add, wraps: 8, valid: { min: rows.get(row).last }, rule: BACKWARDS }
records:
  event:
    from: event
    order: { file: true }
    members: { row: row, amount: amount, kind: kind, note: note, size: size, time: time, last: rows.get(row).last }
rules:
  SPARE: { level: should, section: A, says: Spare bits are 0., reader: accept }
  MISSING: { level: must, section: A, says: The row exists., reader: reject }
  LARGE: { level: should, section: A, says: A size is small., reader: accept }
  KIND: { level: must, section: A, says: A kind is known., reader: reject }
  BACKWARDS: { level: should, section: A, says: Time does not go back., reader: accept }
";

fn plan() -> Plan {
    let loaded = load(&Memory::new().with("format.yaml", EVENTS), "format.yaml");
    let schema = Arc::new(loaded.schema.expect("the description is right"));
    lower(&schema, "events").expect("the plan can be made")
}

const ITEMS: [&[u8]; 10] = [
    // Rows 7 and 0, defined and removed.
    &[1, 7, 2],
    &[1, 0, 0],
    &[2, 7],
    // Events: everything omitted, everything present, and some of each.
    &[0, 0x00, 1],
    &[0, 0x1f, 7, 1, 9, 4, 5, 1],
    &[0, 0x01, 7, 0],
    &[0, 0x06, 200, 3, 250],
    // Events that break a rule that readers tolerate, once and in each event that follows, and one
    // that breaks a rule that they do not.
    &[0, 0x20, 1],
    &[0, 0x10, 9, 1],
    &[0, 0x04, 10, 1],
];

/// Events for which programs are built before the items that are tested.
fn prepared() -> Vec<u8> {
    let order = [0, 1, 4, 4, 4, 3, 3, 3, 5, 5, 5, 6, 6, 6];
    order
        .iter()
        .flat_map(|item| ITEMS[*item])
        .copied()
        .collect()
}

#[test]
fn the_description_has_programs_for_words() {
    assert!(plan().words > 0);
}

#[test]
fn programs_for_words_mean_what_the_operations_mean() {
    let plan = plan();
    let many = ITEMS.len();
    for number in 0..many.pow(4) {
        let chosen = [
            number,
            number / many,
            number / many.pow(2),
            number / many.pow(3),
        ];
        let chosen = chosen.map(|number| number % many);
        let items = chosen.iter().flat_map(|item| ITEMS[*item]).copied();
        let bytes: Vec<u8> = prepared().into_iter().chain(items).collect();
        same(&plan, &bytes, &format!("items {chosen:?}"));
    }
}

#[test]
fn a_violation_that_is_carried_on_counts_for_each_element() {
    let plan = plan();
    let mut event = ITEMS[4].to_vec();
    // A size that stays too large although it is omitted.
    event[6] = 100;
    let mut bytes = [prepared(), event].concat();
    for _ in 0..5 {
        bytes.extend(ITEMS[3]);
    }
    same(&plan, &bytes, "large sizes");
    let verdict = tracegauge_decoder::judge(&plan, &bytes);
    let large = verdict
        .shown
        .iter()
        .find(|shown| plan.rules[shown.rule].id == "LARGE");
    assert_eq!(large.map(|shown| shown.count), Some(6));
}
