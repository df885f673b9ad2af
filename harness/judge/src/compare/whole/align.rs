//! Aligns records that are reported in file order.

use serde_json::{Map, Value as Json};

use super::found::Found;
use super::window::{Reported, Window};

/// The maximum number of consecutive missing or surplus records that a single step may skip to find
/// a better alignment.
const REACH: usize = 8;

/// The number of records to compare when choosing between two alignments.
const LOOKAHEAD: usize = 4;

/// The minimum advantage in similarity that an alignment needs in order to skip records.
const MARGIN: f64 = 0.1;

/// The factor applied to the similarity of two records that differ. Unrelated records of the same
/// kind are often similar, but are hardly ever equal by chance.
const UNEQUAL: f64 = 0.75;

/// A similarity threshold: if the next records are less similar than this, the alignment searches
/// for a match among more distant records.
const UNLIKE: f64 = 0.5 * UNEQUAL;

/// The maximum number of times that an alignment searches all expected records for a match.
const SEARCHES: usize = 16;

/// The current state of the alignment.
#[derive(Debug)]
pub(super) struct Aligned {
    /// The index of the next expected record.
    next: usize,
    window: Window,
    searches: usize,
}

/// The next step of the alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The next expected record and the next reported record match.
    Pair,
    /// The given number of expected records is missing.
    Missing(usize),
    /// The given number of reported records is surplus.
    Surplus(usize),
}

impl Aligned {
    pub(super) fn new(next: usize) -> Self {
        Self {
            next,
            window: Window::default(),
            searches: 0,
        }
    }

    pub(super) fn record(&mut self, found: &mut Found<'_>, actual: &Map<String, Json>) {
        if !found.is_compared(actual) {
            return;
        }
        let index = found.reported - 1;
        self.window.push(Reported::new(index, actual));
        while self.window.is_full(REACH + LOOKAHEAD) {
            self.step(found);
        }
    }

    /// Aligns the remaining records.
    pub(super) fn finish(&mut self, found: &mut Found<'_>) {
        while !self.window.is_empty() && !found.has_given_up() {
            self.step(found);
        }
    }

    fn step(&mut self, found: &mut Found<'_>) {
        self.next = due(found, self.next, 0);
        let step = match self.next < found.expected.len() {
            true => self.choose(found),
            false => Step::Surplus(1),
        };
        match step {
            Step::Pair => {
                if let Some(record) = self.window.pop() {
                    found.pair(self.next, &record);
                }
                self.next += 1;
            }
            Step::Missing(count) => self.next = due(found, self.next, count),
            Step::Surplus(count) => {
                for _ in 0..count {
                    self.window
                        .pop()
                        .into_iter()
                        .for_each(|it| found.surplus(it));
                }
            }
        }
    }

    fn choose(&mut self, found: &mut Found<'_>) -> Step {
        if self.is_right(found, self.next, 0) {
            return Step::Pair;
        }
        let in_step = self.fit(found, (self.next, 0), LOOKAHEAD);
        if in_step >= 1.0 {
            return Step::Pair;
        }
        let own = self.fit(found, (self.next, 0), 1);
        let mut best = (in_step + MARGIN, Step::Pair);
        for skipped in 1..=REACH {
            let later = due(found, self.next, skipped);
            let missing =
                (later < found.expected.len()).then_some((later, 0, Step::Missing(skipped)));
            let surplus = (skipped < self.window.len()).then_some((
                self.next,
                skipped,
                Step::Surplus(skipped),
            ));
            for (expected, reported, step) in [missing, surplus].into_iter().flatten() {
                // Unless the pair of records after the skip fits better than the next pair does
                // now, the gap lies further ahead, and skipping would only misplace it.
                if self.fit(found, (expected, reported), 1) <= own {
                    continue;
                }
                let fit = self.fit(found, (expected, reported), LOOKAHEAD);
                if fit > best.0 {
                    best = (fit, step);
                }
            }
        }
        if best.1 == Step::Pair && in_step < UNLIKE {
            return self.far(found).unwrap_or(Step::Pair);
        }
        best.1
    }

    /// Searches for a distant position at which the next records match exactly.
    fn far(&mut self, found: &mut Found<'_>) -> Option<Step> {
        self.searches += 1;
        if self.searches > SEARCHES {
            return None;
        }
        let mut skipped = 0;
        let mut at = self.next;
        while at < found.expected.len() && !found.has_given_up() {
            if skipped > REACH && self.is_right(found, at, 0) {
                let second = due(found, at, 1);
                if second >= found.expected.len()
                    || self.window.len() < 2
                    || self.is_right(found, second, 1)
                {
                    return Some(Step::Missing(skipped));
                }
            }
            at = due(found, at, 1);
            skipped += 1;
        }
        None
    }

    fn is_right(&self, found: &mut Found<'_>, expected: usize, reported: usize) -> bool {
        let record = self.window.get(reported);
        record.is_some_and(|record| found.is_right(expected, &record.members))
    }

    /// Returns how well up to `count` records match, starting at the given positions, as a number
    /// from 0 to 1.
    fn fit(&self, found: &mut Found<'_>, (mut at, reported): (usize, usize), count: usize) -> f64 {
        let (mut sum, mut compared) = (0.0, 0.0);
        for ahead in 0..count {
            let Some(record) = self.window.get(reported + ahead) else {
                break;
            };
            if at >= found.expected.len() {
                break;
            }
            let similarity = found.similarity(at, &record.members);
            sum += if similarity < 1.0 {
                UNEQUAL * similarity
            } else {
                1.0
            };
            compared += 1.0;
            at = due(found, at, 1);
        }
        if compared == 0.0 { 0.0 } else { sum / compared }
    }
}

/// Skips `count` records that must be reported, starting at `at`, and returns the index of the next
/// record that must be reported. Optional records do not count.
fn due(found: &Found<'_>, mut at: usize, count: usize) -> usize {
    let end = found.expected.len();
    let mut left = count;
    while at < end && (left > 0 || !found.is_due(at)) {
        left -= usize::from(left > 0 && found.is_due(at));
        at += 1;
    }
    at
}
