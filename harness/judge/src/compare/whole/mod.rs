//! Compares a complete answer, including everything after its first difference.
//!
//! Records are *aligned*: a record that is missing, repeated or in the wrong place does not make
//! all later records differ. Only the differences and a few records are stored, and the number of
//! comparisons is proportional to the number of records.

mod align;
mod found;
mod member;
mod sorted;
mod window;

use serde_json::{Map, Value as Json};
use tracegauge_decoder::record::Record;
use tracegauge_protocol::reader_file::Order;
use tracegauge_results::Differences;

use self::align::Aligned;
use self::found::Found;
use self::sorted::Sorted;
use super::track::Terms;

/// The number of record comparisons allowed per record.
const WORK: usize = 128;

/// The minimum number of record comparisons allowed per answer.
const LEAST_WORK: usize = 4096;

/// The comparison of an answer, starting with its first difference.
#[derive(Debug)]
pub(super) struct Rest<'e> {
    found: Found<'e>,
    method: Method,
}

#[derive(Debug)]
enum Method {
    InOrder(Aligned),
    Sorted(Sorted),
}

/// The initial state of a comparison.
#[derive(Debug)]
pub(super) struct Start<'e> {
    pub(super) expected: &'e [Record],
    /// For each expected record, whether it must be reported.
    pub(super) is_due: Vec<bool>,
    /// The members that the reader reports, and the rules for comparing its records.
    pub(super) terms: Terms<'e>,
    /// The index of the first expected record that has not been compared.
    pub(super) next: usize,
    /// With `Order::Time`, whether each expected record has been found.
    pub(super) matched: Vec<bool>,
    /// The number of records that have been reported.
    pub(super) reported: usize,
    /// Whether further records may follow the expected ones.
    pub(super) open: bool,
}

impl<'e> Rest<'e> {
    pub(super) fn new(start: Start<'e>) -> Self {
        let method = match start.terms.order {
            Order::File => Method::InOrder(Aligned::new(start.next)),
            Order::Time => Method::Sorted(Sorted::default()),
        };
        Self {
            found: Found::new(start),
            method,
        }
    }

    /// Compares the next record.
    pub(super) fn record(&mut self, actual: &Map<String, Json>) {
        self.found.reported += 1;
        if self.found.has_given_up() {
            return;
        }
        match &mut self.method {
            Method::InOrder(aligned) => aligned.record(&mut self.found, actual),
            Method::Sorted(sorted) => sorted.record(&mut self.found, actual),
        }
    }

    /// Returns the differences.
    pub(super) fn finish(mut self) -> Differences {
        if let Method::InOrder(aligned) = &mut self.method {
            aligned.finish(&mut self.found);
        }
        self.found.finish()
    }
}
