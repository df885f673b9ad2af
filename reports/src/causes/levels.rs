//! Counts the results of the valid cases by the number of departures (unusual properties) of their
//! traces.

use std::collections::HashMap;
use std::fmt;

use tracegauge_results::{Expectation, Outcome, ReaderResult, Symptom};

use super::never;
use super::sighting::View;

/// The names of the levels: no departure, one, two, and three or more.
const NAMES: [&str; 4] = [
    "plain",
    "with one departure",
    "with two departures",
    "with more departures",
];

/// The valid cases with 0, 1, 2, and 3 or more departures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels(pub [Level; 4]);

/// The valid cases with the same number of departures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// The number of cases. Cases that need a feature that the reader declares as unsupported are
    /// not counted.
    pub cases: usize,
    /// The number of cases that pass.
    pub passed: usize,
    /// The number of failing cases whose differences are all explained by causes that already
    /// affect a plainer case. All other values in the records of these cases are correct.
    pub otherwise_correct: usize,
}

impl Levels {
    pub(super) fn of(reader: &ReaderResult) -> Self {
        // For each case, the symptoms that plainer cases explain.
        let mut explained: HashMap<&str, Vec<&Symptom>> = HashMap::new();
        for cause in &reader.causes {
            for case in cause.cases.iter().filter(|case| **case != cause.simplest) {
                let symptoms = [&cause.symptom].into_iter().chain(&cause.also);
                explained.entry(case).or_default().extend(symptoms);
            }
        }
        let is_explained = |view: &View<'_>| {
            let symptoms = explained.get(view.case.case.as_str());
            let mut sightings = view.sightings.iter();
            view.is_compared()
                && sightings.all(|it| symptoms.is_some_and(|all| is_among(&it.symptom, all)))
        };
        let mut levels = Self::default();
        for case in &reader.cases {
            let departures = case.departures.len();
            let is_counted =
                case.expected == Expectation::Accept && case.outcome != Outcome::Unsupported;
            let Some(level) = levels.0.get_mut(departures.min(NAMES.len() - 1)) else {
                continue;
            };
            if is_counted {
                let is_passed = case.outcome == Outcome::Pass;
                level.cases += 1;
                level.passed += usize::from(is_passed);
                level.otherwise_correct += usize::from(!is_passed && is_explained(&View::of(case)));
            }
        }
        levels
    }
}

/// Returns whether `explained` contains the symptom, or the same fault in the records of nearly all
/// traces.
fn is_among(symptom: &Symptom, explained: &[&Symptom]) -> bool {
    explained.iter().any(|it| {
        *it == symptom
            || it.is_everywhere() && it.record_fault() == symptom.record_fault()
            || never::covers(it, symptom)
    })
}

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let levels = NAMES.iter().zip(self.0);
        let levels = levels.filter(|(_, level)| level.cases > 0);
        for (index, (name, level)) in levels.enumerate() {
            let before = match index {
                0 => "valid traces passed:",
                _ => ",",
            };
            write!(f, "{before} {} of {} {name}", level.passed, level.cases)?;
            if level.otherwise_correct > 0 {
                write!(f, " ({} otherwise correct)", level.otherwise_correct)?;
            }
        }
        Ok(())
    }
}
