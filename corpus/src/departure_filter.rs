//! Selects cases by what is unusual about their traces.

use crate::pattern::Pattern;

/// The options that select cases by their departures from plain traces.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct DepartureArgs {
    /// Select only cases that have a departure (an unusual feature of the trace: see
    /// `tracegauge departures`) whose name contains PATTERN, or matches it if PATTERN contains * or
    /// ?; may be repeated
    #[arg(long = "with", value_name = "PATTERN")]
    pub with: Vec<String>,
    /// Select only cases that have no departure matching PATTERN (see --with); '*' selects cases
    /// without any departure; may be repeated
    #[arg(long = "without", value_name = "PATTERN")]
    pub without: Vec<String>,
}

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
    /// Creates the filter for the options of a command.
    pub fn new(args: &DepartureArgs) -> Self {
        Self {
            with: args.with.iter().map(Pattern::new).collect(),
            without: args.without.iter().map(Pattern::new).collect(),
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
    use super::{DepartureArgs, DepartureFilter};

    #[test]
    fn departures_select_cases() {
        let keeps = |with: &[&str], without: &[&str], departures: &[&str]| {
            let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
            let (with, without) = (owned(with), owned(without));
            let filter = DepartureFilter::new(&DepartureArgs { with, without });
            let departures: Vec<String> = owned(departures);
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
