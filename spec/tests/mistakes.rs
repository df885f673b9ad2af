//! Tests the diagnostics for one small description per kind of mistake. The file with the expected
//! output is next to each description.
//!
//! `TRACEGAUGE_UPDATE=1 cargo test --workspace mistakes` updates the expected output. Review the
//! changes before committing them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use tracegauge_spec::diagnostic::{Code, Colour, Severity};
use tracegauge_spec::load::{Loaded, Memory, load};

/// The environment variable that requests an update of the expected output. The variable is
/// rejected if `CI` is set.
const UPDATE: &str = "TRACEGAUGE_UPDATE";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mistakes")
}

/// Reads the descriptions, indexed by file name without `.yaml`.
fn descriptions() -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(folder()).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    paths
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "yaml")
        })
        .map(|path| {
            let name = path.file_stem().expect("it has a name").to_string_lossy();
            let text = std::fs::read_to_string(&path).expect("it can be read");
            (name.into_owned(), text)
        })
        .collect()
}

fn loaded(name: &str, all: &BTreeMap<String, String>) -> Loaded {
    let files = all.iter().fold(Memory::new(), |files, (name, text)| {
        files.with(format!("{name}.yaml"), text.as_str())
    });
    load(&files, &format!("{name}.yaml"))
}

#[test]
fn each_mistake_is_said_as_expected() {
    let update = std::env::var_os(UPDATE).is_some();
    assert!(
        !update || std::env::var_os("CI").is_none(),
        "{UPDATE} is for people, who look at what they keep"
    );
    let all = descriptions();
    let mut different = Vec::new();
    for name in all.keys() {
        let loaded = loaded(name, &all);
        let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
        let path = folder().join(format!("{name}.txt"));
        if update {
            std::fs::write(&path, &shown).expect("it can be written");
            continue;
        }
        let expected = std::fs::read_to_string(&path).unwrap_or_default();
        if expected.replace("\r\n", "\n") != shown {
            different.push(format!("{name}: expected\n{expected}\nfound\n{shown}"));
        }
    }
    assert!(
        different.is_empty(),
        "{}\n{UPDATE}=1 rewrites the expected output",
        different.join("\n")
    );
}

#[test]
fn each_code_has_its_mistake() {
    let all = descriptions();
    for code in Code::ALL {
        let name = code.name();
        assert!(
            all.contains_key(name),
            "`tests/mistakes/{name}.yaml` is missing: a small description with that mistake"
        );
        let loaded = loaded(name, &all);
        let found = loaded.diagnostics.iter().any(|found| found.code == *code);
        assert!(found, "`{name}` is not what is wrong with {name}.yaml");
    }
}

#[test]
fn no_other_mistake_comes_along() {
    let all = descriptions();
    for name in all.keys() {
        let loaded = loaded(name, &all);
        for found in loaded.diagnostics.iter() {
            let expected = found.code.name() == name;
            assert!(expected, "{name}.yaml also has {found:?}");
        }
    }
}

#[test]
fn an_error_leaves_no_schema() {
    let all = descriptions();
    for name in all.keys() {
        let loaded = loaded(name, &all);
        let mut found = loaded.diagnostics.iter();
        let wrong = found.any(|found| found.severity == Severity::Error);
        assert_eq!(loaded.schema.is_none(), wrong, "{name}");
    }
}
