//! Tests of fields that refer to rows.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use tracegauge_decoder::decode;
use tracegauge_decoder::record::Value;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

const NAMES: &str = "
meta: { id: names, endian: le }
tables: { names: { key: u1, row: name } }
seq: [{ id: items, type: item, repeat: eos }]
types:
  item:
    seq:
      - { id: kind, type: u1 }
      - { id: name, type: name, if: kind == 1 }
      - { id: event, type: event(kind == 2), if: kind != 1 }
  name:
    defines: { table: names, key: id }
    seq: [{ id: id, type: u1 }, { id: code, type: u1 }]
  event:
    params: [{ id: named, type: bool }]
    seq:
      - { id: of, type: u1, if: named, refs: { table: names } }
      - { id: value, type: u1 }
records: { event: { from: event, members: { code: names.get(of).code, value: value } } }
";

#[test]
fn a_reference_that_is_left_out_is_not_the_one_before() {
    let loaded = load(&Memory::new().with("format.yaml", NAMES), "format.yaml");
    let plan = lower(&Arc::new(loaded.schema.unwrap()), "names").unwrap();
    let (verdict, records) = decode(&plan, &[1, 5, 77, 2, 5, 8, 3, 9]);
    assert!(verdict.tolerable(), "{verdict:?}");
    let members = |name| -> Vec<_> { records.iter().map(|row| row.member(name)).collect() };
    let value = [8, 9].map(Value::Int);
    assert_eq!(members("value"), value.iter().map(Some).collect::<Vec<_>>());
    assert_eq!(members("code")[0], Some(&Value::Int(77)));
    assert!(!matches!(members("code")[1], Some(Value::Int(_))));
}

const PARTS: &str = "
meta: { id: parts, endian: le }
tables: { names: { key: u1, row: name } }
seq: [{ id: names, type: name, repeat: expr, repeat-expr: 1 }, { id: items, type: item, repeat: eos }]
types:
  item:
    seq:
      - { id: kind, type: u1 }
      - { id: inner, type: inner, if: kind != 0 }
      - { id: value, type: u1 }
  name:
    defines: { table: names, key: id }
    seq: [{ id: id, type: u1 }, { id: code, type: u1 }]
  inner:
    seq: [{ id: of, type: u1, refs: { table: names } }]
records: { item: { from: item, members: { of: inner.of, code: names.get(inner.of).code, value: value } } }
";

#[test]
fn nothing_of_a_part_that_is_left_out_is_that_of_the_one_before() {
    let loaded = load(&Memory::new().with("format.yaml", PARTS), "format.yaml");
    let plan = lower(&Arc::new(loaded.schema.unwrap()), "parts").unwrap();
    let (verdict, records) = decode(&plan, &[5, 77, 1, 5, 8, 0, 9]);
    assert!(verdict.tolerable(), "{verdict:?}");
    for name in ["of", "code"] {
        let members: Vec<_> = records.iter().map(|row| row.member(name)).collect();
        assert!(matches!(members[0], Some(Value::Int(_))), "{name}");
        assert!(!matches!(members[1], Some(Value::Int(_))), "{name}");
    }
}
