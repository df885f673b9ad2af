//! Draws the choices of an element again if the element cannot be written, or if the trace with it
//! is invalid.
//!
//! The emitter chooses values that satisfy most conditions, but a description may contain conditions
//! that the emitter cannot solve, and choices that leave no value for a later field. The choices
//! before such an element are still good, so the trace is generated again with the same choices up
//! to the start of the element, and with others from there on. If that does not help, the choices of
//! more and more earlier elements are replaced.
//!
//! If that does not help either, the trace is generated anew, and after each failure choices are
//! replaced from a field on that is related to the failure.

mod related;

use std::collections::HashMap;

use tracegauge_plan::{OpId, Plan};

use crate::error::GenerateError;
use crate::tape::Random;

/// The maximum number of attempts that fail after the same number of elements.
const MOST_FAILURES: usize = 48;

/// The number of failures after the same number of elements after which choices before the last
/// element are replaced.
const FAILURES_OF_LAST: usize = 12;

/// The maximum number of attempts.
const MOST_ATTEMPTS: u64 = 1000;

/// The maximum number of choices, in all attempts together, after which no more attempts are made,
/// unless the options say otherwise.
pub const MOST_CHOICES: usize = 1 << 20;

/// How far an unsuccessful attempt to generate a trace came.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// The number of choices before each element that was begun, in ascending order.
    pub starts: Vec<usize>,
    /// The number of elements that were completed.
    pub completed: usize,
    /// The number of choices.
    pub choices: usize,
    /// The fields that were written, each with the number of choices before it, in ascending order.
    pub fields: Vec<(OpId, usize)>,
    /// The field, structure or list because of which the attempt failed.
    pub failed: Option<OpId>,
}

/// The choices of the next attempt to generate the trace of a seed.
pub struct Redraws {
    seed: u64,
    /// Where the choices are replaced, in ascending order, each with the seed of the new choices.
    redraws: Vec<(usize, u64)>,
    attempts: u64,
    /// The number of failures after each number of completed elements.
    failures: HashMap<usize, usize>,
    choices: usize,
    /// The maximum number of choices.
    most: usize,
    /// How the related fields are found, once the choices of whole elements have been replaced in
    /// vain.
    related: Option<related::Turns>,
}

impl Redraws {
    /// Creates the choices of the first attempt. No more attempts are made after `most` choices.
    pub fn new(seed: u64, most: usize) -> Self {
        Self {
            most,
            seed,
            redraws: Vec::new(),
            attempts: 0,
            failures: HashMap::new(),
            choices: 0,
            related: None,
        }
    }

    /// Returns the choices of the next attempt.
    pub fn random(&self) -> Random {
        Random::new(self.seed).redrawn(&self.redraws)
    }

    /// Replaces choices after an unsuccessful attempt. Returns false if there should be no further
    /// attempt.
    pub fn again(&mut self, plan: &Plan, error: &GenerateError, progress: &Progress) -> bool {
        let is_hopeless = match error {
            GenerateError::Invalid(_) => false,
            GenerateError::Refused { .. } => error.is_too_large(),
            _ => true,
        };
        if is_hopeless {
            return false;
        }
        if self.related.is_some() {
            return self.redraw_related(plan, progress);
        }
        if self.redraw_element(progress) {
            return true;
        }
        // A trace whose failing field is unknown cannot be improved.
        if progress.failed.is_none() || progress.fields.is_empty() {
            return false;
        }
        self.related = Some(related::Turns::default());
        self.redraws.clear();
        (self.attempts, self.choices) = (0, 0);
        true
    }

    /// Replaces the choices from a field on that is related to the failure.
    fn redraw_related(&mut self, plan: &Plan, progress: &Progress) -> bool {
        self.choices += progress.choices;
        if self.attempts == MOST_ATTEMPTS || self.choices > self.most {
            return false;
        }
        let turns = self.related.as_mut();
        let Some(from) = turns.and_then(|turns| turns.next(plan, progress)) else {
            return false;
        };
        self.replace_from(from);
        true
    }

    /// Replaces the choices from the start of an element on.
    fn redraw_element(&mut self, progress: &Progress) -> bool {
        self.choices += progress.choices;
        let failures = self.failures.entry(progress.completed).or_default();
        *failures += 1;
        if *failures > MOST_FAILURES || self.attempts == MOST_ATTEMPTS || self.choices > self.most {
            return false;
        }
        let back = match *failures / FAILURES_OF_LAST {
            more if failures.is_multiple_of(FAILURES_OF_LAST) => 1 << (more - 1),
            _ => 0,
        };
        let kept = progress.starts.len().checked_sub(1 + back);
        let from = kept.map_or(0, |last| progress.starts[last]);
        self.replace_from(from);
        true
    }

    fn replace_from(&mut self, from: usize) {
        self.attempts += 1;
        self.redraws.retain(|(start, _)| *start < from);
        let seed = self.seed.rotate_left(32) ^ self.attempts;
        self.redraws.push((from, seed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::Choices;

    fn refused(why: &'static str) -> GenerateError {
        GenerateError::Refused {
            field: String::new(),
            why,
            described: None,
            node: None,
        }
    }

    const NO_VALUE: &str = "no value is possible";

    fn progress() -> Progress {
        Progress {
            starts: vec![0, 2, 4],
            completed: 2,
            choices: 5,
            ..Progress::default()
        }
    }

    fn drawn(mut random: Random) -> Vec<u64> {
        (0..6).map(|_| random.choose(u64::MAX, None)).collect()
    }

    #[test]
    fn choices_before_the_last_element_stay() {
        let mut redraws = Redraws::new(7, MOST_CHOICES);
        let first = drawn(redraws.random());
        assert!(redraws.again(&Plan::default(), &refused(NO_VALUE), &progress()));
        let second = drawn(redraws.random());
        assert_eq!(first[..4], second[..4]);
        assert!(first[4..].iter().zip(&second[4..]).all(|(a, b)| a != b));
    }

    #[test]
    fn earlier_choices_are_replaced_if_that_does_not_help() {
        let mut redraws = Redraws::new(7, MOST_CHOICES);
        let first = drawn(redraws.random());
        let mut attempts = 0;
        while redraws.again(&Plan::default(), &refused(NO_VALUE), &progress()) {
            attempts += 1;
        }
        assert_eq!(attempts, MOST_FAILURES);
        assert_ne!(first[0], drawn(redraws.random())[0]);
    }

    #[test]
    fn a_trace_that_is_too_large_is_not_tried_again() {
        let error = refused(crate::error::TOO_LONG);
        assert!(!Redraws::new(1, MOST_CHOICES).again(
            &Plan::default(),
            &error,
            &Progress::default()
        ));
    }
}
