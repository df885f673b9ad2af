//! Looks up cases in the corpus for reports.

use std::collections::HashMap;

use tracegauge_corpus::case::Case;
use tracegauge_corpus::dump::dump;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::suite::Suite;
use tracegauge_reports::casebook::{CasePage, Casebook};
use tracegauge_results::RunResult;

use super::readers;
use crate::{OutputOptions, progress::Bar, state};

/// The cases that a report can look up.
#[derive(Debug)]
pub struct Library<'a> {
    cases: HashMap<&'a str, &'a Case>,
    formats: &'a Formats,
}

impl<'a> Library<'a> {
    /// Creates a library of `cases`, which belong to `formats`.
    pub fn new(cases: &'a [Case], formats: &'a Formats) -> Self {
        Self {
            cases: cases.iter().map(|case| (case.id.as_str(), case)).collect(),
            formats,
        }
    }
}

impl Casebook for Library<'_> {
    fn page(&self, case: &str, version: u32) -> Option<CasePage> {
        let case = self.cases.get(case)?;
        if case.version != version {
            return None;
        }
        let mut text = Vec::new();
        if case.is_huge() {
            text.extend(b"The trace is too large to be shown.\n");
        } else if let Some(plan) = self.formats.plan(&case.format) {
            // Writing to memory does not fail.
            let _ = dump(plan, &case.bytes, &mut text);
        }
        Some(CasePage {
            why: case.provenance.why.clone(),
            operator: case.provenance.operator.clone(),
            twin: case.twin.clone(),
            dump: String::from_utf8_lossy(&text).into_owned(),
        })
    }
}

/// Generates the cases that a report of `results` can look up: the cases of the description file
/// `spec` or, if there is none, of each bundled format that has a failing case in `results`. If the
/// cases cannot be generated, prints a note and returns an empty suite, because a report can be
/// written without them.
pub(super) fn suite(
    results: &[RunResult],
    spec: Option<&str>,
    output_options: OutputOptions,
) -> Suite {
    let is_read = |format: &str| {
        readers(results).any(|reader| {
            let mut cases = reader.cases.iter();
            cases.any(|case| case.format == format && case.outcome.is_failure())
        })
    };
    let bar = Bar::new(output_options);
    let loaded = match spec {
        Some(path) => Suite::of_file(path, &[], &state::quick_search(), &bar),
        None => Suite::load(&[], is_read, &bar),
    };
    loaded.unwrap_or_else(|error| {
        crate::remark!("note: the report omits details of the cases: {error}");
        Suite::default()
    })
}
