//! Finds mistakes in the records that a reader reports: unknown names, surplus records, and
//! integers that lost digits when they were rounded to doubles.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json};
use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_decoder::record::{Record, Value};
use tracegauge_plan::Plan;
use tracegauge_results::text::counted;

use super::finding::{Findings, Mistake};

/// The largest integer N such that a double represents all integers from 0 to N exactly.
const SAFE: u128 = 1 << 53;
/// The minimum similarity between an unknown name and a known name that is suggested instead.
const NEAR: f64 = 0.6;

/// The kinds of records of a description, each with the names of its members.
#[derive(Debug)]
pub(super) struct Names(BTreeMap<String, BTreeSet<String>>);

impl Names {
    /// Returns the names in the description of `plan`.
    pub(super) fn of(plan: &Plan) -> Self {
        let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for record in &plan.records {
            let members = record.members.iter().map(|member| member.name.clone());
            kinds
                .entry(record.kind.clone())
                .or_default()
                .extend(members);
        }
        Self(kinds)
    }

    /// Adds a finding for each name in `record` that the description does not define.
    pub(super) fn check(&self, record: &Map<String, Json>, case: &str, findings: &mut Findings) {
        let kind = record.get("record").and_then(Json::as_str).unwrap_or("");
        let Some(members) = self.0.get(kind) else {
            let saw = meant(kind, self.0.keys());
            return findings.note(Mistake::UnknownKind, Some(case), saw);
        };
        for name in record.keys().filter(|name| *name != "record") {
            if !members.contains(name) {
                let saw = format!("{kind}.{}", meant(name, members));
                findings.note(Mistake::UnknownMember, Some(case), saw);
            }
        }
    }

    /// Returns true if `name` is the name of a kind of record or of a member, as written in
    /// `omits`.
    pub(super) fn has(&self, name: &str) -> bool {
        match name.split_once('.') {
            Some((kind, member)) => {
                let first = member.split(['.', '[']).next().unwrap_or(member);
                self.0.get(kind).is_some_and(|names| names.contains(first))
            }
            None => self.0.contains_key(name),
        }
    }

    /// Returns the names of all kinds of records and all members, as written in `omits`.
    pub(super) fn all(&self) -> Vec<String> {
        let members = |(kind, names): (&String, &BTreeSet<String>)| {
            let whole = std::iter::once(kind.clone());
            let names = names.iter().map(|name| format!("{kind}.{name}"));
            whole.chain(names).collect::<Vec<_>>()
        };
        self.0.iter().flat_map(members).collect()
    }
}

/// Describes a name together with the known name that the author probably meant, or with all known
/// names.
pub(super) fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a String>) -> String {
    let known: Vec<&str> = known.into_iter().map(String::as_str).collect();
    let plain = |name: &str| name.to_ascii_lowercase().replace(['-', '_', ' '], "");
    let near = |other: &str| strsim::normalized_damerau_levenshtein(&plain(name), &plain(other));
    let nearest = known.iter().max_by(|a, b| near(a).total_cmp(&near(b)));
    match nearest {
        Some(nearest) if near(nearest) >= NEAR => format!("{name}: did you mean {nearest}?"),
        _ => format!("{name}; known names: {}", known.join(", ")),
    }
}

/// If a reader reports more `records` than a valid trace contains, adds a finding and returns true.
pub(super) fn surplus(case: &Case, records: &[Map<String, Json>], findings: &mut Findings) -> bool {
    let expected = case.expected.records.iter();
    let Some(most) = expected.max_by_key(|allowed| allowed.len()) else {
        return false;
    };
    let is_valid = case.expected.verdict == ExpectedVerdict::Accept && !case.expected.open;
    if !is_valid || records.len() <= most.len() {
        return false;
    }
    let mut kinds: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for record in records {
        let kind = record.get("record").and_then(Json::as_str).unwrap_or("");
        kinds.entry(kind).or_default().0 += 1;
    }
    for record in most {
        kinds.entry(&record.kind).or_default().1 += 1;
    }
    let more = kinds.iter().filter(|(_, (reported, due))| reported > due);
    let more = more.map(|(kind, (reported, due))| {
        format!(
            "{} of the kind `{kind}`, but the trace has {due}",
            counted(*reported, "record")
        )
    });
    let saw: Vec<String> = more.collect();
    findings.note(Mistake::SurplusRecords, Some(&case.id), saw.join("; "));
    true
}

/// Adds a finding if an integer was rounded to the precision of a double.
pub(super) fn lost_digits(case: &Case, records: &[Map<String, Json>], findings: &mut Findings) {
    for expected in &case.expected.records {
        for (record, actual) in expected.iter().zip(records) {
            if let Some(saw) = lost_in_record(record, actual) {
                return findings.note(Mistake::LostDigits, Some(&case.id), saw);
            }
        }
    }
}

fn lost_in_record(record: &Record, actual: &Map<String, Json>) -> Option<String> {
    record.members.iter().find_map(|(name, value)| {
        let found = lost(value, actual.get(name)?)?;
        Some(format!("{}.{name}: {found}", record.kind))
    })
}

fn lost(expected: &Value, actual: &Json) -> Option<String> {
    match (expected, actual) {
        (Value::Int(number), _) if number.unsigned_abs() >= SAFE => {
            let token = match actual {
                Json::Number(token) => token.to_string(),
                Json::String(token) => token.clone(),
                _ => return None,
            };
            // An exact value is correct in any notation.
            let is_whole = token.parse::<i128>() == Ok(*number);
            #[expect(
                clippy::cast_precision_loss,
                reason = "the comparison below detects a loss of digits"
            )]
            let rounded = *number as f64;
            let is_rounded = token.parse::<f64>() == Ok(rounded);
            (!is_whole && is_rounded).then(|| format!("the value must be {number}, but is {token}"))
        }
        (Value::List(items), Json::Array(list)) => {
            let mut both = items.iter().zip(list);
            both.find_map(|(item, json)| lost(item, json))
        }
        (Value::Pairs(pairs), Json::Array(list)) => {
            let mut both = pairs.iter().zip(list);
            both.find_map(|(pair, json)| lost(&pair.value, json.get(1)?))
        }
        (Value::Object(members), Json::Object(map)) => members
            .iter()
            .find_map(|(name, value)| lost(value, map.get(name)?)),
        _ => None,
    }
}

#[cfg(test)]
impl Names {
    /// Creates the names from members written as `record.member`.
    pub(super) fn made_of(names: &[&str]) -> Self {
        let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (kind, member) in names.iter().filter_map(|name| name.split_once('.')) {
            let member = member.split(['.', '[']).next().unwrap_or(member);
            kinds
                .entry(kind.to_owned())
                .or_default()
                .insert(member.to_owned());
        }
        Self(kinds)
    }
}
