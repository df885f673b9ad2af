//! Tests that the JSON Schema of the protocol accepts exactly the valid messages.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use jsonschema::Validator;
use serde_json::Value as Json;
use tracegauge_decoder::record::{Pair, Record, Value, write_record};
use tracegauge_protocol::{Request, SCHEMA, hello, parse_line};

use crate::common;

fn validator() -> Validator {
    jsonschema::validator_for(&serde_json::from_str(SCHEMA).unwrap()).unwrap()
}

fn fits(validator: &Validator, line: &[u8]) -> bool {
    validator.is_valid(&serde_json::from_slice::<Json>(line).unwrap())
}

#[test]
fn all_that_we_say_fits() {
    let validator = validator();
    assert!(fits(&validator, &hello()));
    let request = Request {
        case: "c-0417",
        format: "toy-v1",
        file: "traces/\"odd\" näme.bin",
    };
    assert!(fits(&validator, &request.line()));
    let record = Record {
        kind: "event".into(),
        members: vec![
            ("n".into(), Value::Int(1 << 70)),
            ("f".into(), Value::F64(f64::NAN.to_bits())),
            ("b".into(), Value::Bytes(vec![1])),
            (
                "o".into(),
                Value::Object(vec![("x".into(), Value::Bool(true))]),
            ),
            (
                "p".into(),
                Value::Pairs(vec![Pair {
                    name: Value::Text("a".into()),
                    code: None,
                    value: Value::Missing("why".into()),
                }]),
            ),
        ],
    };
    let mut line = Vec::new();
    write_record(&record, &mut line);
    assert!(fits(&validator, &line));
}

/// Checks that the schema is neither more lenient nor stricter than the harness.
#[test]
fn closing_lines_fit_exactly_where_they_are_understood() {
    let validator = validator();
    for line in [
        r#"{"end":"accept"}"#,
        r#"{"end":"accept","more":1}"#,
        r#"{"end":"reject","why":"…","class":"malformed","offset":123}"#,
        r#"{"end":"reject","why":null,"class":null,"offset":null}"#,
        r#"{"end":"unsupported","feature":"labels"}"#,
        r#"{"record":"event","end":12}"#,
        r#"{"end":"maybe"}"#,
        r#"{"end":"reject","class":"odd"}"#,
        r#"{"end":"reject","offset":-1}"#,
        r#"{"end":"reject","offset":"1"}"#,
        r#"{"end":"reject","why":1}"#,
        r#"{"end":"unsupported","feature":[]}"#,
        r#"{"record":1}"#,
        r#"{"record":1,"end":"accept"}"#,
        r#"{}"#,
        r#"[]"#,
        r#""accept""#,
    ] {
        let understood = parse_line(line.as_bytes()).is_ok();
        assert_eq!(fits(&validator, line.as_bytes()), understood, "{line}");
    }
}

#[test]
fn the_perfect_fake_speaks_the_protocol() {
    let validator = validator();
    let trace = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(trace.path(), b"TOY1\x01\xff").unwrap();
    let mut child = Command::new(common::FAKE)
        .args(["serve", "perfect"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let file = trace.path().to_string_lossy().into_owned();
    let request = Request {
        case: "c-1",
        format: "toy-v1",
        file: &file,
    };
    stdin.write_all(&hello()).unwrap();
    stdin.write_all(&request.line()).unwrap();
    drop(stdin);
    let lines: Vec<String> = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map(Result::unwrap)
        .collect();
    child.wait().unwrap();
    assert_eq!(lines.len(), 3, "a greeting, a record, a closing line");
    assert!(
        lines.iter().all(|line| fits(&validator, line.as_bytes())),
        "{lines:?}"
    );
}
