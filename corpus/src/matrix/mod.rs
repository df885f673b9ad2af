//! The outcome matrix of a format: the outcome of each known mistake on each case.
//!
//! A *mistake* is a mutant of the plan, or several mutants that make the same mistake in different
//! places. Running all mistakes against all cases takes minutes, so `tracegauge corpus build`
//! stores the outcomes in `corpus/matrix/`. With the matrix, finding the mistakes that explain the
//! failures of a reader takes only milliseconds ([`Matrix::explain`]).
//!
//! The matrix is sparse: for each mistake, it contains only the cases that the mistake breaks, each
//! with the kind of the failure and a fingerprint of the first wrong record. A matrix is valid only
//! for the description, the cases and the mutants that it was computed from ([`Identity`]).

mod compute;
mod explain;
mod file;
mod identity;
mod mistake;

pub use compute::{Limited, compute, compute_within};
pub(crate) use compute::{may_differ, touches};
pub use explain::{Certainty, Explained, Explanation, Observed, Scope};
pub use file::identity_of;
pub use file::{MatrixError, load, save};
pub use identity::{Identity, Part};
pub(crate) use mistake::composed;
pub use mistake::{Mistake, mistakes};

use crate::case::{Case, Source};
use crate::mutation_score::{Oracle, Parting, Wrong};

/// How a reader, or the decoder with a mistake, fails a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Failure {
    /// The wrong part of the answer: the verdict, the records, or the whole answer if it is
    /// invalid.
    pub wrong: Wrong,
    /// The fingerprint of the first difference between the actual and the expected records
    /// ([`fingerprint`]). `None` if the records do not differ or are unknown.
    pub difference: Option<u32>,
}

/// Returns a fingerprint that is the same for equal differences and almost always distinct for
/// different ones. Differences are equal if they show the same wrong value of the same member, even
/// if the value is written in a different notation.
pub fn fingerprint(parting: &Parting, oracle: &dyn Oracle) -> u32 {
    let owed = parting.owed.map_or(String::new(), |owed| owed.to_string());
    let mut hasher = blake3::Hasher::new();
    for part in [&owed, &parting.path, &oracle.canonical(&parting.came)] {
        hasher.update(part.as_bytes());
        hasher.update(b"\0");
    }
    let [a, b, c, d, ..] = *hasher.finalize().as_bytes();
    u32::from_be_bytes([a, b, c, d])
}

/// The outcomes of all mistakes on all cases of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix {
    /// The id of the format and dialect.
    pub format: String,
    /// The identity of the inputs that the matrix was computed from.
    pub identity: Identity,
    /// The mistakes.
    pub mistakes: Vec<Mistake>,
    /// The cases, sorted by their ids.
    columns: Vec<Column>,
    /// For each mistake, the cases that it breaks, in the order of the columns.
    rows: Vec<Vec<Cell>>,
}

/// A case of a matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    case: String,
    version: u32,
    /// The different failures that mistakes cause in the case, sorted.
    failures: Vec<Failure>,
}

/// A case that a mistake breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cell {
    /// The index of the case.
    column: u32,
    /// The index of the failure in the column's list of failures.
    failure: u32,
}

/// Returns true if the outcome matrix of a corpus contains this case. Regressions are not part of a
/// matrix, so adding a regression does not make the matrix out of date.
pub fn contains(case: &Case) -> bool {
    case.state.runs() && case.provenance.source != Source::Regression
}

impl Matrix {
    /// Returns the number of cases.
    pub fn cases(&self) -> usize {
        self.columns.len()
    }

    /// Returns true if the matrix contains this version of a case.
    pub fn has(&self, case: &str, version: u32) -> bool {
        let column = self.column(case);
        column.is_some_and(|it| self.columns[it].version == version)
    }

    /// Returns true if the matrix contains some version of a case.
    pub fn knows(&self, case: &str) -> bool {
        self.column(case).is_some()
    }

    /// Returns the cases that a mistake breaks, each with the failure.
    pub fn failures(&self, mistake: usize) -> impl Iterator<Item = (&str, Failure)> {
        let row = self.rows.get(mistake).into_iter().flatten();
        row.map(|cell| (self.case(*cell), self.failure(*cell)))
    }

    /// Returns the number of cases that a mistake breaks.
    pub fn spread(&self, mistake: usize) -> usize {
        self.rows.get(mistake).map_or(0, Vec::len)
    }

    fn case(&self, cell: Cell) -> &str {
        &self.columns[cell.column as usize].case
    }

    fn failure(&self, cell: Cell) -> Failure {
        self.columns[cell.column as usize].failures[cell.failure as usize]
    }

    /// Returns the index of a case's column.
    fn column(&self, case: &str) -> Option<usize> {
        let found = self
            .columns
            .binary_search_by(|it| it.case.as_str().cmp(case));
        found.ok()
    }
}
