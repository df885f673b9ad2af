//! Tests that the examples of the language reference load and that the reference mentions every
//! key.

use crate::examples;
use std::collections::BTreeSet;
use std::path::Path;

use examples::{examples, pages};
use tracegauge_spec::diagnostic::Colour;
use tracegauge_spec::load::load;

#[test]
fn every_example_loads_without_a_mistake() {
    let examples = examples();
    assert!(examples.len() >= 20, "{} examples", examples.len());
    for example in &examples {
        let loaded = load(&example.files(), &example.path());
        let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
        let page = &example.page;
        assert_eq!(loaded.diagnostics.errors(), 0, "{page}: {shown}");
        assert!(loaded.schema.is_some(), "{page}: {}", example.name);
    }
}

#[test]
fn no_two_examples_have_the_same_name() {
    let mut seen = BTreeSet::new();
    for example in examples() {
        assert!(seen.insert(example.name.clone()), "{}", example.name);
    }
}

#[test]
fn every_key_is_explained() {
    let pages = pages();
    let keys = keys();
    assert!(keys.len() > 150, "{} keys were found", keys.len());
    let explained = |key: &&String| {
        let word = format!("`{key}`");
        pages.iter().any(|(_, text)| {
            let mut prose = text.split("```").step_by(2);
            prose.any(|prose| prose.contains(&word) || names(prose, key))
        })
    };
    let missing: Vec<&String> = keys.iter().filter(|key| !explained(key)).collect();
    assert!(missing.is_empty(), "no page explains {missing:?}");
}

#[test]
fn every_key_has_an_example() {
    let pages = pages();
    let shown = |key: &&String| {
        pages.iter().any(|(_, text)| {
            let mut code = text.split("```").skip(1).step_by(2);
            code.any(|code| {
                let mut before = code.match_indices(key.as_str());
                before.any(|(at, _)| is_key(code, at, key.len()))
            })
        })
    };
    let keys = keys();
    // Descriptions with this key are rejected.
    let is_rejected = |key: &String| key == "process";
    let mut missing: Vec<&String> = keys.iter().filter(|key| !shown(key)).collect();
    missing.retain(|key| !is_rejected(key));
    assert!(missing.is_empty(), "no example uses {missing:?}");
}

#[test]
fn every_key_is_in_the_overview() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language.md");
    let page = std::fs::read_to_string(page).expect("the page exists");
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let words: BTreeSet<&str> = page.split(|c| !is_word(c)).collect();
    let keys = keys();
    let missing: Vec<&String> = keys
        .iter()
        .filter(|key| !words.contains(key.as_str()))
        .collect();
    assert!(
        missing.is_empty(),
        "docs/language.md does not mention {missing:?}"
    );
}

/// Returns whether the word at a position is followed by a colon and not part of a longer word.
fn is_key(code: &str, at: usize, length: usize) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    code[at + length..].starts_with(':') && !code[..at].ends_with(is_word)
}

/// Returns `true` if a code span in `prose` contains `key`, for example in `{by, rule}`.
fn names(prose: &str, key: &str) -> bool {
    prose.split('`').skip(1).step_by(2).any(|code| {
        let words = code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_'));
        code.starts_with('{') && words.into_iter().any(|word| word == key)
            || code
                .strip_prefix(key)
                .is_some_and(|rest| rest.starts_with(':'))
    })
}

/// Extracts the keys that the loader looks up from its source code.
fn keys() -> BTreeSet<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/load");
    let mut keys = BTreeSet::new();
    for entry in std::fs::read_dir(folder).expect("the loader is here") {
        let path = entry.expect("the folder can be read").path();
        let source = std::fs::read_to_string(path).expect("the source can be read");
        let parts: Vec<&str> = source.split('"').collect();
        for (before, text) in parts.iter().zip(parts.iter().skip(1)) {
            let before = before.trim_end();
            let asked = ["take(", "need(", "entry(", "keys,", "inner,", "faults,"];
            let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if asked.iter().any(|end| before.ends_with(end))
                && !text.is_empty()
                && text.chars().all(is_word)
            {
                keys.insert((*text).to_owned());
            }
        }
    }
    keys
}
