//! Writes the closing lines of a run with several readers, which show the status of each reader.

use std::io::{self, Write};

use tracegauge_results::text::counted;
use tracegauge_results::{Outcome, ReaderResult, ReaderState};

use super::{Paint, Tone};
use crate::breakdown::breakdown;
use crate::headline::{self, Headline};

/// Returns whether `reader` counts as failed, so that the exit status reports a problem.
pub(super) fn is_failed(reader: &ReaderResult) -> bool {
    Headline::of(reader).tone() == headline::Tone::Bad || !reader.totals.add_up()
}

pub(super) fn render(
    readers: &[ReaderResult],
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let count = |is_meant: &dyn Fn(&ReaderResult) -> bool| {
        readers.iter().filter(|reader| is_meant(reader)).count()
    };
    let is_skipped = |reader: &ReaderResult| matches!(reader.state, ReaderState::Skipped(_));
    let (failed, skipped) = (count(&is_failed), count(&is_skipped));
    writeln!(out)?;
    let names = readers.iter().map(|it| it.reader.name.chars().count());
    let width = names.max().unwrap_or_default();
    for reader in readers {
        let headline = Headline::of(reader);
        let verdict = paint.text(
            tone(headline),
            &format!("{} {headline}", headline.tone().mark()),
        );
        let kinds = kinds(reader);
        writeln!(out, "  {:width$}  {verdict}{kinds}", reader.reader.name)?;
    }
    let summary = format!(
        "{}: {failed} failed, {} passed, {skipped} skipped",
        counted(readers.len(), "reader"),
        readers.len() - failed - skipped
    );
    let tone = if failed > 0 { Tone::Bad } else { Tone::Good };
    writeln!(out, "{}", paint.text(tone, &summary))
}

/// Writes the last line about a reader, which contains its verdict and its numbers.
pub(super) fn line(reader: &ReaderResult, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    let headline = Headline::of(reader);
    let verdict = match headline {
        Headline::Fails(_) => match breakdown(reader) {
            kinds if kinds.is_empty() => format!("fails: {headline}"),
            kinds => format!("fails: {kinds}"),
        },
        Headline::NoBetterThanChance => match breakdown(reader) {
            kinds if kinds.is_empty() => headline.to_string(),
            kinds => format!("{headline}; fails: {kinds}"),
        },
        _ => headline.to_string(),
    };
    let verdict = format!("{} {verdict}", headline.tone().mark());
    let passed = format!(
        "{} of {} cases passed",
        reader.totals.count(Outcome::Pass),
        reader.totals.planned
    );
    writeln!(out, "{}; {passed}", paint.text(tone(headline), &verdict))
}

fn tone(headline: Headline) -> Tone {
    match headline.tone() {
        headline::Tone::Good => Tone::Good,
        headline::Tone::Listed | headline::Tone::Absent => Tone::Doubt,
        headline::Tone::Bad => Tone::Bad,
    }
}

/// Returns the failures of a reader by kind, as a suffix for the number of failures.
pub(super) fn kinds(reader: &ReaderResult) -> String {
    match breakdown(reader) {
        kinds if kinds.is_empty() => kinds,
        kinds => format!(": {kinds}"),
    }
}
