//! Tests that the page on JSON output names every member that the commands write, and that it
//! covers every command that writes JSON.

use std::fs;
use std::path::PathBuf;

use joining::{Output, Place};
use page::Page;
use serde_json::Value as Json;

use crate::joining;
use crate::page;

/// A two-byte format whose corpus is generated quickly.
const PAIR: &str = "
meta: { id: pair-v1, family: pair, title: Pairs, endian: le }
document: Pairs
seq:
  - { id: first, type: u1, valid: { min: 1, rule: FIRST } }
  - { id: second, type: u1, valid: { max: 99, rule: SECOND } }
rules:
  FIRST: { level: must, section: All, says: The first is not 0., reader: reject }
  SECOND: { level: must, section: All, says: The second is small., reader: reject }
  CUT: { level: must, section: All, says: There are two bytes., reader: reject }
faults: { eof: CUT, trailing: CUT }
";

/// Exclusions, one of which lists an obligation that a case meets and one of which matches nothing.
const EXCLUDED: &str = "
- { obligation: FIRST broken, because: No reason. }
- { obligation: NONE broken, because: No reason. }
";

/// A format with a value of each basic type.
const VALUES: &str = "
meta: { id: values-v1, endian: le, encoding: UTF-8 }
seq: [{ id: rows, type: row, repeat: eos }]
types:
  row:
    seq:
      - { id: signed, type: s8 }
      - { id: floats, type: floats }
      - { id: text, type: str, size: 2 }
      - { id: bytes, size: 2 }
      - { id: kind, type: u1, enum: kind }
  floats: { seq: [{ id: narrow, type: f4 }, { id: wide, type: f8 }] }
enums: { kind: { 1: small } }
records:
  row:
    from: row
    members: { signed: signed, floats: floats, text: text, bytes: bytes, kind: kind }
";

fn page() -> Page {
    Page::read("json.md")
}

/// Creates a folder with the small format and its corpus.
fn place() -> Place {
    let place = Place::new();
    fs::write(place.path().join("pair.yaml"), PAIR).expect("written");
    fs::create_dir_all(place.path().join("corpus/vectors")).expect("made");
    let built = on_pair(&place, &["corpus", "build"]);
    assert_eq!(built.status, Some(0), "{}", built.all());
    place
}

/// Runs a command on the small format.
fn on_pair(place: &Place, words: &[&str]) -> Output {
    let scope = ["--spec", "pair.yaml", "--no-progress"];
    let corpus = ["--corpus", "corpus"];
    let corpus = if words[0] == "corpus" {
        &corpus[..]
    } else {
        &[]
    };
    place.tracegauge(&[words, &scope, corpus].concat())
}

/// Parses the JSON values in standard output.
fn parsed(output: &Output) -> Vec<Json> {
    let values = serde_json::Deserializer::from_str(&output.out).into_iter();
    let values: Result<Vec<Json>, _> = values.collect();
    values.unwrap_or_else(|error| panic!("{error}: {}", output.all()))
}

/// Parses the JSON files in a folder and its subfolders.
fn files(folder: PathBuf) -> Vec<Json> {
    let (mut found, mut open) = (Vec::new(), vec![folder]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|end| end == "json") {
                let text = fs::read(path).expect("a file");
                found.push(serde_json::from_slice(&text).expect("JSON"));
            }
        }
    }
    found
}

/// Returns the path of a trace in the corpus.
fn real(name: &str) -> String {
    let path = joining::root().join("corpus/real").join(name);
    path.to_str().expect("a plain path").to_owned()
}

#[test]
fn every_command_with_json_is_on_the_page() {
    let place = Place::new();
    let page = page();
    let mut open = vec![String::new()];
    let mut count = 0;
    while let Some(command) = open.pop() {
        let words: Vec<&str> = command.split_whitespace().chain(["--help"]).collect();
        let help = place.tracegauge(&words).out;
        let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let inner = lines
            .take_while(|line| line.starts_with("  "))
            .filter(|line| !line.starts_with("   "))
            .filter_map(|line| line.split_whitespace().next())
            .filter(|name| *name != "help");
        open.extend(inner.map(|name| format!("{command} {name}")));
        let mut options = help.lines().map(str::trim_start);
        if options.any(|line| line == "--json" || line.starts_with("--json ")) {
            count += 1;
            let named = format!("`{} --json`", command.trim_start());
            assert!(page.text().contains(&named), "{named}");
        }
    }
    assert!(count > 6, "{count}");
}

#[test]
fn the_examples_are_json() {
    let examples = page().examples();
    assert!(examples.len() > 5);
    for (line, values) in examples {
        assert!(!values.expect("JSON").is_empty(), "line {line}");
    }
}

#[test]
fn values_are_written_as_the_table_says() {
    let place = Place::new();
    fs::write(place.path().join("values.yaml"), VALUES).expect("written");
    let rows: [(i64, f32, f64, [u8; 2], u8); 4] = [
        (-2, 0.1, 0.1, *b"ab", 1),
        ((1 << 53) - 1, -0.0, -0.0, [b'x', 0xff], 2),
        (1 << 53, f32::NAN, f64::NEG_INFINITY, *b"ab", 1),
        (i64::MIN, 1.0, f64::MAX, *b"ab", 1),
    ];
    let mut bytes = Vec::new();
    for (signed, narrow, wide, text, kind) in rows {
        bytes.extend(signed.to_le_bytes());
        bytes.extend(narrow.to_le_bytes());
        bytes.extend(wide.to_le_bytes());
        bytes.extend(text);
        bytes.extend([0, 0xff, kind]);
    }
    fs::write(place.path().join("trace.bin"), bytes).expect("written");
    let decoded = place.tracegauge(&["decode", "--spec", "values.yaml", "trace.bin"]);
    let expected = [
        r#""signed":-2,"floats":{"narrow":0.1,"wide":0.1},"text":"ab","bytes":{"hex":"00ff"},"kind":"small"}"#,
        r#""signed":9007199254740991,"floats":{"narrow":-0.0,"wide":-0.0},"text":{"hex":"78ff"},"bytes":{"hex":"00ff"},"kind":2}"#,
        r#""signed":"9007199254740992","floats":{"narrow":"NaN","wide":"-Infinity"},"text":"ab","bytes":{"hex":"00ff"},"kind":"small"}"#,
        r#""signed":"-9223372036854775808","floats":{"narrow":1.0,"wide":1.7976931348623157e308},"text":"ab","bytes":{"hex":"00ff"},"kind":"small"}"#,
    ];
    let expected = expected.map(|rest| format!("{{\"record\":\"row\",{rest}"));
    assert!(decoded.out.lines().eq(expected), "{}", decoded.all());

    let words = ["query", "--spec", "values.yaml", "trace.bin"];
    let asked = [
        "rows[0].floats",
        "rows[2].floats",
        "rows[2].signed",
        "rows[0].kind",
    ];
    let queried = place.tracegauge(&[&words[..], &asked].concat());
    let expected = [
        r#"{"narrow":0.10000000149011612,"wide":0.1}"#,
        r#"{"narrow":"NaN","wide":"-Infinity"}"#,
        r#""9007199254740992""#,
        "1",
    ];
    assert!(queried.out.lines().eq(expected), "{}", queried.all());
}

#[test]
fn check_and_inspect_write_what_the_tables_name() {
    let (place, page) = (Place::new(), page());
    let trace = real("nettrace-v6/onecollect-v6-capture-small.nettrace");
    let lines = parsed(&place.tracegauge(&["check", "--json", "--places", "1", &trace]));
    page.check(&["`check --json`"], &lines, &[]);
    let lines = parsed(&place.tracegauge(&["departures", "--json", &trace]));
    page.check(&["`departures --json`"], &lines, &[]);

    let made = ["generate", "--seed", "1", "--bytes", "600", "--out", "."];
    for format in ["netperf-v1", "dial9-v1"] {
        let made = place.tracegauge(&[&made[..], &["--format", format]].concat());
        assert_eq!(made.status, Some(0), "{}", made.all());
    }
    let mut nodes = Vec::new();
    for trace in ["netperf-v1-1.netperf", "dial9-v1-1.trc"] {
        let tree = parsed(&place.tracegauge(&["inspect", "--json", trace]));
        page.check(&["`inspect --json`"], &tree, &["tree"]);
        let mut open = vec![tree[0]["tree"].clone()];
        while let Some(node) = open.pop() {
            open.extend(node["nodes"].as_array().into_iter().flatten().cloned());
            nodes.push(node);
        }
    }
    page.check(&["Nodes"], &nodes, &["nodes", "value", "shown", "base"]);
    assert!(nodes.iter().any(|node| node.get("shown").is_some()));
}

#[test]
fn generated_sidecars_have_the_members_in_the_table() {
    let (place, page) = (Place::new(), page());
    let words = [
        "generate", "--format", "dial9-v1", "--seed", "1", "--bytes", "300", "--out", ".",
    ];
    for more in [&[][..], &["--malformed", "--rule", "MAGIC"]] {
        let made = place.tracegauge(&[&words[..], more].concat());
        assert_eq!(made.status, Some(0), "{}", made.all());
    }
    page.check(
        &["`generate`"],
        &files(place.path().to_owned()),
        &["records"],
    );
}

#[test]
fn cases_have_the_members_in_the_tables() {
    let (place, page) = (place(), page());
    let words = [
        "corpus",
        "list",
        "--json",
        "--format",
        "netperf-v1",
        "--filter",
        "*/vector/*",
    ];
    let listed = "`corpus list --json`";
    // Outside the folder of the small corpus, `tracegauge` lists the bundled corpus.
    let bundled = Place::new().tracegauge(&words);
    page.check(&[listed], &parsed(&bundled), &[]);
    let exported = on_pair(&place, &["corpus", "export", "--out", "cases"]);
    assert_eq!(exported.status, Some(0), "{}", exported.all());
    let cases = files(place.path().join("cases"));
    page.check(&[listed, "`corpus export`"], &cases, &["records"]);
}

#[test]
fn scores_have_the_members_in_the_tables() {
    let (place, page) = (place(), page());
    let mutants = on_pair(&place, &["corpus", "score", "--mutants", "--json"]);
    page.check(&["`corpus score --mutants --json`"], &parsed(&mutants), &[]);

    let excluded = place.path().join("corpus/excluded");
    fs::create_dir(&excluded).expect("made");
    fs::write(excluded.join("pair-v1.yaml"), EXCLUDED).expect("written");
    fs::write(place.path().join("one.bin"), [1, 1]).expect("written");
    let scores = [&[][..], &["one.bin", "--format", "pair-v1"]].map(|more| {
        let words = [&["corpus", "score", "--json"], more].concat();
        parsed(&on_pair(&place, &words)).remove(0)
    });
    page.check(&["`corpus score --json`"], &scores, &[]);
    for member in ["contradicted", "unknown"] {
        assert!(scores[0][0][member].is_array(), "{member}");
    }
}

#[test]
fn measurements_have_the_members_in_the_table() {
    let words = [
        "bench", "--format", "dial9-v1", "--count", "1", "--rounds", "1", "--json",
    ];
    let output = Place::new().tracegauge(&words);
    page().check(&["`bench --json`"], &parsed(&output), &[]);
}

#[test]
fn a_finding_is_a_case_of_a_result_file() {
    let place = place();
    let words = [
        "fuzz",
        "--format",
        "pair-v1",
        "--inputs",
        "30",
        "--findings",
        "1",
        "--out",
        "found",
    ];
    let reader = ["--", "true"];
    let more = ["--spec", "pair.yaml", "--no-progress"];
    let output = place.tracegauge(&[&words[..], &more, &reader].concat());
    assert_eq!(output.status, Some(1), "{}", output.all());
    let found = files(place.path().join("found/findings"));
    let page = Page::read("reference/result.md");
    page.check(&["case"], &found, &["detail", "grade", "suspects"]);
}
