//! Tests that the loader never panics or hangs, regardless of its input.

use std::sync::Arc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

const SAMPLE: &str = include_str!("sample.yaml");

/// Loads a description, renders its diagnostics, and checks that this takes a limited time.
fn survives(text: &str) {
    let start = Instant::now();
    let files = Memory::new().with("a.yaml", text);
    let loaded = load(&files, "a.yaml");
    assert_eq!(loaded.schema.is_none(), loaded.diagnostics.has_errors());
    for colour in [Colour::Plain, Colour::Ansi] {
        loaded.diagnostics.render(&loaded.sources, colour);
    }
    let took = start.elapsed();
    assert!(took < Duration::from_secs(20), "{took:?}");
}

/// Like [`survives`], but also lowers the description if it is valid. It does not matter whether the
/// description can be lowered.
fn survives_lowering(text: &str) {
    survives(text);
    let loaded = load(&Memory::new().with("a.yaml", text), "a.yaml");
    if let Some(schema) = loaded.schema {
        let start = Instant::now();
        let _ = lower(&Arc::new(schema), "a");
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn the_sample_loads() {
    let loaded = load(&Memory::new().with("a.yaml", SAMPLE), "a.yaml");
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    assert!(
        loaded.schema.is_some() && loaded.diagnostics.is_empty(),
        "{shown}"
    );
}

/// An edit to text: delete a range, duplicate a range, insert a piece, or swap two lines.
#[derive(Clone, Debug)]
enum Change {
    Cut(prop::sample::Index, usize),
    Double(prop::sample::Index, usize),
    Insert(prop::sample::Index, String),
    SwapLines(prop::sample::Index, prop::sample::Index),
}

fn change() -> impl Strategy<Value = Change> {
    let pieces = prop::sample::select(vec![
        "&",
        "*",
        "!",
        " #",
        ": ",
        "?",
        "[",
        "]",
        "{",
        "}",
        "- ",
        "\n",
        "\t",
        "'",
        "\"",
        "_",
        "::",
        ".",
        "(",
        ")",
        "é",
        "追",
        "\u{0}",
        "0x",
        "-1",
        "1e999",
        "none",
        "absent",
        "rule",
        "fault: x",
        "types",
        "&a [*a]",
        "---\n",
        "99999999999999999999999999999999999999999999",
    ]);
    prop_oneof![
        (any::<prop::sample::Index>(), 1..200usize).prop_map(|(at, n)| Change::Cut(at, n)),
        (any::<prop::sample::Index>(), 1..200usize).prop_map(|(at, n)| Change::Double(at, n)),
        (any::<prop::sample::Index>(), pieces).prop_map(|(at, s)| Change::Insert(at, s.to_owned())),
        (any::<prop::sample::Index>(), any::<prop::sample::Index>())
            .prop_map(|(a, b)| Change::SwapLines(a, b)),
    ]
}

fn apply(text: &str, change: &Change) -> String {
    let boundary = |at: &prop::sample::Index| {
        let mut at = at.index(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let end = |from: usize, n: usize| {
        let mut end = (from + n).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        end
    };
    match change {
        Change::Cut(at, n) => {
            let start = boundary(at);
            format!("{}{}", &text[..start], &text[end(start, *n)..])
        }
        Change::Double(at, n) => {
            let start = boundary(at);
            let end = end(start, *n);
            format!("{}{}", &text[..end], &text[start..])
        }
        Change::Insert(at, piece) => {
            let at = boundary(at);
            format!("{}{piece}{}", &text[..at], &text[at..])
        }
        Change::SwapLines(a, b) => {
            let mut lines: Vec<&str> = text.lines().collect();
            if !lines.is_empty() {
                let (a, b) = (a.index(lines.len()), b.index(lines.len()));
                lines.swap(a, b);
            }
            lines.join("\n")
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn mutated_descriptions(changes in prop::collection::vec(change(), 1..6)) {
        let mut text = SAMPLE.to_owned();
        for change in &changes {
            text = apply(&text, change);
        }
        survives(&text);
    }

    #[test]
    fn any_text(text in "\\PC{0,300}") {
        survives(&text);
    }

    #[test]
    fn any_expression(text in "[-a-z0-9_.:()\\[\\]+*/%<>=!&|^~? '\",\\\\]{0,80}") {
        let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
        survives(&format!("meta: {{ id: a }}\nseq: [ {{ id: x, type: u1, if: \"{quoted}\" }} ]\n"));
    }
}

#[test]
fn large_and_deep_files() {
    survives(&"[".repeat(100_000));
    survives(&"a: ".repeat(50_000));
    survives(&"- ".repeat(50_000));
    survives(&"x: y\n".repeat(100_000));
    survives(
        &(0..60_000)
            .map(|n| format!("x{n}: y\n"))
            .collect::<String>(),
    );
    let wide = |key: &str, value: &str| {
        let entries: String = (0..40_000).map(|n| format!("  n{n}: {value}\n")).collect();
        format!("meta: {{ id: a }}\n{key}:\n{entries}")
    };
    for key in [
        "types", "enums", "flags", "state", "tables", "rules", "layouts", "records", "json",
        "faults", "dialects", "sets",
    ] {
        survives(&wide(key, "{ id: a }"));
        survives(&wide(key, "a"));
    }
    survives(&format!(
        "meta: {{ id: a }}\nseq: [ {{ id: x, type: u1, if: '{}1' }} ]\n",
        "1 + ".repeat(3000)
    ));
    survives(&format!(
        "meta: {{ id: a }}\nseq: [ {{ id: x, type: u1, if: '{}' }} ]\n",
        "(".repeat(10_000)
    ));
}

#[test]
fn aliases_do_not_multiply() {
    let mut text = String::from("meta: { id: a }\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..12 {
        let before = format!("*a{}, ", level - 1).repeat(10);
        text.push_str(&format!(
            "a{level}: &a{level} [{}]\n",
            before.trim_end_matches(", ")
        ));
    }
    survives(&text);
}

/// Returns a description with `count` types, each created by `of` from its number.
fn types(count: usize, of: impl Fn(usize) -> String) -> String {
    let all: String = (0..count).map(of).collect();
    format!("meta: {{ id: a, endian: le }}\nseq: [ {{ id: x, type: t0 }} ]\ntypes:\n{all}")
}

#[test]
fn paths_through_types_do_not_multiply() {
    // Each type uses the next one twice, in two distinguishable contexts.
    let twice = |n: usize, more: &str| {
        let next = n + 1;
        format!(
            "  t{n}: {{ seq: [ {{ id: a, type: t{next} }}, {{ id: b, type: t{next} }}{more} ] }}\n"
        )
    };
    let last = "  t60: { seq: [ { id: a, type: u1 } ] }\n";
    survives(&(types(60, |n| twice(n, "")) + last));
    // The innermost type refers to a field of the outermost one.
    let outward = "_parent.".repeat(40);
    let looks = format!("  t60: {{ seq: [ {{ id: a, size: {outward}c }} ] }}\n");
    survives(&(types(60, |n| twice(n, ", { id: c, type: u1 }")) + &looks));
    let sized = types(60, |n| twice(n, ""));
    let sized = sized.replace("{ id: x, type: t0 }", "{ id: x, size: sizeof<t0> }");
    assert!(sized.contains("sizeof"));
    survives_lowering(&(sized + last));
    let root = "  t60: { seq: [ { id: a, size: _root.x.a.a.a._sizeof } ] }\n";
    survives(&(types(60, |n| twice(n, "")) + root));
    // Each use maps the faults differently.
    let mapped = types(40, |n| {
        let next = n + 1;
        format!(
            "  t{n}:\n    seq:\n      - {{ id: a, type: t{next}, faults: {{ f{n}: R }} }}\n      \
             - {{ id: b, type: t{next}, faults: {{ f{n}: Q }} }}\n"
        )
    });
    let names: Vec<String> = (0..40).map(|n| format!("f{n}")).collect();
    let rule = "{ level: must, says: x, reader: reject }";
    survives(&format!(
        "{mapped}  t40: {{ seq: [ {{ id: a, type: u1 }} ] }}\nrequires: {{ faults: [{}] }}\n\
         rules: {{ R: {rule}, Q: {rule} }}\n",
        names.join(", ")
    ));
}

#[test]
fn chains_of_types_and_values_end() {
    let next = |n: usize| format!("t{}", (n + 1) % 20_000);
    let chained = |n: usize| format!("  t{n}: {{ seq: [ {{ id: a, type: {} }} ] }}\n", next(n));
    survives(&types(20_000, chained));
    let shown = |n: usize| {
        let next = next(n);
        format!(
            "  t{n}: {{ shows: a, seq: [ {{ id: a, type: {next} }}, {{ id: b, size: a }} ] }}\n"
        )
    };
    survives(&types(20_000, shown));
    survives(&types(20_000, |n| {
        format!("  t{n}: {{ is: {} }}\n", next(n))
    }));
    let embedded = |n: usize| {
        let next = next(n);
        format!(
            "  t{n}: {{ seq: [ {{ id: a, type: {next}, embed: true }}, {{ id: b, size: q }} ] }}\n"
        )
    };
    survives(&types(5_000, embedded));
    let values: String = (0..20_000)
        .map(|n| format!("  v{n}: {{ value: v{0} + v{0} }}\n", (n + 1) % 20_000))
        .collect();
    survives(&format!("meta: {{ id: a }}\ninstances:\n{values}"));
    let written: String = (0..5_000)
        .map(|n| {
            format!(
                "  - {{ id: v{n}, type: uleb128, value: v{0} + v{0} }}\n",
                (n + 1) % 5_000
            )
        })
        .collect();
    survives(&format!("meta: {{ id: a }}\nseq:\n{written}"));
}

/// Each use of an instance or a parameter is expanded, so these expressions would have 2^40
/// operations.
#[test]
fn expressions_that_double_are_refused() {
    let instances: String = (0..40)
        .map(|n| format!("  i{n}: {{ value: i{0} + i{0} }}\n", n + 1))
        .collect();
    let instances = format!(
        "meta: {{ id: a }}\nseq: [ {{ id: a, type: u1 }}, {{ id: b, size: i0 }} ]\ninstances:\n\
         {instances}  i40: {{ value: a }}\n"
    );
    let passed: String = (0..40)
        .map(|n| {
            let params = "params: [ { id: p, type: u8 } ]";
            let next = n + 1;
            format!("  t{n}: {{ {params}, seq: [ {{ id: x, type: t{next}(p + p) }} ] }}\n")
        })
        .collect();
    let passed = format!(
        "meta: {{ id: a }}\nseq: [ {{ id: a, type: u1 }}, {{ id: t, type: t0(a) }} ]\ntypes:\n\
         {passed}  t40: {{ params: [ {{ id: p, type: u8 }} ], seq: [ {{ id: y, type: u1, if: p > 3 }} ] \
         }}\n"
    );
    for text in [instances, passed] {
        survives(&text);
        let loaded = load(&Memory::new().with("a.yaml", &text), "a.yaml");
        let schema = Arc::new(loaded.schema.expect("it is valid"));
        let start = Instant::now();
        let errors = lower(&schema, "a").expect_err("it is too large");
        assert!(start.elapsed() < Duration::from_secs(20));
        assert_eq!(errors.len(), 1, "{errors:?}");
        let message = &errors[0].message;
        assert!(message.contains("more than 16384 operations"), "{message}");
    }
}

/// Sizes and constants close to the limits of the integers in which they are computed.
#[test]
fn extreme_numbers() {
    const GREATEST: &str = "170141183460469231731687303715884105727";
    let sized = |size: &str, more: &str| {
        format!(
            "meta: {{ id: a }}\nseq: [ {{ id: a, size: sizeof<t> }} ]\ntypes:\n  t: {{ seq: [ {{ id: x, \
             size: {size} }}{more} ] }}\n"
        )
    };
    let written = |value: &str| {
        format!(
            "meta: {{ id: a, endian: le }}\nfaults: {{ all: R }}\nseq:\n  - {{ id: n, type: u8, value: \
             {{ expr: {value}, rule: R }} }}\n  - {{ id: items, type: u1, repeat: expr, repeat-expr: n }}\n\
             rules: {{ R: {{ level: must, section: A, says: x, reader: reject }} }}\n"
        )
    };
    let read = |count: &str| {
        format!(
            "meta: {{ id: a, endian: le }}\nseq: [ {{ id: n, type: u8 }}, {{ id: items, type: u1, \
             repeat: expr, repeat-expr: {count} }} ]\n"
        )
    };
    let least = format!("-{GREATEST} - 1");
    let texts = [
        sized("0x2000000000000000", ""),
        sized(
            "0x1fffffffffffffff",
            ", { id: y, type: b1 }, { id: z, type: u1 }",
        ),
        sized(
            "0x1fffffffffffffff",
            ", { id: y, type: b7 }, { id: z, type: q }",
        ) + "  q: { seq: [ { id: x, type: b3 } ] }\n",
        written(&format!("items.size + {GREATEST}")),
        written(&format!("items.size + {GREATEST} + 1")),
        written(&format!("items.size - {GREATEST} - 2")),
        written(&format!("items.size * {GREATEST} * 2")),
        written("items.size * 0"),
        read(&format!("n + {GREATEST} + 1")),
        read(&format!("n - {GREATEST} - 2")),
        read(&format!("n + ({least})")),
        read(&format!("n - ({least})")),
    ];
    for text in texts {
        survives_lowering(&text);
    }
}

/// A chain of instances is accepted if each instance uses the next one only once, unless the chain
/// is so long that a recursive evaluation could exhaust the stack.
#[test]
fn chains_of_instances_have_a_limit() {
    for (length, is_computed) in [(400, true), (5_000, false)] {
        let instances: String = (0..length)
            .map(|n| format!("  i{n}: {{ value: i{} + 1 }}\n", n + 1))
            .collect();
        let text = format!(
            "meta: {{ id: a }}\nseq: [ {{ id: a, type: u1 }}, {{ id: b, size: i0 }} ]\n\
             instances:\n{instances}  i{length}: {{ value: a }}\n"
        );
        let loaded = load(&Memory::new().with("a.yaml", &text), "a.yaml");
        let schema = Arc::new(loaded.schema.expect("it is valid"));
        match lower(&schema, "a") {
            Ok(_) => assert!(is_computed, "{length}"),
            Err(errors) => {
                assert!(!is_computed, "{errors:?}");
                assert!(
                    errors[0].message.contains("more than 500 levels deep"),
                    "{errors:?}"
                );
            }
        }
    }
}

#[test]
fn types_that_hold_themselves_end() {
    let rule = "rules: { R: { level: must, says: x, reader: reject } }\n";
    for inner in [
        "t0",
        "t0(n + 1)",
        "{ switch-on: n, cases: { 1: t0, _: 't0(1)' } }",
        "{ switch-on: _parent.a, cases: { 1: t0, _: t0 } }",
    ] {
        let text = format!(
            "meta: {{ id: a }}\nseq: [ {{ id: x, type: t0(1) }} ]\n{rule}types:\n  t0:\n    \
             params: [ {{ id: n, type: u4 }} ]\n    seq:\n      - {{ id: a, type: {inner} }}\n      \
             - {{ id: b, size: _parent._parent._parent.b }}\n      - {{ id: c, size: _prev.c }}\n"
        );
        survives(&text);
    }
    let wide: String = (0..3_000)
        .map(|n| format!("      - {{ id: f{n}, type: t0, repeat: eos, if: _parent.f{n}.f{n} }}\n"))
        .collect();
    survives(&types(1, |_| format!("  t0:\n    seq:\n{wide}")));
    let layouts = "layouts: { l: { codes: { 1: { type: t0 }, 2: { layout: l, code: 1 } } } }\n";
    let own = "  t0: { seq: [ { id: a, layout: l, code: 1 } ] }\n";
    survives(&(types(1, |_| own.to_owned()) + layouts));
}

#[test]
fn wide_descriptions_end() {
    let uses: String = (0..20_000)
        .map(|n| {
            format!("  - {{ id: f{n}, type: t, faults: {{ eof: R }}, obeys: {{ R: f{n} }} }}\n")
        })
        .collect();
    survives(&format!(
        "meta: {{ id: a }}\nseq:\n{uses}types: {{ t: {{ seq: [] }} }}\n\
         rules: {{ R: {{ level: must, says: x, reader: reject }} }}\n"
    ));
    let cases: String = (0..20_000).map(|n| format!("{n}: t, ")).collect();
    survives(&format!(
        "meta: {{ id: a }}\nseq:\n  - {{ id: k, type: u4le }}\n  - {{ id: b, type: {{ switch-on: k, \
         cases: {{ {cases} }} }} }}\n  - {{ id: c, size: b.x }}\ntypes: {{ t: {{ seq: [] }} }}\n"
    ));
    let kinds: String = (0..5_000)
        .map(|n| format!("n{n}: {{ match: {{ id: {n} }}, type: t }}, "))
        .collect();
    survives(&format!(
        "meta: {{ id: a }}\nseq: [ {{ id: r, type: t }}, {{ id: x, type-of-row: rows.get(1) }} ]\n\
         tables: {{ rows: {{ key: u1, row: t, kinds: {{ {kinds} }} }} }}\n\
         types: {{ t: {{ defines: {{ table: rows, key: id }}, seq: [ {{ id: id, type: u1 }} ] }} }}\n"
    ));
}
