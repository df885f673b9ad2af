//! Values that are written in another shape of JSON than theirs: an object for pairs, say.

use serde_json::{Map, Value as Json};
use tracegauge_corpus::case::Case;
use tracegauge_decoder::record::{Record, Value};

use super::finding::{Findings, Mistake};
use crate::compare::{PAIR, as_pair, compare_value, kind_of, other_shape};

/// Notes members whose values, or what is inside, are written in another shape than theirs.
pub(super) fn other_shapes(case: &Case, records: &[Map<String, Json>], findings: &mut Findings) {
    for expected in &case.expected.records {
        for (record, actual) in expected.iter().zip(records) {
            // Behind a record that is left out others stand side by side.
            let kind = actual.get("record").and_then(Json::as_str);
            if kind != Some(&record.kind) {
                break;
            }
            for saw in in_record(record, actual) {
                findings.note(Mistake::OtherShape, Some(&case.id), saw);
            }
        }
    }
}

fn in_record(record: &Record, actual: &Map<String, Json>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, value) in &record.members {
        if let Some(json) = actual.get(name) {
            look(value, json, &format!("{}.{name}", record.kind), &mut found);
        }
    }
    found
}

fn look(expected: &Value, actual: &Json, path: &str, found: &mut Vec<String>) {
    // Null is what is not there.
    if actual.is_null() {
        return;
    }
    let told = |path: &str, wanted: &str, actual: &Json| {
        let came = kind_of(actual);
        format!("{path} is {wanted}, and came as {came}")
    };
    if let Some(wanted) = other_shape(expected, actual) {
        found.push(told(path, wanted, actual));
        return;
    }
    match (expected, actual) {
        (Value::List(items), Json::Array(list)) => {
            for (item, json) in items.iter().zip(list) {
                look(item, json, &format!("{path}[]"), found);
            }
        }
        (Value::Object(members), Json::Object(map)) => {
            for (name, value) in members {
                if let Some(json) = map.get(name) {
                    look(value, json, &format!("{path}.{name}"), found);
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
                look(&pair.value, value, &format!("{path}[].value"), found);
            }
        }
        _ => {}
    }
}
