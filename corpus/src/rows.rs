//! Renders records as rows: typed values in a form that a program in any language can compare with
//! the output of its reader without parsing nested data.
//!
//! A row is `[label, type, content]`. The label is the kind of a record, the name of a member, or
//! empty. The rows of nested values follow the row of their container, whose content is the number
//! of nested values. For the type `pairs`, the content is the number of pairs, each of which has a
//! row for its name and a row for its value.

use serde_json::{Value as Json, json};
use tracegauge_decoder::record::{Record, Value, write_value};

/// The maximum indentation of a row. Values can be nested a thousand levels deep, and the
/// indentation is only for human readers.
const DEEPEST_INDENT: usize = 16;

/// The stack size, which suffices for values nested as deeply as any format allows.
const STACK: usize = 64 << 20;

/// Returns the rows of `records`, one per line, without a final line break.
pub fn rows(records: &[Record]) -> String {
    stacker::grow(STACK, || {
        let mut rows = Rows::default();
        for record in records {
            rows.row(0, &record.kind, "record", json!(record.members.len()));
            for (name, value) in &record.members {
                rows.value(1, name, value);
            }
        }
        rows.0
    })
}

/// Returns the rows of one value.
pub fn value_rows(value: &Value) -> String {
    stacker::grow(STACK, || {
        let mut rows = Rows::default();
        rows.value(0, "", value);
        rows.0
    })
}

#[derive(Default)]
struct Rows(String);

impl Rows {
    fn row(&mut self, depth: usize, label: &str, kind: &str, content: Json) {
        if !self.0.is_empty() {
            self.0.push_str(",\n");
        }
        self.0.push_str(&" ".repeat(depth.min(DEEPEST_INDENT)));
        self.0.push_str(&json!([label, kind, content]).to_string());
    }

    fn value(&mut self, depth: usize, label: &str, value: &Value) {
        let (kind, content) = match value {
            Value::Absent => ("absent", Json::Null),
            Value::Missing(why) => ("missing", json!(why)),
            Value::Free => ("free", Json::Null),
            Value::Bool(value) => ("bool", json!(value)),
            Value::Int(number) => ("int", json!(number.to_string())),
            Value::F32(_) => ("f32", json!(digits(value))),
            Value::F64(_) => ("f64", json!(digits(value))),
            Value::Text(text) | Value::DateTime(text) => ("text", json!(text)),
            Value::IllFormed(bytes) => ("ill-formed", json!(hex::encode(bytes))),
            Value::Bytes(bytes) => ("bytes", json!(hex::encode(bytes))),
            Value::Guid(guid) => ("guid", json!(guid)),
            Value::Enum { name, value } => ("enum", json!([name, value.to_string()])),
            Value::Flags { names, rest, value } => {
                ("flags", json!([value.to_string(), rest.to_string(), names]))
            }
            Value::List(items) => ("list", json!(items.len())),
            Value::Object(members) => ("object", json!(members.len())),
            Value::Pairs(pairs) => ("pairs", json!(pairs.len())),
            Value::Json(value) => return self.json(depth, label, value),
        };
        self.row(depth, label, kind, content);
        match value {
            Value::List(items) => {
                for item in items {
                    self.value(depth + 1, "", item);
                }
            }
            Value::Object(members) => {
                for (name, value) in members {
                    self.value(depth + 1, name, value);
                }
            }
            Value::Pairs(pairs) => {
                for pair in pairs {
                    self.value(depth + 1, "name", &pair.name);
                    self.value(depth + 1, "value", &pair.value);
                }
            }
            _ => {}
        }
    }

    /// Adds the rows of a JSON value from the trace. JSON values have row types of their own,
    /// because every JSON number is a double.
    fn json(&mut self, depth: usize, label: &str, value: &Json) {
        let (kind, content) = match value {
            Json::Null => ("json-null", Json::Null),
            Json::Bool(_) => ("json-bool", value.clone()),
            Json::Number(number) => ("json-number", json!(number.to_string())),
            Json::String(_) => ("json-text", value.clone()),
            Json::Array(items) => ("json-list", json!(items.len())),
            Json::Object(members) => ("json-object", json!(members.len())),
        };
        self.row(depth, label, kind, content);
        match value {
            Json::Array(items) => {
                for item in items {
                    self.json(depth + 1, "", item);
                }
            }
            Json::Object(members) => {
                for (name, value) in members {
                    self.json(depth + 1, name, value);
                }
            }
            _ => {}
        }
    }
}

/// Returns the shortest decimal form of a float, or a name such as NaN if the value has no decimal
/// form.
fn digits(value: &Value) -> String {
    let mut json = Vec::new();
    write_value(value, &mut json);
    let text = String::from_utf8_lossy(&json);
    text.trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use tracegauge_decoder::record::Pair;

    use super::*;

    #[test]
    fn what_a_value_holds_follows_it() {
        let fields = vec![Pair {
            name: Value::Text("x".to_owned()),
            code: None,
            value: Value::F64((-0.0f64).to_bits()),
        }];
        let record = Record {
            kind: "event".to_owned(),
            members: vec![
                ("at".to_owned(), Value::Int(1 << 60)),
                ("fields".to_owned(), Value::Pairs(fields)),
                ("data".to_owned(), Value::Json(json!({"n": 1.50}))),
            ],
        };
        let expected = r#"["event","record",3],
 ["at","int","1152921504606846976"],
 ["fields","pairs",1],
  ["name","text","x"],
  ["value","f64","-0.0"],
 ["data","json-object",1],
  ["n","json-number","1.5"]"#;
        assert_eq!(rows(&[record]), expected);
    }

    #[test]
    fn the_deepest_values_become_rows() {
        let mut value = Value::Int(1);
        for _ in 0..5000 {
            value = Value::List(vec![value]);
        }
        let text = value_rows(&value);
        assert_eq!(text.lines().count(), 5001);
        assert!(text.len() < 5001 * 64, "{}", text.len());
        // Dropping the value would need as much stack space as building it.
        std::mem::forget(value);
    }
}
