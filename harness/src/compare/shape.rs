//! The shapes of JSON that values are written in, and what is told where a reader writes another.

use serde_json::Value as Json;
use tracegauge_decoder::record::{Pair, Value};
use tracegauge_reports::Difference;

use super::value::compare_value;

/// How a map, or fields that the file itself defines, are written.
const PAIRS: &str = "an array of [name, value] pairs";
/// How each of them is written.
pub const PAIR: &str = "a pair [name, value]";

/// The shape that `expected` is written in, where it is one that `actual` has not.
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

/// Name and value of a pair as it must be written.
pub fn as_pair(json: &Json) -> Option<(&Json, &Json)> {
    match json.as_array().map(Vec::as_slice) {
        Some([name, value]) => Some((name, value)),
        _ => None,
    }
}

/// What `json` is, in words.
pub fn kind_of(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "a truth value",
        Json::Number(_) => "a number",
        Json::String(_) => "a text",
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
    }
}

/// Of a difference that is one of the shape of pairs alone, which says nothing of how the reader
/// reads: the shape that is expected, and the one that came.
pub fn other_than_pairs(difference: &Difference) -> Option<(&str, &str)> {
    let (wanted, _) = difference.expected.split_once(": ")?;
    let (came, _) = difference.actual.split_once(": ")?;
    [PAIRS, PAIR].contains(&wanted).then_some((wanted, came))
}

/// What is told of a list with more or fewer values than expected.
pub(super) fn uneven(expected: usize, actual: usize) -> String {
    let values = if expected == 1 { "value" } else { "values" };
    format!("{expected} {values} expected, got {actual}")
}

/// The first pair that is too many, or that is not there, where the names alone tell it.
pub(super) fn odd_one(pairs: &[Pair], list: &[Json]) -> Option<usize> {
    let same = |(pair, json): &(&Pair, &Json)| {
        as_pair(json).is_some_and(|(name, _)| compare_value(&pair.name, name).is_ok())
    };
    let before = pairs.iter().zip(list).take_while(same).count();
    let from_end = pairs.iter().rev().zip(list.iter().rev());
    let after = from_end.take_while(same).count();
    // Where a name comes again beside it, either may be the one.
    (before + after == pairs.len().min(list.len())).then_some(before)
}
