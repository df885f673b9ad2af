//! The differences found so far, and the pairwise record comparisons that find them.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value as Json};
use tracegauge_decoder::record::Record;
use tracegauge_results::text::{anywhere, shortened};
use tracegauge_results::{AlignedDifference, Difference, Differences, RecordFault};

use super::member::{agreement, differences};
use super::window::Reported;
use super::{LEAST_WORK, Start, WORK};
use crate::compare::tally::Tally;
use crate::compare::track::{NO_RECORD, Terms};
use crate::compare::value::{compare_record, shown_json, shown_record};

/// The maximum number of listed differences.
const LISTED: usize = 64;

/// The maximum number of listed differences in which the same member is wrong in the same way.
const ALIKE: usize = 4;

/// The maximum number of differences listed for one record.
const IN_RECORD: usize = 16;

/// The maximum total size in bytes of the surplus records that are stored.
const STORED: usize = 1 << 20;

/// The maximum number of characters to store from the kind of a surplus record.
const KIND: usize = 100;

/// The minimum number of records in which a member must be wrong to count as wrong everywhere. The
/// member must also be wrong in almost all records that contain it.
const OFTEN: usize = 3;

#[derive(Debug)]
pub(super) struct Found<'e> {
    pub(super) expected: &'e [Record],
    is_due: Vec<bool>,
    /// The kinds of records that the reader does not report.
    omitted: HashSet<&'e str>,
    open: bool,
    terms: Terms<'e>,
    /// Whether each expected record was reported.
    pub(super) matched: Vec<bool>,
    /// The number of reported records.
    pub(super) reported: usize,
    /// Reported records that are not expected, up to the limits on their number and size.
    surplus: Vec<Reported>,
    stored: usize,
    /// The number of surplus records that are not stored.
    more_surplus: usize,
    /// The listed differences, up to the limits on their number.
    list: Vec<AlignedDifference>,
    count: usize,
    alike: HashMap<(String, String, RecordFault), usize>,
    /// For each kind and member, the number of records with a wrong value and the number with a
    /// correct value.
    wrong: HashMap<(String, String), (usize, usize)>,
    work: usize,
    has_given_up: bool,
}

impl<'e> Found<'e> {
    pub(super) fn new(start: Start<'e>) -> Self {
        let mut matched = start.matched;
        matched.resize(start.expected.len(), false);
        matched[..start.next.min(start.expected.len())].fill(true);
        let kinds = start.expected.iter().zip(&start.is_due);
        let omitted = kinds.filter(|(_, is_due)| !**is_due);
        Self {
            expected: start.expected,
            omitted: omitted.map(|(record, _)| record.kind.as_str()).collect(),
            is_due: start.is_due,
            open: start.open,
            terms: start.terms,
            matched,
            reported: start.reported,
            surplus: Vec::new(),
            stored: 0,
            more_surplus: 0,
            list: Vec::new(),
            count: 0,
            alike: HashMap::new(),
            wrong: HashMap::new(),
            work: 0,
            has_given_up: false,
        }
    }

    /// Returns true if the answer differs so much that it is not compared any further.
    pub(super) fn has_given_up(&self) -> bool {
        self.has_given_up
    }

    /// Counts a comparison. Returns true if the number of comparisons is within the limit.
    fn work(&mut self) -> bool {
        self.work += 1;
        let records = self.expected.len() + self.reported;
        self.has_given_up |= self.work > LEAST_WORK + WORK * records;
        !self.has_given_up
    }

    /// Returns whether the expected record must be reported.
    pub(super) fn is_due(&self, expected: usize) -> bool {
        self.is_due.get(expected) == Some(&true)
    }

    /// Returns true if a member may be missing. Until it is known which members the reader reports,
    /// any member may be missing.
    fn is_excused(&self, name: &str, is_empty: bool) -> bool {
        self.terms.learned || self.terms.excuses(name, is_empty)
    }

    /// Returns true if records of the same kind as `actual` are compared. A reader may declare that
    /// it does not report certain kinds.
    pub(super) fn is_compared(&self, actual: &Map<String, Json>) -> bool {
        !self.omitted.contains(kind(actual))
    }

    /// Returns whether `actual` correctly reports the expected record with the index `expected`.
    pub(super) fn is_right(&mut self, expected: usize, actual: &Map<String, Json>) -> bool {
        self.work() && self.is_same(expected, actual)
    }

    fn is_same(&self, expected: usize, actual: &Map<String, Json>) -> bool {
        let record = &self.expected[expected];
        if record.kind != kind(actual) {
            return false;
        }
        let mut tally = Tally::default();
        let is_right = compare_record(record, actual, &mut tally).is_ok();
        is_right
            && tally
                .missing
                .iter()
                .all(|it| self.is_excused(&it.name, it.is_empty))
    }

    /// Returns how similar two records are, as a number from 0 to 1. Members that are wrong in
    /// nearly all records are ignored.
    pub(super) fn similarity(&mut self, expected: usize, actual: &Map<String, Json>) -> f64 {
        let record = &self.expected[expected];
        if !self.work() || record.kind != kind(actual) {
            return 0.0;
        }
        let is_ignored = |name: &str| self.is_wrong_everywhere(&record.kind, name);
        match agreement(record, actual, is_ignored) {
            // The records have no members that could show a similarity.
            (_, 0) => 0.5,
            #[expect(clippy::cast_precision_loss, reason = "a share")]
            (right, all) => right as f64 / all as f64,
        }
    }

    fn is_wrong_everywhere(&self, kind: &str, member: &str) -> bool {
        let counts = self.wrong.get(&(kind.to_owned(), member.to_owned()));
        counts.is_some_and(|(wrong, right)| *wrong >= OFTEN && right * 10 <= *wrong)
    }

    /// Compares the members of a record with those of the expected record that it matches.
    pub(super) fn pair(&mut self, expected: usize, actual: &Reported) {
        let record = &self.expected[expected];
        self.matched[expected] = true;
        if record.kind != kind(&actual.members) {
            let difference = Difference {
                record: actual.index,
                path: "record".to_owned(),
                expected: Json::String(record.kind.clone()).to_string(),
                actual: actual
                    .members
                    .get("record")
                    .map_or_else(String::new, shown_json),
                owed: Some(expected),
                ..Difference::default()
            };
            return self.add(RecordFault::Displaced, &record.kind, difference);
        }
        let is_excused = |name: &str, is_empty: bool| self.is_excused(name, is_empty);
        let mismatches = differences(record, &actual.members, &is_excused, IN_RECORD);
        let is_wrong = |name: &str| {
            let first = |path: &str| path.split(['.', '[']).next() == Some(name);
            mismatches.iter().any(|it| first(&it.path()))
        };
        for (name, _) in &record.members {
            if actual.members.contains_key(name) {
                let key = (record.kind.clone(), name.clone());
                let (wrong, right) = self.wrong.entry(key).or_default();
                *(if is_wrong(name) { wrong } else { right }) += 1;
            }
        }
        for mismatch in mismatches {
            let difference = Difference {
                record: actual.index,
                path: mismatch.path(),
                expected: mismatch.expected,
                actual: mismatch.actual,
                owed: Some(expected),
                ..Difference::default()
            };
            let fault = RecordFault::of_member(&difference);
            self.add(fault, &record.kind, difference);
        }
    }

    /// Stores a surplus record (one that is reported although it is not expected) or, beyond the
    /// limits, only counts it.
    pub(super) fn surplus(&mut self, actual: Reported) {
        if self.surplus.len() < LISTED && self.stored + actual.size() <= STORED {
            self.stored += actual.size();
            self.surplus.push(actual);
        } else {
            self.more_surplus += 1;
        }
    }

    fn add(&mut self, fault: RecordFault, kind: &str, difference: Difference) {
        self.count += 1;
        let key = (kind.to_owned(), anywhere(&difference.path), fault);
        let alike = self.alike.entry(key).or_default();
        *alike += 1;
        if *alike <= ALIKE && self.list.len() < LISTED {
            self.list.push(AlignedDifference {
                fault,
                kind: kind.to_owned(),
                difference,
            });
        }
    }

    /// Returns all differences in the order of the records.
    pub(super) fn finish(mut self) -> Differences {
        let surplus = std::mem::take(&mut self.surplus);
        for actual in surplus {
            self.explain_surplus(&actual);
        }
        if self.open {
            self.more_surplus = 0;
        }
        self.count += self.more_surplus;
        self.has_given_up |= self.more_surplus > 0;
        // Records that seem to be missing may be among the surplus records that are not stored.
        if !self.has_given_up {
            self.missing();
        }
        self.list.sort_by_key(|it| {
            let difference = &it.difference;
            (difference.record, difference.owed.unwrap_or(usize::MAX))
        });
        Differences {
            count: self.count,
            is_complete: !self.has_given_up,
            list: self.list,
        }
    }

    /// Determines whether a surplus record is in the wrong place, a duplicate, or neither.
    fn explain_surplus(&mut self, actual: &Reported) {
        let kind = shortened(kind(&actual.members), KIND).into_owned();
        let shown = shown_json(&actual.members);
        let mut same = None;
        for at in 0..self.expected.len() {
            if !self.is_same(at, &actual.members) {
                continue;
            }
            if !self.matched[at] {
                self.matched[at] = true;
                let difference = Difference {
                    record: actual.index,
                    expected: shown,
                    actual: "in another place".to_owned(),
                    owed: Some(at),
                    ..Difference::default()
                };
                return self.add(RecordFault::Order, &kind, difference);
            }
            same = same.or(Some(at));
        }
        if same.is_none() && self.open {
            return;
        }
        let (fault, expected) = match same {
            Some(_) => (RecordFault::Duplicate, "not again"),
            None => (RecordFault::Extra, NO_RECORD),
        };
        let difference = Difference {
            record: actual.index,
            expected: expected.to_owned(),
            actual: shown,
            ..Difference::default()
        };
        self.add(fault, &kind, difference);
    }

    /// Adds a difference for each record that was not reported.
    fn missing(&mut self) {
        let missing = |at: &usize| self.is_due(*at) && !self.matched[*at];
        let missing: Vec<usize> = (0..self.expected.len()).filter(missing).collect();
        let last_matched = (0..self.expected.len()).rfind(|at| self.matched[*at]);
        let tail = last_matched.map_or(0, |last| last + 1);
        let mut before = 0;
        let mut reported = 0;
        for at in missing {
            // The position of a missing record among the reported ones.
            reported += self.matched[before..at].iter().filter(|it| **it).count();
            before = at;
            let fault = match at >= tail {
                true => RecordFault::MissingTail,
                false => RecordFault::Missing,
            };
            let record = &self.expected[at];
            let difference = Difference {
                record: reported,
                expected: shown_record(record),
                actual: NO_RECORD.to_owned(),
                owed: Some(at),
                ..Difference::default()
            };
            let kind = record.kind.clone();
            self.add(fault, &kind, difference);
        }
    }
}

fn kind(actual: &Map<String, Json>) -> &str {
    let kind = actual.get("record").and_then(Json::as_str);
    kind.unwrap_or_default()
}
