//! Tests for members that a reader omits. An omission is an error if the reader declares that it
//! reports records, or if the reader reports the same members elsewhere.

use std::collections::BTreeSet;
use std::fs;

use joining::{Place, notes};

use crate::joining;

const READER: &str = env!("CARGO_BIN_EXE_careless_adapter");

/// Runs a reader of the `notes` format. Returns the output and the cases with wrong records.
fn run(place: &Place, words: &[&str]) -> (String, BTreeSet<String>) {
    let spec = notes();
    let fixed = [
        "run",
        "--no-progress",
        "--spec",
        &spec,
        "--json",
        "result.json",
    ];
    let output = place.tracegauge(&[&fixed[..], words].concat());
    let result = fs::read(place.path().join("result.json")).expect("a result");
    let result: serde_json::Value = serde_json::from_slice(&result).expect("JSON");
    let cases = result["readers"][0]["cases"].as_array().expect("cases");
    let wrong = cases
        .iter()
        .filter(|case| case["outcome"] == "wrong-records");
    let names = wrong.filter_map(|case| case["case"].as_str().map(str::to_owned));
    (output.all(), names.collect())
}

/// Runs a reader that makes the given mistake and has no reader file.
fn undeclared(mistake: &str, words: &[&str]) -> (String, BTreeSet<String>) {
    let reader = ["--", READER, "once", mistake, "{file}"];
    run(&Place::new(), &[words, &reader].concat())
}

/// Runs the reader that omits empty values, with `more` in its reader file.
fn declared(more: &str) -> (String, BTreeSet<String>) {
    let place = Place::new();
    let file = format!(
        "name: mine\nmode: serve\nformats: [notes-v1]\n\
         command: ['{READER}', serve, omits-empty]\n{more}\n"
    );
    fs::write(place.path().join("reader.yaml"), file).expect("written");
    run(&place, &["--reader", "reader.yaml"])
}

#[test]
fn a_member_is_owed_that_is_not_declared() {
    let (said, wrong) = declared("reports: records");
    assert!(!wrong.is_empty());
    assert!(said.contains("       actual   no such member"), "{said}");
    let hint = "hint       if the reader cannot report a member, list the member under `omits`";
    assert!(said.contains(hint), "{said}");
    let empty = ["at", "level", "text"].map(|name| format!("{{member: note.{name}, when: empty}}"));
    let omits = format!("omits: [{}]", empty.join(", "));
    assert_eq!(declared(&omits).1, BTreeSet::new());
}

#[test]
fn a_reader_without_a_file_owes_what_it_reports_elsewhere() {
    let (_, wrong) = undeclared("omits-empty", &[]);
    let (_, owed) = declared("reports: records");
    assert_eq!(wrong, owed);
    // The same members are missing in a run of a single case, although the reader reports no such
    // member in that run.
    for case in wrong.iter().take(2) {
        let (_, alone) = undeclared("omits-empty", &["--filter", case]);
        assert!(alone.contains(case), "{case}");
    }
}

#[test]
fn what_a_reader_without_a_file_never_reports_is_told() {
    let (said, wrong) = undeclared("undeclared-omission", &[]);
    assert_eq!(wrong, BTreeSet::new());
    let note = "note: members that the reader never reports are not compared: note.level;";
    assert!(said.contains(note), "{said}");
}
