//! Tests that routines, the instructions that replace steps for one value of a word, give the same
//! results as the operations: for numbers around the limits of 63 and 64 bits, for tests that fail,
//! and for values that exercise rules.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use quickcheck::{Arbitrary, Gen, QuickCheck};
use tracegauge_plan::Plan;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

use crate::steps::same;

/// Events whose fields are combined with earlier values in every way that instructions express.
const SUMS: &str = "
meta: { id: sums, endian: le, bit-endian: le }
faults: { eof: FORM, long: FORM, wide: FORM }
seq:
  - { id: latest, type: u8, value: events.max(time), rule: LATEST }
  - { id: smallest, type: u8, value: events.min(time), rule: SMALLEST }
  - { id: rows, type: row, repeat: expr, repeat-expr: 3 }
  - { id: events, type: event, repeat: eos }
state:
  newest: { type: u8, initial: 0 }
  floor: { type: u8, initial: 0 }
tables:
  rows:
    key: u8
    row: row
    columns: { last: { type: u8, initial: 0 }, seen: { type: u8, initial: 0 } }
types:
  small: { is: uleb128, bits: 32 }
  event:
    seq:
      - { id: has_row, type: b1 }
      - { id: has_count, type: b1 }
      - { id: has_kind, type: b1 }
      - { id: has_total, type: b1 }
      - { id: is_sorted, type: b1 }
      - { id: has_mark, type: b1 }
      - { id: spare, type: b2 }
      - { id: key, type: uleb128, if: has_row, carry: replace, refs: rows, dangling: MISSING }
      - { id: count, type: small, if: has_count, carry: add, then: 1, wraps: 32 }
      - { id: kind, type: small, if: has_kind, carry: replace, obeys: { KIND-ODD: _ == 3 } }
      - { id: total, type: u8, if: has_total, carry: add, overflow: TOTAL }
      - { id: mark, type: uleb128, if: has_mark, carry: replace, carry-from: newest }
      - id: time
        type: uleb128
        carry: add
        wraps: 64
        valid:
          - { max: 0x7FFFFFFFFFFFFFFF, rule: SIGN }
          - { min: state.floor, rule: SORTED }
          - { min: rows.get(key).last, rule: BACKWARDS }
          - { expr: _ != 9, rule: NINE }
    sets:
      newest: max(state.newest, time)
      floor: \"is_sorted ? max(state.floor, time) : state.floor\"
      rows.get(key).last: time
      rows.get(key).seen: count
  row:
    defines: { table: rows, key: id, again: AGAIN }
    seq: [{ id: id, type: uleb128 }, { id: a, type: u1 }, { id: b, type: u1 }, { id: c, type: u1 }]
records:
  event:
    from: event
    order: { file: true }
    members:
      a: rows.get(key).a
      b: rows.get(key).b
      c: rows.get(key).c
      last: rows.get(key).last
      count: count
      kind: kind
      total: total
      mark: mark
      time: time
      before: _prev.count
      newest: state.newest
rules:
  LATEST: { level: should, section: A, says: The header has the greatest time., reader: accept }
  SMALLEST: { level: should, section: A, says: The header has the least time., reader: accept }
  MISSING: { level: should, section: A, says: The row exists., reader: accept }
  KIND-ODD: { level: may, section: A, says: Readers may reject kind 3., reader: either }
  SIGN: { level: should, section: A, says: Times fit in 63 bits., reader: accept }
  SORTED: { level: should, section: A, says: Times do not decrease after a sorted event., reader: accept }
  BACKWARDS: { level: should, section: A, says: Times of a row do not decrease., reader: accept }
  AGAIN: { level: should, section: A, says: A row is defined once., reader: accept }
  TOTAL: { level: must, section: A, says: Totals fit in 64 bits., reader: reject }
  FORM: { level: must, section: A, says: Values are complete and as long as allowed., reader: reject }
  NINE: { level: must, section: A, says: Time 9 is reserved., reader: reject }
";

fn plan() -> Plan {
    let loaded = load(&Memory::new().with("format.yaml", SUMS), "format.yaml");
    let mistakes = loaded.diagnostics.len();
    let schema = Arc::new(loaded.schema.expect("the description is right"));
    assert_eq!(mistakes, 0, "{:?}", loaded.diagnostics);
    lower(&schema, "sums").expect("the plan can be made")
}

/// A trace of events.
#[derive(Clone, Debug)]
struct Trace(Vec<u8>);

/// Appends a number as LEB128.
fn variable(mut number: u64, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    out.extend(number.to_le_bytes().first());
}

/// Returns a number at which results change.
fn number(g: &mut Gen, most: u64) -> u64 {
    let near = u64::from(u8::arbitrary(g) % 4);
    let at = [0, 0, 0, 1 << 31, 1 << 62, 1 << 63, u64::MAX - 3];
    let at = *g.choose(&at).expect("there are numbers");
    (at + near).min(most)
}

impl Arbitrary for Trace {
    fn arbitrary(g: &mut Gen) -> Self {
        let mut bytes = Vec::new();
        for _ in 0..2 {
            bytes.extend(number(g, u64::MAX).to_le_bytes());
        }
        // A few rows, so that references find them.
        for key in 0..3 {
            bytes.extend([key, key, 200 - key, 3]);
        }
        // The same flags occur several times, because programs are built when they recur.
        let flags: Vec<u8> = (0..3).map(|_| u8::arbitrary(g) & 0x3f).collect();
        for _ in 0..usize::arbitrary(g) % 40 {
            let flags = *g.choose(&flags).expect("there are flags");
            bytes.push(flags);
            if flags & 1 != 0 {
                variable(u64::from(u8::arbitrary(g) % 4), &mut bytes);
            }
            if flags & 2 != 0 {
                variable(number(g, u64::from(u32::MAX)), &mut bytes);
            }
            if flags & 4 != 0 {
                bytes.push(u8::arbitrary(g) % 5);
            }
            if flags & 8 != 0 {
                bytes.extend(number(g, u64::MAX).to_le_bytes());
            }
            if flags & 32 != 0 {
                variable(number(g, u64::MAX), &mut bytes);
            }
            variable(number(g, u64::MAX), &mut bytes);
        }
        if u8::arbitrary(g).is_multiple_of(8) {
            bytes.truncate(bytes.len() - bytes.len() % 5);
        }
        Self(bytes)
    }
}

#[test]
fn the_description_has_programs_for_words() {
    let plan = plan();
    assert_eq!(plan.words, 2, "for verdicts, and for records");
    let has_work = |routine: &tracegauge_plan::routine::Routine| !routine.instructions.is_empty();
    assert!(plan.after_element.iter().any(has_work));
}

#[test]
fn routines_mean_what_the_operations_mean() {
    fn holds(trace: Trace) -> bool {
        thread_local! { static PLAN: Plan = plan(); }
        PLAN.with(|plan| same(plan, &trace.0, &format!("{:?}", trace.0)));
        true
    }
    QuickCheck::new()
        .tests(3000)
        .quickcheck(holds as fn(Trace) -> bool);
}
