//! Tests that records above the limit stop the commands that show records, at a bounded cost, and
//! that verdicts do not depend on this limit.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");
const MIB: u64 = 1 << 20;

/// Returns the description of a format in which each record shows `contents`, which is a list of
/// numbers or a field of bytes.
fn description(contents: &str) -> String {
    format!(
        "meta: {{ id: large, endian: le }}\n\
         seq: [ {{ id: parts, type: part, repeat: eos }} ]\n\
         types:\n  part: {{ seq: [ {{ id: n, type: u4 }}, {{ id: contents, {contents} }} ] }}\n\
         records: {{ part: {{ from: part, order: {{ file: true }}, members: {{ contents: contents }} }} }}\n"
    )
}

/// Writes a trace with a small record and one whose contents have `size` bytes. Most of the trace
/// is a hole, which takes no space on disk.
fn trace(folder: &Path, size: u32) {
    let mut file = File::create(folder.join("trace.bin")).unwrap();
    file.write_all(&[3, 0, 0, 0, b'a', b'b', b'c']).unwrap();
    file.write_all(&size.to_le_bytes()).unwrap();
    file.set_len(11 + u64::from(size)).unwrap();
}

/// Runs a command on the trace with a limit on its memory. Returns its status and its output.
fn run(folder: &Path, words: &[&str], memory: u64) -> (Option<i32>, String, String) {
    let typed = ["--spec", "large.yaml", "trace.bin"];
    let output = Command::new("sh")
        .args(["-c", "ulimit -v \"$0\" && exec \"$@\""])
        .arg((memory / 1024).to_string())
        .arg(PROGRAM)
        .args([words, &typed].concat())
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Checks that `decode` prints the small record and stops at the large record, and that the verdict
/// is still available with `--verdict-only`.
fn stops(contents: &str, size: u32, memory: u64) {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("large.yaml"), description(contents)).unwrap();
    trace(folder, size);
    let (status, records, said) = run(folder, &["decode"], memory);
    assert_eq!(status, Some(3), "{said}");
    assert_eq!(records.lines().count(), 1, "{said}");
    assert!(
        said.contains("a record has more than 8388608 values or 256 MiB"),
        "{said}"
    );
    for words in [&["decode", "--verdict-only"][..], &["check"]] {
        let (status, _, said) = run(folder, words, memory + 2 * u64::from(size));
        assert_eq!(status, Some(0), "{words:?}: {said}");
    }
}

#[test]
fn a_record_with_too_many_values_stops_decode_but_not_check() {
    let list = "type: u1, repeat: expr, repeat-expr: n";
    stops(list, (1 << 23) + (1 << 20), 1200 * MIB);
}

#[test]
fn a_record_with_too_many_bytes_stops_decode_but_not_check() {
    stops("size: n", (1 << 28) + 1, 900 * MIB);
}

#[test]
fn a_reader_has_no_answer_if_a_record_is_too_large() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    fs::write(folder.join("large.yaml"), description("size: n")).unwrap();
    trace(folder, (1 << 28) + 1);
    let mut server = Command::new(PROGRAM)
        .args(["reader", "serve", "--spec", "large.yaml"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let request = b"{\"file\": \"trace.bin\", \"format\": \"large\"}\n";
    server.stdin.take().unwrap().write_all(request).unwrap();
    let output = server.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("a record has more than"), "{said}");
    let answer = String::from_utf8(output.stdout).unwrap();
    assert!(!answer.contains("\"end\""), "{answer}");
}
