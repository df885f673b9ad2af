//! A format that only its description knows, from the file to the report: nothing but YAML is
//! given, and every command works.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn description() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/tests/formats/tlv/format.yaml")
}

/// Runs the command in a folder of its own.
fn tracegauge(folder: &TempDir, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tracegauge"))
        .args(words)
        .current_dir(folder.path())
        .output()
        .expect("the command starts")
}

fn run(folder: &TempDir, more: &[&str]) -> (Option<i32>, Value) {
    let spec = description();
    let spec = spec.to_str().expect("a plain path");
    let words = ["run", "--spec", spec, "--quiet", "--json", "result.json"];
    let output = tracegauge(folder, &[&words[..], more].concat());
    let text = std::fs::read(folder.path().join("result.json")).unwrap_or_else(|error| {
        panic!("{error}: {}", String::from_utf8_lossy(&output.stderr));
    });
    let result = serde_json::from_slice(&text).expect("JSON");
    (output.status.code(), result)
}

/// The outcomes of the first reader, each with the case's id and rules.
fn outcomes(result: &Value) -> Vec<(String, String)> {
    let cases = result["readers"][0]["cases"].as_array().expect("cases");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let read = cases
        .iter()
        .map(|case| (text(&case["case"]), text(&case["outcome"])));
    read.collect()
}

#[test]
fn the_reference_decoder_passes_every_case() {
    let folder = tempfile::tempdir().expect("a folder");
    let (status, result) = run(&folder, &[]);
    assert_eq!(status, Some(0), "{result:#}");
    let outcomes = outcomes(&result);
    let malformed = |id: &str| id.starts_with("tlv-v1/malformed/");
    for rule in ["CHANNEL-UNKNOWN", "SIZE-PAST-END", "COUNT", "TOTAL", "END"] {
        let begins = format!("tlv-v1/malformed/{rule}/");
        let found = outcomes.iter().any(|(id, _)| id.starts_with(&begins));
        assert!(found, "nothing breaks {rule}");
    }
    assert!(outcomes.iter().filter(|(id, _)| malformed(id)).count() > 100);
    assert!(outcomes.iter().any(|(id, _)| !malformed(id)));
    for (id, outcome) in &outcomes {
        assert_eq!(outcome, "pass", "{id}");
    }
}

#[test]
fn a_reader_that_accepts_everything_is_found_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let (status, result) = run(&folder, &["--", "true", "{file}"]);
    assert_eq!(status, Some(1), "{result:#}");
    let outcomes = outcomes(&result);
    let wrong = outcomes
        .iter()
        .filter(|(_, outcome)| outcome == "wrong-accept")
        .count();
    assert!(wrong > 50, "{wrong} wrong accepts: {outcomes:?}");
    let valid = outcomes.iter().filter(|(id, _)| id.contains("/valid/"));
    for (id, outcome) in valid {
        assert_ne!(outcome, "wrong-reject", "{id}");
    }
}

#[test]
fn a_mistake_in_the_description_is_shown_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.yaml");
    let text = "meta: { id: mine, endian: le }\nseq:\n  - { id: a, type: nothing }\n";
    std::fs::write(path, text).expect("written");
    let output = tracegauge(&folder, &["run", "--spec", "mine.yaml"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("mine.yaml:3:"), "{said}");
    assert!(said.contains("nothing"), "{said}");
}
