//! The part of the page that needs no JavaScript: a summary of each reader, its causes and its failing rules. The
//! script replaces it.

use std::cmp::Reverse;
use std::io::{self, Write};

use super::markup;
use crate::causes::{self, Told};
use crate::columns::{Column, columns};
use crate::headline::Headline;
use crate::model::{ReaderState, RunResult};
use crate::rows::{Row, by_rule};
use crate::rule::RuleInfo;
use crate::text::{counted, shortened, visible};

/// The maximum number of rows for all readers together, so that the page stays small.
const ROWS: usize = 300;

/// The maximum number of causes for each reader.
const CAUSES: usize = 10;

/// The maximum number of characters of a sentence or a name.
const WIDTH: usize = 300;

/// Writes a heading for each reader, the causes of its failures, and a table of its failing rules.
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
        list(column, out)?;
        table(column, room.max(1), out)?;
    }
    Ok(())
}

/// Writes the causes, from plain to unusual.
fn list(column: &Column<'_>, out: &mut dyn Write) -> io::Result<()> {
    let told = Told::all(&column.result.run, column.reader);
    if told.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h3>Causes, from plain to unusual</h3>\n<ol>")?;
    for cause in told.iter().take(CAUSES) {
        write!(out, "<li><b>{}</b> ({})", shown(&cause.title), cause.cases)?;
        if let Some(rule) = cause.rule {
            write!(out, "<br>{}: {}", shown(&rule.id), shown(&rule.says))?;
        }
        if let Some(operators) = &cause.operators {
            write!(out, "<br>only if violated by {}", shown(operators))?;
        }
        let (simplest, confidence) = (shown(&cause.simplest), shown(&cause.confidence));
        write!(out, "<br>simplest: <code>{simplest}</code>")?;
        if let Some(unusual) = &cause.unusual {
            write!(out, " (unusual: {})", shown(unusual))?;
        }
        writeln!(out, " {confidence}</li>")?;
    }
    writeln!(out, "</ol>")?;
    if told.len() > CAUSES {
        let more = counted(told.len() - CAUSES, "more cause");
        writeln!(out, "<p>and {more}</p>")?;
    }
    writeln!(out, "<p>{}</p>", causes::levels(column.reader))
}

/// Writes the rules with failures that count, those with the most failures first.
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
        let kinds: Vec<String> = kinds
            .map(|(kind, count)| format!("{count} {kind}"))
            .collect();
        let mut cases = column
            .reader
            .cases
            .iter()
            .filter(|case| case.fails_the_run());
        let first =
            cases.find(|case| case.format == row.format && case.rule() == row.rule.as_deref());
        writeln!(
            out,
            "<tr><td><b>{}</b> {} {}</td><td>{} of {}</td><td><code>{}</code></td></tr>",
            shown(if id.is_empty() { "(no rule)" } else { id }),
            shown(&row.format),
            shown(says),
            kinds.join(", "),
            counted(row.cases, "case"),
            shown(first.map_or("", |case| &case.case)),
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

/// Returns a text without markup and control characters.
fn shown(text: &str) -> String {
    markup(&visible(&shortened(text, WIDTH)))
}
