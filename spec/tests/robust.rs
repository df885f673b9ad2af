//! No text makes the loader panic or hang, whatever stands in it.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::{Memory, load};

const SAMPLE: &str = include_str!("sample.yaml");

/// Loads a text, shows what is wrong, and is done in time.
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

#[test]
fn the_sample_loads() {
    let loaded = load(&Memory::new().with("a.yaml", SAMPLE), "a.yaml");
    let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
    assert!(loaded.schema.is_some(), "{shown}");
}

/// A change of a text: cut a range, double it, put something in, swap two lines.
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
