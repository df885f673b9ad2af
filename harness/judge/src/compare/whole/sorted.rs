//! Compares records that are reported in an order chosen by the reader.

use serde_json::{Map, Value as Json};

use super::found::Found;
use super::window::Reported;

/// The maximum number of expected records to search for the most similar record.
const AMONG: usize = 32;

/// The minimum similarity of two records for them to be considered a match.
const SIMILAR: f64 = 0.3;

/// The search for the expected record that matches a reported record.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// The index of the first expected record that has not been found.
    next: usize,
}

impl Sorted {
    pub(super) fn record(&mut self, found: &mut Found<'_>, actual: &Map<String, Json>) {
        if !found.is_compared(actual) {
            return;
        }
        let end = found.expected.len();
        while self.next < end && found.matched[self.next] {
            self.next += 1;
        }
        for at in self.next..end {
            if !found.matched[at] && found.is_right(at, actual) {
                found.matched[at] = true;
                return;
            }
            if found.has_given_up() {
                return;
            }
        }
        let record = Reported::new(found.reported - 1, actual);
        let left = (self.next..end).filter(|at| !found.matched[*at] && found.is_due(*at));
        let left: Vec<usize> = left.take(AMONG).collect();
        let mut best = (SIMILAR, None);
        for at in left {
            let similarity = found.similarity(at, actual);
            if similarity > best.0 {
                best = (similarity, Some(at));
            }
        }
        match best.1 {
            Some(at) => found.pair(at, &record),
            None => found.surplus(record),
        }
    }
}
