//! Tests that computed fields have the values that the decoder expects, and that the tree of a
//! rejected trace can be written.

use std::sync::Arc;

use tracegauge_decoder::{decode_tree, judge};
use tracegauge_generator::{Bases, Generator, Options};
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

const RULES: &str = "rules: { R: { level: must, section: A, says: x., reader: reject } }\n";

fn generator(fields: &str) -> Generator {
    let text = format!(
        "meta: {{ id: a, endian: be, bit-endian: be }}\nfaults: {{ eof: R, trailing: R }}\n{fields}{RULES}"
    );
    let loaded = load(&Memory::new().with("a.yaml", &text), "a.yaml");
    let schema = Arc::new(loaded.schema.expect("a schema"));
    Generator::new(Arc::new(lower(&schema, "a").expect("a plan")))
}

/// Checks that each of 60 seeds yields a trace, and that encoding its tree yields the same bytes.
fn is_always_written(generator: &Generator) {
    for seed in 0..60 {
        let trace = generator.from_seed(seed, Options::default());
        let bytes = trace.expect("a valid trace").bytes;
        let (_, tree) = decode_tree(generator.plan(), &bytes);
        assert_eq!(generator.encode(&tree).expect("a trace").bytes, bytes);
    }
}

#[test]
fn the_size_and_the_position_of_a_switch_are_written() {
    is_always_written(&generator(
        "seq:
  - { id: tag, type: u1, gen: { range: [0, 3] } }
  - { id: before, type: u2, value: body._sizeof + 1 }
  - { id: body, type: { switch-on: tag, cases: { 1: num, 2: text } } }
  - { id: size, type: u1, value: body._sizeof }
  - { id: start, type: u1, value: body._start }
  - { id: end, type: u1, value: body._end }
types:
  num: { seq: [ { id: x, type: u2 } ] }
  text: { seq: [ { id: l, type: u1, value: t._sizeof }, { id: t, size: l } ] }
",
    ));
}

#[test]
fn two_fields_are_computed_from_the_same_list_or_bytes() {
    for total in ["before", "after"] {
        let name = "{ id: m, type: u1, value: z._sizeof, rule: R }";
        let counts = "{ id: n, type: u1, value: items.size, rule: R }, { id: l, type: u1, value: b._sizeof, rule: R }";
        let totals = "{ id: t, type: u2, value: items.size * 4 + 2, rule: R }, { id: s, type: u2, value: b._sizeof + 1, rule: R }";
        let fields = match total {
            "before" => format!("{totals}, {counts}"),
            _ => format!("{counts}, {totals}"),
        };
        is_always_written(&generator(&format!(
            "seq: [ {fields}, {{ id: items, type: u1, repeat: expr, repeat-expr: n }}, {{ id: b, size: l }}, {name}, {{ id: z, type: strz, encoding: ASCII }}, {{ id: k, type: u1, value: z._sizeof * 2, rule: R }} ]\n"
        )));
    }
}

#[test]
fn the_size_of_a_number_is_computed_before_it() {
    for number in ["type: u4", "type: f8", "type: u4, if: k == 1"] {
        is_always_written(&generator(&format!(
            "seq: [ {{ id: s, type: u2, value: 4 + x._sizeof }}, {{ id: k, type: u1 }}, {{ id: x, {number} }} ]\n"
        )));
    }
}

#[test]
fn a_computed_field_may_be_absent() {
    is_always_written(&generator(
        "seq: [ { id: items, type: item, repeat: eos } ]
types:
  item:
    seq:
      - { id: tag, type: u1, gen: { weights: { 4: 1, 5: 1 } } }
      - { id: size, type: u2, value: tag + 1, if: tag != 5 }
",
    ));
}

#[test]
fn the_tree_of_a_trace_that_ends_inside_bit_fields_is_written_up_to_its_fault() {
    let generator = generator(
        "seq:
  - { id: a, type: u1 }
  - { id: k, type: b2, valid: { max: 2, rule: R } }
  - { id: d, type: b6, valid: { max: 9, rule: R } }
  - { id: e, type: u1 }
",
    );
    for (bytes, written) in [
        (&[7, 0xc1, 3][..], &[7][..]),
        (&[7, 0xbf, 3], &[7, 0x80]),
        (&[7, 0x41, 3], &[7, 0x41, 3]),
    ] {
        let (found, tree) = decode_tree(generator.plan(), bytes);
        let bases = Bases::of(generator.plan(), bytes, &tree);
        let raw = generator.encode_raw(&tree, &bases).expect("bytes");
        assert_eq!(raw, written);
        let is_rejected = judge(generator.plan(), &raw).violation().is_some();
        assert_eq!(is_rejected, found.violation().is_some());
    }
    // Without a later bit field, the bytes of the earlier ones are incomplete.
    let (_, mut tree) = decode_tree(generator.plan(), &[7, 0x41, 3]);
    let named = |name| {
        tree.nodes
            .iter()
            .position(|node| called(&generator, node.op) == Some(name))
    };
    let (run, last) = (named("k").expect("a node") - 1, named("d").expect("a node"));
    tree.nodes[run].end -= 1;
    tree.nodes[0].end -= 1;
    tree.nodes.remove(last);
    tree.nodes[last].end -= 1;
    let error = generator.encode_raw(&tree, &Bases::default());
    let error = error.expect_err("a bit field is missing").to_string();
    assert!(error.contains("other bit fields"), "{error}");
}

fn called(generator: &Generator, op: tracegauge_plan::OpId) -> Option<&str> {
    let label = generator.plan().info(op).label?;
    Some(generator.plan().name(label))
}
