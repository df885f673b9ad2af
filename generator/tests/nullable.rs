//! Tests that a string that can be null is null in some traces and empty in others.

use std::collections::BTreeSet;
use std::sync::Arc;

use tracegauge_generator::{Generator, Options};
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

/// Returns the lengths that random traces store in front of a string.
fn stored_lengths(fields: &str, null: &str) -> BTreeSet<Vec<u8>> {
    let text = format!(
        "meta: {{ id: a, endian: le, encoding: UTF-8 }}\nseq: [ {{ id: text, type: message }} ]\n\
         types: {{ message: {{ seq: [ {fields} ], shows: text, none: {{ len: {null} }} }} }}\n"
    );
    let loaded = load(&Memory::new().with("a.yaml", &text), "a.yaml");
    let plan = lower(&Arc::new(loaded.schema.expect(fields)), "a").expect(fields);
    let generator = Generator::new(Arc::new(plan));
    let made = (0..200).map(|seed| generator.from_seed(seed, Options::default()).expect(fields));
    made.map(|trace| trace.bytes[..2].to_vec()).collect()
}

#[test]
fn a_nullable_string_can_be_empty() {
    let text = "{ id: text, type: str, size: len }";
    let cases = [
        (
            "{ id: len, type: s2, value: text._sizeof }",
            "-1",
            [255, 255],
            [0, 0],
        ),
        (
            "{ id: len, type: u2, value: text._sizeof }",
            "0xffff",
            [255, 255],
            [0, 0],
        ),
        ("{ id: len, type: u2 }", "0xffff", [255, 255], [0, 0]),
    ];
    for (len, value, null, empty) in cases {
        let found = stored_lengths(&format!("{len}, {text}"), value);
        assert!(found.contains(&null[..]), "{len} is never {value}");
        assert!(found.contains(&empty[..]), "{len} is never 0");
        assert!(found.len() > 2, "{len} is always 0 or {value}");
    }
}

#[test]
fn a_string_whose_empty_value_means_null_is_never_present_and_empty() {
    let fields = "{ id: len, type: u2, value: text._sizeof }, { id: text, type: str, size: len }";
    let found = stored_lengths(fields, "0");
    assert!(found.contains(&[0, 0][..]) && found.len() > 2, "{found:?}");
}
