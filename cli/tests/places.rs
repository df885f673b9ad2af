//! Tests that results, all reports and `explain` show the bytes of the correct value for a wrong
//! record.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use serde_json::Value as Json;
use tracegauge_corpus::case::{Case, ExpectedVerdict, Source};
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::Suite;
use tracegauge_corpus::vector;
use tracegauge_decoder::decode;
use tracegauge_decoder::places::places;
use tracegauge_decoder::record::{Record, Value, write_record};
use tracegauge_harness::origin::{About, complete};
use tracegauge_plan::Plan;
use tracegauge_results::Difference;

use crate::joining::try_all;

const PROGRAM: &str = env!("CARGO_BIN_EXE_tracegauge");

/// A mistake that a reader makes on a vector, and the places of the correct value.
struct Wrong {
    format: &'static str,
    vector: &'static str,
    /// The correct text in the last record and the wrong text that the reader writes.
    said: (&'static str, &'static str),
    member: &'static str,
    /// The rules that apply to the value.
    about: &'static [&'static str],
    /// For each origin, its part, its path, and its bytes (or only the last of them) in
    /// hexadecimal.
    origins: &'static [(&'static str, &'static str, &'static str)],
}

const WRONG: [Wrong; 6] = [
    Wrong {
        format: "dial9-v1",
        vector: "events-of-three",
        said: ("[\"a\",7]", "[\"a\",70]"),
        member: "fields[0].value",
        about: &["VALUE-UNSIGNED"],
        origins: &[("value", "frames[3].body.values[0]", "07")],
    },
    Wrong {
        format: "dial9-v1",
        vector: "pool-ids-at-both-ends",
        said: ("[\"a\",\"z\"]", "[\"a\",\"q\"]"),
        member: "fields[0].value",
        about: &["VALUE-POOLED"],
        origins: &[
            ("value", "frames[5].body.values[0]", "00000001"),
            ("elsewhere", "frames[0].body.entries[3].data", "7a"),
        ],
    },
    Wrong {
        format: "nettrace-v6",
        vector: "capture-group-carried",
        said: ("\"processor\":3", "\"processor\":0"),
        member: "processor",
        about: &["EVENT-CARRY"],
        origins: &[
            ("record", "blocks[3].body.events[2]", "07"),
            (
                "elsewhere",
                "blocks[3].body.events[0].processor_number",
                "03",
            ),
        ],
    },
    Wrong {
        format: "wtf-v3",
        vector: "asciis",
        said: ("\"hello\"", "\"hallo\""),
        member: "args[0].value",
        about: &["ARGS-ENCODING"],
        origins: &[("value", "events[1].args[0]", "000568656c6c6f")],
    },
    Wrong {
        format: "fieldlog-v2",
        vector: "negative-level",
        said: ("\"level\":-1", "\"level\":4294967295"),
        member: "level",
        about: &["NEGATIVE-NUMBERS"],
        origins: &[("value", "records[0].body.level", "ffffffff")],
    },
    Wrong {
        format: "fieldlog-v2",
        vector: "web-request-repeated",
        said: ("\"repeated\":true", "\"repeated\":false"),
        member: "repeated",
        about: &["SCOPE-REPEATED"],
        origins: &[
            ("record", "records[3].body", "ffffffff00000010"),
            ("elsewhere", "records[3].type", "6000005a"),
        ],
    },
];

/// Returns the vectors of a format as a suite. To save time, generated cases are not included.
fn suite(format: &str) -> Suite {
    let formats = Formats::bundled(&[format.to_owned()]).unwrap();
    let plan = Arc::clone(&formats.plans()[0]);
    let read = vector::load(&Store::nearest(), Source::Vector, format).unwrap();
    let (mut cases, _) = vector::check(&plan, &read);
    cases.sort_by(|one, other| one.id.cmp(&other.id));
    Suite {
        formats,
        cases,
        ..Suite::default()
    }
}

/// Returns all correct records of a case, with one member of the last record changed.
fn answer(case: &Case, (right, wrong): (&str, &str)) -> String {
    let mut lines = Vec::new();
    for record in &case.expected.records[0] {
        write_record(record, &mut lines);
        lines.push(b'\n');
    }
    let text = String::from_utf8(lines).unwrap();
    let at = text.rfind(right).unwrap();
    let (before, rest) = text.split_at(at);
    format!(
        "{before}{wrong}{}{{\"end\":\"accept\"}}\n",
        &rest[right.len()..]
    )
}

/// Runs a reader that gives the same answer to every trace. Returns its standard output and the
/// result.
fn run(folder: &Path, wrong: &Wrong, case: &Case) -> (String, Json) {
    let said = folder.join("answer.jsonl");
    fs::write(&said, answer(case, wrong.said)).unwrap();
    let output = Command::new(PROGRAM)
        .args(["run", "--format", wrong.format, "--filter", &case.id])
        .args([
            "--json",
            "result.json",
            "--html",
            "page.html",
            "--markdown",
            "page.md",
        ])
        .args(["--junit", "tests.xml", "--", "sh", "-c", "cat \"$0\""])
        .arg(&said)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = fs::read_to_string(folder.join("result.json"));
    let text = text.unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let shown = String::from_utf8(output.stdout).unwrap();
    (shown, serde_json::from_str(&text).unwrap())
}

/// The record omits the reference through which the value is looked up. If the value is missing, the
/// reader lost the reference; if the value is wrong, the reader found the row.
#[test]
fn a_missing_value_is_about_the_reference_that_is_carried() {
    let suite = suite("nettrace-v6");
    let mut cases = suite.cases.iter();
    let case = cases.find(|case| case.id == "nettrace-v6/vector/labels-carried");
    let case = case.unwrap();
    let plan = &suite.formats.plans()[0];
    let rules = ["EVENT-CARRY".to_owned(), "LABEL-LIST-NONE".to_owned()];
    let about = |actual: &str| {
        let mut difference = Difference {
            path: "labels".to_owned(),
            actual: actual.to_owned(),
            owed: Some(6),
            ..Difference::default()
        };
        let known = About {
            rules: &rules,
            records: case.expected.records[0].len(),
        };
        complete(plan, &case.bytes, &known, &mut difference);
        difference.rules
    };
    assert_eq!(about("no such member"), ["EVENT-CARRY"]);
    assert_eq!(about(r#"[["opcode",6]]"#), ["LABEL-KINDS"]);
}

#[test]
fn the_bytes_of_what_is_wrong_are_shown_everywhere() {
    try_all(&WRONG, |wrong| {
        let suite = suite(wrong.format);
        let id = format!("{}/vector/{}", wrong.format, wrong.vector);
        let case = suite.case(&id).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (shown, result) = run(folder.path(), wrong, case);
        let cases = result["readers"][0]["cases"].as_array().unwrap();
        let found = cases.iter().find(|found| found["case"] == *id).unwrap();
        let difference = &found["detail"]["difference"];
        assert_eq!(difference["path"], wrong.member, "{found:#}");
        let origins = difference["origins"].as_array().unwrap();
        assert_eq!(origins.len(), wrong.origins.len(), "{difference:#}");
        let markdown = fs::read_to_string(folder.path().join("page.md")).unwrap();
        let junit = fs::read_to_string(folder.path().join("tests.xml")).unwrap();
        let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
        for (origin, (part, path, bytes)) in origins.iter().zip(wrong.origins) {
            assert_eq!(
                (&origin["part"], &origin["path"]),
                (&(*part).into(), &(*path).into())
            );
            let number = |name: &str| usize::try_from(origin[name].as_u64().unwrap()).unwrap();
            let (start, length) = (number("offset"), number("length"));
            let read = hex::encode(&case.bytes[start..start + length]);
            assert!(
                read.ends_with(bytes),
                "{read} is no {bytes}: {difference:#}"
            );
            let place = match length {
                1 => format!("{path}, byte {start}"),
                _ => format!("{path}, bytes {start}..{}", start + length),
            };
            for report in [&shown, &markdown, &junit, &page] {
                assert!(report.contains(&place), "{place} is missing in {report}");
            }
        }
        assert_eq!(difference["rules"], serde_json::json!(wrong.about), "{id}");
        for rule in wrong.about {
            let heading = format!("{rule} (");
            for report in [&shown, &markdown, &junit] {
                let first = report.find(&heading);
                assert!(first.is_some(), "{rule} is missing in {report}");
            }
            assert!(page.contains(&format!("\"{rule}\"")), "{rule}: {page}");
        }
        explained(folder.path(), &id, wrong);
    });
}

/// Checks that `explain` names each place and marks bytes in it.
fn explained(folder: &Path, id: &str, wrong: &Wrong) {
    let places = wrong.origins.len();
    let output = Command::new(PROGRAM)
        .args(["explain", id, "--results", "result.json"])
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        text.matches("the expected value is read from").count(),
        places,
        "{text}"
    );
    for rule in wrong.about {
        assert!(text.contains(&format!(" rule {rule} (")), "{rule}: {text}");
    }
    let marked = text.lines().filter(|line| line.starts_with("    > 0"));
    assert!(marked.count() >= places, "{text}");
}

/// Collects the values inside a value, with the path of each.
fn leaves(path: String, value: &Value, out: &mut Vec<(String, Value)>) {
    match value {
        Value::List(items) => {
            for (number, item) in items.iter().enumerate() {
                leaves(format!("{path}[{number}]"), item, out);
            }
        }
        Value::Object(members) => {
            for (name, value) in members {
                leaves(format!("{path}.{name}"), value, out);
            }
        }
        Value::Pairs(pairs) => {
            for (number, pair) in pairs.iter().enumerate() {
                leaves(format!("{path}[{number}].value"), &pair.value, out);
            }
        }
        value => out.push((path, value.clone())),
    }
}

fn values(record: &Record) -> Vec<(String, Value)> {
    let mut out = Vec::new();
    for (name, value) in &record.members {
        leaves(name.clone(), value, &mut out);
    }
    out
}

/// Flips each bit in the places from which a value was decoded. Returns true if any flip changes
/// the value or makes the trace invalid.
fn depends(plan: &Plan, bytes: &[u8], record: usize, (path, value): &(String, Value)) -> bool {
    let found = places(plan, bytes, record, path).unwrap();
    // An empty text has no bytes. The fact that it is empty is stored elsewhere in the record.
    let filled = found.value.iter();
    let filled: Vec<_> = filled
        .filter(|place| place.span.start < place.span.end)
        .collect();
    let own = filled.iter().copied().chain([&found.record]);
    let own = own.take(filled.len().max(1));
    let places = own.flat_map(|place| place.span.start..place.span.end);
    let mut bits = places.flat_map(|at| (0..8).map(move |bit| (at, 1 << bit)));
    bits.any(|(at, bit)| {
        let mut turned = bytes.to_vec();
        turned[usize::try_from(at).unwrap()] ^= bit;
        let (verdict, records) = decode(plan, &turned);
        let now = records.get(record).map(values).unwrap_or_default();
        let same = now.iter().any(|(known, now)| known == path && now == value);
        verdict.violation().is_some() || !same
    })
}

#[test]
fn values_depend_on_the_bytes_that_they_are_said_to_be_read_from() {
    let (mut asked, mut placed) = (0, 0);
    for format in ["nettrace-v6", "wtf-v3", "fieldlog-v2"] {
        let suite = suite(format);
        let plan = suite.formats.plan(format).unwrap();
        let right = |case: &&Case| {
            case.provenance.source == Source::Vector
                && case.expected.verdict == ExpectedVerdict::Accept
                && case.format == format
                && case.bytes.len() < 300
        };
        for case in suite.cases.iter().filter(right).step_by(3) {
            let (_, records) = decode(plan, &case.bytes);
            for (number, record) in records.iter().enumerate() {
                for value in values(record) {
                    if matches!(value.1, Value::Free | Value::Missing(_) | Value::Absent) {
                        continue;
                    }
                    asked += 1;
                    let found = places(plan, &case.bytes, number, &value.0).unwrap();
                    placed += usize::from(!found.value.is_empty());
                    let depends = depends(plan, &case.bytes, number, &value);
                    assert!(depends, "{} {number} {value:?}: {found:?}", case.id);
                }
            }
        }
    }
    assert!(
        asked > 1000 && placed * 100 > asked * 95,
        "{placed} of {asked}"
    );
}
