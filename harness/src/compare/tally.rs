use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tracegauge_decoder::record::{Record, Value};
use tracegauge_reports::Observed;

use super::names::Sighting;
use super::value::{Mismatch, shown};

/// Where a member is expected that is not there.
pub(crate) const NO_MEMBER: &str = "no such member";

/// How much of the expected members a reader reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Members that were expected.
    pub expected: u64,
    /// Members that were there.
    pub seen: u64,
    /// Members that were left out, as `record.member`.
    pub left_out: BTreeSet<String>,
    /// Members that were there, each with whether its value is empty; nothing where nobody asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<BTreeSet<Sighting>>,
    /// Members that were left out, declared or not, in the same way.
    #[serde(skip)]
    pub absent: Option<BTreeSet<Sighting>>,
    /// Kinds of which a record was left out.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub kinds_left_out: BTreeSet<String>,
    /// Those that were left out of the record that is being compared, the first of each name and sort.
    #[serde(skip)]
    pub(crate) missing: Vec<Missing>,
    /// What was among them before, and was empty or not: the first says enough.
    #[serde(skip)]
    pub(crate) known: BTreeSet<(String, bool)>,
}

/// A member that is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// Its name, as `record.member`.
    pub(super) name: String,
    /// Its value is empty, zero or false.
    pub(super) is_empty: bool,
    /// Where it should be, and what.
    pub(super) mismatch: Mismatch,
}

impl Tally {
    /// The tally of a reader that reports none of `records`.
    pub fn unseen(records: &[Record]) -> Self {
        let members = records.iter().flat_map(|record| &record.members);
        let owed = members.filter(|(_, value)| is_owed(value)).count();
        Self {
            expected: owed as u64,
            ..Self::default()
        }
    }

    /// An empty tally that keeps which members are there, where that is wanted.
    pub(super) fn learning(wanted: bool) -> Self {
        Self {
            reported: wanted.then(BTreeSet::new),
            absent: wanted.then(BTreeSet::new),
            ..Self::default()
        }
    }

    /// The members that were there, as far as that was asked.
    pub fn reported_names(&self) -> impl Iterator<Item = &str> {
        let reported = self.reported.iter().flatten();
        reported.map(|(name, _)| name.as_str())
    }

    /// Adds another tally.
    pub fn add(&mut self, other: &Self) {
        self.expected += other.expected;
        self.seen += other.seen;
        if !other.left_out.is_subset(&self.left_out) {
            self.left_out.extend(other.left_out.iter().cloned());
        }
        for (all, others) in [
            (&mut self.reported, &other.reported),
            (&mut self.absent, &other.absent),
        ] {
            if let (Some(all), Some(others)) = (all, others) {
                all.extend(others.iter().cloned());
            }
        }
    }

    /// Counts a member that is there.
    pub(super) fn seen(&mut self, context: &str, (member, value): (&str, &Value)) {
        self.expected += 1;
        self.seen += 1;
        if let Some(reported) = &mut self.reported {
            reported.insert((format!("{context}.{member}"), is_empty(value)));
        }
    }

    /// Counts a member that was left out, and keeps what it was expected to be.
    pub(super) fn left_out(&mut self, context: &str, (member, value): (&str, &Value)) {
        let key = (self.count_left_out(context, member), is_empty(value));
        if self.known.contains(&key) {
            return;
        }
        if let Some(absent) = &mut self.absent {
            absent.insert(key.clone());
        }
        let mismatch = Mismatch::whole(shown(value), NO_MEMBER.to_owned());
        self.missing.push(Missing {
            name: key.0.clone(),
            is_empty: key.1,
            mismatch: mismatch.within(format!(".{member}")),
        });
        self.known.insert(key);
    }

    fn count_left_out(&mut self, context: &str, member: &str) -> String {
        self.expected += 1;
        let name = format!("{context}.{member}");
        if !self.left_out.contains(&name) {
            self.left_out.insert(name.clone());
        }
        name
    }

    /// What is missing since there were `before` lies within `step`.
    pub(super) fn within(&mut self, before: usize, step: impl Fn() -> String) {
        for missing in self.missing.iter_mut().skip(before) {
            missing.mismatch.add_step(step());
        }
    }

    /// Counts a record whose whole kind the reader leaves out.
    pub(super) fn left_out_record(&mut self, record: &Record) {
        if !self.kinds_left_out.contains(&record.kind) {
            self.kinds_left_out.insert(record.kind.clone());
        }
        let owed = record.members.iter().filter(|(_, value)| is_owed(value));
        for (name, _) in owed {
            self.count_left_out(&record.kind, name);
        }
    }
}

/// Whether leaving out a member with this value means that less was seen.
pub(super) fn is_owed(value: &Value) -> bool {
    !matches!(value, Value::Absent | Value::Missing(_) | Value::Free)
}

/// Empty, zero or false: what many writers of JSON leave out where they are told to leave out what
/// is absent. Of enumerations nobody knows which member is the empty one.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Bool(value) => !value,
        Value::Int(value) => *value == 0,
        // The sign of −0.0 would be lost.
        Value::F32(bits) => *bits == 0,
        Value::F64(bits) => *bits == 0,
        Value::Flags { value, .. } => *value == 0,
        Value::Text(text) => text.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::List(list) => list.is_empty(),
        Value::Pairs(pairs) => pairs.is_empty(),
        _ => false,
    }
}

impl From<Tally> for Observed {
    fn from(tally: Tally) -> Self {
        Self {
            expected: tally.expected,
            seen: tally.seen,
            left_out: tally.left_out.into_iter().collect(),
        }
    }
}
