//! Carried fields that other expressions read.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use tracegauge_decoder::decode;
use tracegauge_decoder::record::Value;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::plan::lower;

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
