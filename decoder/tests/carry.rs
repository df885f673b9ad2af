//! Tests of carried fields that other expressions use.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use tracegauge_decoder::decode;
use tracegauge_decoder::record::Value;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

const ROWS: &str = "
meta: { id: rows, endian: le, bit-endian: le }
seq: [{ id: rows, type: row, repeat: eos }]
types:
  row:
    seq:
      - { id: has_thread, type: b8le }
      - { id: thread, type: u1, if: has_thread != 0, carry: replace }
records: { row: { from: row, members: { thread: thread } } }
";

#[test]
fn a_carried_field_that_a_record_shows_keeps_its_value() {
    let loaded = load(&Memory::new().with("format.yaml", ROWS), "format.yaml");
    let plan = lower(&Arc::new(loaded.schema.unwrap()), "rows").unwrap();
    let (verdict, records) = decode(&plan, &[1, 7, 0, 1, 9, 0]);
    assert!(verdict.tolerable());
    let threads: Vec<_> = records.iter().map(|row| row.member("thread")).collect();
    let expected = [7, 7, 9, 9].map(Value::Int);
    assert_eq!(threads, expected.iter().map(Some).collect::<Vec<_>>());
}

const ACTIVITIES: &str = "
meta: { id: activities, endian: le, bit-endian: le }
seq: [{ id: rows, type: row, repeat: eos }]
types:
  row:
    seq:
      - { id: has_activity, type: u1 }
      - { id: activity, type: guidle, if: has_activity != 0, carry: replace }
records: { row: { from: row, members: { activity: activity } } }
";

#[test]
fn a_carried_guid_is_zero_at_first_and_then_stays() {
    let files = Memory::new().with("format.yaml", ACTIVITIES);
    let loaded = load(&files, "format.yaml");
    let plan = lower(&Arc::new(loaded.schema.unwrap()), "activities").unwrap();
    let mut bytes = vec![0, 1];
    bytes.extend(1..=16);
    bytes.push(0);
    let (verdict, records) = decode(&plan, &bytes);
    assert!(verdict.tolerable());
    let found: Vec<_> = records.iter().map(|row| row.member("activity")).collect();
    let zero = Value::Guid("00000000-0000-0000-0000-000000000000".to_owned());
    let other = Value::Guid("04030201-0605-0807-090a-0b0c0d0e0f10".to_owned());
    assert_eq!(found, [Some(&zero), Some(&other), Some(&other)]);
}
