//! Tests for the files written from the results of runs, for merging shards, and for comparisons.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// The reader file of a reader that accepts everything and reports no records.
const CREDULOUS: &str = "name: credulous\nversion: 1.0.0\ncommand: [/bin/true]\nmode: once\nreports: verdict\nformats: [dial9-v1]\n";
/// The reader file of a reader that rejects everything.
const WARY: &str = "name: credulous\nversion: 2.0.0\ncommand: [/bin/sh, -c, 'exit 65']\nmode: once\nreports: verdict\nformats: [dial9-v1]\n";

/// Creates a folder with the two readers.
fn place() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("credulous.yaml"), CREDULOUS).expect("written");
    fs::write(folder.path().join("wary.yaml"), WARY).expect("written");
    folder
}

fn tracegauge(folder: &TempDir, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tracegauge"))
        .args(line.split(' '))
        .current_dir(folder.path())
        .output()
        .expect("the command starts")
}

/// Runs a command. Returns its exit status and standard output.
fn said(folder: &TempDir, line: &str) -> (Option<i32>, String) {
    let output = tracegauge(folder, line);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.code(), said)
}

fn text(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn json(folder: &TempDir, name: &str) -> Value {
    serde_json::from_str(&text(folder, name)).expect("JSON")
}

const SOME: &str = "run --quiet --filter MAGIC --format dial9-v1";

#[test]
fn one_run_writes_every_form() {
    let folder = place();
    let files = "--json r.json --junit r.xml --html r.html --markdown r.md";
    let (status, _) = said(&folder, &format!("{SOME} --reader credulous.yaml {files}"));
    assert_eq!(status, Some(1));
    let cases = json(&folder, "r.json")["readers"][0]["cases"].clone();
    let cases = cases.as_array().expect("cases");
    let failing = cases
        .iter()
        .filter(|case| case["outcome"] == "wrong-accept");
    let failing = failing.count();
    assert!(failing > 5, "{failing}");
    let xml = text(&folder, "r.xml");
    assert_eq!(xml.matches("<testcase ").count(), cases.len());
    assert_eq!(xml.matches("<failure ").count(), failing);
    assert!(text(&folder, "r.md").contains(&format!("✗ {failing} failures")));
    let page = text(&folder, "r.html");
    assert!(page.contains(&format!("<h2>credulous: ✗ {failing} failures")));
    // The annotated bytes and the operators come from the corpus.
    assert!(page.contains("! 00000000 ") && page.contains("\"operator\":"));
}

#[test]
fn shards_become_the_whole() {
    let folder = place();
    let run = format!("{SOME} --reader credulous.yaml");
    said(&folder, &format!("{run} --json whole.json"));
    for shard in 1..=3 {
        said(
            &folder,
            &format!("{run} --shard {shard}/3 --json {shard}.json"),
        );
    }
    let merge = "report merge --quiet 2.json 3.json 1.json --json merged.json";
    let (status, _) = said(&folder, merge);
    assert_eq!(status, Some(1), "as the run");
    let [whole, merged] = ["whole.json", "merged.json"].map(|name| {
        let mut result = json(&folder, name);
        for case in result["readers"][0]["cases"].as_array_mut().unwrap() {
            // The time that a case takes varies between runs.
            case.as_object_mut().unwrap().remove("seconds").unwrap();
        }
        result
    });
    assert_eq!(merged["run"], whole["run"]);
    let like = &whole["readers"][0]["causes"][0]["like"];
    assert!(
        like.as_str()
            .is_some_and(|like| like.contains("consistent with")),
        "{like}"
    );
    for part in ["cases", "totals", "state", "reader", "causes"] {
        assert_eq!(
            merged["readers"][0][part], whole["readers"][0][part],
            "{part}"
        );
    }
    let (status, words) = said(&folder, "report diff whole.json merged.json");
    assert_eq!(status, Some(0), "{words}");
    for wrong in ["1.json 2.json", "1.json 2.json 2.json", "whole.json"] {
        let output = tracegauge(&folder, &format!("report merge {wrong} --json no.json"));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("result 1: "), "{errors}");
    }
    assert!(!folder.path().join("no.json").exists());
}

#[test]
fn shards_of_other_corpora_are_refused() {
    let folder = place();
    let reader = "--reader credulous.yaml --filter MAGIC";
    for (shard, format) in [(1, "dial9-v1"), (2, "dial9")] {
        let run = format!("run --quiet {reader} --format {format} --shard {shard}/2");
        said(&folder, &format!("{run} --json {shard}.json"));
    }
    let output = tracegauge(&folder, "report merge 1.json 2.json");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("result 2 has a different selection"),
        "{errors}"
    );
}

#[test]
fn what_changed_is_laid_to_the_reader() {
    let folder = place();
    for reader in ["credulous", "wary"] {
        said(
            &folder,
            &format!("{SOME} --reader {reader}.yaml --json {reader}.json"),
        );
    }
    let (status, words) = said(&folder, "report diff credulous.json wary.json");
    assert_eq!(status, Some(1));
    assert!(words.starts_with("credulous 1.0.0 → 2.0.0: "), "{words}");
    assert!(
        words.contains("different answers to the same cases"),
        "{words}"
    );
    assert!(
        words.contains("better    dial9-v1/malformed/MAGIC/"),
        "{words}"
    );
    assert!(!words.contains("changed cases"), "{words}");
    let both = "report html credulous.json wary.json --out both.html --title Both";
    assert_eq!(said(&folder, both).0, Some(0));
    let page = text(&folder, "both.html");
    assert_eq!(page.matches("<h2>credulous").count(), 2);
    assert!(page.contains("\"name\":\"credulous 2.0.0\""));
}

#[test]
fn a_result_becomes_what_the_run_would_have_written() {
    let folder = place();
    let files = "--json r.json --junit r.xml --markdown r.md";
    said(&folder, &format!("{SOME} --reader credulous.yaml {files}"));
    for (form, file) in [("junit", "r.xml"), ("markdown", "r.md")] {
        let (status, printed) = said(&folder, &format!("report {form} r.json"));
        assert_eq!(status, Some(0));
        assert_eq!(printed, text(&folder, file), "{form}");
        let (status, printed) = said(&folder, &format!("report {form} r.json --out again"));
        assert_eq!((status, printed.as_str()), (Some(0), ""));
        assert_eq!(text(&folder, "again"), text(&folder, file), "{form}");
        let missing = said(&folder, &format!("report {form} no.json"));
        assert_eq!(missing.0, Some(2));
    }
    let output = tracegauge(&folder, "report merge r.json");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("`report junit`"), "{errors}");
}

#[test]
fn a_badge_is_of_one_reader() {
    let folder = place();
    said(
        &folder,
        &format!("{SOME} --reader credulous.yaml --json one.json"),
    );
    let (status, image) = said(&folder, "report badge one.json");
    assert_eq!(status, Some(0));
    assert!(
        image.starts_with("<svg ") && image.contains("failures</title>"),
        "{image}"
    );
    let other = "report badge one.json --reader nobody";
    assert_eq!(said(&folder, other).0, Some(2));
}

#[test]
fn mistakes_of_a_description_reach_code_scanning() {
    let folder = place();
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/tests/formats/tlv/format.yaml");
    let good = fs::read_to_string(spec).expect("a description");
    fs::write(folder.path().join("good.yaml"), &good).expect("written");
    let bad = format!("{good}\nno-such-key: 1\n");
    fs::write(folder.path().join("bad.yaml"), &bad).expect("written");
    let check = |name: &str| said(&folder, &format!("spec check {name} --sarif s.sarif")).0;
    assert_eq!(check("good.yaml"), Some(0));
    let results = || json(&folder, "s.sarif")["runs"][0]["results"].clone();
    let is_bad = |result: &&Value| result["level"] == "error";
    let good = results();
    assert_eq!(good.as_array().expect("a list").iter().find(is_bad), None);
    assert_eq!(check("bad.yaml"), Some(1));
    let bad_ones = results();
    let bad_ones = bad_ones.as_array().expect("a list");
    let result = bad_ones.iter().find(is_bad).expect("a mistake");
    assert_eq!(result["ruleId"], "unknown-key", "{result:#}");
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "bad.yaml");
    let line = bad.lines().position(|line| line.starts_with("no-such-key"));
    let line = line.expect("it is there") + 1;
    assert_eq!(place["region"]["startLine"], line);
}
