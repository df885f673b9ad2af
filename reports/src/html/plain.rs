//! The part of the page that needs no JavaScript: for each reader, a summary, the causes of its
//! failures, its failing rules and its known failures. The script replaces this static part.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use tracegauge_results::text::{counted, first_of, shortened, visible};
use tracegauge_results::{ReaderState, RuleInfo, RunResult};

use super::markup;
use crate::causes::{self, Told};
use crate::columns::{Column, columns};
use crate::headline::Headline;
use crate::rows::{Row, by_rule};

/// The maximum number of rows for all readers together, so that the page stays small.
const ROWS: usize = 300;

/// The maximum number of formats to name for each reader.
const FORMATS: usize = 20;

/// The maximum number of causes for each reader.
const CAUSES: usize = 10;

/// The maximum number of characters in a sentence or a name.
const WIDTH: usize = 300;

/// Writes a heading for each reader, the numbers of its cases, the causes of its failures, a table
/// of its failing rules, and its known failures.
pub(super) fn write(results: &[RunResult], out: &mut dyn Write) -> io::Result<()> {
    let columns = columns(results);
    // Each reader has some rows, even if the first one fails every rule.
    let room = ROWS / columns.len().max(1);
    for column in &columns {
        let headline = Headline::of(column.reader);
        let mark = headline.tone().mark();
        writeln!(out, "<h2>{}: {mark} {headline}</h2>", shown(&column.name))?;
        if let ReaderState::Skipped(why) | ReaderState::Failed(why) = &column.reader.state {
            writeln!(out, "<p>{}</p>", shown(why))?;
        }
        counts(column, out)?;
        list(column, out)?;
        table(column, room.max(1), out)?;
        known(column, room.max(1), out)?;
    }
    Ok(())
}

/// Writes the numbers of cases by outcome, and the formats of the cases.
fn counts(column: &Column<'_>, out: &mut dyn Write) -> io::Result<()> {
    let totals = &column.reader.totals;
    if totals.planned == 0 {
        return Ok(());
    }
    let mut parts: Vec<String> = totals
        .outcomes
        .iter()
        .map(|(outcome, count)| outcome.counted(*count))
        .collect();
    if totals.not_run > 0 {
        parts.push(format!("{} not run", totals.not_run));
    }
    let formats: BTreeSet<&str> = column
        .reader
        .cases
        .iter()
        .map(|case| case.format.as_str())
        .collect();
    let formats: Vec<&str> = formats.into_iter().collect();
    writeln!(
        out,
        "<p>{} of {}: {}</p>",
        counted(totals.planned, "case"),
        shown(&first_of(&formats, FORMATS)),
        shown(&parts.join(", ")),
    )
}

/// Writes the number of known failures for each reason.
fn known(column: &Column<'_>, room: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for case in &column.reader.cases {
        if let Some(reason) = &case.known {
            *reasons.entry(reason).or_default() += 1;
        }
    }
    if reasons.is_empty() {
        return Ok(());
    }
    let mut reasons: Vec<(&str, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(_, count)| Reverse(*count));
    writeln!(out, "<h3>Known failures</h3>\n<ul>")?;
    for (reason, count) in reasons.iter().take(room) {
        let cases = counted(*count, "case");
        writeln!(out, "<li>{cases}: {}</li>", shown(reason))?;
    }
    writeln!(out, "</ul>")?;
    match reasons.len().saturating_sub(room) {
        0 => Ok(()),
        more => writeln!(out, "<p>and {}</p>", counted(more, "more reason")),
    }
}

/// Writes the causes, starting with those that affect the plainest traces.
fn list(column: &Column<'_>, out: &mut dyn Write) -> io::Result<()> {
    let told = Told::all(&column.result.run, column.reader);
    if told.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<h3>Probable causes, starting with those that affect the most typical traces</h3>\n<ol>"
    )?;
    for cause in told.iter().take(CAUSES) {
        write!(out, "<li><b>{}</b> ({})", shown(&cause.title), cause.cases)?;
        if cause.reasons.is_empty() {
            write!(out, "<br>{}", shown(cause.confidence))?;
        }
        for (index, reason) in cause.reasons.iter().enumerate() {
            let label = if index == 0 { cause.confidence } else { "or" };
            write!(out, "<br>{} {}", shown(label), shown(reason.name))?;
            if let Some(rule) = reason.rule {
                write!(out, ": {}", shown(&rule.says))?;
            }
        }
        if let Some(operators) = &cause.operators {
            write!(out, "<br>only for these violations: {}", shown(operators))?;
        }
        if let Some(like) = &cause.like {
            write!(out, "<br>{}", shown(like))?;
        }
        write!(out, "<br>simplest: <code>{}</code>", shown(&cause.simplest))?;
        if let Some(names) = &cause.departures {
            write!(
                out,
                "<br>the trace differs from typical traces in: {}",
                shown(names)
            )?;
        }
        writeln!(out, "</li>")?;
    }
    writeln!(out, "</ol>")?;
    if told.len() > CAUSES {
        let more = counted(told.len() - CAUSES, "more cause");
        writeln!(out, "<p>and {more}</p>")?;
    }
    writeln!(out, "<p>{}</p>", causes::levels(column.reader))
}

/// Writes the rules with failures that fail the run, starting with the rule with the most failures.
fn table(column: &Column<'_>, room: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut rows = by_rule(column.reader);
    rows.retain(|row| !row.failures.is_empty());
    rows.sort_by_key(|row| Reverse(failures(row)));
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<table>\n<thead><tr><th>rule</th><th>failures</th><th>first failing case</th></tr></thead>\n\
         <tbody>"
    )?;
    for row in rows.iter().take(room) {
        let id = row.rule.as_deref().unwrap_or_default();
        let info = RuleInfo::find(&column.result.run.rules, id, &row.format);
        let says = info.map_or("", |info| &info.says);
        let kinds = row.failures.iter();
        let kinds: Vec<String> = kinds.map(|(kind, count)| kind.counted(*count)).collect();
        let mut cases = column
            .reader
            .cases
            .iter()
            .filter(|case| case.fails_the_run());
        let first =
            cases.find(|case| case.format == row.format && case.rule() == row.rule.as_deref());
        writeln!(
            out,
            "<tr><td><b>{}</b> {} {}</td><td>{} (of {})</td><td><code>{}</code>{}</td></tr>",
            shown(if id.is_empty() { "(no rule)" } else { id }),
            shown(&row.format),
            shown(says),
            kinds.join(", "),
            counted(row.cases, "case"),
            shown(first.map_or("", |case| &case.case)),
            first
                .and_then(|case| case.detail.as_ref())
                .map_or_else(String::new, |detail| format!(
                    "<br>expected {}, got {}",
                    shown(&detail.expected),
                    shown(&detail.actual)
                ),),
        )?;
    }
    writeln!(out, "</tbody>\n</table>")?;
    match rows.len().saturating_sub(room) {
        0 => Ok(()),
        more => writeln!(out, "<p>and {}</p>", counted(more, "more failing rule")),
    }
}

fn failures(row: &Row) -> usize {
    row.failures.values().sum()
}

/// Shortens text, and escapes its control characters and markup.
fn shown(text: &str) -> String {
    markup(&visible(&shortened(text, WIDTH)))
}
