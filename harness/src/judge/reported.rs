//! What a reader turns out to report that does not say so, and what it owes by that.
//!
//! What it reports is looked for in a sample of valid traces that is the same each time, so that
//! parts of a run come to the same results as the whole; and in each answer itself.

use std::collections::{HashMap, HashSet};

use super::Response;

/// The members that a reader reports, by format.
#[derive(Debug, Default)]
pub(crate) struct Reported(HashMap<String, HashSet<String>>);

impl Reported {
    /// Nothing is known to be reported of `format`, unless something is.
    pub(crate) fn begin(&mut self, format: &str) -> &mut HashSet<String> {
        self.0.entry(format.to_owned()).or_default()
    }

    /// Takes in what an answer to a trace of `format` reports.
    pub(crate) fn take_in(&mut self, format: &str, response: &Response) {
        let known = self.begin(format);
        let seen = response.seen.iter();
        let names = seen.flat_map(|seen| seen.tally.reported_names());
        known.extend(names.map(str::to_owned));
    }

    /// Whether what it reports of `format` was looked for.
    pub(crate) fn knows(&self, format: &str) -> bool {
        self.0.contains_key(format)
    }

    /// Holds the answer to a trace of `format` to these members, and to those that it reports itself.
    pub(crate) fn hold(&self, format: &str, response: &mut Response) {
        let Some(seen) = &mut response.seen else {
            return;
        };
        if seen.left_out.is_empty() {
            return;
        }
        let own: HashSet<String> = seen.tally.reported_names().map(str::to_owned).collect();
        let known = self.0.get(format);
        seen.hold(|member| {
            own.contains(&member.name) || known.is_some_and(|known| known.contains(&member.name))
        });
    }
}
