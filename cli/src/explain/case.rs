//! Explains a case.

use std::io::Write;

use tracegauge_corpus::case::Case;
use tracegauge_corpus::dump::dump;
use tracegauge_corpus::suite::{RuleEntry, Suite};
use tracegauge_judge::in_words;
use tracegauge_reports::account::{TOLD, look_at, place, read_from};
use tracegauge_reports::dump::around;
use tracegauge_results::text::{folded, shell_word};
use tracegauge_results::{CaseResult, RunResult};

use super::super::one_line;
use super::{mark, reader_name, twin};
use crate::corpus::with_scope;
use crate::corpus::{CommandError, Scope};
use crate::excerpt;

pub(super) fn explain(
    suite: &Suite,
    case: &Case,
    (runs, scope): (&[RunResult], &Scope),
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    writeln!(out, "{}", case.id)?;
    writeln!(
        out,
        "  tests      {}",
        one_line(&folded(&case.provenance.why))
    )?;
    rules(suite, case, out)?;
    if let Some(operator) = &case.provenance.operator {
        writeln!(out, "  operator   {operator}")?;
    }
    writeln!(out, "  expected   {}", folded(&in_words(case)))?;
    if let Some(other) = case.twin.as_deref().and_then(|id| suite.case(id)) {
        writeln!(out, "  twin       {}", other.id)?;
        for line in twin::difference(&other.bytes, &case.bytes) {
            writeln!(out, "             {line}")?;
        }
    }
    let text = dumped(suite, case)?;
    readers(suite, case, (runs, &text), out)?;
    writeln!(out)?;
    let all = format!(
        "tracegauge corpus show{} {}",
        with_scope(scope),
        shell_word(&case.id)
    );
    Ok(excerpt::write(&text, &all, out)?)
}

fn rules(suite: &Suite, case: &Case, out: &mut dyn Write) -> Result<(), CommandError> {
    let named = case.expected.violation.iter().flat_map(|it| &it.rules);
    let mut shown: Vec<&String> = Vec::new();
    for id in named.chain(&case.provenance.rules) {
        if shown.contains(&id) {
            continue;
        }
        shown.push(id);
        let mut rules = suite.rules.iter();
        if let Some(rule) = rules.find(|rule| rule.id == *id && rule.format == case.format) {
            writeln!(out, "  rule       {}", sentence(rule))?;
        }
    }
    Ok(())
}

fn sentence(rule: &RuleEntry) -> String {
    let sections = rule.sections.join(", ");
    format!("{} ({sections}): {}", rule.id, one_line(&rule.says))
}

/// Prints the rules that apply to a wrong value in a reader's records.
fn about(
    suite: &Suite,
    case: &Case,
    found: &CaseResult,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    for id in found.about_difference().iter().take(TOLD) {
        let mut rules = suite.rules.iter();
        if let Some(rule) = rules.find(|rule| rule.id == *id && rule.format == case.format) {
            writeln!(out, "             rule {}", sentence(rule))?;
        }
    }
    Ok(())
}

fn readers(
    suite: &Suite,
    case: &Case,
    (runs, dump): (&[RunResult], &str),
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    for reader in runs.iter().flat_map(|run| &run.readers) {
        let name = reader_name(&reader.reader.name, reader.reader.version.as_deref());
        let mut cases = reader.cases.iter();
        let Some(found) = cases.find(|found| found.case == case.id) else {
            continue;
        };
        let mark = mark(found.outcome);
        writeln!(out, "{mark} reader     {name}: {}", found.outcome)?;
        if let Some(detail) = &found.detail {
            writeln!(out, "             {}", one_line(&detail.actual))?;
            if let Some(part) = &detail.difference {
                let expected = one_line(&part.expected);
                let actual = one_line(&part.actual);
                writeln!(
                    out,
                    "             {}: {actual}, expected {expected}",
                    one_line(&folded(&place(part)))
                )?;
            }
            about(suite, case, found, out)?;
        }
        if let Some(reason) = &found.known {
            writeln!(out, "             known: {}", one_line(reason))?;
        }
        if found.version != case.version {
            writeln!(
                out,
                "             the result is for version {} of the case, but the corpus has version \
                 {}",
                found.version, case.version
            )?;
        } else {
            origins(found, dump, out)?;
        }
    }
    Ok(())
}

/// Prints the bytes that encode the expected value, or that the reader probably misreads.
fn origins(found: &CaseResult, dump: &str, out: &mut dyn Write) -> Result<(), CommandError> {
    let difference = found.detail.as_ref().and_then(|it| it.difference.as_ref());
    let origins = difference.map_or(&[][..], |difference| &difference.origins);
    for origin in origins {
        let place = one_line(&folded(&read_from(origin)));
        writeln!(out, "             the expected value is read from {place}")?;
    }
    let mut ranges: Vec<_> = origins.iter().map(|it| (it.offset, it.end())).collect();
    if let Some(place) = found.detail.as_ref().and_then(|it| it.look_at.as_ref()) {
        writeln!(out, "             look at {}", one_line(&look_at(place)))?;
        ranges.push((place.offset, place.end()));
    }
    for line in around(dump, &ranges).lines() {
        writeln!(out, "    {line}")?;
    }
    Ok(())
}

/// Returns a dump that shows the bytes of the trace next to its fields.
fn dumped(suite: &Suite, case: &Case) -> Result<String, CommandError> {
    let mut text = Vec::new();
    if let Some(plan) = suite.formats.plan(&case.format) {
        dump(plan, &case.bytes, &mut text)?;
    }
    Ok(String::from_utf8_lossy(&text).into_owned())
}
