//! Measures whether a bug is still detected in the presence of another bug.

use std::collections::HashSet;

use super::Subjects;
use crate::matrix::composed;
use crate::mutation_score::Wrong;
use crate::parallel;

/// Pairs of bugs in one reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// The number of pairs.
    pub tried: usize,
    /// The number of pairs whose bugs were both detected. A bug is detected if the reader fails a
    /// case that a reader with only this bug also fails, but that a reader with only the other bug
    /// passes.
    pub detected: usize,
}

impl Pairs {
    /// Adds the counts in `other` to these counts.
    pub(super) fn add(&mut self, other: Self) {
        self.tried += other.tried;
        self.detected += other.detected;
    }
}

pub(super) fn measure(subjects: &Subjects<'_>, pairs: &[Vec<usize>]) -> Pairs {
    let detected = parallel::map(pairs, |pair| match pair.as_slice() {
        [one, other] => are_detected(subjects, *one, *other),
        _ => false,
    });
    Pairs {
        tried: pairs.len(),
        detected: detected.into_iter().filter(|detected| *detected).count(),
    }
}

fn are_detected(subjects: &Subjects<'_>, one: usize, other: usize) -> bool {
    let both = composed(subjects.bench.plan, &subjects.made(&[one, other]));
    let failed = |mutant: usize| -> HashSet<&str> {
        let failures = subjects.matrix.failures(mutant);
        failures.map(|(case, _)| case).collect()
    };
    let (of_one, of_other) = (failed(one), failed(other));
    // A case that fails because of only one of the bugs detects that bug.
    let is_detected = |by: &HashSet<&str>, beside: &HashSet<&str>| {
        let mut cases = subjects.bench.cases.iter().filter(|case| {
            let id = case.case.id.as_str();
            by.contains(id) && !beside.contains(id)
        });
        cases.any(|case| {
            let found = subjects.bench.other_answer(&both, case);
            let wrong = found.and_then(|found| subjects.bench.oracle.wrong(case.case, &found));
            wrong.is_some_and(Wrong::fails)
        })
    };
    is_detected(&of_one, &of_other) && is_detected(&of_other, &of_one)
}
