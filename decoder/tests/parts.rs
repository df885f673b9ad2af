//! Tests of expressions about parts: their size, their presence, and the first that is present.

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

const PADDED: &str = "
meta: { id: padded, endian: le }
seq:
  - { id: size, type: u1, value: text._sizeof + note._sizeof }
  - { id: text, size: size }
  - { id: note, type: u1, if: false }
  - { id: padding, align: { to: 4, from: file, fill: 0 }, obeys: { PADDED: _._sizeof != 0 } }
rules: { PADDED: { level: silent, section: All, says: Nothing is put to fill up., reader: either } }
";

#[test]
fn padding_is_shown_where_it_has_bytes() {
    let either = |bytes: &[u8]| {
        let (verdict, _) = read(PADDED, bytes);
        assert!(verdict.tolerable(), "{verdict:?}");
        matches!(verdict.judgement, Judgement::Either { .. })
    };
    assert!(!either(&[3, 1, 2, 3]));
    assert!(either(&[2, 1, 2, 0]));
}

const EITHER_LIST: &str = "
meta: { id: either-list, endian: le }
seq: [{ id: rows, type: row, repeat: eos }]
types:
  row:
    seq:
      - { id: which, type: u1 }
      - { id: few, type: list, if: which == 1 }
      - { id: others, type: list, if: which == 2 }
  list:
    shows: items
    seq:
      - { id: count, type: u1 }
      - { id: items, type: u1, repeat: expr, repeat-expr: count }
records: { row: { from: row, members: { items: \"few else others else []\" } } }
";

#[test]
fn the_first_list_that_is_there_is_shown_or_one_without_elements() {
    let (verdict, records) = read(EITHER_LIST, &[1, 2, 7, 8, 0, 2, 1, 9]);
    assert!(verdict.tolerable(), "{verdict:?}");
    let found: Vec<_> = records.iter().map(|row| row.member("items")).collect();
    let list = |values: &[i128]| Value::List(values.iter().copied().map(Value::Int).collect());
    let wanted = [list(&[7, 8]), list(&[]), list(&[9])];
    assert_eq!(found, wanted.iter().map(Some).collect::<Vec<_>>());
}

const DESCRIBED: &str = "
meta: { id: described, endian: le }
tables: { rows: { key: u1, row: row } }
seq:
  - { id: row, type: row }
  - { id: event, type: event }
types:
  row:
    defines: { table: rows, key: id, again: AGAIN }
    seq:
      - { id: id, type: u1 }
      - { id: count, type: u1 }
      - { id: fields, type: field, repeat: expr, repeat-expr: count }
  field:
    seq:
      - { id: code, type: u1 }
      - { id: name, type: strz, encoding: UTF-16LE }
  event:
    seq:
      - { id: row, type: u1, refs: rows }
      - { id: values, layout: values, from: rows.get(row).fields }
layouts:
  values:
    entry: { name: name }
    code: code
    codes: { 1: { name: Byte, type: u1 } }
records: { event: { from: event, members: { values: values } } }
rules: { AGAIN: { level: must, section: All, says: Rows differ., reader: reject } }
";

#[test]
fn names_of_described_fields_are_read_in_their_own_encoding() {
    let (verdict, records) = read(DESCRIBED, &[5, 1, 1, 0xf6, 0, b'a', 0, 0, 0, 5, 42]);
    assert!(verdict.tolerable(), "{verdict:?}");
    let Some(Value::Pairs(pairs)) = records[0].member("values") else {
        panic!("{records:?}");
    };
    assert_eq!(pairs[0].name, Value::Text("öa".to_owned()));
    assert_eq!(pairs[0].value, Value::Int(42));
}

const FIRST: &str = "
meta: { id: first, endian: le }
seq:
  - id: blocks
    type: block
    repeat: eos
    arrange: { first: [{ expr: _.kind == 1, rule: HEAD-FIRST }] }
types:
  block:
    seq:
      - { id: before, type: u1, valid: { max: 99, rule: LARGE } }
      - { id: kind, type: u1 }
      - { id: size, type: u1, valid: { max: 99, rule: LARGE } }
      - { id: data, size: size }
rules:
  HEAD-FIRST: { level: must, section: All, says: A block of kind 1 is first., reader: reject }
  LARGE: { level: silent, section: All, says: Sizes are small., reader: either, continues: open }
faults: { eof: HEAD-FIRST }
";

#[test]
fn a_first_element_is_out_of_place_whatever_readers_make_of_what_comes_after_its_kind() {
    let found = |bytes: &[u8]| match read(FIRST, bytes).0.judgement {
        Judgement::Rejected(found) => format!("{} {:?}", found.path, found.span.start),
        other => format!("{other:?}"),
    };
    let either = "Either { open: true }";
    assert_eq!(found(&[0, 1, 2, 0, 0]), "Accepted");
    assert_eq!(found(&[0, 2, 2, 0, 0]), "blocks[0] 0");
    // The size that readers may read differently determines whether the trace is truncated.
    assert_eq!(found(&[0, 1, 200, 0, 0]), either);
    assert_eq!(found(&[0, 2, 200, 0, 0]), "blocks[0] 0");
    let mut whole = vec![0, 2, 100];
    whole.resize(103, 0);
    assert_eq!(found(&whole), "blocks[0] 0");
    // The ambiguous field precedes the kind, so readers may find the kind elsewhere.
    assert_eq!(found(&[100, 2, 2, 0, 0]), either);
    // A second block may be of any kind.
    assert_eq!(found(&[0, 1, 0, 0, 2, 200]), either);
}
