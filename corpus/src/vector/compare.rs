//! Compares decoded records with handwritten records.
//!
//! A vector uses the canonical form of records, except that an integer may also be a decimal
//! string. Don't-care values must be marked both in the vector and, by a rule, in the description.

use std::fmt;

use serde_json::{Map, Value as Json};
use tracegauge_decoder::record::{Pair, Record, Value, write_value};

/// A difference between a record in a vector and the decoded record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path within the record, for example `fields[2]`.
    pub path: String,
    /// The value given in the vector.
    pub stated: String,
    /// The value read by the decoder.
    pub decoded: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            path,
            stated,
            decoded,
        } = self;
        write!(f, "at `{path}`: expected {stated}, decoded {decoded}")
    }
}

/// Returns all differences between a record in a vector and a decoded record.
pub(super) fn record(stated: &Json, decoded: &Record) -> Vec<Difference> {
    let mut found = Vec::new();
    let Some(members) = stated.as_object() else {
        differs("", stated, decoded.to_string(), &mut found);
        return found;
    };
    if members.get("record").and_then(Json::as_str) != Some(&decoded.kind) {
        let kind = members.get("record").unwrap_or(&Json::Null);
        differs("record", kind, decoded.kind.clone(), &mut found);
    }
    let mut rest = members.clone();
    rest.shift_remove("record");
    object("", &rest, &decoded.members, &mut found);
    found
}

fn object(
    path: &str,
    stated: &Map<String, Json>,
    decoded: &[(String, Value)],
    found: &mut Vec<Difference>,
) {
    for (name, value) in decoded {
        let inner = join(path, name);
        match (stated.get(name), value) {
            (Some(json), _) => self::value(&inner, json, value, found),
            (None, Value::Absent | Value::Free) => {}
            (None, _) => found.push(Difference {
                path: inner,
                stated: "nothing".to_owned(),
                decoded: shown(value),
            }),
        }
    }
    for (name, json) in stated {
        if !decoded.iter().any(|(known, _)| known == name) {
            differs(&join(path, name), json, "nothing".to_owned(), found);
        }
    }
}

fn value(path: &str, stated: &Json, decoded: &Value, found: &mut Vec<Difference>) {
    let same = match decoded {
        Value::Object(members) => match stated.as_object() {
            Some(map) => return object(path, map, members, found),
            None => false,
        },
        Value::List(items) => match stated.as_array() {
            Some(list) => return list_of(path, list, items, value, found),
            None => false,
        },
        Value::Pairs(pairs) => match stated.as_array() {
            Some(list) => return list_of(path, list, pairs, pair, found),
            None => false,
        },
        other => leaf(stated, other),
    };
    if !same {
        differs(path, stated, shown(decoded), found);
    }
}

fn list_of<T>(
    path: &str,
    stated: &[Json],
    decoded: &[T],
    compare: impl Fn(&str, &Json, &T, &mut Vec<Difference>),
    found: &mut Vec<Difference>,
) {
    for (number, (json, item)) in stated.iter().zip(decoded).enumerate() {
        compare(&format!("{path}[{number}]"), json, item, found);
    }
    if stated.len() != decoded.len() {
        found.push(Difference {
            path: path.to_owned(),
            stated: format!("{} elements", stated.len()),
            decoded: format!("{} elements", decoded.len()),
        });
    }
}

fn pair(path: &str, stated: &Json, decoded: &Pair, found: &mut Vec<Difference>) {
    match stated.as_array().map(Vec::as_slice) {
        Some([name, json]) => {
            value(&format!("{path}.name"), name, &decoded.name, found);
            value(&format!("{path}.value"), json, &decoded.value, found);
        }
        _ => differs(path, stated, "a pair".to_owned(), found),
    }
}

fn leaf(stated: &Json, decoded: &Value) -> bool {
    let only = |name: &str| match stated.as_object() {
        Some(map) if map.len() == 1 => map.get(name),
        _ => None,
    };
    match decoded {
        Value::Free => only("free").is_some_and(|free| free == &Json::Bool(true)),
        Value::Missing(_) => only("missing").is_some_and(Json::is_string),
        Value::Absent => stated.is_null(),
        Value::Bool(truth) => stated.as_bool() == Some(*truth),
        Value::Int(number) => integer(stated) == Some(*number),
        Value::F32(bits) => match stated {
            Json::Number(number) => {
                let number = number.to_string().parse::<f32>();
                number.is_ok_and(|number| number.to_bits() == *bits)
            }
            other => float(other, f64::from(f32::from_bits(*bits))),
        },
        Value::F64(bits) => float(stated, f64::from_bits(*bits)),
        Value::Text(text) | Value::Guid(text) | Value::DateTime(text) => {
            stated.as_str() == Some(text)
        }
        Value::IllFormed(bytes) | Value::Bytes(bytes) => only("hex")
            .and_then(Json::as_str)
            .is_some_and(|digits| hex::decode(digits).is_ok_and(|stated| stated == *bytes)),
        Value::Enum { name, .. } => stated.as_str() == Some(name),
        Value::Flags { .. } => serde_json::from_str::<Json>(&shown(decoded))
            .is_ok_and(|canonical| canonical == *stated),
        Value::Json(json) => json == stated,
        Value::List(_) | Value::Object(_) | Value::Pairs(_) => false,
    }
}

fn integer(stated: &Json) -> Option<i128> {
    match stated {
        Json::Number(number) => number.to_string().parse().ok(),
        Json::String(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// Compares floats bit by bit, except that all NaN values are equal.
fn float(stated: &Json, decoded: f64) -> bool {
    match stated {
        Json::Number(number) => {
            let number = number.to_string().parse::<f64>();
            number.is_ok_and(|number| number.to_bits() == decoded.to_bits())
        }
        Json::String(name) => match name.as_str() {
            "NaN" => decoded.is_nan(),
            "Infinity" => decoded == f64::INFINITY,
            "-Infinity" => decoded == f64::NEG_INFINITY,
            _ => false,
        },
        _ => false,
    }
}

fn differs(path: &str, stated: &Json, decoded: String, found: &mut Vec<Difference>) {
    found.push(Difference {
        path: path.to_owned(),
        stated: stated.to_string(),
        decoded,
    });
}

fn shown(value: &Value) -> String {
    let mut json = Vec::new();
    write_value(value, &mut json);
    String::from_utf8_lossy(&json).into_owned()
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn agrees(stated: Json, decoded: Value) -> bool {
        let mut found = Vec::new();
        value("v", &stated, &decoded, &mut found);
        found.is_empty()
    }

    #[test]
    fn integers_are_numbers_or_decimal_strings_and_texts_are_not() {
        assert!(agrees(json!(5), Value::Int(5)));
        assert!(agrees(
            json!("18446744073709551615"),
            Value::Int(i128::from(u64::MAX))
        ));
        assert!(!agrees(json!(6), Value::Int(5)));
        assert!(!agrees(json!(5), Value::Text("5".to_owned())));
        assert!(agrees(json!("5"), Value::Text("5".to_owned())));
    }

    #[test]
    fn floats_agree_to_the_bit() {
        assert!(agrees(json!(-0.0), Value::F64((-0.0_f64).to_bits())));
        assert!(!agrees(json!(0.0), Value::F64((-0.0_f64).to_bits())));
        assert!(agrees(json!("NaN"), Value::F64(0x7ff0_0000_0000_0001)));
        assert!(!agrees(
            json!("Infinity"),
            Value::F64(f64::NEG_INFINITY.to_bits())
        ));
        assert!(agrees(json!(0.1), Value::F32(0.1_f32.to_bits())));
    }

    #[test]
    fn what_is_freed_is_freed_on_both_sides() {
        assert!(agrees(json!({"free": true}), Value::Free));
        assert!(!agrees(json!({"free": true}), Value::Int(1)));
        assert!(!agrees(json!(1), Value::Free));
        assert!(agrees(
            json!({"missing": "other words"}),
            Value::Missing("words".to_owned())
        ));
    }

    #[test]
    fn a_difference_names_its_way() {
        let pairs = vec![Pair {
            name: Value::Text("a".to_owned()),
            code: None,
            value: Value::List(vec![Value::Int(1), Value::Int(2)]),
        }];
        let decoded = Record {
            kind: "event".to_owned(),
            members: vec![("fields".to_owned(), Value::Pairs(pairs))],
        };
        let stated = json!({"record": "event", "fields": [["a", [1, 3]]], "more": 1});
        let found: Vec<String> = record(&stated, &decoded)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            found,
            [
                "at `fields[0].value[1]`: expected 3, decoded 2",
                "at `more`: expected 1, decoded nothing"
            ]
        );
    }
}
