//! Tests that `inspect` prints fields while the trace is read, and that fields can be selected.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;

const TRACEGAUGE: &str = env!("CARGO_BIN_EXE_tracegauge");

/// A format whose traces can have any length.
const ENDLESS: &str = "\
meta: { id: endless, endian: be }
seq: [ { id: blocks, type: block, repeat: eos } ]
types: { block: { seq: [ { id: size, type: u4, value: data._sizeof }, { id: data, size: size } ] } }
";

/// A format in which a node without a name of its own wraps the contents of each record.
const WRAPPED: &str = "\
meta: { id: wrapped, endian: be }
seq: [ { id: records, type: record, repeat: eos } ]
types:
  record:
    seq:
      - { id: kind, type: u1 }
      - { id: size, type: u1, value: body._sizeof }
      - { id: body, size: size, type: { switch-on: kind, cases: { 1: number, 2: pair } } }
  number: { seq: [ { id: value, type: u1, valid: { max: 9, rule: SMALL } } ] }
  pair: { seq: [ { id: left, type: u1 }, { id: right, type: u1 } ] }
rules:
  SMALL: { level: should, section: All, says: Numbers are small., reader: accept }
";

/// A format whose values can be nested in themselves.
const NESTED: &str = "\
meta: { id: nested, endian: be }
seq: [ { id: root, type: node } ]
types: { node: { seq: [ { id: more, type: u1 }, { id: inner, type: node, if: more == 1 } ] } }
limits: [ { of: node, depth: { promised: 400, enforced: 500 }, rule: DEPTH } ]
rules:
  DEPTH: { level: silent, section: All, says: Nodes may be nested., reader: either, continues: open }
";

fn trace() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    root.join("corpus/real/dial9-v1/codec_every_field_type.trc")
}

/// Returns the exit status and the output of `inspect` for a real trace.
fn inspected(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(TRACEGAUGE);
    let output = command.arg("inspect").arg(trace()).args(arguments);
    let output = output.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Returns the lines without offsets and bytes.
fn names(text: &str) -> Vec<&str> {
    let lines = text.lines().map(|line| match line.char_indices().nth(36) {
        Some((start, _)) => &line[start..],
        None => "",
    });
    lines.collect()
}

fn block(length: usize) -> Vec<u8> {
    let mut block = u32::try_from(length).unwrap().to_be_bytes().to_vec();
    block.resize(4 + length, 7);
    block
}

#[test]
fn fields_are_printed_before_the_trace_ends_and_not_kept() {
    const BLOCKS: usize = 1200;
    const MIB: u64 = 1 << 20;
    let folder = tempfile::tempdir().unwrap();
    let description = folder.path().join("endless.yaml");
    fs::write(&description, ENDLESS).unwrap();
    for json in [&[][..], &["--json"]] {
        let mut command = Command::new(TRACEGAUGE);
        command.args(["inspect", "-"]).args(json);
        command.arg("--spec").arg(&description);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let (seen, goes_on) = mpsc::channel();
        let writing = thread::spawn(move || {
            // The input suffices to recognize the format and to fill the output buffer. The trace
            // continues only after the first line has been printed.
            stdin.write_all(&block(8).repeat(50_000)).unwrap();
            goes_on.recv().unwrap();
            // As text, only the size of the data is printed. In JSON, the data take twice as many
            // bytes, but are held one block at a time.
            let long = block(100 << 10);
            for _ in 0..BLOCKS {
                stdin.write_all(&long).unwrap();
            }
            stdin
        });
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = Vec::new();
        stdout.read_until(b'\n', &mut line).unwrap();
        let first = String::from_utf8(line.clone()).unwrap();
        assert!(first.contains("blocks") || first.contains("\"format\":\"endless\""));
        seen.send(()).unwrap();
        let reading = thread::spawn(move || {
            let mut count = 0;
            while stdout.read_until(b'\n', &mut line).unwrap() > 0 {
                count += 1;
                line.clear();
            }
            count
        });
        // The command waits for the end of the trace.
        let stdin = writing.join().unwrap();
        let text = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let peak: u64 = peak
            .and_then(|peak| peak.trim().strip_suffix(" kB")?.parse().ok())
            .unwrap();
        drop(stdin);
        assert!(child.wait().unwrap().success());
        assert!(reading.join().unwrap() > 3 * BLOCKS);
        assert!(peak * 1024 < 60 * MIB, "{peak} KiB");
    }
}

#[test]
fn a_path_selects_a_field_with_all_inside() {
    let (status, text, _) = inspected(&["--path", "frames[0].body.fields[1]"]);
    assert_eq!(status, Some(0));
    assert_eq!(
        names(&text),
        [
            "frames",
            "  [0] frame",
            "    body schema_frame",
            "      fields (12)",
            "        [1] field_def",
            "          name text16",
            "            len: 3",
            "            text: \"f64\"",
            "          code: 2",
        ]
    );
    let (_, all, _) = inspected(&["--path", "frames[].body.fields[].code"]);
    let codes = names(&all)
        .into_iter()
        .filter(|name| name.contains("code: "));
    assert!(codes.count() > 11);
}

#[test]
fn a_depth_counts_from_the_root_or_from_the_path() {
    let (_, text, _) = inspected(&["--depth", "1"]);
    assert_eq!(names(&text), ["header file_header", "frames"]);
    let (_, text, _) = inspected(&["--path", "frames[0].body.fields[1]", "--depth", "2"]);
    assert_eq!(
        names(&text)[4..],
        [
            "        [1] field_def",
            "          name text16",
            "          code: 2"
        ]
    );
}

#[test]
fn an_offset_selects_the_fields_around_it() {
    let (_, text, _) = inspected(&["--at", "0x1a"]);
    assert_eq!(
        names(&text),
        [
            "frames",
            "  [0] frame",
            "    body schema_frame",
            "      fields (12)",
            "        [1] field_def",
            "          name text16",
            "            text: \"f64\"",
        ]
    );
}

#[test]
fn a_path_that_leads_nowhere_is_an_error() {
    let (status, text, said) = inspected(&["--path", "frames[0].tail"]);
    assert_eq!((status, text.as_str()), (Some(2), ""));
    assert!(
        said.contains("nothing in the trace has this --path"),
        "{said}"
    );
    let (status, _, said) = inspected(&["--path", "frames[x]"]);
    assert_eq!(status, Some(2));
    assert!(said.contains("`x` is not an element number"), "{said}");
}

/// Runs a command on a trace of the format that `description` describes. Returns the exit status and
/// the output.
fn of_format(description: &str, bytes: &[u8], words: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("format.yaml"), description).unwrap();
    fs::write(folder.path().join("trace.bin"), bytes).unwrap();
    let mut command = Command::new(TRACEGAUGE);
    command.current_dir(folder.path()).args(words);
    let output = command.args(["--spec", "format.yaml", "trace.bin"]);
    let output = output.output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_path_from_a_message_selects_the_same_field_as_the_path_in_the_tree() {
    let bytes = [1, 1, 10, 2, 2, 3, 4, 1, 1, 11];
    let (_, said, _) = of_format(WRAPPED, &bytes, &["check"]);
    assert!(said.contains(": records[2].body.value: SMALL: "), "{said}");
    let selected = |path: &str| of_format(WRAPPED, &bytes, &["inspect", "--path", path]);
    let (status, text, said) = selected("records[2].body.value");
    assert_eq!(status, Some(0), "{said}");
    assert!(text.ends_with("value: 11\n"), "{text}");
    assert_eq!(selected("records[2].body.body.value").1, text);
    assert_eq!(
        selected("records[].body.value").1.matches("value").count(),
        2
    );
    assert_eq!(selected("records[1].body.value").0, Some(2));
}

#[test]
fn the_lines_of_deep_fields_are_short() {
    let mut bytes = vec![1; 450];
    bytes.push(0);
    let (status, text, said) = of_format(NESTED, &bytes, &["inspect"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(text.lines().all(|line| line.len() < 200));
    let last = text.lines().last().unwrap();
    assert!(last.contains("(901) more: 0"), "{last}");
}
