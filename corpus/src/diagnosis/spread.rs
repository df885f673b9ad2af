//! Measures the share of all cases that fail because of a single bug.

use crate::matrix::Matrix;

/// The maximum percentage of cases that a single bug should break. A bug that breaks more cases
/// hides too many other bugs.
const WIDE: usize = 5;

/// The number of bugs to list.
const WIDEST: usize = 5;

/// The number of cases that fail because of each bug.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spread {
    /// The number of cases.
    pub cases: usize,
    /// The number of bugs that break at least one case.
    pub bugs: usize,
    /// The median number of cases that a bug breaks.
    pub median: usize,
    /// The number of bugs that break more than 5% of the cases.
    pub wide: usize,
    /// The bugs that break the most cases.
    pub widest: Vec<Widest>,
}

/// A bug that breaks many cases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widest {
    /// The mutant.
    pub mutant: String,
    /// The number of cases that the mutant fails.
    pub cases: usize,
}

impl Spread {
    /// Counts how many cases each bug breaks. `mistakes` contains the indexes of the bugs in the
    /// matrix.
    pub(super) fn of(matrix: &Matrix, mistakes: &[usize]) -> Self {
        let mut spread: Vec<(usize, &str)> = mistakes
            .iter()
            .map(|index| {
                (
                    matrix.spread(*index),
                    matrix.mistakes[*index].mutant.as_str(),
                )
            })
            .collect();
        // The sort is stable, so bugs with equal counts stay in the order of the matrix.
        spread.sort_by_key(|(cases, _)| std::cmp::Reverse(*cases));
        let cases = matrix.cases();
        let is_wide = |(failed, _): &&(usize, &str)| 100 * failed > WIDE * cases;
        let widest = spread.iter().take(WIDEST).map(|(cases, mutant)| Widest {
            mutant: (*mutant).to_owned(),
            cases: *cases,
        });
        Self {
            cases,
            bugs: spread.len(),
            median: spread.get(spread.len() / 2).map_or(0, |(cases, _)| *cases),
            wide: spread.iter().filter(is_wide).count(),
            widest: widest.collect(),
        }
    }
}
