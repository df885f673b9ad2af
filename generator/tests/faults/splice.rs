//! Tests of writing a trace again with some changes.

use tracegauge_decoder::tree::NodeId;
use tracegauge_decoder::{decode_tree, judge};
use tracegauge_generator::fault::{Cut, Edit, Place, Splice, Twin, splice};
use tracegauge_plan::Kind;

use super::support::{bundled, described, hex, real};

#[test]
fn nothing_changed_is_the_same() {
    let plan = bundled("dial9-v1");
    for bytes in real("dial9-v1") {
        let (verdict, tree) = decode_tree(&plan, &bytes);
        if verdict.tolerable() {
            let same = splice(&plan, &bytes, &tree, &Splice::default()).unwrap();
            assert!(same.bytes == bytes);
            for (node, span) in tree.nodes.iter().zip(&same.spans) {
                assert_eq!(Some(node.span), *span);
            }
        }
    }
}

#[test]
fn every_element_can_be_doubled_and_every_cut_made() {
    let plan = bundled("dial9-v1");
    let bytes = real("dial9-v1").remove(0);
    let (_, tree) = decode_tree(&plan, &bytes);
    let twin = Twin::new(&plan, &bytes, &tree);
    for (index, node) in tree.nodes.iter().enumerate() {
        let id = NodeId::try_from(index).unwrap();
        let cut = Splice {
            cut: Some(Cut { node: id, keep: 0 }),
            ..Splice::default()
        };
        let start = usize::try_from(node.span.start).unwrap();
        assert_eq!(twin.splice(&cut).unwrap().bytes, bytes[..start]);
    }
    let lists = tree
        .nodes
        .iter()
        .zip(0..)
        .filter(|(node, _)| matches!(plan.op(node.op).kind, Kind::Repeat(_)));
    for element in lists.flat_map(|(_, list): (_, NodeId)| tree.children(list)) {
        let span = tree.node(element).span;
        let range = usize::try_from(span.start).unwrap()..usize::try_from(span.end).unwrap();
        let double = Splice {
            edits: vec![Edit::insert(Place::After(element), bytes[range].to_vec())],
            ..Splice::default()
        };
        let spliced = twin.splice(&double).unwrap();
        assert_eq!(
            spliced.bytes.len() as u64,
            bytes.len() as u64 + span.end - span.start
        );
        assert_eq!(spliced.edited, [span.end]);
    }
}

/// Nested sizes, one of them of variable length, and padding.
const NESTED: &str = "
meta: { id: nested, endian: le }
seq:
  - { id: size, type: uleb128, bits: 32, value: body._sizeof }
  - { id: body, size: size, type: body }
  - { id: after, type: u1 }
types:
  body:
    seq:
      - { id: count, type: u1, value: texts.size }
      - { id: texts, type: text, repeat: expr, repeat-expr: count }
      - { id: padding, align: { to: 4, from: part, fill: 0 } }
  text:
    seq:
      - { id: len, type: u1, value: text._sizeof }
      - { id: text, type: str, size: len, encoding: ASCII }
";

#[test]
fn sizes_follow_however_deep_and_however_wide() {
    let plan = described(NESTED, "nested");
    let bytes = hex("08 02 02 6162 01 63 0000 ff");
    let (verdict, tree) = decode_tree(&plan, &bytes);
    assert!(verdict.tolerable(), "{verdict:?}");
    let text = tree
        .nodes
        .iter()
        .position(|node| node.span.start == 3 && node.span.end == 5);
    let longer = Splice {
        edits: vec![Edit::Replace {
            node: NodeId::try_from(text.unwrap()).unwrap(),
            bytes: vec![b'x'; 125],
        }],
        ..Splice::default()
    };
    let spliced = splice(&plan, &bytes, &tree, &longer).unwrap();
    // 1 byte for the count, 126 and 2 for the strings, padded to a multiple of 4: 132, which takes
    // two bytes.
    assert_eq!(spliced.bytes[..5], [0x84, 0x01, 0x02, 125, b'x']);
    assert_eq!(spliced.bytes.len(), 2 + 132 + 1);
    assert!(judge(&plan, &spliced.bytes).tolerable());
    // A string whose length does not fit into its length field cannot be written.
    let longest = Splice {
        edits: vec![Edit::Replace {
            node: NodeId::try_from(text.unwrap()).unwrap(),
            bytes: vec![b'x'; 256],
        }],
        ..Splice::default()
    };
    assert_eq!(splice(&plan, &bytes, &tree, &longest), None);
}

#[test]
fn what_is_held_keeps_what_it_claims() {
    let plan = described(NESTED, "nested");
    let bytes = hex("08 02 02 6162 01 63 0000 ff");
    let (_, tree) = decode_tree(&plan, &bytes);
    let at = |start, end| {
        let mut nodes = tree.nodes.iter();
        let index = nodes.position(|node| (node.span.start, node.span.end) == (start, end));
        NodeId::try_from(index.unwrap()).unwrap()
    };
    let held = Splice {
        edits: vec![Edit::Replace {
            node: at(3, 5),
            bytes: b"abc".to_vec(),
        }],
        held: vec![at(2, 3)],
        cut: None,
    };
    let spliced = splice(&plan, &bytes, &tree, &held).unwrap();
    assert_eq!(spliced.bytes, hex("08 02 02 616263 01 63 00 ff"));
}

/// Values computed from other fields: a sum and an end position.
const COMPUTED: &str = "
meta: { id: computed, endian: le }
seq:
  - { id: len, type: u1, value: text._sizeof }
  - { id: text, type: str, size: len, encoding: ASCII }
  - { id: low, type: u1 }
  - { id: high, type: u1 }
  - { id: sum, type: u2, value: low + high }
  - { id: end, type: u2, value: text._end }
";

#[test]
fn computed_values_follow() {
    let plan = described(COMPUTED, "computed");
    let bytes = hex("02 6162 03 04 0700 0300");
    let (verdict, tree) = decode_tree(&plan, &bytes);
    assert!(verdict.tolerable(), "{verdict:?}");
    let at = |start: u64| {
        let mut nodes = tree.nodes.iter().skip(1);
        let index = nodes.position(|node| node.span.start == start).unwrap();
        NodeId::try_from(index + 1).unwrap()
    };
    let edits = vec![
        Edit::Replace {
            node: at(1),
            bytes: b"abcdef".to_vec(),
        },
        Edit::Replace {
            node: at(3),
            bytes: vec![0xfe],
        },
    ];
    let all = Splice {
        edits: edits.clone(),
        ..Splice::default()
    };
    let spliced = splice(&plan, &bytes, &tree, &all).unwrap();
    assert_eq!(spliced.bytes, hex("06 616263646566 fe 04 0201 0700"));
    let held = Splice {
        edits,
        held: vec![at(5)],
        cut: None,
    };
    let spliced = splice(&plan, &bytes, &tree, &held).unwrap();
    assert_eq!(spliced.bytes, hex("06 616263646566 fe 04 0700 0700"));
}

/// Rows identified by their position.
const OFFSETS: &str = "
meta: { id: offsets, endian: le }
tables: { rows: { key: offset, row: row } }
seq:
  - { id: items, type: item, repeat: eos }
types:
  item:
    seq:
      - { id: tag, type: u1 }
      - { id: body, type: { switch-on: tag, cases: { 1: row, 2: use } } }
  row:
    defines: { table: rows }
    seq:
      - { id: len, type: u1, value: text._sizeof }
      - { id: text, type: str, size: len, encoding: ASCII }
  use:
    seq: [{ id: row, type: u2, refs: { table: rows, dangling: UNKNOWN } }]
rules:
  UNKNOWN: { level: must, section: A, says: A row is there., reader: reject }
";

#[test]
fn references_to_positions_follow() {
    let plan = described(OFFSETS, "offsets");
    let bytes = hex("01 01 61 01 01 62 02 0100 02 0400");
    let (verdict, tree) = decode_tree(&plan, &bytes);
    assert!(verdict.tolerable(), "{verdict:?}");
    let first = tree
        .nodes
        .iter()
        .position(|n| (n.span.start, n.span.end) == (2, 3));
    let longer = Splice {
        edits: vec![Edit::Replace {
            node: NodeId::try_from(first.unwrap()).unwrap(),
            bytes: b"aaa".to_vec(),
        }],
        ..Splice::default()
    };
    let spliced = splice(&plan, &bytes, &tree, &longer).unwrap();
    assert_eq!(spliced.bytes, hex("01 03 616161 01 01 62 02 0100 02 0600"));
    assert!(judge(&plan, &spliced.bytes).tolerable());
}
