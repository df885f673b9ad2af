//! Measures how far the generated cases of a corpus differ from the traces of typical writers.

use serde::Serialize;

use crate::case::{Case, Source};

/// The departures of the generated cases of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Departed {
    /// The departures of valid cases, except cases that combine several obligations on purpose.
    pub valid: Figures,
    /// The departures of malformed cases, besides their faults.
    pub malformed: Figures,
}

/// Statistics on the departures in a set of cases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// The number of cases.
    pub cases: usize,
    /// The number of cases without any departure.
    pub plain: usize,
    /// The median number of departures.
    pub median: usize,
    /// The 95th percentile of the number of departures.
    pub percentile_95: usize,
}

impl Departed {
    /// Measures the departures of `cases`.
    pub fn of(cases: &[&Case]) -> Self {
        let from = |source: Source| {
            let cases = cases.iter();
            let cases = cases.filter(|case| case.provenance.source == source && !is_pack(case));
            Figures::of(cases.map(|case| case.departures.len()).collect())
        };
        Self {
            valid: from(Source::Valid),
            malformed: from(Source::Malformed),
        }
    }
}

/// Returns true if a case combines several obligations on purpose.
fn is_pack(case: &Case) -> bool {
    case.id.contains("/valid/packs/") || case.id.contains("/valid/large/packs/")
}

impl Figures {
    fn of(mut departures: Vec<usize>) -> Self {
        departures.sort_unstable();
        let cases = departures.len();
        // The smallest number that at least this percentage of the cases does not exceed.
        let percentile = |percent: usize| {
            let place = (cases * percent).div_ceil(100).saturating_sub(1);
            departures.get(place).copied().unwrap_or_default()
        };
        Self {
            cases,
            plain: departures.iter().filter(|count| **count == 0).count(),
            median: percentile(50),
            percentile_95: percentile(95),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Figures;

    #[test]
    fn figures_are_those_of_the_sorted_numbers() {
        let figures = |cases, plain, median, percentile_95| Figures {
            cases,
            plain,
            median,
            percentile_95,
        };
        assert_eq!(Figures::of(Vec::new()), Figures::default());
        assert_eq!(Figures::of(vec![3]), figures(1, 0, 3, 3));
        assert_eq!(Figures::of(vec![2, 0, 1, 0]), figures(4, 2, 0, 2));
        let mut many = vec![1; 19];
        many.push(9);
        assert_eq!(Figures::of(many), figures(20, 0, 1, 1));
    }
}
