//! Chooses among mistakes that explain the failures of a cause equally well: a mistake that explains
//! other failures of the reader, too, is more probable.

use std::collections::{HashMap, HashSet};

use tracegauge_corpus::matrix::{Failure, Matrix};
use tracegauge_results::{Cause, ReaderResult};

use super::observed;

/// The failures of a reader, by case.
pub(super) struct Failures<'r>(HashMap<&'r str, Failure>);

impl<'r> Failures<'r> {
    pub(super) fn of(reader: &'r ReaderResult, format: &str) -> Self {
        let cases = reader.cases.iter().filter(|it| it.format == format);
        let failing = cases.filter_map(|it| Some((it.case.as_str(), observed(it)?.failure?)));
        Self(failing.collect())
    }

    /// Returns the failures that a mistake explains exactly.
    fn explained<'m>(&self, matrix: &'m Matrix, mistake: usize) -> impl Iterator<Item = &'m str> {
        let failures = matrix.failures(mistake).filter(|(case, failure)| {
            let own = self.0.get(case);
            own.is_some_and(|own| own.is_shown_by(*failure))
        });
        failures.map(|(case, _)| case)
    }

    /// Returns the number of failures outside of a cause that a mistake explains exactly.
    pub(super) fn support(&self, matrix: &Matrix, cause: &Cause, mistake: usize) -> usize {
        let cases: HashSet<&str> = cause.cases.iter().map(String::as_str).collect();
        let explained = self.explained(matrix, mistake);
        explained.filter(|case| !cases.contains(case)).count()
    }

    /// Keeps the mistakes with the most support.
    pub(super) fn best(&self, matrix: &Matrix, cause: &Cause, mistakes: &mut Vec<usize>) {
        if mistakes.len() < 2 {
            return;
        }
        let of = |mistake: &usize| self.support(matrix, cause, *mistake);
        let support: Vec<usize> = mistakes.iter().map(of).collect();
        let most = support.iter().max().copied();
        let mut support = support.into_iter();
        mistakes.retain(|_| support.next() == most);
    }

    /// Returns true if a mistake explains all failures of a cause that can be compared, of which
    /// there must be at least one.
    pub(super) fn all_explained(&self, matrix: &Matrix, cause: &Cause, mistake: usize) -> bool {
        let explained: HashSet<&str> = self.explained(matrix, mistake).collect();
        let cases = cause.cases.iter().map(String::as_str);
        let mut comparable = cases.filter(|case| matrix.knows(case)).peekable();
        comparable.peek().is_some() && comparable.all(|case| explained.contains(case))
    }
}
