//! Tests that `tracegauge encode` writes the trace that the tree describes, or reports where the
//! problem is in the text of the tree.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with the tree of a trace, for running `encode`.
struct Tree {
    folder: TempDir,
    lines: Vec<String>,
}

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_tracegauge"))
}

impl Tree {
    /// Creates the tree of a real trace.
    fn of(name: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/real");
        Self::of_file(&root.join(name))
    }

    /// Creates the tree of a generated trace without repeated texts.
    fn generated() -> Self {
        let folder = TempDir::new().unwrap();
        let words = ["generate", "--format", "dial9-v1", "--seed", "2"];
        let done = program()
            .args(words)
            .arg("--out")
            .arg(folder.path())
            .output();
        assert!(done.unwrap().status.success());
        Self::of_file(&folder.path().join("dial9-v1-2.trc"))
    }

    fn of_file(trace: &Path) -> Self {
        let output = program().args(["inspect", "--json"]).arg(trace).output();
        let text = String::from_utf8(output.unwrap().stdout).unwrap();
        Self {
            folder: TempDir::new().unwrap(),
            lines: text.lines().map(str::to_owned).collect(),
        }
    }

    /// Returns the index of the line with the first matching node that has its own line.
    fn line(&self, wanted: impl Fn(&Value) -> bool) -> usize {
        let mut lines = self.lines.iter();
        lines
            .position(|line| node(line).is_some_and(|node| wanted(&node)))
            .unwrap()
    }

    /// Returns the text with one line replaced. The comma at the end of the line is kept.
    fn with(&self, line: usize, text: &str) -> String {
        let mut lines = self.lines.clone();
        let comma = if lines[line].ends_with(',') { "," } else { "" };
        lines[line] = format!("{text}{comma}");
        lines.join("\n")
    }

    /// Returns the text with the value of a member changed.
    fn having(&self, line: usize, member: &str, value: Value) -> String {
        let mut node = node(&self.lines[line]).unwrap();
        node[member] = value;
        self.with(line, &node.to_string())
    }

    /// Runs `encode` and returns its exit status, its standard error, and the trace if there is
    /// one.
    fn encode(&self, text: &str, more: &[&str]) -> (i32, String, Option<Vec<u8>>) {
        let path = self.folder.path();
        fs::write(path.join("tree.json"), text).unwrap();
        let output = program()
            .args(["encode", "tree.json", "--out", "trace.bin"])
            .args(more)
            .current_dir(path)
            .output()
            .unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let trace = fs::read(path.join("trace.bin")).ok();
        let _ = fs::remove_file(path.join("trace.bin"));
        (output.status.code().unwrap(), said, trace)
    }

    /// Checks that both modes of writing fail with status 2, write no trace, and print all of
    /// `parts`.
    fn refuses(&self, text: &str, parts: &[&str]) {
        for more in [&[] as &[&str], &["--raw"]] {
            let (status, said, trace) = self.encode(text, more);
            assert_eq!(status, 2, "{more:?}: {said}");
            assert_eq!(trace, None, "{more:?}: {said}");
            for part in parts {
                assert!(said.contains(part), "{more:?}: {part}: {said}");
            }
        }
    }
}

fn node(line: &str) -> Option<Value> {
    let node: Value = serde_json::from_str(line.trim_end_matches(',')).ok()?;
    node["op"].is_u64().then_some(node)
}

fn is_called(node: &Value, name: &str) -> bool {
    node["name"].as_str() == Some(name)
}

const DIAL9: &str = "dial9-v1/codec_every_field_type.trc";

#[test]
fn a_tree_is_read_from_standard_input() {
    let trace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/real/dial9-v1");
    let trace = fs::read_dir(trace)
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let trace = trace
        .filter(|path| path.extension().is_some_and(|it| it == "trc"))
        .min()
        .unwrap();
    let tree = Tree::of_file(&trace);
    let path = tree.folder.path().join("tree.json");
    fs::write(&path, tree.lines.join("\n")).unwrap();
    let copy = tree.folder.path().join("copy");
    let status = program()
        .args(["encode", "-", "--out"])
        .arg(&copy)
        .stdin(fs::File::open(path).unwrap())
        .status();
    assert!(status.unwrap().success());
    assert_eq!(fs::read(copy).unwrap(), fs::read(trace).unwrap());
}

#[test]
fn a_text_that_its_length_cannot_say_is_never_cut() {
    let tree = Tree::generated();
    let line = tree.line(|node| is_called(node, "text") && node["value"] != "");
    let long = "a".repeat(70_000);
    let text = tree.having(line, "value", json!(long));
    let (status, said, trace) = tree.encode(&text, &[]);
    assert_eq!((status, trace), (2, None), "{said}");
    let place = format!("at line {} column", line + 1);
    for part in [
        "expected 70000",
        "`len`",
        "65535",
        "tree >",
        " text: ",
        &place,
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // A text that fits into its length field is written.
    let text = tree.having(line, "value", json!("a".repeat(65_535)));
    let (status, said, trace) = tree.encode(&text, &[]);
    assert_eq!(status, 0, "{said}");
    assert!(trace.unwrap().len() > 65_535);
    let (status, said, trace) = tree.encode(&tree.having(line, "value", json!(long)), &["--raw"]);
    assert_eq!(status, 0, "{said}");
    assert!(trace.unwrap().len() > 70_000);
}

#[test]
fn an_integer_that_its_field_cannot_hold_never_wraps() {
    let tree = Tree::of(DIAL9);
    let version = tree.line(|node| is_called(node, "version"));
    for value in [
        json!(256),
        json!(-1),
        json!("18446744073709551617"),
        json!(257),
    ] {
        let number = value.as_str().map_or(value.to_string(), str::to_owned);
        let place = format!("at line {} column", version + 1);
        let parts = [
            "version: `value` is out of range",
            &number,
            "0 to 255",
            &place,
        ];
        tree.refuses(&tree.having(version, "value", value), &parts);
    }
    let signed = tree.line(|node| {
        let name = node["name"].as_str().unwrap_or_default();
        name.contains("(i64)") || name.contains("(I64)")
    });
    let parts = [
        "9223372036854775808",
        "-9223372036854775808 to 9223372036854775807",
    ];
    tree.refuses(
        &tree.having(signed, "value", json!("9223372036854775808")),
        &parts,
    );
    for value in ["9223372036854775807", "-9223372036854775808"] {
        let (status, said, trace) = tree.encode(&tree.having(signed, "value", json!(value)), &[]);
        assert!(status == 0 && trace.is_some(), "{said}");
    }
}

#[test]
fn mistakes_in_the_text_are_told_by_their_place() {
    let tree = Tree::of(DIAL9);
    let version = tree.line(|node| is_called(node, "version"));
    let place = format!("at line {} column", version + 1);
    let op = node(&tree.lines[version]).unwrap()["op"].clone();
    let with = |text: &str| tree.with(version, &text.replace("OP", &op.to_string()));
    // Invalid replacements for the line with the version, each with the expected messages.
    let mistakes = [
        (r#"{"name":"version","op":OP,"value":1"#, "EOF|expected"),
        (r#"{"name":"version","op":OP,"value":}"#, "expected value"),
        (
            r#"{"name":"version","op":OP,"vlaue":1}"#,
            "unknown member `vlaue`",
        ),
        (
            r#"{"name":"version","op":OP,"value":1,"value":2}"#,
            "duplicate member `value`",
        ),
        (r#"{"name":"version","value":1}"#, "`op` is missing"),
        (
            r#"{"name":"version","op":"x","value":1}"#,
            "not an operation",
        ),
        (
            r#"{"name":"version","op":OP,"value":"one"}"#,
            "expected an integer",
        ),
        (
            r#"{"name":"version","op":OP,"value":1.5}"#,
            "expected an integer",
        ),
        (
            r#"{"name":"version","op":OP,"value":{"hex":"01"}}"#,
            "expected an integer",
        ),
        (
            r#"{"name":"version","op":OP,"value":[]}"#,
            "expected an integer",
        ),
        (
            r#"{"name":"version","op":OP,"value":null}"#,
            "expected an integer",
        ),
        (
            r#"{"name":"version","op":OP,"value":1,"spelling":2}"#,
            "`spelling`",
        ),
        (
            r#"{"name":"version","op":OP,"value":1,"spelling":"x"}"#,
            "`spelling`",
        ),
        (r#"{"name":"version","op":OP,"value":1,"base":1}"#, "`base`"),
        (r#"{"name":"version","op":OP,"value":1,"at":"x"}"#, "`at`"),
        (
            r#"{"name":"version","op":OP,"value":1,"nodes":{}}"#,
            "a list of nodes",
        ),
        (
            r#"{"name":"version","op":OP,"value":1,"nodes":[3]}"#,
            "a node",
        ),
        (
            r#"{"name":"version","op":OP,"nodes":[]}"#,
            "`value` is missing",
        ),
        (r#""version""#, "a node"),
    ];
    for (text, said) in mistakes {
        match said {
            // The problem is noticed at the beginning of the next line.
            "EOF|expected" => tree.refuses(&with(text), &["expected", "line", "column"]),
            "`value` is missing" => {
                let (status, errors, trace) = tree.encode(&with(text), &["--raw"]);
                assert_eq!((status, trace), (2, None), "{errors}");
                assert!(errors.contains(said) && errors.contains(&place), "{errors}");
            }
            _ => tree.refuses(&with(text), &["tree.json: ", said, &place]),
        }
    }
    let magic = tree.line(|node| is_called(node, "magic"));
    for value in [
        json!("TRC"),
        json!({"hex": "0"}),
        json!({"hex": "zz"}),
        json!(5),
    ] {
        tree.refuses(
            &tree.having(magic, "value", value),
            &["magic: `value` is", "hex"],
        );
    }
    let text = tree.line(|node| is_called(node, "text"));
    tree.refuses(
        &tree.having(text, "value", json!(5)),
        &["text: `value` is 5", "a string"],
    );
    let whole = tree.lines.join("\n");
    let other = whole.replacen("\"tracegauge-tree\":1", "\"tracegauge-tree\":2", 1);
    tree.refuses(&other, &["version 2"]);
    let other = whole.replacen("\"tracegauge-tree\":1", "\"tracegauge-tre\":1", 1);
    tree.refuses(
        &other,
        &["unknown member `tracegauge-tre`", "line 1 column"],
    );
    tree.refuses(&format!("{whole} 5"), &["trailing characters", "column"]);
}

#[test]
fn what_a_mended_trace_would_not_have_is_told() {
    let tree = Tree::of(DIAL9);
    let magic = tree.line(|node| is_called(node, "magic"));
    let wrong = tree.having(magic, "value", json!({"hex": "54524301"}));
    let (status, said, trace) = tree.encode(&wrong, &[]);
    assert!((1..=2).contains(&status) && trace.is_none(), "{said}");
    assert!(said.contains("magic"), "{said}");
    let (status, said, trace) = tree.encode(&wrong, &["--raw"]);
    assert_eq!(status, 0, "{said}");
    assert_eq!(trace.unwrap()[..4], *b"TRC\x01");
    // The value is not the tag of any known frame.
    let tag = tree.line(|node| is_called(node, "tag"));
    let wrong = tree.having(tag, "value", json!(0xee));
    let (status, said, trace) = tree.encode(&wrong, &[]);
    assert!((1..=2).contains(&status) && trace.is_none(), "{said}");
    assert!(said.contains("--raw"), "{said}");
    let (status, said, trace) = tree.encode(&wrong, &["--raw"]);
    assert_eq!(status, 0, "{said}");
    assert!(trace.is_some());
}

/// Checks the former name of the option, `--as-is`, which scripts may still use.
#[test]
fn the_old_name_of_raw_still_works() {
    let tree = Tree::of(DIAL9);
    let magic = tree.line(|node| is_called(node, "magic"));
    let wrong = tree.having(magic, "value", json!({"hex": "54524301"}));
    let (status, said, trace) = tree.encode(&wrong, &["--as-is"]);
    assert_eq!(status, 0, "{said}");
    assert_eq!(trace, tree.encode(&wrong, &["--raw"]).2);
}

#[test]
fn what_stands_elsewhere_is_changed_there() {
    let folder = TempDir::new().unwrap();
    let words = ["generate", "--format", "netperf-v1", "--seed", "1"];
    let done = program()
        .args(words)
        .arg("--out")
        .arg(folder.path())
        .output();
    assert!(done.unwrap().status.success());
    let tree = Tree::of_file(&folder.path().join("netperf-v1-1.netperf"));
    let line = tree.line(|node| node["shown"].is_number());
    let mut shown = node(&tree.lines[line]).unwrap();
    let value = shown["shown"].take();
    shown.as_object_mut().unwrap().remove("shown");
    shown["value"] = value;
    let place = format!("at line {} column", line + 1);
    tree.refuses(&tree.with(line, &shown.to_string()), &["`shown`", &place]);
    let line = tree.line(|node| node["value"].is_number());
    let mut other = node(&tree.lines[line]).unwrap();
    let value = other["value"].take();
    other.as_object_mut().unwrap().remove("value");
    other["shown"] = value;
    let place = format!("at line {} column", line + 1);
    tree.refuses(&tree.with(line, &other.to_string()), &["`shown`", &place]);
}

#[test]
fn a_fault_leaves_the_file_that_was_there() {
    let tree = Tree::of(DIAL9);
    let version = tree.line(|node| is_called(node, "version"));
    let wrong = tree.having(version, "value", json!(256));
    fs::write(tree.folder.path().join("trace.bin"), "kept").unwrap();
    let (status, _, trace) = tree.encode(&wrong, &[]);
    assert_eq!((status, trace.as_deref()), (2, Some(&b"kept"[..])));
}

#[test]
fn a_rejected_trace_is_written_up_to_its_fault() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("cut.trc");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/real");
    let whole = fs::read(root.join(DIAL9)).unwrap();
    fs::write(&path, &whole[..whole.len() - 1]).unwrap();
    let tree = Tree::of_file(&path);
    let (status, said, trace) = tree.encode(&tree.lines.join("\n"), &["--raw"]);
    assert_eq!(status, 0, "{said}");
    let trace = trace.unwrap();
    assert!(trace.len() > 5 && whole.starts_with(&trace));
}
