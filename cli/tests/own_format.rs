//! Tests that every command works with a format that is defined only by the user's YAML
//! description, from the trace to the report.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

fn description() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/tests/formats/tlv/format.yaml")
}

/// Runs the program in a folder.
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

/// Returns the name and outcome of each case of the first reader.
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

/// Runs the cases of a format without a corpus on the reference decoder, which reads a description
/// in which `right` is replaced with `wrong`. Returns the causes.
fn causes_of_bug(right: &str, wrong: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a folder");
    let text = std::fs::read_to_string(description()).expect("a description");
    assert_eq!(text.matches(right).count(), 1, "{right}");
    let path = folder.path().join("wrong.yaml");
    std::fs::write(&path, text.replace(right, wrong)).expect("written");
    let command = [
        env!("CARGO_BIN_EXE_tracegauge"),
        "reader",
        "serve",
        "--spec",
        path.to_str().expect("a plain path"),
    ];
    let command = serde_json::to_string(&command).expect("JSON");
    let reader = format!(
        "name: wrong\nversion: 1\ncommand: {command}\nmode: serve\nformats: [tlv-v1]\nreports: records\n"
    );
    let file = folder.path().join("reader.yaml");
    std::fs::write(&file, reader).expect("written");
    let (status, result) = run(&folder, &["--reader", "reader.yaml"]);
    assert_eq!(status, Some(1), "{result:#}");
    let causes = result["readers"][0]["causes"].as_array().expect("causes");
    causes.clone()
}

#[test]
fn a_bug_in_a_reader_of_a_format_without_a_corpus_is_named() {
    let causes = causes_of_bug("value_kind::number: s4", "value_kind::number: s4le");
    assert_eq!(causes.len(), 1, "{causes:#?}");
    let like = causes[0]["like"].as_str().expect("a known mistake");
    let words = "the failures are consistent with a reader that reads the number in the opposite \
                 byte order; such a reader would report the same wrong records";
    assert!(like.starts_with(words), "{like}");
    assert!(like.ends_with("format.yaml:79)"), "{like}");
    assert_eq!(causes[0]["rule"], "READING-VALUE", "{causes:#?}");
}

#[test]
fn a_limit_that_a_reader_sets_too_low_is_named() {
    let causes = causes_of_bug(
        "valid: { max: 100, rule: LEVEL",
        "valid: { max: 99, rule: LEVEL",
    );
    assert_eq!(causes.len(), 1, "{causes:#?}");
    assert_eq!(causes[0]["symptom"]["kind"], "rejects", "{causes:#?}");
    assert_eq!(causes[0]["rule"], "LEVEL-RANGE", "{causes:#?}");
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

/// A description with a condition on a number that the generator cannot solve, and with a rule
/// after whose violation readers may differ.
const SEVENS: &str = r#"
meta: { id: sevens, family: sevens, endian: le }
seq:
  - { id: number, type: u1, valid: { expr: "_ % 7 == 0 or _ > 250", rule: SEVEN } }
  - { id: mark, type: u1, valid: { max: 100, rule: MARK } }
records: { row: { from: sevens, members: { number: number } } }
rules:
  SEVEN: { level: must, section: All, says: The number is a multiple of seven., reader: reject }
  MARK: { level: states, section: All, says: The mark is small., reader: accept, continues: open }
"#;

/// A description with a condition that holds for so few numbers that the generator finds none of them
/// for many seeds. `RULE` is the rule of the condition.
const RARE: &str = r#"
meta: { id: rare, family: rare, endian: le }
seq: [ { id: number, type: u2, valid: { expr: "_ * _ % 3001 == 1444", rule: RULE } } ]
records: { row: { from: rare, members: { number: number } } }
rules:
  MUST: { level: must, section: All, says: The number is rare., reader: reject }
  MARK: { level: states, section: All, says: The number is rare., reader: accept, continues: open }
"#;

/// Runs a command in a folder with `sevens.yaml` and some traces. Returns its exit status and
/// output.
fn sevens(words: &[&str]) -> (Option<i32>, String, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let [rare, marked] = ["MUST", "MARK"].map(|rule| RARE.replace("RULE", rule));
    let files: [(&str, &[u8]); 6] = [
        ("sevens.yaml", SEVENS.as_bytes()),
        ("rare.yaml", rare.as_bytes()),
        ("marked.yaml", marked.as_bytes()),
        (
            "wrong.yaml",
            b"meta: { id: wrong }\nseq: [ { id: a, type: nothing } ]\n",
        ),
        ("five.bin", &[5, 0]),
        ("large.bin", &[7, 200]),
    ];
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("written");
    }
    let output = tracegauge(&folder, words);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let status = output.status.code();
    (status, text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_condition_that_does_not_hold_is_told_as_the_description_has_it() {
    let (status, _, said) = sevens(&["decode", "--spec", "sevens.yaml", "five.bin"]);
    assert_eq!(status, Some(1), "{said}");
    let condition = "5: the condition `_ % 7 == 0 or _ > 250` does not hold";
    assert!(said.contains(condition), "{said}");
}

#[test]
fn the_rule_is_named_after_which_readers_may_differ() {
    let (status, _, said) = sevens(&["decode", "--spec", "sevens.yaml", "large.bin"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("readers may differ (MARK)"), "{said}");
    let generate = [
        "generate",
        "--spec",
        "marked.yaml",
        "--out",
        "traces",
        "--seed",
        "0",
        "--count",
    ];
    let (status, _, said) = sevens(&[&generate[..], &["100"]].concat());
    assert_eq!(status, Some(1), "{said}");
    let for_some = "readers may disagree about whether the generated trace is valid (MARK)";
    assert!(said.contains(for_some), "{said}");
}

#[test]
fn mistakes_of_a_description_are_told_once_for_all_files() {
    for command in ["decode", "check"] {
        let words = [command, "--spec", "wrong.yaml", "five.bin", "large.bin"];
        let (status, _, said) = sevens(&words);
        assert_eq!(status, Some(2), "{said}");
        assert_eq!(said.matches("wrong.yaml:2:").count(), 1, "{said}");
    }
}

#[test]
fn seeds_without_a_trace_are_left_out_of_what_is_measured() {
    let words = [
        "bench",
        "--spec",
        "rare.yaml",
        "--rounds",
        "1",
        "--json",
        "--count",
    ];
    let (status, out, said) = sevens(&[&words[..], &["20"]].concat());
    assert_eq!(status, Some(0), "{said}");
    let result: Value = serde_json::from_str(&out).expect("one object");
    let left = result["seeds_left_out"].as_u64().expect("a number");
    assert!((1..20).contains(&left), "{result}");
    assert_eq!(result["traces"], 20 - left);
    let note = format!("note: skipped {left} of 20 seeds because they produce no trace: seed ");
    assert!(said.contains(&note), "{said}");
}

#[test]
fn suggested_commands_name_the_description_that_is_in_use() {
    let run = [
        "run",
        "--spec",
        "sevens.yaml",
        "--filter",
        "NO-SUCH",
        "--",
        "true",
    ];
    let (_, _, said) = sevens(&run);
    assert!(
        said.contains("`tracegauge corpus list --spec sevens.yaml`"),
        "{said}"
    );
    let (_, shown, said) = sevens(&[
        "run",
        "--spec",
        "sevens.yaml",
        "--failures",
        "0",
        "--",
        "true",
    ]);
    let next = "tracegauge explain --spec sevens.yaml";
    assert!(shown.contains(next), "{shown}{said}");
}

/// A description in which a size field is far away from the data that it describes, so that only a
/// hint in the description limits the size.
const GIGABYTES: &str = r#"
meta: { id: packed, family: packed, endian: le }
faults: { eof: SHORT }
seq:
  - { id: original, type: u4, gen: { range: [0, 80] } }
  - { id: count, type: u1 }
  - { id: texts, size: original, repeat: expr, repeat-expr: count }
records: { row: { from: packed, members: { size: original } } }
rules:
  SHORT: { level: must, section: All, says: Every text is there., reader: reject, class: incomplete }
"#;

#[test]
fn a_size_that_may_be_gigabytes_is_kept_small_and_that_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("packed.yaml");
    std::fs::write(path, GIGABYTES).expect("written");
    let output = tracegauge(&folder, &["run", "--spec", "packed.yaml"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    for boundary in ["greatest", "over 16 bits"] {
        let told = |line: &str| {
            line.starts_with("note: packed: no case with ")
                && line.contains("original")
                && line.contains(boundary)
                && line.contains(": the value would have to exceed 4096")
        };
        assert!(said.lines().any(told), "{boundary}: {said}");
    }
}

/// A description with bits and bytes that readers ignore.
const RESERVED: &str = r#"
meta: { id: spare, family: spare, endian: le, bit-endian: le }
faults: { eof: SHORT, trailing: LONG }
seq:
  - { id: kind, type: b3, valid: { max: 5, rule: KIND } }
  - { id: other, type: b5, ignore: RESERVED-BITS }
  - { id: size, type: u1, valid: { min: 2, max: 9, rule: SIZE } }
  - { id: body, type: body, size: size, faults: { short: SIZE, past: SHORT } }
types:
  body:
    seq:
      - { id: number, type: u2 }
      - { id: more, size-eos: true, ignore: MORE }
records: { row: { from: spare, members: { kind: kind, number: body.number } } }
rules:
  SHORT: { level: must, section: All, says: Every field is there., reader: reject, class: incomplete }
  LONG: { level: must, section: All, says: Nothing follows., reader: reject }
  KIND: { level: must, section: All, says: The kind is at most 5., reader: reject }
  SIZE: { level: must, section: All, says: The size is that of the body., reader: reject }
  RESERVED-BITS: { level: must, section: All, says: A reader passes over reserved bits., reader: accept }
  MORE: { level: must, section: All, says: A reader passes over what follows the number., reader: accept }
"#;

/// Returns a reader that is correct except for `line`.
fn reader_with(line: &str) -> String {
    format!(
        "set -- $(od -An -v -tu1 \"$1\")\n\
         [ $# -ge 2 ] || exit 65\n\
         [ $(($1 % 8)) -le 5 ] || exit 65\n\
         [ $2 -ge 2 ] && [ $2 -le 9 ] && [ $# -eq $(($2 + 2)) ] || exit 65\n\
         {line}\nexit 0\n"
    )
}

#[test]
fn a_reader_that_rejects_what_it_should_pass_over_fails_under_that_rule_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("spare.yaml"), RESERVED).expect("written");
    for (line, rule) in [
        ("[ $(($1 / 8)) -eq 0 ] || exit 65", Some("RESERVED-BITS")),
        ("[ $(($1 / 128)) -eq 0 ] || exit 65", Some("RESERVED-BITS")),
        ("[ $2 -eq 2 ] || exit 65", Some("MORE")),
        ("", None),
    ] {
        std::fs::write(folder.path().join("reader.sh"), reader_with(line)).expect("written");
        let words = [
            "run",
            "--spec",
            "spare.yaml",
            "--quiet",
            "--json",
            "result.json",
        ];
        let reader = ["--", "sh", "reader.sh", "{file}"];
        let output = tracegauge(&folder, &[&words[..], &reader].concat());
        let said = String::from_utf8_lossy(&output.stdout);
        let text = std::fs::read(folder.path().join("result.json")).expect("a result");
        let result: Value = serde_json::from_slice(&text).expect("JSON");
        let cases = result["readers"][0]["cases"].as_array().expect("cases");
        let failed = cases
            .iter()
            .filter(|case| case["outcome"] == "wrong-reject");
        let headings: std::collections::BTreeSet<&str> = failed
            .map(|case| {
                let apart = case["set_apart_by"].as_str();
                apart.or_else(|| case["rules"][0].as_str()).expect("a rule")
            })
            .collect();
        assert_eq!(headings, rule.into_iter().collect(), "{line}: {said}");
        assert_eq!(
            output.status.code(),
            Some(i32::from(rule.is_some())),
            "{said}"
        );
    }
}
