//! Describes a case as JSON for users who work only with the exported files.

use serde_json::{Value as Json, json};
use tracegauge_decoder::record::{Record, Value, write_record};

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
    json["json_texts"] = json_texts(&case.expected.records);
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

/// Returns the paths of the values in `sets` that are JSON texts inside the trace. In such a value,
/// null is a value like any other, so a reader may not omit it. The canonical JSON of a record does
/// not show which values these are.
fn json_texts(sets: &[Vec<Record>]) -> Json {
    let mut texts = JsonTexts::default();
    for (set, records) in sets.iter().enumerate() {
        for (index, record) in records.iter().enumerate() {
            texts.path = vec![set.into(), index.into()];
            texts.members(&record.members);
        }
    }
    Json::Array(texts.found)
}

/// The search for JSON texts in records.
#[derive(Default)]
struct JsonTexts {
    found: Vec<Json>,
    /// The path of the current value: the names of members and the indexes of items.
    path: Vec<Json>,
}

impl JsonTexts {
    fn members(&mut self, members: &[(String, Value)]) {
        for (name, value) in members {
            self.step(name.as_str().into(), value);
        }
    }

    fn step(&mut self, step: Json, value: &Value) {
        self.path.push(step);
        match value {
            Value::Json(_) => self.found.push(Json::Array(self.path.clone())),
            Value::Object(members) => self.members(members),
            Value::List(items) => {
                for (index, item) in items.iter().enumerate() {
                    self.step(index.into(), item);
                }
            }
            Value::Pairs(pairs) => {
                for (index, pair) in pairs.iter().enumerate() {
                    self.path.push(index.into());
                    self.step(0.into(), &pair.name);
                    self.step(1.into(), &pair.value);
                    self.path.pop();
                }
            }
            _ => {}
        }
        self.path.pop();
    }
}

/// Parses a canonical record without a recursion limit, because some formats allow deeper nesting
/// than the parser's default limit.
fn read(line: &[u8]) -> serde_json::Result<Json> {
    let mut parser = serde_json::Deserializer::from_slice(line);
    parser.disable_recursion_limit();
    stacker::grow(STACK, || serde::Deserialize::deserialize(&mut parser))
}

#[cfg(test)]
mod tests {
    use tracegauge_decoder::record::Pair;

    use super::*;

    #[test]
    fn json_texts_are_found_wherever_they_are() {
        let pair = |name: &str, value| Pair {
            name: Value::Text(name.to_owned()),
            code: None,
            value,
        };
        let text = || Value::Json(Json::Null);
        let inner = vec![
            ("absent".to_owned(), Value::Absent),
            ("data".to_owned(), text()),
        ];
        let items = vec![Value::Int(1), text(), Value::Object(inner)];
        let record = Record {
            kind: "event".to_owned(),
            members: vec![
                ("at".to_owned(), Value::Int(1)),
                ("list".to_owned(), Value::List(items)),
                (
                    "args".to_owned(),
                    Value::Pairs(vec![pair("a", Value::Absent), pair("b", text())]),
                ),
            ],
        };
        let none = Record {
            kind: "event".to_owned(),
            members: Vec::new(),
        };
        let expected = json!([
            [1, 1, "list", 1],
            [1, 1, "list", 2, "data"],
            [1, 1, "args", 1, 1],
        ]);
        assert_eq!(json_texts(&[vec![], vec![none, record]]), expected);
    }
}
