//! Tests that computed fields have the values that the decoder expects.

use std::sync::Arc;

use tracegauge_decoder::decode_tree;
use tracegauge_generator::{Generator, Options};
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
