//! Finds the probable causes behind a reader's failures, and orders them from plain to unusual.
//!
//! A single bug can break many cases. The plainest of these cases isolates the bug best, so the
//! failing cases are considered from plain to unusual. A case is *explained* by an earlier cause if
//! it fails in the same way and its trace has the *feature* of that cause: a departure or a rule
//! that occurs in no valid trace that the reader reads correctly. A case that no earlier cause
//! explains becomes a new cause.
//!
//! Answers are compared as a whole, so one case may show several symptoms and belong to several
//! causes. A failing case is also evidence about the symptoms that it lacks: if all of its records
//! were compared, nothing in its trace causes those symptoms.
//!
//! The causes depend neither on the order of the cases nor on the division into shards. Every case
//! that fails the run belongs to at least one cause.

mod choice;
mod draft;
mod everywhere;
mod evidence;
mod levels;
mod never;
mod sighting;
mod summary;
mod symptom;
mod words;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use tracegauge_results::{CaseResult, Cause, ReaderResult, RunHead};

pub use levels::{Level, Levels};
pub(crate) use summary::{Blamed, Told};

use draft::Drafts;
use evidence::Evidence;

/// The heading of the causes in all reports.
pub(crate) const HEADING: &str =
    "probable causes, starting with those that affect the most typical traces";

/// The message that precedes the causes if a reader keeps state between traces.
pub const REMEMBERS: &str = "the reader keeps state from one trace to the next: a new process answers \
                             differently. The resulting failures look like other mistakes, so fix \
                             this mistake first, or use `mode: once`, which starts a process for \
                             each trace";

/// Finds the causes of `reader`'s failures that fail the run. Among causes with the same impact,
/// causes with more cases come first.
pub fn of(run: &RunHead, reader: &ReaderResult) -> Vec<Cause> {
    let failing = || reader.cases.iter().filter(|case| case.fails_the_run());
    let formats: BTreeSet<&str> = failing().map(|case| case.format.as_str()).collect();
    let mut causes = Vec::new();
    for format in formats {
        let evidence = Evidence::of(run, reader, format);
        let mut cases: Vec<&CaseResult> = failing().filter(|case| case.format == format).collect();
        cases.sort_by_key(|case| evidence::plainness(case));
        causes.extend(Drafts::of(&evidence, &cases).finish());
    }
    causes.sort_by_key(|cause| {
        let size = Reverse(cause.cases.len());
        let simplest = (cause.departures.len(), cause.simplest.clone());
        (cause.impact, size, simplest)
    });
    causes
}

/// Counts the valid cases of `reader` by the number of their departures. The causes of the reader's
/// failures must already have been found.
pub fn levels(reader: &ReaderResult) -> Levels {
    Levels::of(reader)
}
