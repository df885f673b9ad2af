//! Writes the table by rule.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};
use std::io::{self, Write};

use tracegauge_results::{Outcome, ReaderDuty, ReaderResult, RuleInfo, RunResult};

use super::{Options, Paint, Rules, Tone, legend};
use crate::rows::{Row, by_rule, sum};

/// The name of the row for cases that test no rule.
const NO_RULE: &str = "(no rule)";

/// A column after the rule's name, with its heading, the tone of nonzero counts, and its count.
struct Column {
    head: String,
    tone: Tone,
    count: Box<dyn Fn(&Row) -> usize>,
}

impl Column {
    fn new(head: &str, tone: Tone, count: impl Fn(&Row) -> usize + 'static) -> Self {
        Self {
            head: head.to_owned(),
            tone,
            count: Box::new(count),
        }
    }
}

pub(super) fn render(
    result: &RunResult,
    reader: &ReaderResult,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let rows = by_rule(reader);
    let total = sum(&rows);
    let columns = columns(&total);
    let paint = Paint(options.color);
    let several = rows.iter().any(|row| row.format != rows[0].format);

    let shown = |row: &&Row| options.rules == Rules::All || !row.is_clean();
    let mut lines: Vec<(String, Row)> = rows
        .iter()
        .filter(shown)
        .map(|row| (name(row, several), row.clone()))
        .collect();
    if options.rules != Rules::All {
        // Rules with failures that fail the run come first, ordered by the number of failures.
        lines.sort_by_key(|(_, row)| Reverse(row.failures.values().sum::<usize>()));
    }
    let folded: Vec<&Row> = rows.iter().filter(|row| !shown(row)).collect();
    if let Some(first) = folded.first() {
        let name = match (folded.len(), lines.len()) {
            (1, 0) => name(first, several),
            (count, 0) => format!("({count} rules)"),
            (1, _) => "(1 other rule)".to_owned(),
            (count, _) => format!("({count} other rules)"),
        };
        lines.push((name, sum(folded)));
    }
    let nameless = lines.iter().any(|(name, _)| name.ends_with(NO_RULE));
    let legend = legend::of(&total, lines.len(), nameless.then_some(NO_RULE));
    lines.push(("total".to_owned(), total));
    write(&lines, &columns, paint, out)?;
    if let Some(legend) = legend {
        writeln!(out, "{}", paint.text(Tone::Faint, &legend))?;
    }
    let untested = untested(result, reader);
    let named = match options.rules {
        Rules::All => untested.len(),
        Rules::Notable => untested.len().min(UNTESTED),
    };
    if named > 0 {
        let mut note = format!("rules without a case: {}", untested[..named].join(", "));
        if named < untested.len() {
            note.push_str(&format!(
                " and {} more (--all-rules lists them)",
                untested.len() - named
            ));
        }
        writeln!(out, "{}", paint.text(Tone::Doubt, &note))?;
    }
    Ok(())
}

/// The maximum number of rules without a case that are named, unless all rules are printed.
const UNTESTED: usize = 5;

/// Returns the rules of the reader's formats that no case tests, if all cases were selected. A rule
/// that no file can exercise is not listed.
fn untested(result: &RunResult, reader: &ReaderResult) -> Vec<String> {
    if !result.run.selection.is_whole() {
        return Vec::new();
    }
    let formats: BTreeSet<&str> = reader
        .cases
        .iter()
        .map(|case| case.format.as_str())
        .collect();
    let tested: HashSet<(&str, &str)> = reader
        .cases
        .iter()
        .flat_map(|case| {
            case.rules
                .iter()
                .map(|rule| (case.format.as_str(), rule.as_str()))
        })
        .collect();
    let rules = result.run.rules.iter();
    let rules = rules.filter(|rule| {
        let key = (rule.format.as_str(), rule.id.as_str());
        rule.reader != ReaderDuty::None && formats.contains(key.0) && !tested.contains(&key)
    });
    let name = |rule: &RuleInfo| match formats.len() {
        1 => rule.id.clone(),
        _ => format!("{} of {}", rule.id, rule.format),
    };
    rules.map(name).collect()
}

fn write(
    lines: &[(String, Row)],
    columns: &[Column],
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let first = lines
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or_default();
    write!(out, "{:first$}", "rule")?;
    for column in columns {
        write!(out, "  {}", column.head)?;
    }
    writeln!(out)?;
    for (index, (name, row)) in lines.iter().enumerate() {
        let mut line = format!("{name:first$}");
        for column in columns {
            // Pad before coloring, because escape sequences would count toward the width.
            let width = column.head.chars().count() + 2;
            let (text, tone) = match (column.count)(row) {
                0 => (String::new(), Tone::Plain),
                count => (count.to_string(), column.tone),
            };
            line.push_str(&paint.text(tone, &format!("{text:>width$}")));
        }
        let tone = if index + 1 == lines.len() {
            Tone::Strong
        } else {
            Tone::Plain
        };
        writeln!(out, "{}", paint.text(tone, line.trim_end()))?;
    }
    Ok(())
}

fn columns(total: &Row) -> Vec<Column> {
    let mut columns = vec![
        Column::new("cases", Tone::Plain, |row| row.cases),
        Column::new("pass", Tone::Good, |row| row.pass),
        Column::new("unproven", Tone::Doubt, |row| row.unproven),
        Column::new("known", Tone::Doubt, |row| row.known),
    ];
    if total.unsupported > 0 {
        columns.push(Column::new("unsupported", Tone::Plain, |row| {
            row.unsupported
        }));
    }
    if total.excused > 0 {
        columns.push(Column::new("excused", Tone::Doubt, |row| row.excused));
    }
    columns.extend(total.failures.keys().map(|outcome: &Outcome| {
        let outcome = *outcome;
        Column::new(&outcome.to_string(), Tone::Bad, move |row| {
            row.failures.get(&outcome).copied().unwrap_or_default()
        })
    }));
    columns
}

fn name(row: &Row, several: bool) -> String {
    let rule = row.rule.as_deref().unwrap_or(NO_RULE);
    if several {
        format!("{} {rule}", row.format)
    } else {
        rule.to_owned()
    }
}
