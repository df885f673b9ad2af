//! The JSON shapes of values, and messages about values with the wrong shape.

use serde_json::Value as Json;
use tracegauge_decoder::record::{Pair, Value};
use tracegauge_results::Difference;

use super::value::compare_value;

/// The shape of a map or of fields that the trace itself defines.
const PAIRS: &str = "an array of [name, value] pairs";
/// The shape of a single name-value pair.
pub const PAIR: &str = "a pair [name, value]";

/// Returns the required shape of `expected` if `actual` has a different shape.
pub fn other_shape(expected: &Value, actual: &Json) -> Option<&'static str> {
    match (expected, actual) {
        (Value::Pairs(_) | Value::List(_), Json::Array(_))
        | (Value::Object(_), Json::Object(_)) => None,
        (Value::Pairs(_), _) => Some(PAIRS),
        (Value::List(_), _) => Some("an array"),
        (Value::Object(_), _) => Some("an object"),
        _ => None,
    }
}

/// Returns the name and the value if `json` is a `[name, value]` pair.
pub fn as_pair(json: &Json) -> Option<(&Json, &Json)> {
    match json.as_array().map(Vec::as_slice) {
        Some([name, value]) => Some((name, value)),
        _ => None,
    }
}

/// Names the JSON type of `json` in words.
pub fn kind_of(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "a boolean",
        Json::Number(_) => "a number",
        Json::String(_) => "a string",
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
    }
}

/// Returns the expected and actual shapes if `difference` is only about the shape of pairs. Such a
/// difference says nothing about how the reader decodes the trace.
pub fn other_than_pairs(difference: &Difference) -> Option<(&str, &str)> {
    let (wanted, _) = difference.expected.split_once(": ")?;
    let (came, _) = difference.actual.split_once(": ")?;
    [PAIRS, PAIR].contains(&wanted).then_some((wanted, came))
}

/// Describes a list with more or fewer values than expected.
pub(super) fn uneven(expected: usize, actual: usize) -> String {
    let values = if expected == 1 { "value" } else { "values" };
    format!("expected {expected} {values}, got {actual}")
}

/// Returns the index of the first extra or missing pair, if the names alone are enough to identify
/// it.
pub(super) fn odd_one(pairs: &[Pair], list: &[Json]) -> Option<usize> {
    let same = |(pair, json): &(&Pair, &Json)| {
        as_pair(json).is_some_and(|(name, _)| compare_value(&pair.name, name).is_ok())
    };
    let before = pairs.iter().zip(list).take_while(same).count();
    let from_end = pairs.iter().rev().zip(list.iter().rev());
    let after = from_end.take_while(same).count();
    // If neighboring pairs have the same name, any of them may be the extra one.
    (before + after == pairs.len().min(list.len())).then_some(before)
}
