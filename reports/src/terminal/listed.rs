//! Shows the discrepancies between a reader and its baseline, and how to resolve them.

use std::io::{self, Write};

use tracegauge_results::text::{shell_word, visible};
use tracegauge_results::{ReaderResult, RunResult};

use super::{Paint, Tone};
use crate::headline::known_failures;

/// The maximum number of discrepancies to show.
const SHOWN: usize = 10;

pub(super) fn render(
    result: &RunResult,
    reader: &ReaderResult,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    unexplained(reader, paint, out)?;
    let problems = &reader.tail.baseline_problems;
    let label = paint.text(Tone::Bad, "baseline:");
    for problem in problems.iter().take(SHOWN) {
        writeln!(out, "{label} {problem}")?;
    }
    if problems.len() > SHOWN {
        writeln!(out, "{label} … and {} more", problems.len() - SHOWN)?;
    }
    let Some(file) = reader
        .reader
        .baseline
        .as_ref()
        .filter(|_| !problems.is_empty())
    else {
        return Ok(());
    };
    let before = if result.run.selection.is_whole() {
        ""
    } else {
        "first run all cases; then "
    };
    writeln!(
        out,
        "{label} {before}`tracegauge baseline update {}` updates the file and keeps the reasons",
        shell_word(&visible(file))
    )
}

/// Reports known failures that have not been explained yet.
fn unexplained(reader: &ReaderResult, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let count = reader.tail.unexplained;
    if count == 0 {
        return Ok(());
    }
    let label = paint.text(Tone::Doubt, "baseline:");
    writeln!(
        out,
        "{label} {}; in these entries, describe what the reader does wrong, then remove \
         `unexplained`",
        known_failures(reader.totals.known, count)
    )
}
