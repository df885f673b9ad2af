//! The options that select cases by what is unusual about their traces.

use tracegauge_corpus::departure_filter::DepartureFilter;

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

impl DepartureArgs {
    /// Returns the selection.
    pub fn filter(&self) -> DepartureFilter {
        DepartureFilter::new(&self.with, &self.without)
    }
}
