//! Compares the records that a reader reports with the expected ones, as they arrive. An answer
//! consists of a line for each record, followed by a closing line with the verdict or, in once
//! mode, by an exit status.

mod names;
mod number;
mod pairs;
mod shape;
mod tally;
mod track;
mod value;
mod whole;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use tracegauge_corpus::case::Expected;
use tracegauge_protocol::reader_file::{Omission, Order, ReaderFile, Reports};
use tracegauge_protocol::{RecordSink, shown};
use tracegauge_results::{AlignedDifference, Difference, Differences, RecordFault};

pub use names::{Sighting, sightings};
pub use shape::{PAIR, as_pair, kind_of, other_shape, other_than_pairs};
pub use tally::{NO_MEMBER, Tally};
use track::{Terms, Track};
pub use value::{Mismatch, canonical_shown, compare_value};

/// The maximum number of different kinds of records that are remembered for an answer. Formats have
/// far fewer.
const MOST_KINDS: usize = 256;

/// The maximum length in bytes of a kind of record that is remembered.
const LONGEST_KIND: usize = 256;

/// The reporting behavior of a reader: the order of its records, and the members and kinds of
/// records that it omits.
#[derive(Clone, Debug, Default)]
pub struct Reporting {
    /// The order of the records.
    pub order: Order,
    /// The members and kinds of records that the reader does not report.
    pub omits: Vec<Omission>,
    /// Whether to infer from the reader's answers which members it reports, because its reader file
    /// does not say.
    pub learned: bool,
}

impl Reporting {
    /// Returns what the reader reports according to its reader file.
    pub fn of(reader: &ReaderFile) -> Self {
        Self {
            order: reader.order,
            omits: reader.omits.clone(),
            learned: reader.reports == Reports::Unknown,
        }
    }
}

/// Compares the records of one answer with the expected records. Records are not stored, so a
/// reader cannot exhaust the harness's memory.
#[derive(Debug)]
pub struct Matcher<'e> {
    tracks: Vec<Track<'e>>,
    reported: usize,
    /// The kinds of the reported records, up to [`MOST_KINDS`].
    kinds: BTreeSet<String>,
    /// The first line that is neither a record nor a closing line.
    stray: Option<String>,
}

/// The result of comparing the records of an answer.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Seen {
    /// The number of reported records.
    pub reported: usize,
    /// Whether there were records to compare, which is the case if every allowed answer contains
    /// records.
    pub expected: bool,
    /// The first difference from the records that an accepting reader must report.
    pub whole: Option<Difference>,
    /// The first difference from the records that a rejecting reader may report before the fault.
    pub before_fault: Option<Difference>,
    /// All differences from the records that an accepting reader must report, if [`Matcher::whole`]
    /// requested them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differences: Option<Differences>,
    /// The counts of expected and reported members.
    pub tally: Tally,
    /// The kinds of the reported records, up to a limit.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub kinds: BTreeSet<String>,
    /// The missing members that are expected and not declared as omitted. For each name, the list
    /// contains at most one member with an empty expected value and one with a nonempty expected
    /// value. Whether a missing member is an error depends on which members the reader reports. See
    /// [`Seen::hold`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// The first line of the answer that is neither a record nor a closing line, in modes that
    /// tolerate such lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stray: Option<String>,
}

/// A member that is missing from an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The name of the member, as `record.member`.
    pub name: String,
    /// Whether the expected value is empty, zero or false.
    pub is_empty: bool,
    /// The first place where the member is missing.
    pub difference: Difference,
}

impl Seen {
    /// Treats the members for which `is_owed` returns true as required. If there is no other
    /// difference, the first of these members becomes the first difference.
    pub fn hold(&mut self, is_owed: impl Fn(&LeftOut) -> bool) {
        let owed: Vec<&LeftOut> = self.left_out.iter().filter(|it| is_owed(it)).collect();
        let Some(LeftOut { difference, .. }) = owed.first() else {
            return;
        };
        for part in [&mut self.whole, &mut self.before_fault] {
            part.get_or_insert_with(|| difference.clone());
        }
        let all = self.differences.get_or_insert_with(|| Differences {
            is_complete: true,
            ..Differences::default()
        });
        all.count += owed.len();
        let absent = owed.iter().map(|member| AlignedDifference {
            fault: RecordFault::Absent,
            kind: member.kind().to_owned(),
            difference: member.difference.clone(),
        });
        all.list.extend(absent);
        all.list.sort_by_key(|it| it.difference.record);
    }
}

impl LeftOut {
    /// Returns the kind of the record.
    fn kind(&self) -> &str {
        self.name.split(['.', '[']).next().unwrap_or_default()
    }
}

impl RecordSink for Matcher<'_> {
    fn record(&mut self, record: &Map<String, Json>) {
        Matcher::record(self, record);
    }

    /// Stores the first line that is neither a record nor a closing line, and ignores later ones.
    fn stray(&mut self, line: &[u8]) {
        self.stray.get_or_insert_with(|| shown(line));
    }
}

impl<'e> Matcher<'e> {
    /// Creates a matcher for one answer to a case of `format` with the given expected records.
    pub fn new(expected: &'e Expected, format: &str, reporting: &'e Reporting) -> Self {
        let omits = reporting.omits.iter().filter(|it| it.is_of(format));
        let terms = Terms {
            order: reporting.order,
            omits: omits.collect(),
            learned: reporting.learned,
            whole: false,
        };
        let mut tracks: Vec<Track<'e>> = expected
            .records
            .iter()
            .map(|records| Track::new(records, expected.due, expected.open, terms.clone()))
            .collect();
        if tracks.is_empty() {
            tracks.push(Track::new(&[], None, expected.open, terms));
        }
        Self {
            tracks,
            reported: 0,
            kinds: BTreeSet::new(),
            stray: None,
        }
    }

    /// Makes the matcher find all differences instead of only the first.
    #[must_use]
    pub fn whole(mut self) -> Self {
        for track in &mut self.tracks {
            track.look_at_the_whole();
        }
        self
    }

    /// Compares the next record.
    pub fn record(&mut self, record: &Map<String, Json>) {
        for track in &mut self.tracks {
            track.record(self.reported, record);
        }
        self.reported += 1;
        let kind = record.get("record").and_then(Json::as_str);
        if let Some(kind) = kind
            && kind.len() <= LONGEST_KIND
            && self.kinds.len() < MOST_KINDS
            && !self.kinds.contains(kind)
        {
            self.kinds.insert(kind.to_owned());
        }
    }

    /// Returns the result. If several answers are allowed, the result describes the allowed answer
    /// that matches or, if none does, the one whose first difference comes last. Among answers that
    /// first differ in the same record, the result describes the one with the fewest differences.
    pub fn finish(self) -> Seen {
        let reported = self.reported;
        let expected = self.tracks.iter().all(Track::expects_records);
        let ends: Vec<track::End> = self
            .tracks
            .into_iter()
            .map(|track| track.finish(reported))
            .collect();
        let furthest = |pick: fn(&track::End) -> &Option<Difference>| {
            ends.iter().max_by_key(|end| {
                let record = pick(end).as_ref().map_or(usize::MAX, |d| d.record);
                let count = end.differences.as_ref().map_or(0, |all| all.count);
                (record, Reverse(count), Reverse(end.left_out.len()))
            })
        };
        let whole = furthest(|end| &end.whole);
        let before_fault = furthest(|end| &end.before_fault);
        Seen {
            reported,
            expected,
            whole: whole.and_then(|end| end.whole.clone()),
            before_fault: before_fault.and_then(|end| end.before_fault.clone()),
            differences: whole.and_then(|end| end.differences.clone()),
            tally: whole.map(|end| end.tally.clone()).unwrap_or_default(),
            left_out: whole.map(|end| end.left_out.clone()).unwrap_or_default(),
            kinds: self.kinds,
            stray: self.stray,
        }
    }
}

#[cfg(test)]
mod tests;
