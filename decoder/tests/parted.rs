//! Tests of violations and records that are certain although readers may read earlier bytes
//! differently.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use tracegauge_decoder::decode;
use tracegauge_decoder::record::Value;
use tracegauge_decoder::verdict::Judgement;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

/// Sized blocks up to a block of tag 0. Readers may interpret the contents of a block with tag 1
/// and a kind greater than 9 differently. The fields of a block with tag 2 depend on the kinds of
/// earlier blocks.
const BLOCKS: &str = "
meta: { id: blocks, endian: le }
state: { wide: { type: int, initial: 0 } }
faults: { eof: CUT, missing: END, past: CUT, negative: SIZE, short: SHORT, rest: SHORT }
seq:
  - { id: blocks, type: block, repeat: until, repeat-until: _.tag == 0 }
types:
  block:
    seq:
      - { id: tag, type: u1, valid: { max: 2 }, rule: TAG }
      - { id: size, type: s1, value: body._sizeof, if: tag != 0 }
      - { id: body, size: size, type: body(tag), if: tag != 0 }
  body:
    params: [{ id: tag, type: u1 }]
    seq:
      - { id: kind, type: u1, valid: { max: 9 }, rule: KIND, if: tag == 1 }
      - { id: items, type: u1, repeat: eos, if: tag == 1 }
      - { id: count, type: u1, if: tag == 2 and state.wide == 0 }
      - { id: item, type: item, if: tag == 2 }
    sets: { wide: { to: kind, if: kind is present } }
  item:
    seq:
      - { id: size, type: s1, value: bytes._sizeof }
      - { id: bytes, size: size }
records: { item: { from: item, members: { size: size } } }
rules:
  CUT: { level: must, section: All, says: The file is whole., reader: reject, class: incomplete }
  END: { level: must, section: All, says: There is an end., reader: reject, class: incomplete }
  SIZE: { level: must, section: All, says: Sizes are not negative., reader: reject }
  SHORT: { level: must, section: All, says: A block is full., reader: reject }
  TAG: { level: must, section: All, says: Tags are known., reader: reject }
  KIND: { level: silent, section: All, says: Kinds are small., reader: either, continues: open }
";

fn read(bytes: &[u8]) -> (String, Vec<Value>) {
    let loaded = load(&Memory::new().with("format.yaml", BLOCKS), "format.yaml");
    let schema = Arc::new(loaded.schema.unwrap());
    let plan = lower(&schema, &schema.dialects[0].id).unwrap();
    let (verdict, records) = decode(&plan, bytes);
    let said = match verdict.judgement {
        Judgement::Rejected(found) => {
            let rule = found.rule.map(|rule| plan.rules[rule].id.clone());
            format!("{} {}", rule.unwrap_or_default(), found.path)
        }
        other => format!("{other:?}"),
    };
    let sizes = records.iter().map(|record| record.member("size").unwrap());
    (said, sizes.cloned().collect())
}

const OPEN: &str = "Either { open: true }";

#[test]
fn what_holds_in_every_reading_is_a_fault_behind_the_part_where_readers_part_ways() {
    let said = |bytes: &[u8]| read(bytes).0;
    assert_eq!(said(&[1, 2, 10, 7, 0]), OPEN);
    assert_eq!(said(&[1, 2, 10, 7]), "END blocks", "a missing end");
    assert_eq!(said(&[1, 2, 10, 7, 1, 0xff, 0]), "SIZE blocks[1].body");
    assert_eq!(said(&[1, 2, 10, 7, 1, 9, 1, 0]), "CUT blocks[1].body");
    assert_eq!(said(&[1, 2, 10, 7, 3]), "TAG blocks[1].tag");
}

#[test]
fn what_readers_may_have_read_differently_is_no_fault() {
    let said = |bytes: &[u8]| read(bytes).0;
    // Some readers expect a count before the item, so they read its size from another byte.
    assert_eq!(said(&[1, 2, 10, 7, 2, 2, 5, 0xff, 0]), OPEN);
    assert_eq!(said(&[1, 2, 10, 7, 2, 2, 5, 9, 0]), OPEN);
    // After that block, all readers are at the same position again.
    assert_eq!(
        said(&[1, 2, 10, 7, 2, 2, 1, 9, 1, 9, 0]),
        "CUT blocks[2].body"
    );
    // Without an ambiguity, the same bytes are a violation.
    assert_eq!(said(&[2, 3, 1, 0xff, 0]), "SIZE blocks[0].body.item.bytes");
}

#[test]
fn records_are_read_on_by_the_sizes() {
    let (said, sizes) = read(&[1, 2, 10, 7, 2, 2, 1, 5, 0]);
    assert_eq!((said.as_str(), sizes), (OPEN, vec![Value::Int(1)]));
}
