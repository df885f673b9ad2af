//! The members reported by a reader that does not declare what it reports, and the members that it
//! must therefore report.
//!
//! The members are collected from a fixed sample of valid traces and from each answer itself. The
//! sample is always the same, so that a run split into shards gives the same results as a complete
//! run.

use std::collections::{HashMap, HashSet};

use super::Response;

/// The members that a reader reports, by format.
#[derive(Debug, Default)]
pub struct Reported(HashMap<String, HashSet<String>>);

impl Reported {
    /// Returns the members collected so far for `format`, creating an empty set if there are none.
    pub fn begin(&mut self, format: &str) -> &mut HashSet<String> {
        self.0.entry(format.to_owned()).or_default()
    }

    /// Adds the members reported in an answer to a trace of `format`.
    pub fn take_in(&mut self, format: &str, response: &Response) {
        let known = self.begin(format);
        let seen = response.seen.iter();
        let names = seen.flat_map(|seen| seen.tally.reported_names());
        known.extend(names.map(str::to_owned));
    }

    /// Returns whether the members reported for `format` have been collected.
    pub fn knows(&self, format: &str) -> bool {
        self.0.contains_key(format)
    }

    /// Treats a missing member as required if the member has been collected for `format`, or if the
    /// answer itself reports the member elsewhere.
    pub fn hold(&self, format: &str, response: &mut Response) {
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
