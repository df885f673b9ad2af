//! Shows the probable causes of the failures.

use std::io::{self, Write};
use std::mem;

use tracegauge_results::text::{counted, shortened, visible};
use tracegauge_results::{ReaderResult, RunResult};

use super::{Options, Paint, Rules, Tone};
use crate::causes::{self, Told};

/// The maximum number of causes shown without `--all-rules`.
const SHOWN: usize = 10;

/// The maximum number of characters in a headline.
const WIDTH: usize = 160;

pub(super) fn render(
    result: &RunResult,
    reader: &ReaderResult,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let told = Told::all(&result.run, reader);
    if told.is_empty() {
        return Ok(());
    }
    let paint = Paint(options.color);
    let shown = match options.rules {
        Rules::Notable => told.len().min(SHOWN),
        Rules::All => told.len(),
    };
    if reader.tail.remembers {
        writeln!(out, "{}", paint.text(Tone::Bad, causes::REMEMBERS))?;
    }
    let head = paint.text(Tone::Strong, causes::HEADING);
    writeln!(out, "{head}")?;
    let width = shown.to_string().len().max(3);
    for (number, cause) in (1..).zip(&told[..shown]) {
        render_one(number, width, cause, paint, out)?;
    }
    if told.len() > shown {
        let more = counted(told.len() - shown, "more cause");
        writeln!(out, "and {more}; --all-rules shows them")?;
    }
    writeln!(out, "{}", causes::levels(reader))?;
    let by_rule = match options.rules {
        Rules::All => "",
        Rules::Notable => "--all-rules shows the results of each rule",
    };
    writeln!(out, "{}", paint.text(Tone::Faint, by_rule))
}

fn render_one(
    number: usize,
    width: usize,
    cause: &Told<'_>,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let title = shortened(&cause.title, WIDTH);
    let title = paint.text(Tone::Bad, &visible(&title));
    writeln!(out, "{number:>width$}  {title} ({})", cause.cases)?;
    let indent = " ".repeat(width + 4);
    // Only the first reason follows the label. The others are indented by the width of the label.
    let mut label = cause.confidence.to_owned();
    let continued = " ".repeat(label.len());
    if cause.reasons.is_empty() {
        writeln!(out, "{indent}{}", paint.text(Tone::Faint, &label))?;
    }
    for reason in &cause.reasons {
        let line = match reason.rule {
            Some(rule) => format!("{} ({}): {}", rule.id, rule.section, rule.says),
            None => reason.name.to_owned(),
        };
        let label = paint.text(Tone::Faint, &mem::replace(&mut label, continued.clone()));
        writeln!(out, "{indent}{label} {}", visible(&line))?;
    }
    if let Some(operators) = &cause.operators {
        let line = format!("{indent}only for these violations: {operators}");
        writeln!(out, "{}", visible(&line))?;
    }
    if let Some(like) = &cause.like {
        writeln!(out, "{indent}{}", visible(like))?;
    }
    writeln!(out, "{indent}simplest: {}", visible(&cause.simplest))?;
    match &cause.departures {
        Some(names) => {
            let line = format!("{indent}the trace differs from typical traces in: {names}");
            writeln!(out, "{}", visible(&line))
        }
        None => Ok(()),
    }
}
