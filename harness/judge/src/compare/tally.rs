use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tracegauge_decoder::record::{Record, Value};
use tracegauge_results::Observed;

use super::names::Sighting;
use super::value::{Mismatch, shown};

/// The text shown in place of a missing member.
pub const NO_MEMBER: &str = "no such member";

/// The counts of expected and reported members of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// The number of expected members.
    pub expected: u64,
    /// The number of expected members that were reported.
    pub seen: u64,
    /// The names of the members that were missing, as `record.member`.
    pub left_out: BTreeSet<String>,
    /// The reported members, each with a flag that says whether its value is empty, or `None` if
    /// the reader file says what the reader reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<BTreeSet<Sighting>>,
    /// The missing members, whether or not they are declared as omitted, in the same form as
    /// `reported`.
    #[serde(skip)]
    pub absent: Option<BTreeSet<Sighting>>,
    /// The kinds of records that the reader omitted at least once.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub kinds_left_out: BTreeSet<String>,
    /// The members missing from the record being compared. For each name, the list contains at most
    /// one member with an empty value and one with a nonempty value.
    #[serde(skip)]
    pub(crate) missing: Vec<Missing>,
    /// The names of all members added to `missing` so far, each with a flag that says whether its
    /// value is empty.
    #[serde(skip)]
    pub(crate) known: BTreeSet<(String, bool)>,
}

/// A missing member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Missing {
    /// The name of the member, as `record.member`.
    pub(super) name: String,
    /// Whether the expected value is empty, zero or false.
    pub(super) is_empty: bool,
    /// The path and the expected value of the member.
    pub(super) mismatch: Mismatch,
}

impl Tally {
    /// Returns the tally of a reader that reports none of `records`.
    pub fn unseen(records: &[Record]) -> Self {
        let members = records.iter().flat_map(|record| &record.members);
        let owed = members.filter(|(_, value)| is_owed(value)).count();
        Self {
            expected: owed as u64,
            ..Self::default()
        }
    }

    /// Returns an empty tally that collects the reported members if `wanted` is true.
    pub(super) fn learning(wanted: bool) -> Self {
        Self {
            reported: wanted.then(BTreeSet::new),
            absent: wanted.then(BTreeSet::new),
            ..Self::default()
        }
    }

    /// Returns the names of the reported members, if they were collected.
    pub fn reported_names(&self) -> impl Iterator<Item = &str> {
        let reported = self.reported.iter().flatten();
        reported.map(|(name, _)| name.as_str())
    }

    /// Adds the counts of another tally to this one.
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

    /// Counts a reported member.
    pub(super) fn seen(&mut self, context: &str, (member, value): (&str, &Value)) {
        self.expected += 1;
        self.seen += 1;
        if let Some(reported) = &mut self.reported {
            reported.insert((format!("{context}.{member}"), is_empty(value)));
        }
    }

    /// Counts a missing member and stores its expected value.
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

    /// Prepends `step` to the paths of all missing members except the first `before`.
    pub(super) fn within(&mut self, before: usize, step: impl Fn() -> String) {
        for missing in self.missing.iter_mut().skip(before) {
            missing.mismatch.add_step(step());
        }
    }

    /// Counts a record whose kind the reader omits.
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

/// Returns whether a member with this value must be reported.
pub(super) fn is_owed(value: &Value) -> bool {
    !matches!(value, Value::Absent | Value::Missing(_) | Value::Free)
}

/// Returns true if a value is empty, zero or false. Many JSON writers that are configured to omit
/// absent values also omit these values. An enum value never counts as empty, because the default
/// value of the enum is unknown.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Bool(value) => !value,
        Value::Int(value) => *value == 0,
        // Negative zero is not empty, because omitting it would lose the sign.
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
