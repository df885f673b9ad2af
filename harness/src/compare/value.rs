//! One value against one value: every spelling that the protocol allows, and no other.

use serde_json::{Map, Value as Json};
use tracegauge_decoder::record::{Record, Value, write_record, write_value};

use super::number::{integer, is_f32, is_f64, same_json};
use super::pairs::compare_pairs;
use super::shape::{kind_of, other_shape, uneven};
use super::tally::{NO_MEMBER, Tally, is_owed};

/// A value can be megabytes; a report shows its beginning.
const SHOWN: usize = 400;
/// Where another value is expected, or comes.
pub(super) const END: &str = "the end of the list";

/// Where a value differs from what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The way to it, innermost step first.
    steps: Vec<String>,
    /// What was expected, as JSON or in words.
    pub expected: String,
    /// What was there, as JSON or in words.
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

    /// A mismatch of the whole.
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

    /// The same, with a word more of what was there.
    pub(super) fn with(mut self, remark: &str) -> Self {
        self.actual = format!("{}; {remark}", self.actual);
        self
    }

    /// The way to the value, `fields[2].value` say.
    pub fn path(&self) -> String {
        let path: String = self.steps.iter().rev().map(String::as_str).collect();
        path.strip_prefix('.').unwrap_or(&path).to_owned()
    }
}

/// The canonical JSON of `value`, cut short.
pub(super) fn shown(value: &Value) -> String {
    let mut json = Vec::new();
    write_value(value, &mut json);
    cut(String::from_utf8_lossy(&json).into_owned())
}

/// The canonical JSON of `record`, cut short.
pub(super) fn shown_record(record: &Record) -> String {
    let mut json = Vec::new();
    write_record(record, &mut json);
    cut(String::from_utf8_lossy(&json).into_owned())
}

/// `json`, cut short.
pub(super) fn shown_json(json: &Json) -> String {
    cut(json.to_string())
}

/// The object of `members`, cut short.
pub(super) fn shown_map(members: &Map<String, Json>) -> String {
    cut(serde_json::to_string(members).unwrap_or_default())
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

/// Compares a record; what the reader leaves out is kept in `tally`, and no mismatch.
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
        // A member that nothing is known of is the cause where another is wrong, too: what it was
        // read from is missing there.
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

/// A member that is not expected, and has a value.
fn unknown_member(
    expected: &[(String, Value)],
    actual: &Map<String, Json>,
    is_ours: impl Fn(&str) -> bool,
) -> Option<Mismatch> {
    let is_known = |name: &str| is_ours(name) || expected.iter().any(|(known, _)| known == name);
    // A member that has no value is as good as none.
    let mut unknown = actual.iter();
    let (name, json) = unknown.find(|(name, json)| !is_known(name) && !holds_nothing(json))?;
    let mismatch = Mismatch::between(NO_MEMBER.to_owned(), shown_json(json));
    Some(mismatch.within(format!(".{name}")))
}

/// Null, or an object in which there is nothing else.
fn holds_nothing(json: &Json) -> bool {
    match json {
        Json::Null => true,
        Json::Object(members) => members.values().all(holds_nothing),
        _ => false,
    }
}

/// Compares a value.
///
/// # Errors
/// It differs, or is written in a way that the protocol does not allow.
pub fn compare_value(expected: &Value, actual: &Json) -> Result<(), Mismatch> {
    compare_inner(expected, actual, &mut Tally::default(), &String::new)
}

/// Whether two values that came are the same, as a report shows them: in JSON, however numbers are
/// written in it, or in words.
pub fn same_shown(one: &str, other: &str) -> bool {
    let json = |text: &str| serde_json::from_str::<Json>(text).ok();
    one == other
        || json(one)
            .zip(json(other))
            .is_some_and(|(one, other)| same_value(&one, &other))
}

fn same_value(one: &Json, other: &Json) -> bool {
    match (integer(one), integer(other)) {
        (Some(one), Some(other)) => return one == other,
        (None, None) => {}
        _ => return false,
    }
    match (one, other) {
        (Json::Array(some), Json::Array(others)) => {
            let mut pairs = some.iter().zip(others);
            some.len() == others.len() && pairs.all(|(one, other)| same_value(one, other))
        }
        // In which words a reader says that something is missing is its own affair.
        _ if is_missing(one) && is_missing(other) => true,
        (Json::Object(some), Json::Object(others)) => {
            let of = |name: &String| others.get(name).unwrap_or(&Json::Null);
            some.len() == others.len() && some.iter().all(|(name, one)| same_value(one, of(name)))
        }
        _ => same_json(one, other),
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
        // What is deep inside a value says where it differs already.
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
