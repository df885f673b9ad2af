//! Tests that commands print the same records if a trace refers to rows that it may define later.
#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const DESCRIPTION: &str = "
meta: { id: later, endian: be, encoding: ASCII }
faults: { eof: W, encoding: W, enum: W, terminator: W }
tables: { texts: { key: offset, row: text } }
seq: [ { id: items, type: item, repeat: eos } ]
types:
  item:
    seq:
      - { id: kind, type: u1, enum: kind }
      - { id: body, type: { switch-on: kind, cases: { kind::text: text, kind::use: use } } }
  text: { defines: { table: texts }, seq: [ { id: text, type: strz } ] }
  use: { seq: [ { id: of, type: s2, refs: { table: texts, none: -1, dangling: KNOWN, later: LATER } } ] }
enums: { kind: { 1: text, 2: use } }
records: { use: { from: use, order: { file: true }, members: { at: _start, text: texts.get(of).text } } }
rules:
  W: { level: must, section: A, says: Whole., reader: reject }
  LATER: { level: may, section: A, says: A text may follow., reader: accept }
  KNOWN: { level: must, section: A, says: The text exists., reader: reject }
";

/// Two references to the text at offset 10, and a reference to no text.
const BEFORE: &[u8] = &[2, 0, 10, 2, 0, 10, 2, 0xff, 0xff];

fn decoded(folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracegauge"));
    command.current_dir(folder);
    let run = command.args(["decode", "--spec", "later.yaml", "trace.bin"]);
    String::from_utf8(run.output().unwrap().stdout).unwrap()
}

/// Returns the records that `reader serve` writes.
fn served(folder: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracegauge"));
    command.current_dir(folder);
    command.args(["reader", "serve", "--spec", "later.yaml"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let file = folder.join("trace.bin");
    let request = serde_json::json!({"id": 1, "format": "later", "file": file});
    let hello = r#"{"tracegauge":1,"hello":true}"#;
    writeln!(child.stdin.take().unwrap(), "{hello}\n{request}").unwrap();
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let records = output.split_inclusive('\n');
    records
        .filter(|line| line.starts_with("{\"record\""))
        .collect()
}

#[test]
fn records_after_a_reference_to_a_row_that_never_comes_are_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("later.yaml"), DESCRIPTION).unwrap();
    for (after, count) in [
        (&[1, b'a', 0, 2, 0, 10][..], 4),
        (&[1, b'a', 0, 2, 0, 90, 2, 0, 10], 3),
        (&[2, 0xff, 0xff], 0),
        // The trace ends inside a field, before the row can be missed.
        (&[2, 0xff, 0xff, 2, 0], 4),
    ] {
        let trace = [BEFORE, after].concat();
        std::fs::write(folder.path().join("trace.bin"), trace).unwrap();
        let records = decoded(folder.path());
        assert_eq!(records.lines().count(), count, "{records}");
        assert_eq!(records, served(folder.path()));
    }
}
