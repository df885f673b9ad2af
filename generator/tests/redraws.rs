//! Tests that the generator draws choices again if they lead to a trace that violates a condition
//! which the generator cannot solve.

use std::sync::Arc;

use tracegauge_generator::plain::Allowed;
use tracegauge_generator::{Generator, Options, Target};
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

fn generator(seq_and_types: &str) -> Generator {
    let text = format!(
        "meta: {{ id: x, endian: le, encoding: ASCII }}
faults: {{ eof: R, trailing: R, past: R, short: R, rest: R, encoding: R }}
{seq_and_types}
rules: {{ R: {{ level: must, section: A, says: x., reader: reject }} }}
"
    );
    let loaded = load(&Memory::new().with("x.yaml", text), "x.yaml");
    let schema = loaded
        .schema
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let plan = lower(&Arc::new(schema), "x").unwrap_or_else(|errors| panic!("{errors:?}"));
    Generator::new(Arc::new(plan))
}

/// Returns how many of 50 seeds yield a random trace, and how many a plain one.
fn made(generator: &Generator) -> (usize, usize) {
    made_with(generator, Options::about(120))
}

/// Returns what [`made`] returns, if every trace is given up after the first failure.
fn made_at_once(generator: &Generator) -> (usize, usize) {
    let options = Options {
        choices: 0,
        ..Options::about(120)
    };
    made_with(generator, options)
}

fn made_with(generator: &Generator, options: Options) -> (usize, usize) {
    let target = Target::default();
    let plain = |seed: &u64| {
        let made = generator.plain(*seed, options, &target, Allowed::default());
        made.is_ok()
    };
    let random = (0..50).filter(|seed| generator.from_seed(*seed, options).is_ok());
    (random.count(), (0..50).filter(plain).count())
}

const ITEMS: &str = "seq: [ { id: items, type: item, repeat: eos } ]\n";

#[test]
fn a_check_of_a_count() {
    let generator = generator(&format!(
        "{ITEMS}types:
  item:
    seq:
      - {{ id: n, type: u1, value: list.size }}
      - {{ id: list, type: u1, repeat: expr, repeat-expr: n }}
      - {{ check: n != 0, at: n, rule: R }}"
    ));
    assert_eq!(made(&generator), (50, 50));
}

#[test]
fn a_count_that_equals_another_count_is_not_left_to_chance() {
    let generator = generator(&format!(
        "{ITEMS}types:
  item:
    seq:
      - {{ id: n, type: u1, value: names.size }}
      - {{ id: m, type: u1, value: values.size, valid: {{ eq: n, rule: R }} }}
      - {{ id: names, type: u1, repeat: expr, repeat-expr: n }}
      - {{ id: values, type: u2, repeat: expr, repeat-expr: m }}"
    ));
    assert_eq!(made_at_once(&generator), (50, 50));
}

#[test]
fn a_reference_to_a_row_that_satisfies_a_test_is_not_left_to_chance() {
    let generator = generator(
        "tables: { flows: { key: u1, row: flow, columns: { closed: { type: u1, initial: 0 } } } }
seq: [ { id: flows, type: flow, repeat: expr, repeat-expr: 3 }, { id: uses, type: use, repeat: expr, repeat-expr: 3 } ]
types:
  flow: { defines: { table: flows, key: id, again: R }, seq: [ { id: id, type: u1 } ] }
  use:
    sets: { flows.get(flow).closed: 1 }
    seq: [ { id: flow, type: u1, refs: { table: flows, dangling: R }, valid: { expr: flows.get(_).closed == 0, rule: R } } ]",
    );
    assert_eq!(made_at_once(&generator), (50, 50));
}

#[test]
fn a_bit_field_that_depends_on_one_of_the_same_byte() {
    let generator = generator(&format!(
        "{ITEMS}types:
  item:
    seq:
      - {{ id: kind, type: b3 }}
      - {{ id: wide, type: b1, valid: {{ eq: false, if: kind == 2, rule: R }} }}
      - {{ id: more, type: b4, valid: {{ min: kind, rule: R }} }}"
    ));
    assert_eq!(made_at_once(&generator), (50, 50));
}

#[test]
fn a_decimal_number() {
    let generator = generator(&format!(
        "{ITEMS}types:
  item:
    seq:
      - {{ id: ends, type: str, terminator: 0x3b, valid: {{ expr: _.is_decimal, rule: R }} }}
      - {{ id: fixed, type: str, size: 4, valid: {{ expr: _.is_decimal, rule: R }} }}"
    ));
    assert_eq!(made_at_once(&generator), (50, 50));
}

#[test]
fn a_condition_of_a_type_on_a_field_and_a_register() {
    let generator = generator(
        "seq: [ { id: scale, type: u2, valid: { any-of: [1, 1000], rule: R } }, { id: items, type: item, repeat: eos } ]
state: { clock: { type: s8, initial: 1000 } }
types:
  item:
    sets: { clock: state.clock + delta * _root.scale }
    seq: [ { id: delta, type: s2 }, { id: flags, type: u1 } ]
    valid: { expr: state.clock + delta * _root.scale >= 0, rule: R }",
    );
    assert_eq!(made_at_once(&generator), (50, 50));
}

#[test]
fn a_field_that_is_compared_with_the_previous_element() {
    for raw in ["u2", "{ switch-on: kind, cases: { 1: u1, 2: s2 } }"] {
        let generator = generator(&format!(
            "{ITEMS}types:
  item:
    seq:
      - {{ id: kind, type: u1, valid: {{ any-of: [1, 2], rule: R }} }}
      - {{ id: raw, type: {raw} }}
      - {{ check: _index == 0 or kind != _prev.kind or raw >= _prev.raw, at: raw, rule: R }}"
        ));
        assert_eq!(made_at_once(&generator), (50, 50), "{raw}");
    }
}

#[test]
fn a_check_of_several_fields() {
    let generator = generator(&format!(
        "{ITEMS}types:
  item:
    seq:
      - {{ id: a, type: u1 }}
      - {{ id: b, type: u1 }}
      - {{ check: a * b % 3 == 1, at: a, rule: R }}"
    ));
    assert_eq!(made(&generator), (50, 50));
}

#[test]
fn unique_names_that_are_looked_up() {
    let generator = generator(&format!(
        "tables: {{ names: {{ key: u1, row: name }} }}
{ITEMS}types:
  item: {{ seq: [ {{ id: kind, type: u1, valid: {{ any-of: [0, 1], rule: R }} }}, {{ id: body, type: {{ switch-on: kind, cases: {{ 0: name, 1: use }} }} }} ] }}
  name: {{ defines: {{ table: names, key: id, again: R }}, seq: [ {{ id: id, type: u1 }}, {{ id: text, type: u1, valid: {{ max: 4, rule: R }} }} ] }}
  use:
    seq:
      - {{ id: n, type: u1, value: ids.size }}
      - {{ id: ids, type: ref, repeat: expr, repeat-expr: n, unique: {{ by: names.get(id).text, rule: R }} }}
  ref: {{ seq: [ {{ id: id, type: u1, refs: {{ table: names, dangling: R }} }} ] }}"
    ));
    let (random, plain) = made(&generator);
    assert_eq!((random, plain), (50, 50));
    let longest = (0..50).filter_map(|seed| {
        let made = generator.from_seed(seed, Options::about(120)).ok()?;
        let uses = made.tree.nodes.iter().map(|node| node.op);
        let counts = uses.fold(std::collections::HashMap::new(), |mut counts, op| {
            *counts.entry(op).or_insert(0) += 1;
            counts
        });
        counts.into_values().max()
    });
    // The elements of the outer list are not limited by the number of rows.
    assert!(longest.max() > Some(10));
}

#[test]
fn a_condition_that_is_never_true_is_reported_as_found_first() {
    let generator =
        generator("seq: [ { id: a, type: u1 }, { check: a * a == 2, at: a, rule: R } ]");
    let error = generator
        .from_seed(1, Options::about(10))
        .expect_err("no value is valid");
    let text = error.to_string();
    assert!(
        text.contains("generated trace is invalid: field `a`"),
        "{text}"
    );
}

#[test]
fn the_same_seed_yields_the_same_bytes_in_a_file() {
    let generator = generator(&format!(
        "{ITEMS}types: {{ item: {{ seq: [ {{ id: a, type: u1 }}, {{ check: a % 4 > 2, at: a, rule: R }} ] }} }}"
    ));
    for seed in 0..20 {
        let options = Options::about(40);
        let made = generator.from_seed(seed, options).expect("a trace");
        let mut written = Vec::new();
        let verdict = generator.write_seed(seed, options, &mut written);
        assert_eq!(written, made.bytes);
        assert_eq!(verdict.expect("a trace"), made.verdict);
    }
}

#[test]
fn an_alternative_that_ends_the_list_is_not_an_obstacle() {
    let generator = generator(
        "seq: [ { id: items, type: item, repeat: until, repeat-until: _.kind == 9, faults: { missing: R } } ]
types:
  item: { seq: [ { id: kind, type: u1, valid: { expr: _ == 9 or _ >= 128, rule: R } } ] }",
    );
    // The first attempt must succeed.
    let options = Options {
        choices: 0,
        ..Options::about(120)
    };
    let made = (0..50).filter(|seed| generator.from_seed(*seed, options).is_ok());
    assert_eq!(made.count(), 50);
}

#[test]
fn a_check_of_fields_around_a_list() {
    let generator = generator(&format!(
        "{ITEMS}types:
  item:
    seq:
      - {{ id: a, type: u1 }}
      - {{ id: n, type: u1, value: body._sizeof }}
      - {{ id: body, size: n, type: body }}
      - {{ id: b, type: u1 }}
      - {{ check: a * 2 % 256 < b, at: b, rule: R }}
  body: {{ seq: [ {{ id: x, type: u1, repeat: eos }} ] }}"
    ));
    assert_eq!(made(&generator), (50, 50));
}

#[test]
fn a_check_in_a_list_that_ends_on_a_condition() {
    let generator = generator(
        "seq: [ { id: items, type: item, repeat: until, repeat-until: _.kind == 0 } ]
types:
  item:
    seq:
      - { id: kind, type: u1 }
      - { id: a, type: u1 }
      - { check: a * a % 16 < 8, at: a, rule: R }",
    );
    assert_eq!(made(&generator), (50, 50));
}

#[test]
fn a_size_that_must_be_aligned() {
    let generator = generator(&format!(
        "{ITEMS}types:
  item:
    seq:
      - {{ id: total, type: u4, value: body._sizeof + 4, valid: {{ expr: _ % 4 == 0, rule: R }} }}
      - {{ id: body, size: total - 4, type: body }}
  body: {{ seq: [ {{ id: data, size-eos: true }} ] }}"
    ));
    assert_eq!(made(&generator), (50, 50));
}

#[test]
fn strings_that_must_be_first_or_last() {
    let generator = generator(
        "seq:
  - { id: n, type: u1, value: items.size }
  - id: items
    type: item
    repeat: expr
    repeat-expr: n
    arrange: { first: [ { expr: \"_.tag == 'head' or _.tag == 'HEAD'\", rule: R } ], last: [ { expr: \"_.tag == 'tail'\", rule: R } ] }
  - { id: end, type: str, size: 3, valid: { expr: \"_ == 'end'\", rule: R } }
types: { item: { seq: [ { id: tag, type: str, size: 4 } ] } }",
    );
    let options = Options::about(120);
    let made = (0..50).filter_map(|seed| generator.from_seed(seed, options).ok());
    // Both conditions cannot hold in a list of one element.
    assert!(made.count() > 30);
}

#[test]
fn rows_whose_keys_are_used_up() {
    let generator = generator(
        "tables: { rows: { key: u1, row: item } }
seq: [ { id: items, type: item, repeat: eos } ]
types: { item: { defines: { table: rows, key: id, again: R }, seq: [ { id: id, type: u1 } ] } }",
    );
    for seed in 0..10 {
        let made = generator.from_seed(seed, Options::about(1000));
        assert!(made.expect("a trace").bytes.len() <= 256);
    }
}

#[test]
fn a_size_whose_upper_bit_says_that_the_field_refers_to_no_row() {
    let generator = generator(&format!(
        "{ITEMS}tables: {{ rows: {{ key: u2, row: row }} }}
types:
  item: {{ seq: [ {{ id: tag, type: u1, valid: {{ any-of: [1, 2], rule: R }} }}, {{ id: body, type: {{ switch-on: tag, cases: {{ 1: row, 2: use }} }} }} ] }}
  row:
    defines: {{ table: rows, key: id, again: R }}
    seq: [ {{ id: id, type: u2, valid: {{ min: 1, max: 0x7fff, rule: R }} }} ]
  use:
    seq:
      - {{ id: name, type: u2, refs: {{ table: rows, none: 0, dangling: R, if: \"_ & 0x8000 == 0\" }} }}
      - {{ id: text, type: str, size: \"name & 0x7fff\", if: \"name & 0x8000 != 0\" }}
"
    ));
    assert_eq!(made_at_once(&generator), (50, 50));
}

#[test]
fn sizes_in_words_and_what_they_leave_of_a_total() {
    let generator = generator(&format!(
        "{ITEMS}types:
  item:
    seq:
      - {{ id: words, type: u1, value: (head._sizeof + 3) / 4, rule: R }}
      - {{ id: total, type: u2, value: 3 + head._sizeof + data._sizeof + part._sizeof, rule: R }}
      - {{ id: head, size: words * 4 - 3, faults: {{ negative: R }} }}
      - {{ id: data, size: total - words * 4 - part_words * 8, faults: {{ negative: R }} }}
      - {{ id: part, size: 8, type: part }}
    instances: {{ part_words: {{ value: 1 }} }}
  part: {{ seq: [ {{ id: data, size-eos: true }} ] }}
"
    ));
    assert_eq!(made_at_once(&generator), (50, 50));
}

#[test]
fn a_part_of_whole_words() {
    let generator = generator(&format!(
        "{ITEMS}types:
  item:
    seq:
      - {{ id: words, type: u1, value: (body._sizeof + 1) / 8, rule: R }}
      - {{ id: body, size: words * 8 - 1, type: body, faults: {{ negative: R }} }}
  body:
    seq:
      - {{ id: n, type: u1, value: text._sizeof }}
      - {{ id: text, type: str, size: n }}
      - {{ id: padding, align: {{ to: 8, from: file, fill: 0 }}, rule: R }}
"
    ));
    assert_eq!(made_at_once(&generator), (50, 50));
}
