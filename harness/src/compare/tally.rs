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
        if !other.left_out.is_subset(&self.left_out) {
            self.left_out.extend(other.left_out.iter().cloned());
        }
    }

    /// Counts a member that is there.
    pub(super) fn seen(&mut self) {
        self.expected += 1;
        self.seen += 1;
    }

    /// Counts a member that was left out.
    pub(super) fn left_out(&mut self, context: &str, member: &str) {
        self.expected += 1;
        let name = format!("{context}.{member}");
        if !self.left_out.contains(&name) {
            self.left_out.insert(name);
        }
    }

    /// Counts a record whose whole kind the reader leaves out.
    pub(super) fn left_out_record(&mut self, record: &Record) {
        let owed = record.members.iter().filter(|(_, value)| is_owed(value));
        for (name, _) in owed {
            self.left_out(&record.kind, name);
        }
    }
}

/// Whether leaving out a member with this value means that less was seen.
pub(super) fn is_owed(value: &Value) -> bool {
    !matches!(value, Value::Absent | Value::Missing(_) | Value::Free)
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
