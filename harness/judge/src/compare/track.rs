//! Compares an answer with one set of expected records.

use serde_json::{Map, Value as Json};
use tracegauge_decoder::record::Record;
use tracegauge_protocol::reader_file::{Omission, Order, When};
use tracegauge_results::{Difference, Differences};

use super::LeftOut;
use super::tally::{Missing, Tally};
use super::value::{Mismatch, compare_record, shown_json, shown_record};
use super::whole::{Rest, Start};

/// The text shown where no record is expected or reported.
pub(super) const NO_RECORD: &str = "no further record";

/// The settings for comparing a reader's records in one format.
#[derive(Clone, Debug)]
pub(super) struct Terms<'e> {
    pub(super) order: Order,
    /// Members and kinds that the reader does not report.
    pub(super) omits: Vec<&'e Omission>,
    /// Whether to infer from the answers which members the reader reports.
    pub(super) learned: bool,
    /// Whether to find all differences instead of only the first.
    pub(super) whole: bool,
}

impl Terms<'_> {
    /// Returns whether the reader omits all records of this kind.
    fn omits_kind(&self, kind: &str) -> bool {
        let mut omits = self.omits.iter();
        omits.any(|it| it.when == When::Always && it.name == kind)
    }

    /// Returns whether the reader may omit a member, given its name as `record.member`.
    pub(super) fn excuses(&self, name: &str, is_empty: bool) -> bool {
        let mut omits = self.omits.iter();
        omits.any(|it| it.excuses(name, is_empty))
    }
}

/// The state of the comparison of an answer with one set of expected records.
#[derive(Debug)]
pub(super) struct Track<'e> {
    expected: &'e [Record],
    /// The number of records that the reader must report even though the trace is truncated,
    /// because they are complete before its end. 0 if the reader need not report any.
    due: usize,
    open: bool,
    terms: Terms<'e>,
    /// With `Order::File`, the index of the next expected record. With `Order::Time`, all expected
    /// records before this index have been found.
    next: usize,
    /// With `Order::Time`, whether each expected record has been found.
    found: Vec<bool>,
    first: Option<Difference>,
    /// The comparison of the records after the first difference.
    rest: Option<Box<Rest<'e>>>,
    /// Required members that are missing.
    left_out: Vec<LeftOut>,
    tally: Tally,
}

/// A difference between the answer and the expected records.
struct Departure {
    mismatch: Mismatch,
    /// The index of the record that is expected at this position.
    owed: Option<usize>,
}

impl Departure {
    fn from(owed: usize, mismatch: Mismatch) -> Self {
        Self {
            mismatch,
            owed: Some(owed),
        }
    }

    fn of_record(self, record: usize) -> Difference {
        Difference {
            record,
            path: self.mismatch.path(),
            expected: self.mismatch.expected,
            actual: self.mismatch.actual,
            owed: self.owed,
            origins: Vec::new(),
            rules: Vec::new(),
        }
    }
}

/// The final result of comparing an answer with one set of expected records.
#[derive(Debug)]
pub(super) struct End {
    pub(super) whole: Option<Difference>,
    pub(super) before_fault: Option<Difference>,
    pub(super) differences: Option<Differences>,
    pub(super) left_out: Vec<LeftOut>,
    pub(super) tally: Tally,
}

impl<'e> Track<'e> {
    pub(super) fn new(
        expected: &'e [Record],
        due: Option<usize>,
        open: bool,
        terms: Terms<'e>,
    ) -> Self {
        let found = match terms.order {
            Order::File => Vec::new(),
            Order::Time => vec![false; expected.len()],
        };
        let tally = Tally::learning(terms.learned);
        // A reader that sorts records may hold back records that it has already read, so no record
        // is due.
        let due = due.filter(|_| terms.order == Order::File).unwrap_or(0);
        Self {
            expected,
            due,
            open,
            terms,
            next: 0,
            found,
            first: None,
            rest: None,
            left_out: Vec::new(),
            tally,
        }
    }

    /// Makes the comparison find all differences instead of only the first.
    pub(super) fn look_at_the_whole(&mut self) {
        self.terms.whole = true;
    }

    /// Returns whether at least one record must be reported, so that an empty answer is wrong.
    pub(super) fn expects_records(&self) -> bool {
        self.expected.iter().any(|record| !self.omits(record))
    }

    pub(super) fn record(&mut self, index: usize, actual: &Map<String, Json>) {
        if let Some(rest) = &mut self.rest {
            return rest.record(actual);
        }
        if self.first.is_some() {
            return;
        }
        let next = self.next;
        let result = match self.terms.order {
            Order::File => self.in_file_order(actual),
            Order::Time => self.in_any_order(actual),
        };
        match result {
            Ok(None) => {}
            Ok(Some(owed)) => self.keep_left_out(index, owed),
            Err(departure) => {
                self.first = Some(departure.of_record(index));
                if self.terms.whole {
                    self.next = next;
                    let mut rest = self.rest(index);
                    rest.record(actual);
                    self.rest = Some(Box::new(rest));
                }
            }
        }
    }

    /// Prepares the comparison of all records that follow the first `reported` records.
    fn rest(&self, reported: usize) -> Rest<'e> {
        Rest::new(Start {
            expected: self.expected,
            is_due: self.expected.iter().map(|it| !self.omits(it)).collect(),
            terms: self.terms.clone(),
            next: self.next,
            matched: self.found.clone(),
            reported,
            open: self.open,
        })
    }

    /// Stores the missing members of the reported record at `index`, which matches the expected
    /// record `owed`.
    fn keep_left_out(&mut self, index: usize, owed: usize) {
        for missing in std::mem::take(&mut self.tally.missing) {
            let is_known =
                |one: &LeftOut| (&one.name, one.is_empty) == (&missing.name, missing.is_empty);
            if self.excuses(&missing) || self.left_out.iter().any(is_known) {
                continue;
            }
            self.left_out.push(LeftOut {
                name: missing.name,
                is_empty: missing.is_empty,
                difference: Departure::from(owed, missing.mismatch).of_record(index),
            });
        }
    }

    /// Returns the index of the expected record that `actual` matches, or `None` if all expected
    /// records have been reported and any further record is allowed.
    fn in_file_order(&mut self, actual: &Map<String, Json>) -> Result<Option<usize>, Departure> {
        let kind = actual.get("record").and_then(Json::as_str);
        while let Some(record) = self.expected.get(self.next) {
            if !self.omits(record) || kind == Some(&record.kind) {
                break;
            }
            self.tally.left_out_record(record);
            self.next += 1;
        }
        match self.expected.get(self.next) {
            Some(record) => {
                self.next += 1;
                let owed = self.next - 1;
                compare_record(record, actual, &mut self.tally)
                    .map(|()| Some(owed))
                    .map_err(|mismatch| Departure::from(owed, mismatch))
            }
            None => self.surplus(actual).map(|()| None),
        }
    }

    /// Finds the expected record that `actual` matches, in any order.
    ///
    /// A reader that sorts its records must report all expected records, but may report them in
    /// another order. It is not known which member the reader sorts by, so any order is allowed. A
    /// match without missing required members is preferred, because a missing member may be the
    /// only difference between two records.
    fn in_any_order(&mut self, actual: &Map<String, Json>) -> Result<Option<usize>, Departure> {
        while self.found.get(self.next) == Some(&true) {
            self.next += 1;
        }
        let mut nearest = None;
        let mut lacking = None;
        for index in self.next..self.expected.len() {
            if self.found[index] {
                continue;
            }
            let mut tally = Tally::learning(self.terms.learned);
            match compare_record(&self.expected[index], actual, &mut tally) {
                Ok(()) if tally.missing.iter().all(|it| self.excuses(it)) => {
                    return Ok(Some(self.find(index, tally)));
                }
                Ok(()) => {
                    lacking.get_or_insert((index, tally));
                }
                Err(mismatch) => {
                    // The first mismatch within a record of the same kind is more useful than a
                    // mismatch of kinds.
                    let better = nearest.is_none() && mismatch.path() != "record";
                    if better {
                        nearest = Some(Departure::from(index, mismatch));
                    }
                }
            }
        }
        match (lacking, nearest) {
            (Some((index, tally)), _) => Ok(Some(self.find(index, tally))),
            (None, Some(departure)) if !self.open => Err(departure),
            _ => self.surplus(actual).map(|()| None),
        }
    }

    fn find(&mut self, index: usize, tally: Tally) -> usize {
        self.found[index] = true;
        self.tally.add(&tally);
        self.tally.missing = tally.missing;
        index
    }

    fn surplus(&self, actual: &Map<String, Json>) -> Result<(), Departure> {
        if self.open {
            return Ok(());
        }
        Err(Departure {
            mismatch: Mismatch::whole(NO_RECORD.to_owned(), shown_json(actual)),
            owed: None,
        })
    }

    fn excuses(&self, missing: &Missing) -> bool {
        self.terms.excuses(&missing.name, missing.is_empty)
    }

    fn omits(&self, record: &Record) -> bool {
        self.terms.omits_kind(&record.kind)
    }

    pub(super) fn finish(mut self, reported: usize) -> End {
        let before_fault = self.first.clone().or_else(|| self.held_back(reported));
        let mut whole = self.first.take();
        if whole.is_none() {
            let owed = self.owed();
            whole = owed.map(|owed| self.not_reported(owed, reported));
        }
        self.tally.known.clear();
        let differences = match self.rest.take() {
            Some(rest) => Some(rest.finish()),
            None if whole.is_some() && self.terms.whole => Some(self.rest(reported).finish()),
            None => None,
        };
        End {
            whole,
            before_fault,
            differences,
            left_out: self.left_out,
            tally: self.tally,
        }
    }

    /// Returns a difference for the first record that is complete in the truncated trace but was
    /// not reported.
    fn held_back(&self, reported: usize) -> Option<Difference> {
        self.expected.get(self.next..self.due)?;
        let owed = (self.next..self.due).find(|owed| !self.omits(&self.expected[*owed]))?;
        Some(self.not_reported(owed, reported))
    }

    fn not_reported(&self, owed: usize, reported: usize) -> Difference {
        Difference {
            record: reported,
            path: String::new(),
            expected: shown_record(&self.expected[owed]),
            actual: NO_RECORD.to_owned(),
            owed: Some(owed),
            origins: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// Returns the first expected record that has not been reported.
    fn owed(&mut self) -> Option<usize> {
        let expected = self.expected;
        for (index, record) in expected.iter().enumerate().skip(self.next) {
            if self.found.get(index) == Some(&true) {
                continue;
            }
            if !self.omits(record) {
                return Some(index);
            }
            self.tally.left_out_record(record);
        }
        None
    }
}
