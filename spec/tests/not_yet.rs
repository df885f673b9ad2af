//! Tests that lowering rejects unsupported constructs with their locations instead of ignoring
//! them.

use std::sync::Arc;

use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

/// Returns the errors that lowering reports for a description, with their lines.
fn refusals(text: &str) -> Vec<(u32, String)> {
    let loaded = load(&Memory::new().with("x.yaml", text), "x.yaml");
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    assert_eq!(loaded.diagnostics.errors(), 0, "{shown}");
    let schema = Arc::new(loaded.schema.expect("there are no mistakes"));
    let errors = lower(&schema, &schema.dialects[0].id).expect_err("it cannot be run");
    let place = |span| schema.sources.line_column(span).line;
    errors
        .into_iter()
        .map(|error| (place(error.span), error.message))
        .collect()
}

#[test]
fn what_was_passed_over_is_refused() {
    for (line, text) in [
        (
            3,
            "  - { id: f, type: b3 }\n  - { id: g, type: b6, if: f > 0 }",
        ),
        (3, "  - { id: n, type: f4, gen: { construct: 1 + 1 } }"),
        (
            3,
            "  - { id: n, type: u1, valid: { eq: sizeof<x> } }\n  - { id: t, type: x }\ntypes: { x: { seq: [ { id: s, type: strz } ] } }",
        ),
        (
            4,
            "  - { id: k, type: u1 }\n  - { id: v, type: { switch-on: k, cases: { 1: { type: u1, if: k == 1 }, _: u2 } } }",
        ),
        (
            5,
            "  - { id: at, type: u1 }\n  - { id: pool, type: row }\ninstances: { early: { pos: at, type: row, same-as: pool } }\ntables: { rows: { key: u1, row: row } }\ntypes: { row: { defines: { table: rows, key: id }, seq: [ { id: id, type: u1 } ] } }",
        ),
    ] {
        let text = format!("meta: {{ id: x, endian: le, encoding: ASCII }}\nseq:\n{text}\n");
        let found = refusals(&text);
        let fits = |(at, message): &(u32, String)| {
            (line..=line + 1).contains(at) && message.contains("not supported yet")
        };
        assert!(
            !found.is_empty() && found.iter().all(fits),
            "{text}: {found:?}"
        );
    }
}
