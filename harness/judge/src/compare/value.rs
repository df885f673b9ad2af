//! Compares a reported value with the expected one, in every form that the protocol allows.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;

use serde::Serialize;
use serde_json::{Map, Value as Json};
use tracegauge_decoder::record::{Record, Value, write_record, write_value};
use tracegauge_results::text::shortened;

use super::number::{integer, is_f32, is_f64, same_json};
use super::pairs::compare_pairs;
use super::shape::{kind_of, other_shape, uneven};
use super::tally::{NO_MEMBER, Tally, is_owed};

/// The maximum number of bytes shown for each value in reports, because values can be megabytes
/// long.
const SHOWN: usize = 400;
/// The maximum number of characters shown for the name of an unexpected member.
const NAME: usize = 100;
/// The text shown in place of a value if the expected or reported list has no more values.
pub(super) const END: &str = "the end of the list";

/// A difference between an expected and a reported value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The path to the value, innermost step first.
    steps: Vec<String>,
    /// The expected value, as JSON or in words.
    pub expected: String,
    /// The reported value, as JSON or in words.
    pub actual: String,
}

impl Mismatch {
    pub(super) fn of(expected: &Value, actual: &Json) -> Self {
        match other_shape(expected, actual) {
            Some(shape) => Self::between(
                format!("{shape}: {}", shown(expected)),
                format!("{}: {}", kind_of(actual), shown_json(actual)),
            ),
            None => Self::between(shown(expected), shown_json(actual)),
        }
    }

    /// Creates a mismatch for the whole value rather than for a part of it.
    pub(super) fn whole(expected: String, actual: String) -> Self {
        Self::between(expected, actual)
    }

    pub(super) fn between(expected: String, actual: String) -> Self {
        Self {
            steps: Vec::new(),
            expected,
            actual,
        }
    }

    pub(super) fn within(mut self, step: String) -> Self {
        self.add_step(step);
        self
    }

    pub(super) fn add_step(&mut self, step: String) {
        self.steps.push(step);
    }

    /// Appends a remark to the description of the reported value.
    pub(super) fn with(mut self, remark: &str) -> Self {
        self.actual = format!("{}; {remark}", self.actual);
        self
    }

    /// Returns the path to the value, such as `fields[2].value`.
    pub fn path(&self) -> String {
        let path: String = self.steps.iter().rev().map(String::as_str).collect();
        path.strip_prefix('.').unwrap_or(&path).to_owned()
    }
}

/// Returns the canonical JSON of `value`, truncated.
pub(super) fn shown(value: &Value) -> String {
    let mut json = Vec::new();
    write_value(value, &mut json);
    cut(String::from_utf8_lossy(&json).into_owned())
}

/// Returns the canonical JSON of `record`, truncated.
pub(super) fn shown_record(record: &Record) -> String {
    let mut json = Vec::new();
    write_record(record, &mut json);
    cut(String::from_utf8_lossy(&json).into_owned())
}

/// Returns a value or the members of an object as JSON, truncated.
pub(super) fn shown_json(json: &impl Serialize) -> String {
    let mut text = Cut::default();
    let written = serde_json::to_writer(&mut text, json);
    text.shown(written.is_ok())
}

/// The beginning of a text that may be too large to store completely.
#[derive(Default)]
struct Cut {
    start: Vec<u8>,
    /// The number of bytes in the complete text.
    all: usize,
}

impl Cut {
    fn shown(self, is_whole: bool) -> String {
        let Self { start, all } = self;
        if !is_whole {
            return String::new();
        }
        let text = String::from_utf8_lossy(&start);
        if all <= SHOWN {
            return text.into_owned();
        }
        let mut text = text
            .trim_end_matches(char::REPLACEMENT_CHARACTER)
            .to_owned();
        text.push_str(&format!("… ({all} bytes)"));
        text
    }
}

impl io::Write for Cut {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        let free = SHOWN.saturating_sub(self.start.len());
        self.start
            .extend_from_slice(&piece[..piece.len().min(free)]);
        self.all += piece.len();
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the path step for a member whose name comes from the reader.
pub(super) fn step_of(name: &str) -> String {
    format!(".{}", shortened(name, NAME))
}

pub(super) fn cut(mut text: String) -> String {
    if text.len() > SHOWN {
        let is_end = |at: &usize| text.is_char_boundary(*at);
        let end = (0..=SHOWN).rev().find(is_end).unwrap_or_default();
        let all = text.len();
        text.truncate(end);
        text.push_str(&format!("… ({all} bytes)"));
    }
    text
}

/// Compares a record. Missing members are collected in `tally` and are not mismatches.
pub(super) fn compare_record(
    expected: &Record,
    actual: &Map<String, Json>,
    tally: &mut Tally,
) -> Result<(), Mismatch> {
    let kind = actual.get("record").unwrap_or(&Json::Null);
    if kind.as_str() != Some(&expected.kind) {
        let wanted = Json::String(expected.kind.clone()).to_string();
        return Err(Mismatch::between(wanted, shown_json(kind)).within(".record".to_owned()));
    }
    let own = |name: &str| name == "record";
    compare_members(&expected.members, actual, own, &expected.kind, tally)
}

fn compare_members(
    expected: &[(String, Value)],
    actual: &Map<String, Json>,
    is_ours: impl Fn(&str) -> bool,
    context: &str,
    tally: &mut Tally,
) -> Result<(), Mismatch> {
    let mut found = 0;
    for (name, value) in expected {
        let Some(json) = actual.get(name) else {
            if is_owed(value) {
                tally.left_out(context, (name, value));
            }
            continue;
        };
        found += 1;
        // An unexpected member takes precedence over a wrong value, because the bytes from which it
        // was decoded are often also the cause of the wrong value.
        let before = tally.missing.len();
        compare_inner(value, json, tally, &|| format!("{context}.{name}")).map_err(|mismatch| {
            let more = unknown_member(expected, actual, &is_ours);
            more.unwrap_or_else(|| mismatch.within(format!(".{name}")))
        })?;
        tally.within(before, || format!(".{name}"));
        if is_owed(value) {
            tally.seen(context, (name, value));
        }
    }
    let ours = actual.keys().filter(|name| is_ours(name)).count();
    if found + ours == actual.len() {
        return Ok(());
    }
    unknown_member(expected, actual, is_ours).map_or(Ok(()), Err)
}

/// Returns a mismatch for the first unexpected member that has a value.
fn unknown_member(
    expected: &[(String, Value)],
    actual: &Map<String, Json>,
    is_ours: impl Fn(&str) -> bool,
) -> Option<Mismatch> {
    let is_known = |name: &str| is_ours(name) || expected.iter().any(|(known, _)| known == name);
    // An unexpected member without a value is ignored.
    let mut unknown = actual.iter();
    let (name, json) = unknown.find(|(name, json)| !is_known(name) && !holds_nothing(json))?;
    let mismatch = Mismatch::between(NO_MEMBER.to_owned(), shown_json(json));
    Some(mismatch.within(step_of(name)))
}

/// Returns whether `json` is null or an object that contains only nulls, possibly in nested
/// objects.
pub(super) fn holds_nothing(json: &Json) -> bool {
    match json {
        Json::Null => true,
        Json::Object(members) => members.values().all(holds_nothing),
        _ => false,
    }
}

/// Compares a reported value with the expected one.
///
/// # Errors
/// Returns an error if the value differs or has a form that the protocol does not allow.
pub fn compare_value(expected: &Value, actual: &Json) -> Result<(), Mismatch> {
    compare_inner(expected, actual, &mut Tally::default(), &String::new)
}

/// Returns the canonical form of `text`, which is the same for all texts that represent the same
/// value. If the text is JSON, the notation of numbers and the order of members are not
/// significant.
pub fn canonical_shown(text: &str) -> String {
    match serde_json::from_str::<Json>(text) {
        Ok(json) => canonical(&json),
        Err(_) => text.to_owned(),
    }
}

fn canonical(json: &Json) -> String {
    if let Some(number) = integer(json) {
        return number.to_string();
    }
    match json {
        Json::Array(values) => {
            let values: Vec<String> = values.iter().map(canonical).collect();
            format!("[{}]", values.join(","))
        }
        // Readers may use any words to describe missing values.
        _ if is_missing(json) => "missing".to_owned(),
        Json::Object(members) => {
            let members = members.iter();
            let members = members.map(|(name, value)| (name, canonical(value)));
            let members: BTreeMap<&String, String> = members.collect();
            format!("{members:?}")
        }
        Json::Number(number) => match number.as_str().parse::<f64>() {
            // JSON has no number for infinity, so readers write it as a string.
            Ok(double) if double == f64::INFINITY => "\"Infinity\"".to_owned(),
            Ok(double) if double == f64::NEG_INFINITY => "\"-Infinity\"".to_owned(),
            Ok(double) => shortest(double),
            Err(_) => number.to_string(),
        },
        _ => json.to_string(),
    }
}

/// Returns the shortest digits of a float. Many readers write a float of 32 bits as a double with the
/// same value, which has more digits.
fn shortest(double: f64) -> String {
    #[expect(clippy::cast_possible_truncation, reason = "the result is compared")]
    let single = double as f32;
    match f64::from(single).total_cmp(&double) {
        Ordering::Equal => format!("{single:?}"),
        _ => format!("{double:?}"),
    }
}

pub(super) fn compare_inner(
    expected: &Value,
    actual: &Json,
    tally: &mut Tally,
    context: &dyn Fn() -> String,
) -> Result<(), Mismatch> {
    let same = match expected {
        Value::Free => true,
        Value::Absent => actual.is_null(),
        Value::Missing(_) => is_missing(actual),
        Value::Bool(value) => actual.as_bool() == Some(*value),
        Value::Int(number) => integer(actual) == Some(*number),
        Value::F32(bits) => is_f32(f32::from_bits(*bits), actual),
        Value::F64(bits) => is_f64(f64::from_bits(*bits), actual),
        Value::Text(text) | Value::DateTime(text) => actual.as_str() == Some(text),
        Value::IllFormed(bytes) | Value::Bytes(bytes) => is_hex(bytes, actual),
        Value::Guid(guid) => actual.as_str().is_some_and(|text| is_guid(guid, text)),
        Value::Enum { name, value } => {
            actual.as_str() == Some(name) || integer(actual) == Some(*value)
        }
        Value::Flags { names, rest, value } => {
            integer(actual) == Some(i128::from(*value)) || is_flags(names, *rest, actual)
        }
        Value::Json(json) => same_json(json, actual),
        Value::List(items) => return compare_list(expected, items, actual, tally, context),
        Value::Pairs(pairs) => return compare_pairs(expected, pairs, actual, tally, context),
        Value::Object(members) => {
            let Json::Object(map) = actual else {
                return Err(Mismatch::of(expected, actual));
            };
            return compare_members(members, map, |_| false, &context(), tally);
        }
    };
    if same {
        Ok(())
    } else {
        Err(Mismatch::of(expected, actual))
    }
}

fn compare_list(
    expected: &Value,
    items: &[Value],
    actual: &Json,
    tally: &mut Tally,
    context: &dyn Fn() -> String,
) -> Result<(), Mismatch> {
    let Json::Array(list) = actual else {
        return Err(Mismatch::of(expected, actual));
    };
    let remark = (items.len() != list.len()).then(|| uneven(items.len(), list.len()));
    let told = |index: usize, mismatch: Mismatch| match &remark {
        // A mismatch nested inside an element already has a precise path, so it does not need the
        // remark about the lengths.
        Some(remark) if mismatch.steps.is_empty() => {
            mismatch.with(remark).within(format!("[{index}]"))
        }
        _ => mismatch.within(format!("[{index}]")),
    };
    for (index, (item, json)) in items.iter().zip(list).enumerate() {
        let before = tally.missing.len();
        compare_inner(item, json, tally, &|| format!("{}[]", context()))
            .map_err(|mismatch| told(index, mismatch))?;
        tally.within(before, || format!("[{index}]"));
    }
    let end = || END.to_owned();
    match (items.get(list.len()), list.get(items.len())) {
        (Some(item), _) => Err(told(list.len(), Mismatch::between(shown(item), end()))),
        (None, Some(json)) => {
            let mismatch = Mismatch::between(end(), shown_json(json));
            Err(told(items.len(), mismatch))
        }
        (None, None) => Ok(()),
    }
}

fn is_missing(actual: &Json) -> bool {
    match actual {
        Json::Null => true,
        Json::Object(members) => {
            members.len() == 1 && members.get("missing").is_some_and(Json::is_string)
        }
        _ => false,
    }
}

fn is_hex(bytes: &[u8], actual: &Json) -> bool {
    let Json::Object(members) = actual else {
        return false;
    };
    let Some(text) = members.get("hex").and_then(Json::as_str) else {
        return false;
    };
    members.len() == 1
        && text.len() == 2 * bytes.len()
        && hex::decode(text).is_ok_and(|decoded| decoded == bytes)
}

fn is_guid(expected: &str, text: &str) -> bool {
    let bare = text
        .strip_prefix('{')
        .and_then(|text| text.strip_suffix('}'))
        .unwrap_or(text);
    bare.eq_ignore_ascii_case(expected)
}

fn is_flags(names: &[String], rest: u64, actual: &Json) -> bool {
    let Json::Array(list) = actual else {
        return false;
    };
    let mut left: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut bits = 0;
    for item in list {
        if let Some(name) = item.as_str()
            && let Some(at) = left.iter().position(|known| *known == name)
        {
            left.swap_remove(at);
        } else if let Some(number) = integer(item).and_then(|number| u64::try_from(number).ok()) {
            bits |= number;
        } else {
            return false;
        }
    }
    left.is_empty() && bits == rest
}
