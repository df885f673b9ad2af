//! Holds the records that a reader reports against the expected ones, as they come.

mod number;
mod pairs;
mod shape;
mod tally;
mod track;
mod value;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use tracegauge_corpus::case::Expected;
use tracegauge_reports::Difference;

use crate::reader_file::{Order, ReaderFile};

pub use shape::{PAIR, as_pair, kind_of, other_shape, other_than_pairs};
pub use tally::Tally;
use track::Track;
pub use value::{Mismatch, compare_value, same_shown};

/// What a reader is known to report, and how.
#[derive(Clone, Debug, Default)]
pub struct Reporting {
    /// How it orders records.
    pub order: Order,
    /// Kinds of records that it has no way to report.
    pub omitted_kinds: Vec<String>,
}

impl Reporting {
    /// As a reader file declares it.
    pub fn of(reader: &ReaderFile) -> Self {
        let kinds = reader.omits.iter().filter(|name| !name.contains('.'));
        Self {
            order: reader.order,
            omitted_kinds: kinds.cloned().collect(),
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
    /// The first line of the answer that is neither a record nor a closing line, where such
    /// lines are suffered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stray: Option<String>,
}

impl<'e> Matcher<'e> {
    /// A matcher for one answer to a case that expects `expected`.
    pub fn new(expected: &'e Expected, reporting: &'e Reporting) -> Self {
        let mut tracks: Vec<Track<'e>> = expected
            .records
            .iter()
            .map(|records| Track::new(records, expected.due, expected.open, reporting))
            .collect();
        if tracks.is_empty() {
            tracks.push(Track::new(&[], None, expected.open, reporting));
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
            ends.iter()
                .max_by_key(|end| pick(end).as_ref().map_or(usize::MAX, |d| d.record))
        };
        let whole = furthest(|end| &end.whole);
        let before_fault = furthest(|end| &end.before_fault);
        Seen {
            reported,
            expected,
            whole: whole.and_then(|end| end.whole.clone()),
            before_fault: before_fault.and_then(|end| end.before_fault.clone()),
            tally: whole.map(|end| end.tally.clone()).unwrap_or_default(),
            stray: self.stray,
        }
    }
}

#[cfg(test)]
mod tests;
