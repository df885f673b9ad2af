//! Tests that a large trace on which a reader fails is reduced to a small trace on which the reader
//! fails in the same way.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

fn tracegauge(folder: &TempDir, words: &[&str]) -> Output {
    Command::new(PROGRAM)
        .args(words)
        .current_dir(folder.path())
        .output()
        .expect("the command starts")
}

/// Creates a folder with a random trace and a reader that runs `script`.
fn place(script: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let words = [
        "generate", "--format", "dial9-v1", "--seed", "5", "--bytes", "3000",
    ];
    let made = tracegauge(&folder, &[&words[..], &["--out", "."]].concat());
    assert!(made.status.success(), "{made:?}");
    let reader = folder.path().join("reader");
    fs::write(&reader, format!("#!/bin/sh\n{script}\n")).expect("written");
    fs::set_permissions(&reader, fs::Permissions::from_mode(0o755)).expect("executable");
    folder
}

fn trace(folder: &TempDir) -> String {
    let mut names = fs::read_dir(folder.path()).expect("a folder").flatten();
    let name = names.find_map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_trace = name.starts_with("dial9-v1-5.") && !name.ends_with(".json");
        is_trace.then_some(name)
    });
    name.expect("a trace was made")
}

fn minimize(folder: &TempDir, more: &[&str]) -> Output {
    let trace = trace(folder);
    let words = ["minimize", &trace, "--out", "small.bin"];
    tracegauge(
        folder,
        &[&words[..], more, &["--", "./reader", "{file}"]].concat(),
    )
}

fn size(folder: &TempDir, name: &str) -> u64 {
    let path: &Path = folder.path();
    fs::metadata(path.join(name)).expect("it is there").len()
}

#[test]
fn a_crash_is_kept() {
    // This reader looks for the bytes of a frame that registers a schema.
    let folder = place(
        "if od -An -v -tx1 \"$1\" | tr -d ' \\n' | grep -q 54524300010; then echo 'fatal error 17: no' >&2; kill -SEGV $$; fi",
    );
    let made = minimize(&folder, &[]);
    let said = String::from_utf8_lossy(&made.stdout);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    assert!(said.contains("crash"), "{said}");
    assert!(said.contains("fatal error #: no"), "{said}");
    assert!(size(&folder, "small.bin") < 30, "{said}");
}

#[test]
fn a_reader_that_is_right_leaves_nothing_to_do() {
    let folder = place("exit 0");
    let made = minimize(&folder, &[]);
    assert_eq!(made.status.code(), Some(4), "{made:?}");
    assert!(!folder.path().join("small.bin").exists());
    let made = minimize(&folder, &["--any", "--quiet"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    assert!(made.stdout.is_empty(), "{made:?}");
    assert!(size(&folder, "small.bin") < 30);
}

const PAIR: &str = "
meta: { id: pair-v1, family: pair, title: Pairs, endian: le }
document: Pairs
seq:
  - { id: first, type: u1, valid: { min: 1, rule: FIRST } }
  - { id: second, type: u1, valid: { max: 99, rule: SECOND } }
rules:
  FIRST:
    { level: silent, section: All, says: The first is not 0., reader: either, continues: keep }
  SECOND:
    { level: silent, section: All, says: The second is small., reader: either, continues: keep }
  CUT: { level: must, section: All, says: There are two bytes., reader: reject }
faults: { eof: CUT, trailing: CUT }
";

#[test]
fn what_is_left_to_readers_is_kept_where_nothing_is_wrong() {
    let folder = place("exit 0");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("pair.yaml"), PAIR).expect("written");
    fs::write(path("pair.bin"), [7, 255]).expect("written");
    let words = ["minimize", "pair.bin", "--spec", "pair.yaml", "--any"];
    let made = tracegauge(
        &folder,
        &[
            &words[..],
            &["--out", "small.bin", "--", "./reader", "{file}"],
        ]
        .concat(),
    );
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    // A trace whose first byte is 0 would be smaller, but a different rule that leaves the verdict
    // to readers would then apply.
    let small = fs::read(path("small.bin")).expect("it is there");
    assert_eq!(small, [1, 100], "{made:?}");
}

#[test]
fn who_is_asked_must_be_said() {
    let folder = place("exit 0");
    let trace = trace(&folder);
    let made = tracegauge(&folder, &["minimize", &trace]);
    assert_eq!(made.status.code(), Some(2), "{made:?}");
    let made = tracegauge(&folder, &["minimize", "none.bin", "--", "true"]);
    assert_eq!(made.status.code(), Some(2), "{made:?}");
    let made = tracegauge(&folder, &["minimize", &trace, "--", "./no-such-reader"]);
    assert_eq!(made.status.code(), Some(3), "{made:?}");
}

#[test]
fn a_command_that_never_gets_to_the_trace_has_nothing_to_keep() {
    let folder = place("echo 'cannot open reader.py' >&2; exit 2");
    let made = minimize(&folder, &[]);
    assert_eq!(made.status.code(), Some(3), "{made:?}");
    let said = String::from_utf8_lossy(&made.stderr);
    assert!(said.contains("the reader cannot run: "), "{said}");
    assert!(said.contains("exited with status 2 cannot open"), "{said}");
    assert!(!folder.path().join("small.bin").exists());
    let made = minimize(&folder, &["--any"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    // A reader that exits with an error on only some traces must not be mistaken for a command that
    // fails on every trace.
    let folder = place("test -s \"$1\" || exit 0; echo 'cannot go on' >&2; exit 2");
    let made = minimize(&folder, &[]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
}

#[test]
fn a_reader_of_other_formats_is_not_asked() {
    let folder = place("exit 0");
    let reader = "{ name: other, command: [./reader, '{file}'], formats: [fieldlog-v2] }";
    fs::write(folder.path().join("reader.yaml"), reader).expect("written");
    let words = ["minimize", &trace(&folder), "--reader", "reader.yaml"];
    let made = tracegauge(&folder, &words);
    assert_eq!(made.status.code(), Some(2), "{made:?}");
    let said = String::from_utf8_lossy(&made.stderr);
    assert!(said.contains("other does not read dial9-v1"), "{said}");
    // The first bytes are the same in each dialect, so the dialect is the one that the reader reads.
    let reader = reader.replace("fieldlog-v2", "dial9-v1@optional");
    fs::write(folder.path().join("reader.yaml"), reader).expect("written");
    let made = tracegauge(&folder, &[&words[..], &["--any"]].concat());
    assert_eq!(made.status.code(), Some(0), "{made:?}");
}

#[test]
fn wrong_records_are_shown_with_the_first_difference_and_few_lines_of_the_trace() {
    // The reader fails in another way on a small trace, so the minimized trace is not small.
    let script = "if test $(wc -c < \"$1\") -gt 300; then
        echo '{\"record\":\"event\",\"name\":\"X\"}'; echo '{\"end\":\"accept\"}'
    else echo '{\"end\":\"reject\"}'; fi";
    let folder = place(script);
    let reader = "{ name: wrong, command: [./reader, '{file}'], mode: once, reports: records }";
    fs::write(folder.path().join("reader.yaml"), reader).expect("written");
    let trace = trace(&folder);
    let words = ["minimize", &trace, "--reader", "reader.yaml"];
    let made = tracegauge(
        &folder,
        &[&words[..], &["--out", "x", "--time", "2s"]].concat(),
    );
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let said = String::from_utf8_lossy(&made.stdout);
    assert!(said.contains("\ndifference: record 0"), "{said}");
    assert!(said.contains(" more lines: tracegauge inspect "), "{said}");
    assert!(said.lines().count() < 40, "{said}");
}
