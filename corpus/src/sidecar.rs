//! Describes a case as JSON for users who work only with the exported files.

use serde_json::{Value as Json, json};
use tracegauge_decoder::record::{Record, write_record};

use crate::case::Case;

/// The stack size, which suffices for values nested as deeply as any format allows.
const STACK: usize = 64 << 20;

/// Returns the text of the JSON file that accompanies a case. `level` is the severity of failing
/// the case.
pub fn text(case: &Case, level: &str) -> String {
    stacker::grow(STACK, || {
        let mut json = sidecar(case);
        json["level"] = level.into();
        format!("{json:#}\n")
    })
}

/// Returns all information about a case except its bytes.
pub fn sidecar(case: &Case) -> Json {
    let mut json = summary(case);
    let records = case.expected.records.iter();
    json["records"] = records.map(|set| records_of(set)).collect();
    json
}

/// Returns the description of a case, excluding its records.
pub fn summary(case: &Case) -> Json {
    let violation = case.expected.violation.as_ref().map(|violation| {
        json!({
            "rules": violation.rules,
            "class": violation.class.name(),
            "path": violation.path,
            "start": violation.start,
            "end": violation.end,
        })
    });
    json!({
        "id": case.id,
        "format": case.format,
        "version": case.version,
        "state": case.state.name(),
        "expect": case.expected.verdict.name(),
        "open": case.expected.open,
        "due": case.expected.due,
        "violation": violation,
        "twin": case.twin,
        "source": case.provenance.source.name(),
        "rules": case.provenance.rules,
        "operator": case.provenance.operator,
        "departures": case.departures,
        "why": case.provenance.why,
        "length": case.bytes.len(),
        "blake3": blake3::hash(&case.bytes).to_hex().as_str(),
    })
}

fn records_of(records: &[Record]) -> Json {
    let canonical = |record: &Record| {
        let mut line = Vec::new();
        write_record(record, &mut line);
        read(&line).unwrap_or(Json::Null)
    };
    records.iter().map(canonical).collect()
}

/// Parses a canonical record without a recursion limit, because some formats allow deeper nesting
/// than the parser's default limit.
fn read(line: &[u8]) -> serde_json::Result<Json> {
    let mut parser = serde_json::Deserializer::from_slice(line);
    parser.disable_recursion_limit();
    stacker::grow(STACK, || serde::Deserialize::deserialize(&mut parser))
}
