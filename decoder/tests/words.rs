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
      - { id: spare, type: b4, valid: 0, rule: SPARE }
      - { id: row, type: u1, if: has_row, carry: replace, refs: rows, dangling: MISSING }
      - { id: amount, type: u1, if: has_amount, carry: add, then: 1, wraps: 8, valid: { max: 5 }, rule: LARGE }
      - { id: kind, type: u1, if: has_kind, carry: replace, valid: { max: 9 }, rule: KIND }
      - { id: note, type: u1, if: has_note }
      - { id: time, type: u1, carry: add, wraps: 8, valid: { min: rows.get(row).last }, rule: BACKWARDS }
records:
  event:
    from: event
    order: { file: true }
    members: { row: row, amount: amount, kind: kind, note: note, time: time, last: rows.get(row).last }
rules:
  SPARE: { level: should, section: A, says: Spare bits are 0., reader: accept }
  MISSING: { level: must, section: A, says: The row exists., reader: reject }
  LARGE: { level: should, section: A, says: An amount is small., reader: accept }
  KIND: { level: must, section: A, says: A kind is known., reader: reject }
  BACKWARDS: { level: should, section: A, says: Time does not go back., reader: accept }
";

fn plan() -> Plan {
    let loaded = load(&Memory::new().with("format.yaml", EVENTS), "format.yaml");
    let schema = Arc::new(loaded.schema.expect("the description is right"));
    lower(&schema, "events").expect("the plan can be made")
}

const ITEMS: [&[u8]; 9] = [
    // Rows 7 and 0, defined and removed.
    &[1, 7, 2],
    &[1, 0, 0],
    &[2, 7],
    // Events: everything omitted, everything present, and some of each.
    &[0, 0x00, 1],
    &[0, 0x0f, 7, 1, 9, 4, 1],
    &[0, 0x01, 7, 0],
    &[0, 0x06, 200, 3, 250],
    // An event that breaks a rule that readers tolerate, and one that readers must reject.
    &[0, 0x10, 1],
    &[0, 0x04, 10, 1],
];

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
        // A program is built when a word occurs for the second time.
        let items = chosen.iter().flat_map(|item| ITEMS[*item]).copied();
        let bytes = items.collect::<Vec<u8>>().repeat(3);
        same(&plan, &bytes, &format!("items {chosen:?}"));
    }
}

#[test]
fn a_violation_that_is_carried_on_counts_for_each_element() {
    let plan = plan();
    let [row, mut event] = [ITEMS[0].to_vec(), ITEMS[4].to_vec()];
    // An amount that stays too large although it is omitted.
    event[3] = 100;
    let mut bytes = [row, event].concat();
    for _ in 0..5 {
        bytes.extend(ITEMS[3]);
    }
    same(&plan, &bytes, "large amounts");
    let verdict = tracegauge_decoder::judge(&plan, &bytes);
    let large = verdict
        .shown
        .iter()
        .find(|shown| plan.rules[shown.rule].id == "LARGE");
    assert_eq!(large.map(|shown| shown.count), Some(6));
}
