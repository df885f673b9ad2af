//! Readers with one bug each, written as changes to the answers of the reference decoder.

use serde_json::Value as Json;
use tracegauge_decoder::record::{Pair, Record, Value};

use super::answers::{Answer, Said};

/// A reader, given by its name and the change that it makes to a correct answer.
pub type Reader = (&'static str, fn(&mut Answer));

/// The reference decoder, readers with bugs, and readers that write correct values in other forms.
pub const READERS: &[Reader] = &[
    ("reference", |_| {}),
    ("accepts all", |answer| {
        answer.said = Said::Accept;
        answer.records = None;
    }),
    ("rejects all", |answer| *answer = ended(Said::Reject)),
    ("supports nothing", |answer| {
        *answer = ended(Said::Unsupported)
    }),
    ("crashes where it should reject", |answer| {
        if answer.said == Said::Reject {
            answer.said = Said::Crash;
        }
    }),
    ("crashes where there are records", |answer| {
        if !answer.records.as_deref().unwrap_or_default().is_empty() {
            *answer = ended(Said::Crash);
        }
    }),
    ("empty objects", |answer| {
        each_record(answer, |record| {
            *record = Record {
                kind: String::new(),
                members: Vec::new(),
            };
        });
    }),
    ("records without members", |answer| {
        each_record(answer, |record| record.members.clear());
    }),
    ("no records", |answer| records(answer, Vec::clear)),
    ("last record dropped", |answer| {
        records(answer, |records| drop(records.pop()));
    }),
    ("first record dropped", |answer| {
        records(answer, |records| {
            drop(records.drain(..records.len().min(1)))
        });
    }),
    ("last record twice", |answer| {
        records(answer, |records| records.extend(records.last().cloned()));
    }),
    ("records reversed", |answer| {
        records(answer, |records| records.reverse())
    }),
    ("kinds in capitals", |answer| {
        each_record(answer, |record| record.kind.make_ascii_uppercase());
    }),
    ("a member too many", |answer| {
        each_record(answer, |record| {
            record.members.push(("extra".to_owned(), Value::Int(0)));
        });
    }),
    ("a null too many", |answer| {
        each_record(answer, |record| {
            record.members.push(("extra".to_owned(), Value::Absent));
        });
    }),
    ("a member of every second record left out", |answer| {
        records(answer, |records| {
            for record in records.iter_mut().skip(1).step_by(2) {
                record.members.pop();
            }
        });
    }),
    ("members left out where they are empty", |answer| {
        each_record(answer, |record| {
            record.members.retain(|(_, value)| {
                !matches!(value, Value::Int(0) | Value::Bool(false))
                    && !matches!(value, Value::Text(text) if text.is_empty())
                    && !matches!(value, Value::List(items) if items.is_empty())
                    && !matches!(value, Value::Pairs(pairs) if pairs.is_empty())
            });
        });
    }),
    ("one integer off", |answer| {
        let mut done = false;
        each_value(answer, &mut |value| {
            if let (Value::Int(number), false) = (value, done) {
                *number += 1;
                done = true;
            }
        });
    }),
    ("integers rounded to doubles", |answer| {
        each_value(answer, &mut rounded)
    }),
    ("integers as doubles", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Int(number) = value {
                *value = Value::F64((*number as f64).to_bits());
            }
        });
    }),
    ("integers as text", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Int(number) = value {
                *value = Value::Text(number.to_string());
            }
        });
    }),
    ("integers of 32 bits", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Int(number) = value {
                *number &= 0xffff_ffff;
            }
        });
    }),
    ("unsigned integers with a sign", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Int(number) = value {
                *number = i128::from(*number as i64);
            }
        });
    }),
    ("text as numbers", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Text(text) = value
                && let Ok(number) = text.parse()
            {
                *value = Value::Int(number);
            }
        });
    }),
    ("floats as text", |answer| {
        each_value(answer, &mut |value| {
            if let Value::F32(_) | Value::F64(_) = value {
                *value = Value::Text(shown(value));
            }
        });
    }),
    ("doubles rounded to 32 bits", |answer| {
        each_value(answer, &mut |value| {
            if let Value::F64(bits) = value {
                *bits = f64::from(f64::from_bits(*bits) as f32).to_bits();
            }
        });
    }),
    ("zeros without a sign", |answer| {
        each_value(answer, &mut |value| match value {
            Value::F64(bits) if *bits == 1 << 63 => *bits = 0,
            Value::F32(bits) if *bits == 1 << 31 => *bits = 0,
            _ => {}
        });
    }),
    ("NaN as null", |answer| {
        each_value(answer, &mut |value| {
            if matches!(value, Value::F64(bits) if f64::from_bits(*bits).is_nan()) {
                *value = Value::Absent;
            }
        });
    }),
    ("true as text", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Bool(bool) = value {
                *value = Value::Text(bool.to_string());
            }
        });
    }),
    ("true as 1", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Bool(bool) = value {
                *value = Value::Int((*bool).into());
            }
        });
    }),
    ("bytes as an empty object", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Bytes(_) = value {
                *value = Value::Object(Vec::new());
            }
        });
    }),
    ("bytes as text", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Bytes(bytes) = value {
                *value = Value::Text(hex::encode(bytes));
            }
        });
    }),
    ("bytes as numbers", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Bytes(bytes) = value {
                let items = bytes.iter().map(|byte| Value::Int((*byte).into()));
                *value = Value::List(items.collect());
            }
        });
    }),
    ("ill-formed text replaced", |answer| {
        each_value(answer, &mut |value| {
            if let Value::IllFormed(bytes) = value {
                *value = Value::Text(String::from_utf8_lossy(bytes).into_owned());
            }
        });
    }),
    ("text cut at a zero", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Text(text) = value {
                text.truncate(text.find('\0').unwrap_or(text.len()));
            }
        });
    }),
    ("lists joined", |answer| {
        each_value(answer, &mut |value| {
            if let Value::List(items) = value {
                let words: Vec<String> = items.iter().map(shown).collect();
                *value = Value::Text(words.join(" "));
            }
        });
    }),
    ("lists cut", |answer| {
        each_value(answer, &mut |value| {
            if let Value::List(items) = value {
                items.pop();
            }
        });
    }),
    ("pairs reversed", |answer| {
        pairs(answer, |pairs| pairs.reverse())
    }),
    ("pairs by name", |answer| {
        pairs(answer, |pairs| {
            pairs.sort_by_key(|pair| shown(&pair.name));
            pairs.dedup_by_key(|pair| shown(&pair.name));
        });
    }),
    ("pairs without missing values", |answer| {
        pairs(answer, |pairs| {
            pairs.retain(|pair| !matches!(pair.value, Value::Missing(_)));
        });
    }),
    ("pairs without nulls of JSON", |answer| {
        pairs(answer, |pairs| {
            pairs.retain(|pair| !matches!(pair.value, Value::Json(Json::Null)));
        });
    }),
    ("missing values as zero", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Missing(_) = value {
                *value = Value::Int(0);
            }
        });
    }),
    ("missing values as null", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Missing(_) = value {
                *value = Value::Absent;
            }
        });
    }),
    ("nulls dropped", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Json(json) = value {
                without_nulls(json);
            }
        });
    }),
    ("numbers of JSON as text", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Json(json) = value {
                numbers_as_text(json);
            }
        });
    }),
    ("members of enumerations as numbers", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Enum { value: number, .. } = value {
                *value = Value::Int(*number);
            }
        });
    }),
    ("members of enumerations in capitals", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Enum { name, .. } = value {
                name.make_ascii_uppercase();
            }
        });
    }),
    ("flags without what has no name", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Flags { rest, .. } = value {
                *rest = 0;
            }
        });
    }),
    ("GUIDs in braces", |answer| {
        each_value(answer, &mut |value| {
            if let Value::Guid(guid) = value {
                *guid = format!("{{{}}}", guid.to_ascii_uppercase());
            }
        });
    }),
];

fn ended(said: Said) -> Answer {
    Answer {
        said,
        records: None,
    }
}

fn records(answer: &mut Answer, change: impl FnOnce(&mut Vec<Record>)) {
    if let Some(records) = &mut answer.records {
        change(records);
    }
}

fn each_record(answer: &mut Answer, change: impl FnMut(&mut Record)) {
    records(answer, |records| records.iter_mut().for_each(change));
}

/// Changes every value except names, from the inside out.
fn each_value(answer: &mut Answer, change: &mut dyn FnMut(&mut Value)) {
    each_record(answer, |record| {
        for (_, value) in &mut record.members {
            within(value, change);
        }
    });
}

fn within(value: &mut Value, change: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::List(items) => items.iter_mut().for_each(|item| within(item, change)),
        Value::Object(members) => members
            .iter_mut()
            .for_each(|(_, item)| within(item, change)),
        Value::Pairs(pairs) => pairs
            .iter_mut()
            .for_each(|pair| within(&mut pair.value, change)),
        _ => {}
    }
    change(value);
}

fn pairs(answer: &mut Answer, change: fn(&mut Vec<Pair>)) {
    each_value(answer, &mut |value| {
        if let Value::Pairs(pairs) = value {
            change(pairs);
        }
    });
}

fn rounded(value: &mut Value) {
    if let Value::Int(number) = value {
        *number = *number as f64 as i128;
    }
}

/// Formats a value as a template string would.
fn shown(value: &Value) -> String {
    let mut json = Vec::new();
    tracegauge_decoder::record::write_value(value, &mut json);
    let text = String::from_utf8(json).expect("JSON is text");
    text.trim_matches('"').to_owned()
}

fn without_nulls(json: &mut Json) {
    match json {
        Json::Array(items) => items.iter_mut().for_each(without_nulls),
        Json::Object(members) => {
            members.retain(|_, member| !member.is_null());
            members.values_mut().for_each(without_nulls);
        }
        _ => {}
    }
}

fn numbers_as_text(json: &mut Json) {
    match json {
        Json::Array(items) => items.iter_mut().for_each(numbers_as_text),
        Json::Object(members) => members.values_mut().for_each(numbers_as_text),
        Json::Number(number) => *json = Json::String(number.to_string()),
        _ => {}
    }
}
