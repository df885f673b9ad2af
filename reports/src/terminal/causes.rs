//! The probable causes of the failures.

use std::io::{self, Write};

use super::{Options, Paint, Rules, Tone};
use crate::causes::{self, Told};
use crate::model::{ReaderResult, RunResult};
use crate::text::{counted, shortened, visible};

/// The maximum number of causes that are shown unless all rules are.
const SHOWN: usize = 10;

/// The maximum number of characters of a headline.
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
    let head = paint.text(Tone::Strong, "causes, from plain to unusual");
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
    if let Some(rule) = cause.rule {
        let line = format!("{} ({}): {}", rule.id, rule.section, rule.says);
        writeln!(out, "{indent}{}", visible(&line))?;
    }
    if let Some(operators) = &cause.operators {
        writeln!(out, "{indent}only if violated by {}", visible(operators))?;
    }
    let simplest = format!("simplest: {}", cause.simplest);
    let confidence = paint.text(Tone::Faint, &visible(&cause.confidence));
    writeln!(out, "{indent}{}   {confidence}", visible(&simplest))?;
    match &cause.unusual {
        Some(unusual) => writeln!(out, "{indent}unusual: {}", visible(unusual)),
        None => Ok(()),
    }
}
