//! A case as JSON, for those who only want files.

use serde_json::{Value as Json, json};
use tracegauge_decoder::record::{Record, write_record};

use crate::case::Case;

/// All that is known of a case but its bytes.
pub fn sidecar(case: &Case) -> Json {
    let mut json = summary(case);
    let records = case.expected.records.iter();
    json["records"] = records.map(|set| records_of(set)).collect();
    json
}

/// What a case is, without its records.
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
        "why": case.provenance.why,
        "length": case.bytes.len(),
        "blake3": blake3::hash(&case.bytes).to_hex().as_str(),
    })
}

fn records_of(records: &[Record]) -> Json {
    let canonical = |record: &Record| {
        let mut line = Vec::new();
        write_record(record, &mut line);
        serde_json::from_slice(&line).unwrap_or(Json::Null)
    };
    records.iter().map(canonical).collect()
}
