//! Tests that every key and method of the description language behaves as intended.
//!
//! Each file in `language/` contains cases. A case begins with `= TITLE` and a description. A line
//! `> BYTES` (in hexadecimal) is a trace. The lines after it are its records, followed by `rejected
//! at PATH` if the trace is not accepted. A line `! LINE TEXT` says that the description is
//! invalid: it names the line of the error and a part of the message.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use tracegauge_decoder::decode;
use tracegauge_plan::Plan;
use tracegauge_spec::diagnostic::Severity;
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

/// A description and its expected results.
#[derive(Default)]
struct Case {
    title: String,
    description: String,
    /// The traces, each with its expected records.
    traces: Vec<(Vec<u8>, Vec<String>)>,
    /// The expected errors: line of the description and part of the message.
    refused: Vec<(u32, String)>,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("= ") {
            cases.push(Case {
                title: title.to_owned(),
                ..Case::default()
            });
            continue;
        }
        let Some(case) = cases.last_mut() else {
            continue;
        };
        if let Some(bytes) = line.strip_prefix('>') {
            case.traces.push((hex(bytes), Vec::new()));
        } else if let Some(refused) = line.strip_prefix("! ") {
            let (at, message) = refused.split_once(' ').unwrap();
            case.refused.push((at.parse().unwrap(), message.to_owned()));
        } else if let Some((_, expected)) = case.traces.last_mut() {
            expected.extend((!line.is_empty()).then(|| line.to_owned()));
        } else {
            case.description += line;
            case.description.push('\n');
        }
    }
    cases
}

fn hex(text: &str) -> Vec<u8> {
    let digits: String = text.split_whitespace().collect();
    let digits = digits.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.map(byte).collect()
}

/// Returns the plan of a description, or the lines and messages of its errors.
fn plan(description: &str) -> Result<Plan, Vec<(u32, String)>> {
    let loaded = load(&Memory::new().with("x.yaml", description), "x.yaml");
    let errors = loaded.diagnostics.iter();
    let errors = errors.filter(|said| said.severity == Severity::Error);
    let sources = &loaded.sources;
    let errors = errors
        .map(|said| (sources.line_column(said.span).line, said.message.clone()))
        .collect();
    let Some(schema) = loaded.schema else {
        return Err(errors);
    };
    let schema = Arc::new(schema);
    lower(&schema, &schema.dialects[0].id).map_err(|errors| {
        let line = |span| schema.sources.line_column(span).line;
        let errors = errors.into_iter();
        errors
            .map(|error| (line(error.span), error.message))
            .collect()
    })
}

fn failures(case: &Case) -> Vec<String> {
    let plan = match plan(&case.description) {
        Ok(plan) => plan,
        Err(errors) => {
            let mut wanted = case.refused.iter();
            let said = |(line, part): &(u32, String)| {
                errors
                    .iter()
                    .any(|(at, message)| at == line && message.contains(part.as_str()))
            };
            let all = !case.refused.is_empty() && wanted.all(said);
            return if all {
                Vec::new()
            } else {
                vec![format!("refused: {errors:?}")]
            };
        }
    };
    if !case.refused.is_empty() {
        return vec!["it loads".to_owned()];
    }
    let mut failures = Vec::new();
    for (bytes, expected) in &case.traces {
        let (verdict, records) = decode(&plan, bytes);
        let mut found: Vec<String> = records.iter().map(ToString::to_string).collect();
        if let Some(violation) = verdict.violation() {
            found.push(format!("rejected at {}", violation.path));
        }
        if &found != expected {
            failures.push(format!("{bytes:02x?}\n  {}", found.join("\n  ")));
        }
    }
    failures
}

#[test]
fn every_case_has_its_values() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language");
    let (mut failed, mut seen) = (String::new(), 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        for case in cases(&std::fs::read_to_string(&path).unwrap()) {
            seen += 1;
            assert!(
                !case.traces.is_empty() || !case.refused.is_empty(),
                "{}",
                case.title
            );
            for failure in failures(&case) {
                let file = path.file_stem().unwrap().to_string_lossy().into_owned();
                failed += &format!("{file}: {}: {failure}\n", case.title);
            }
        }
    }
    assert!(failed.is_empty(), "{failed}");
    assert!(seen >= 20, "{seen} cases");
}
