//! Finds values whose JSON shape differs from the one that the protocol requires, for example an
//! object where pairs are required.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};
use tracegauge_corpus::case::Case;
use tracegauge_decoder::record::{Record, Value};
use tracegauge_judge::compare::{PAIR, as_pair, compare_value, kind_of, other_shape};

use super::finding::{Findings, Mistake};

const TEXT: &str = "a string";
const TIME: &str = "a string with an ISO 8601 date and time";
const GUID: &str = "a string of the form 8-4-4-4-12";
const HEX: &str = "an object {\"hex\": …}";
const NUMBER: &str = "a number, or a string with the digits of the number";
const FLOAT: &str = "a number, or one of the strings NaN, Infinity and -Infinity";
const BOOL: &str = "true or false";
const ENUM: &str =
    "a string with the name of the enumeration member, or a number if the value has no name";
const FLAGS: &str = "an array of names";

/// Returns the required shape of a scalar value, or `None` if `actual` has this shape or another
/// shape that the protocol accepts.
fn other_scalar(expected: &Value, actual: &Json) -> Option<&'static str> {
    let is_hex = || actual.get("hex").is_some();
    let is_word = || matches!(actual, Json::Number(_) | Json::String(_));
    let digits = |text: &str| text.parse::<i128>().is_ok();
    let is_integer = || match actual {
        Json::Number(_) => true,
        Json::String(text) => digits(text),
        _ => false,
    };
    let is_float = || match actual {
        Json::Number(_) => true,
        Json::String(text) => text.parse::<f64>().is_ok(),
        _ => false,
    };
    let (wanted, is_right) = match expected {
        // Text that one reader considers well-formed may be ill-formed for another reader, which
        // then reports the bytes.
        Value::Text(_) => (TEXT, actual.is_string() || is_hex()),
        Value::IllFormed(_) => (HEX, is_hex() || actual.is_string()),
        Value::DateTime(_) => (TIME, actual.is_string()),
        Value::Guid(_) => (GUID, actual.is_string()),
        Value::Bytes(_) => (HEX, is_hex()),
        Value::Bool(_) => (BOOL, actual.is_boolean()),
        Value::Int(_) => (NUMBER, is_integer()),
        Value::F32(_) | Value::F64(_) => (FLOAT, is_float()),
        Value::Enum { .. } => (ENUM, is_word()),
        Value::Flags { .. } => (FLAGS, actual.is_array() || is_integer()),
        Value::Absent
        | Value::Missing(_)
        | Value::Free
        | Value::List(_)
        | Value::Object(_)
        | Value::Pairs(_)
        | Value::Json(_) => return None,
    };
    (!is_right).then_some(wanted)
}

/// Adds a finding for each member whose value, or a part of it, does not have the required shape.
pub(super) fn other_shapes(case: &Case, records: &[Map<String, Json>], findings: &mut Findings) {
    for expected in &case.expected.records {
        let known = Known::of(expected);
        for (record, actual) in expected.iter().zip(records) {
            // After an omitted record, the expected and the reported records are no longer aligned.
            let kind = actual.get("record").and_then(Json::as_str);
            if kind != Some(&record.kind) {
                break;
            }
            for saw in in_record(record, actual, &known) {
                findings.note(Mistake::OtherShape, Some(&case.id), saw);
            }
        }
    }
}

/// The values of each member in all expected records, by path. If a reader omits a record, each
/// later record is compared with the wrong expected record, and the same member can be a number in
/// one record and text in the other. A shape is therefore a mistake only if no value of the member
/// has it.
struct Known<'v>(BTreeMap<String, Vec<&'v Value>>);

impl<'v> Known<'v> {
    fn of(records: &'v [Record]) -> Self {
        let mut known = Self(BTreeMap::new());
        for record in records {
            for (name, value) in &record.members {
                known.add(value, &format!("{}.{name}", record.kind));
            }
        }
        known
    }

    fn add(&mut self, value: &'v Value, path: &str) {
        match value {
            Value::List(items) => {
                let path = format!("{path}[]");
                items.iter().for_each(|item| self.add(item, &path));
            }
            Value::Object(members) => {
                for (name, value) in members {
                    self.add(value, &format!("{path}.{name}"));
                }
            }
            // The name of a pair determines which values are allowed for it, so values of different
            // pairs must not be mixed.
            Value::Pairs(_) => {}
            _ => self.0.entry(path.to_owned()).or_default().push(value),
        }
    }

    /// Returns true if at least one value of the member has the shape of `actual`.
    fn has(&self, path: &str, actual: &Json) -> bool {
        let values = self.0.get(path).into_iter().flatten();
        values
            .into_iter()
            .any(|value| other_scalar(value, actual).is_none())
    }
}

fn in_record(record: &Record, actual: &Map<String, Json>, known: &Known<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value) in &record.members {
        if let Some(json) = actual.get(name) {
            let path = format!("{}.{name}", record.kind);
            look(value, json, &path, known, &mut found);
        }
    }
    found
}

fn look(expected: &Value, actual: &Json, path: &str, known: &Known<'_>, found: &mut Vec<String>) {
    // Null means that the value is absent.
    if actual.is_null() {
        return;
    }
    let told = |path: &str, wanted: &str, actual: &Json| {
        let came = kind_of(actual);
        format!("{path} must be {wanted}, but is {came}")
    };
    if let Some(wanted) = other_shape(expected, actual) {
        found.push(told(path, wanted, actual));
        return;
    }
    if let Some(wanted) = other_scalar(expected, actual)
        && !known.has(path, actual)
    {
        found.push(told(path, wanted, actual));
        return;
    }
    match (expected, actual) {
        (Value::List(items), Json::Array(list)) => {
            for (item, json) in items.iter().zip(list) {
                look(item, json, &format!("{path}[]"), known, found);
            }
        }
        (Value::Object(members), Json::Object(map)) => {
            for (name, value) in members {
                if let Some(json) = map.get(name) {
                    look(value, json, &format!("{path}.{name}"), known, found);
                }
            }
        }
        (Value::Pairs(pairs), Json::Array(list)) => {
            for (pair, json) in pairs.iter().zip(list) {
                let Some((name, value)) = as_pair(json) else {
                    found.push(told(&format!("{path}[]"), PAIR, json));
                    return;
                };
                if compare_value(&pair.name, name).is_err() {
                    return;
                }
                look(&pair.value, value, &format!("{path}[].value"), known, found);
            }
        }
        _ => {}
    }
}
