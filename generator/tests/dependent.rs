//! Tests of values computed from other computed values in any order, and of the error messages when
//! no trace can be generated.

use crate::support;
use tracegauge_generator::laws::check_made;
use tracegauge_generator::{GenerateError, Generator, Options};
use tracegauge_spec::load::{Memory, load};

const CHAIN: &str = r#"
meta: { id: chain, endian: be, encoding: ASCII }
faults: { eof: WHOLE, encoding: WHOLE, terminator: WHOLE }
seq:
  - { id: last, type: u4, value: middle + 1, rule: SUM }
  - { id: middle, type: u4, value: first * 2, rule: SUM }
  - { id: first, type: u4, value: body.inner + name._sizeof, rule: SUM }
  - { id: name, type: strz }
  - { id: body, type: body }
types:
  body:
    seq:
      - { id: inner, type: u2, value: twice * 2, rule: SUM }
      - { id: twice, type: u2, value: number + 3, rule: SUM }
      - { id: number, type: u1 }
rules:
  WHOLE: { level: must, section: All, says: Everything is there., reader: reject }
  SUM: { level: must, section: All, says: The sums are right., reader: reject }
"#;

/// Returns a generator for a description.
fn generator(text: &str, dialect: &str) -> Generator {
    let schema = support::schema(load(&Memory::new().with("x.yaml", text), "x.yaml"));
    Generator::new(support::plan(&schema, dialect).expect("it can be lowered"))
}

#[test]
fn values_are_computed_after_those_that_they_are_computed_from() {
    let generator = generator(CHAIN, "chain");
    for seed in 0..100 {
        let made = generator.from_seed(seed, Options::default());
        let made = made.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        check_made(&generator, &made).unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
    }
}

#[test]
fn giving_up_names_the_field_the_rule_and_the_places() {
    let text = r#"
meta: { id: late, endian: be }
faults: { eof: WHOLE }
seq:
  - { id: head, type: u2 }
  - { id: a, type: u1, valid: { expr: "(a * a) % 251 == 250 and head == 7", rule: ODD } }
rules:
  WHOLE: { level: must, section: All, says: Everything is there., reader: reject }
  ODD: { level: must, section: All, says: The number is odd., reader: reject }
"#
    .replace("(a * a)", "(_ * _)");
    let generator = generator(&text, "late");
    let error = (0..20).find_map(|seed| generator.from_seed(seed, Options::default()).err());
    let error = error.expect("a seed fails").to_string();
    for part in ["`a`", "byte 2", "rule ODD", "described at x.yaml:6"] {
        assert!(error.contains(part), "{error} has no {part}");
    }
}

#[test]
fn data_that_is_too_large_for_its_size_field_is_no_invalid_trace() {
    // The list may have more bytes than `size` can represent, and its length is in a field of the
    // part, so the generator notices only at the end of the part.
    let text = r#"
meta: { id: large, endian: be }
faults: { eof: WHOLE, past: WHOLE, short: WHOLE }
seq:
  - { id: size, type: u1, value: body._sizeof }
  - { id: body, size: size, type: body }
types:
  body:
    seq:
      - { id: count, type: u1, value: items.size }
      - { id: items, type: item, repeat: expr, repeat-expr: count }
  item:
    seq:
      - { id: length, type: u1, value: text._sizeof }
      - { id: text, size: length }
rules:
  WHOLE: { level: must, section: All, says: Everything is there., reader: reject }
"#;
    let generator = generator(text, "large");
    let (mut made, mut refused) = (0, 0);
    for seed in 0..2000 {
        let options = Options {
            bytes: 2000,
            fill: true,
            ..Options::default()
        };
        match generator.from_seed(seed, options) {
            Ok(_) => made += 1,
            Err(GenerateError::Refused { .. }) => refused += 1,
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    println!("{made} made, {refused} refused");
    assert!(made > 0);
}

#[test]
fn giving_up_names_the_rule_on_which_readers_differ() {
    let text = r#"
meta: { id: differ, endian: be }
faults: { eof: WHOLE }
seq:
  - { id: head, type: u2 }
  - { id: a, type: u1, valid: { expr: "(_ * _) % 251 == 250 and head == 7", rule: DIFFER } }
rules:
  WHOLE: { level: must, section: All, says: Everything is there., reader: reject }
  DIFFER: { level: must, section: All, says: Readers differ., reader: either, continues: keep }
"#;
    let generator = generator(text, "differ");
    let error = (0..20).find_map(|seed| generator.from_seed(seed, Options::default()).err());
    let error = error.expect("a seed fails").to_string();
    for part in ["DIFFER", "byte 2", "described at x.yaml:6"] {
        assert!(error.contains(part), "{error} has no {part}");
    }
}
