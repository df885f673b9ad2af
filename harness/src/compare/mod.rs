//! Holds the records that a reader reports against the expected ones, as they come.

mod names;
mod number;
mod pairs;
mod shape;
mod tally;
mod track;
mod value;

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use tracegauge_corpus::case::Expected;
use tracegauge_reports::Difference;

use crate::reader_file::{Omission, Order, ReaderFile, Reports};

pub use names::{Sighting, sightings};
pub use shape::{PAIR, as_pair, kind_of, other_shape, other_than_pairs};
pub(crate) use tally::NO_MEMBER;
pub use tally::Tally;
use track::{Terms, Track};
pub use value::{Mismatch, compare_value, same_shown};

/// What a reader is known to report, and how.
#[derive(Clone, Debug, Default)]
pub struct Reporting {
    /// How it orders records.
    pub order: Order,
    /// Members and kinds of records that it does not report.
    pub omits: Vec<Omission>,
    /// Whether it is to be found out which members it reports: it does not say that it owes all.
    pub learned: bool,
}

impl Reporting {
    /// As a reader file declares it.
    pub fn of(reader: &ReaderFile) -> Self {
        Self {
            order: reader.order,
            omits: reader.omits.clone(),
            learned: reader.reports == Reports::Unknown,
        }
    }
}

/// Holds the records of one answer against the expected ones. Nothing of the answer is
/// kept, so a reader cannot fill our memory.
#[derive(Debug)]
pub struct Matcher<'e> {
    tracks: Vec<Track<'e>>,
    reported: usize,
    /// The first line that is no part of the answer.
    stray: Option<String>,
}

/// How the records of an answer compare.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Seen {
    /// How many records were reported.
    pub reported: usize,
    /// Whether there was anything to compare them with: every right answer has records.
    pub expected: bool,
    /// Where they part from what an accepting reader owes.
    pub whole: Option<Difference>,
    /// Where they part from what a rejecting reader may have reported before the fault.
    pub before_fault: Option<Difference>,
    /// How much of the expected members was there.
    pub tally: Tally,
    /// Members that were left out though they are owed and not declared, the first of each name and
    /// sort. Whether they are wrong depends on what the reader reports: [`Seen::hold`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOut>,
    /// The first line of the answer that is neither a record nor a closing line, where such
    /// lines are suffered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stray: Option<String>,
}

/// A member that an answer leaves out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its name, as `record.member`.
    pub name: String,
    /// Its value is empty, zero or false.
    pub is_empty: bool,
    /// Where it is missing first.
    pub difference: Difference,
}

impl Seen {
    /// Holds the reader to the members that `is_owed`: the first of them that is left out is what is
    /// wrong with the records, unless something else is.
    pub fn hold(&mut self, is_owed: impl Fn(&LeftOut) -> bool) {
        let first = self.left_out.iter().find(|member| is_owed(member));
        let Some(LeftOut { difference, .. }) = first else {
            return;
        };
        for part in [&mut self.whole, &mut self.before_fault] {
            part.get_or_insert_with(|| difference.clone());
        }
    }
}

impl<'e> Matcher<'e> {
    /// A matcher for one answer to a case of `format` that expects `expected`.
    pub fn new(expected: &'e Expected, format: &str, reporting: &'e Reporting) -> Self {
        let omits = reporting.omits.iter().filter(|it| it.is_of(format));
        let terms = Terms {
            order: reporting.order,
            omits: omits.collect(),
            learned: reporting.learned,
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
            stray: None,
        }
    }

    /// Takes in the next record.
    pub fn record(&mut self, record: &Map<String, Json>) {
        for track in &mut self.tracks {
            track.record(self.reported, record);
        }
        self.reported += 1;
    }

    /// Takes in a line that is no part of the answer; the first of them is kept, as `shown`.
    pub fn stray(&mut self, shown: impl FnOnce() -> String) {
        self.stray.get_or_insert_with(shown);
    }

    /// The result. Where several answers are right, it is that of the one which fits, or
    /// else of the one which fits longest.
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
                (record, Reverse(end.left_out.len()))
            })
        };
        let whole = furthest(|end| &end.whole);
        let before_fault = furthest(|end| &end.before_fault);
        Seen {
            reported,
            expected,
            whole: whole.and_then(|end| end.whole.clone()),
            before_fault: before_fault.and_then(|end| end.before_fault.clone()),
            tally: whole.map(|end| end.tally.clone()).unwrap_or_default(),
            left_out: whole.map(|end| end.left_out.clone()).unwrap_or_default(),
            stray: self.stray,
        }
    }
}

#[cfg(test)]
mod tests;
