//! One set of expected records, and how far an answer fits it.

use serde_json::{Map, Value as Json};
use tracegauge_decoder::record::Record;
use tracegauge_reports::Difference;

use super::Reporting;
use super::tally::Tally;
use super::value::{Mismatch, compare_record, shown_map, shown_record};
use crate::reader_file::Order;

/// One set of expected records, and how far an answer fits it.
#[derive(Debug)]
pub(super) struct Track<'e> {
    expected: &'e [Record],
    /// How many of them are owed though the trace is cut.
    due: usize,
    open: bool,
    reporting: &'e Reporting,
    /// In the order of the file: the next record that is owed. By time: all before it are
    /// found.
    next: usize,
    /// By time: which records are found.
    found: Vec<bool>,
    first: Option<Difference>,
    tally: Tally,
}

/// Where an answer leaves the expected records.
struct Departure {
    mismatch: Mismatch,
    /// The record that was expected there.
    owed: Option<usize>,
}

impl Departure {
    fn from(owed: usize, mismatch: Mismatch) -> Self {
        Self {
            mismatch,
            owed: Some(owed),
        }
    }
}

/// How an answer fits one set of expected records.
#[derive(Debug)]
pub(super) struct End {
    pub(super) whole: Option<Difference>,
    pub(super) before_fault: Option<Difference>,
    pub(super) tally: Tally,
}

impl<'e> Track<'e> {
    pub(super) fn new(
        expected: &'e [Record],
        due: Option<usize>,
        open: bool,
        reporting: &'e Reporting,
    ) -> Self {
        let found = match reporting.order {
            Order::File => Vec::new(),
            Order::Time => vec![false; expected.len()],
        };
        let tally = Tally::default();
        // A reader that sorts may hold back what it has read.
        let due = due.filter(|_| reporting.order == Order::File).unwrap_or(0);
        Self {
            expected,
            due,
            open,
            reporting,
            next: 0,
            found,
            first: None,
            tally,
        }
    }

    /// Whether a reader that reports nothing shows that it reads nothing.
    pub(super) fn expects_records(&self) -> bool {
        self.expected.iter().any(|record| !self.omits(record))
    }

    pub(super) fn record(&mut self, index: usize, actual: &Map<String, Json>) {
        if self.first.is_some() {
            return;
        }
        let result = match self.reporting.order {
            Order::File => self.in_file_order(actual),
            Order::Time => self.in_any_order(actual),
        };
        if let Err(Departure { mismatch, owed }) = result {
            self.first = Some(Difference {
                record: index,
                path: mismatch.path(),
                expected: mismatch.expected,
                actual: mismatch.actual,
                owed,
                origins: Vec::new(),
                rules: Vec::new(),
            });
        }
    }

    fn in_file_order(&mut self, actual: &Map<String, Json>) -> Result<(), Departure> {
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
                compare_record(record, actual, &mut self.tally)
                    .map_err(|mismatch| Departure::from(self.next - 1, mismatch))
            }
            None => self.surplus(actual),
        }
    }

    /// A reader that sorts owes the same records in another order. Which member it sorts by
    /// is not known here, so any order will do.
    fn in_any_order(&mut self, actual: &Map<String, Json>) -> Result<(), Departure> {
        while self.found.get(self.next) == Some(&true) {
            self.next += 1;
        }
        let mut nearest = None;
        for index in self.next..self.expected.len() {
            if self.found[index] {
                continue;
            }
            let mut tally = Tally::default();
            match compare_record(&self.expected[index], actual, &mut tally) {
                Ok(()) => {
                    self.found[index] = true;
                    self.tally.add(&tally);
                    return Ok(());
                }
                Err(mismatch) => {
                    // The first of its kind says more than one of another kind.
                    let better = nearest.is_none() && mismatch.path() != "record";
                    if better {
                        nearest = Some(Departure::from(index, mismatch));
                    }
                }
            }
        }
        match nearest {
            Some(departure) if !self.open => Err(departure),
            _ => self.surplus(actual),
        }
    }

    fn surplus(&self, actual: &Map<String, Json>) -> Result<(), Departure> {
        if self.open {
            return Ok(());
        }
        Err(Departure {
            mismatch: Mismatch::whole("no further record".to_owned(), shown_map(actual)),
            owed: None,
        })
    }

    fn omits(&self, record: &Record) -> bool {
        self.reporting.omitted_kinds.contains(&record.kind)
    }

    pub(super) fn finish(mut self, reported: usize) -> End {
        let before_fault = self.first.clone().or_else(|| self.held_back(reported));
        let mut whole = self.first.take();
        if whole.is_none() {
            let owed = self.owed();
            whole = owed.map(|owed| self.not_reported(owed, reported));
        }
        End {
            whole,
            before_fault,
            tally: self.tally,
        }
    }

    /// The first record that was complete when the trace was cut, and was not reported.
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
            actual: "no further record".to_owned(),
            owed: Some(owed),
            origins: Vec::new(),
            rules: Vec::new(),
        }
    }

    /// The first record that is still owed.
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
