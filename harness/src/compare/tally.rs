use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use tracegauge_decoder::record::{Record, Value};
use tracegauge_reports::Observed;

/// How much of the expected members a reader reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Members that were expected.
    pub expected: u64,
    /// Members that were there.
    pub seen: u64,
    /// Members that were left out, as `record.member`.
    pub left_out: BTreeSet<String>,
    /// Those of them that were left out where they are neither empty nor zero nor false.
    #[serde(default)]
    pub left_out_full: BTreeSet<String>,
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

    /// Adds another tally.
    pub fn add(&mut self, other: &Self) {
        self.expected += other.expected;
        self.seen += other.seen;
        for (all, others) in [
            (&mut self.left_out, &other.left_out),
            (&mut self.left_out_full, &other.left_out_full),
        ] {
            if !others.is_subset(all) {
                all.extend(others.iter().cloned());
            }
        }
    }

    /// Counts a member that is there.
    pub(super) fn seen(&mut self) {
        self.expected += 1;
        self.seen += 1;
    }

    /// Counts a member that was left out, and what it was expected to be.
    pub(super) fn left_out(&mut self, context: &str, (member, value): (&str, &Value)) {
        self.expected += 1;
        let name = format!("{context}.{member}");
        if !is_blank(value) && !self.left_out_full.contains(&name) {
            self.left_out_full.insert(name.clone());
        }
        if !self.left_out.contains(&name) {
            self.left_out.insert(name);
        }
    }

    /// Counts a record whose whole kind the reader leaves out.
    pub(super) fn left_out_record(&mut self, record: &Record) {
        let owed = record.members.iter().filter(|(_, value)| is_owed(value));
        for (name, value) in owed {
            self.left_out(&record.kind, (name, value));
        }
    }
}

/// Whether leaving out a member with this value means that less was seen.
pub(super) fn is_owed(value: &Value) -> bool {
    !matches!(value, Value::Absent | Value::Missing(_) | Value::Free)
}

/// Empty, zero or false: what many writers of JSON leave out where they are told to leave out what
/// is absent.
fn is_blank(value: &Value) -> bool {
    match value {
        Value::Bool(value) => !value,
        Value::Int(value) => *value == 0,
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
