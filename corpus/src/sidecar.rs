//! A case as JSON, for those who only want files.

use serde_json::{Value as Json, json};
use tracegauge_decoder::record::{Pair, Record, Value, write_record, write_value};

use crate::case::Case;

/// Stack for values that nest as deep as any format allows.
const STACK: usize = 64 << 20;

/// The text of the file beside a case.
pub fn text(case: &Case) -> String {
    stacker::grow(STACK, || format!("{:#}\n", sidecar(case)))
}

/// The same for programs that compare: a member of an enumeration is `{"$enum": name, "number": …}`
/// and a set of flags `{"$flags": […], "number": …}`, since readers may write the number.
pub fn text_with_numbers(case: &Case) -> String {
    stacker::grow(STACK, || {
        let mut json = summary(case);
        let sets = case.expected.records.iter();
        json["records"] = sets
            .map(|set| set.iter().map(numbered).collect::<Json>())
            .collect();
        format!("{json:#}\n")
    })
}

fn numbered(record: &Record) -> Json {
    let mut json = json!({"record": record.kind});
    for (name, value) in record.members.iter().filter(|(_, value)| is_there(value)) {
        json[name] = numbered_value(value);
    }
    json
}

fn numbered_value(value: &Value) -> Json {
    match value {
        Value::Enum { name, value } => json!({"$enum": name, "number": value.to_string()}),
        Value::Flags { value: number, .. } => {
            json!({"$flags": canonical(value), "number": number.to_string()})
        }
        Value::List(items) => items.iter().map(numbered_value).collect(),
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| is_there(value));
            let members = members.map(|(name, value)| (name.clone(), numbered_value(value)));
            Json::Object(members.collect())
        }
        Value::Pairs(pairs) => {
            let pair =
                |pair: &Pair| json!([numbered_value(&pair.name), numbered_value(&pair.value)]);
            pairs.iter().map(pair).collect()
        }
        other => canonical(other),
    }
}

fn is_there(value: &Value) -> bool {
    !matches!(value, Value::Absent)
}

fn canonical(value: &Value) -> Json {
    let mut line = Vec::new();
    write_value(value, &mut line);
    read(&line).unwrap_or(Json::Null)
}

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
        read(&line).unwrap_or(Json::Null)
    };
    records.iter().map(canonical).collect()
}

/// Reads a canonical record, however deep its values nest: the parser's own limit is below what
/// a format may allow.
fn read(line: &[u8]) -> serde_json::Result<Json> {
    let mut parser = serde_json::Deserializer::from_slice(line);
    parser.disable_recursion_limit();
    stacker::grow(STACK, || serde::Deserialize::deserialize(&mut parser))
}
