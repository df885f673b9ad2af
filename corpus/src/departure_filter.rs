//! Selects cases by what is unusual about their traces.

use crate::pattern::Pattern;

/// A selection of cases by the departures of their traces from what typical writers produce.
#[derive(Clone, Debug, Default)]
pub struct DepartureFilter {
    /// At least one of these patterns must match a departure of the case. An empty list selects all
    /// cases.
    pub with: Vec<Pattern>,
    /// Patterns that must not match any departure of the case.
    pub without: Vec<Pattern>,
}

impl DepartureFilter {
    /// Creates a filter with these patterns.
    pub fn new(with: &[String], without: &[String]) -> Self {
        Self {
            with: with.iter().map(Pattern::new).collect(),
            without: without.iter().map(Pattern::new).collect(),
        }
    }

    /// Returns whether a case with these departures is selected.
    pub fn keeps(&self, departures: &[String]) -> bool {
        let has = |pattern: &Pattern| departures.iter().any(|name| pattern.finds(name));
        (self.with.is_empty() || self.with.iter().any(has)) && !self.without.iter().any(has)
    }

    /// Returns whether every case is selected.
    pub fn is_empty(&self) -> bool {
        self.with.is_empty() && self.without.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::DepartureFilter;

    #[test]
    fn departures_select_cases() {
        let keeps = |with: &[&str], without: &[&str], departures: &[&str]| {
            let owned = |texts: &[&str]| -> Vec<String> {
                texts.iter().map(|&text| text.to_owned()).collect()
            };
            let (with, without) = (owned(with), owned(without));
            let filter = DepartureFilter::new(&with, &without);
            let departures = owned(departures);
            filter.keeps(&departures)
        };
        assert!(keeps(&[], &[], &[]) && keeps(&[], &["*"], &[]));
        assert!(!keeps(&[], &["*"], &["NAME-EMPTY"]));
        assert!(keeps(&["EMPTY"], &[], &["NAME-EMPTY", "id: negative"]));
        assert!(!keeps(&["EMPTY"], &["id"], &["NAME-EMPTY", "id: negative"]));
        assert!(!keeps(&["EMPTY"], &[], &[]));
        assert!(keeps(&["a", "b"], &[], &["b"]));
    }
}
