//! Prints pages about a description: the reference page of the format, and the questions that its
//! specification leaves open.

use std::collections::BTreeMap;
use std::path::Path;

use tracegauge_harness::suggested::word;
use tracegauge_results::json;
use tracegauge_results::{CaseResult, Expectation, Noted, Outcome, RunResult};
use tracegauge_spec::bundled;
use tracegauge_spec::load::{Disk, load};
use tracegauge_spec::page;
use tracegauge_spec::schema::Schema;

use crate::{Exit, usage};

/// Prints the reference page of a format. If `name` is a dialect whose name differs from that of
/// its format, prints the page of this dialect.
pub(super) fn docs(name: &str) -> Exit {
    print(name, |schema| {
        let of_dialect = (name != schema.meta.id).then(|| page::dialect_page(schema, name));
        of_dialect.flatten().unwrap_or_else(|| page::page(schema))
    })
}

/// Prints the open questions of a format, with the behavior of the readers in `results`.
pub(super) fn ledger(name: &str, results: &[String]) -> Exit {
    let mut runs = Vec::new();
    for file in results {
        match json::read(Path::new(file)) {
            Ok(run) => runs.push(run),
            Err(error) => return usage(&error.to_string()),
        }
    }
    print(name, |schema| {
        page::ledger(schema, &|rule| conduct(schema, rule, &runs))
    })
}

fn print(name: &str, render: impl FnOnce(&Schema) -> String) -> Exit {
    let loaded = match bundled::find(name).as_slice() {
        [] if Path::new(name).exists() => load(&Disk::default(), name),
        [] => {
            let known = bundled::list().iter().flat_map(|format| format.ids());
            let known: Vec<_> = known.collect();
            let message = format!(
                "no file `{name}`, and no description of a format with this name; known formats: {}",
                known.join(", ")
            );
            return usage(&message);
        }
        [format] => format.load(),
        several => {
            let ids: Vec<_> = several.iter().map(|format| format.id.as_str()).collect();
            return usage(&format!(
                "`{name}` matches several formats; choose one of {}",
                ids.join(", ")
            ));
        }
    };
    match loaded.schema {
        Some(schema) => {
            crate::tell!("{}", render(&schema));
            Exit::Ok
        }
        None => usage(&format!(
            "`{name}` has mistakes; run `tracegauge spec check {}` to see them",
            word(name.as_ref())
        )),
    }
}

/// Summarizes how each reader in `runs` handled the cases whose main rule is `rule`.
fn conduct(schema: &Schema, rule: &str, runs: &[RunResult]) -> Vec<page::Conduct> {
    let of_format = |case: &&CaseResult| {
        schema
            .dialects
            .iter()
            .any(|dialect| dialect.id == case.format)
            && case.rules.first().is_some_and(|first| first == rule)
    };
    let mut said = Vec::new();
    for reader in runs.iter().flat_map(|run| &run.readers) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for case in reader.cases.iter().filter(of_format) {
            *counts.entry(did(case)).or_default() += 1;
        }
        if counts.is_empty() {
            continue;
        }
        let parts: Vec<_> = counts
            .iter()
            .map(|(what, times)| format!("{what} {times}"))
            .collect();
        said.push(page::Conduct {
            reader: reader.reader.name.clone(),
            does: parts.join(", "),
        });
    }
    said
}

/// Describes how a reader handled a case.
fn did(case: &CaseResult) -> &'static str {
    match (case.outcome, case.noted, case.expected) {
        (_, Some(Noted::Accepted), _) | (Outcome::WrongAccept, ..) => "accepts",
        (_, Some(Noted::Rejected), _) | (Outcome::WrongReject, ..) => "rejects",
        (_, Some(Noted::Unsupported), _) | (Outcome::Unsupported | Outcome::UndeclaredGap, ..) => {
            "does not support"
        }
        (Outcome::WrongRecords, ..) => "reads other records from",
        (Outcome::Pass, _, Expectation::Accept) => "accepts",
        (Outcome::Pass, _, Expectation::Reject) => "rejects",
        (Outcome::Pass, ..) => "answers",
        _ => "fails to answer",
    }
}
