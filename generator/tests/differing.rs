//! Tests that values which must differ do differ, and that sums fit in narrow fields.

use tracegauge_generator::laws::check_made;
use tracegauge_generator::{Generator, Options};
use tracegauge_spec::load::{Memory, load};

use crate::support;

const RULES: &str = "faults: { eof: R, terminator: R, encoding: R, short: R, past: R }\n\
    rules: { R: { level: must, section: A, says: x., reader: reject } }\n";

fn generator(text: &str) -> Generator {
    let text =
        format!("meta: {{ id: a, endian: be, bit-endian: be, encoding: ASCII }}\n{text}{RULES}");
    let schema = support::schema(load(&Memory::new().with("a.yaml", &text), "a.yaml"));
    Generator::new(support::plan(&schema, "a").expect("the description can be run"))
}

/// Checks that 60 seeds yield valid traces that can be encoded again.
fn all_are_valid(text: &str) {
    let generator = generator(text);
    let options = Options {
        bytes: 600,
        ..Options::default()
    };
    for seed in 0..60 {
        let made = generator.from_seed(seed, options);
        let made = made.unwrap_or_else(|error| panic!("{text}seed {seed}: {error}"));
        check_made(&generator, &made).unwrap_or_else(|error| panic!("{text}seed {seed}: {error}"));
    }
}

#[test]
fn strings_of_any_kind_can_be_unique() {
    for field in [
        "type: strz",
        "type: strz, encoding: UTF-16LE",
        "type: strz, include: true",
        "type: strz, terminator: 0x31",
        "type: str, size: 2",
        "type: str, size: 4, encoding: UTF-16BE",
        "type: str, size: 4, terminator: 0",
        "type: str, size: n % 3 + 4",
        "size: 2",
        "type: strz, valid: { expr: _.length < 3, rule: R }",
    ] {
        all_are_valid(&format!(
            "seq: [ {{ id: items, type: item, repeat: eos, unique: {{ by: name, rule: R }} }} ]\n\
             types: {{ item: {{ seq: [ {{ id: n, type: u1 }}, {{ id: name, {field} }} ] }} }}\n"
        ));
    }
}

#[test]
fn a_listed_string_can_be_unique() {
    all_are_valid(
        "seq: [ { id: items, type: item, repeat: expr, repeat-expr: 3, unique: { by: name, rule: R } } ]\n\
         types: { item: { seq: [ { id: name, type: strz, valid: { any-of: [\"'a'\", \"'b'\", \"'c'\"], rule: R } } ] } }\n",
    );
}

#[test]
fn a_string_with_a_size_field_can_be_unique() {
    all_are_valid(
        "seq: [ { id: items, type: item, repeat: eos, unique: { by: name, rule: R } } ]\n\
         types: { item: { seq: [ { id: size, type: u1, value: name._sizeof, valid: { max: 2, rule: R } }, { id: name, type: str, size: size } ] } }\n",
    );
}

#[test]
fn the_names_of_rows_can_be_unique() {
    all_are_valid(
        "tables: { rows: { key: u1, row: row } }\n\
         seq: [ { id: rows, type: row, repeat: expr, repeat-expr: 20 } ]\n\
         types: { row: { defines: { table: rows, key: id, again: R, unique: { by: name, rule: R } }, seq: [ { id: id, type: u1 }, { id: name, type: strz } ] } }\n",
    );
}

#[test]
fn a_bit_field_can_be_the_key_of_a_row() {
    all_are_valid(
        "tables: { rows: { key: u1, row: row } }\n\
         seq: [ { id: rows, type: row, repeat: expr, repeat-expr: 16 } ]\n\
         types: { row: { defines: { table: rows, key: id, again: R }, seq: [ { id: id, type: b4 }, { id: rest, type: b4 } ] } }\n",
    );
}

/// Returns a description with a field that is computed from the previous element.
fn carried(keys: &str) -> String {
    format!(
        "state: {{ base: {{ type: u8, initial: 70000 }} }}\n\
         seq: [ {{ id: items, type: item, repeat: eos }} ]\n\
         types: {{ item: {{ sets: {{ base: time }}, seq: [ {{ id: time, carry: add, {keys} }} ] }} }}\n"
    )
}

const WRAPPING: [&str; 5] = [
    "type: u2, wire: u1, wraps: 16",
    "type: u2, wire: s1, wraps: 16",
    "type: u4, wire: u2, wraps: 10",
    "type: u2, wire: u1, wraps: 16, then: 9",
    "type: u2, wire: u1, wraps: 16, carry-from: base",
];

#[test]
fn a_sum_that_wraps_around_can_be_narrower_in_the_trace() {
    for keys in WRAPPING {
        all_are_valid(&carried(keys));
    }
}

#[test]
fn any_choices_lead_to_a_sum_that_the_field_can_represent() {
    let text = carried(WRAPPING[0]);
    let generator = generator(&text);
    let options = Options {
        bytes: 600,
        odd: true,
        ..Options::default()
    };
    for seed in 0..60 {
        let made = generator.from_seed(seed, options);
        made.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}
