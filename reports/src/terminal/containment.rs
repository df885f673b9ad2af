//! Lists the containment measures, which limit the resources and permissions of the readers.
//! Measures that all readers share are listed only once.

use std::io::{self, Write};

use tracegauge_results::text::counted;
use tracegauge_results::{Measure, ReaderResult, ReaderState};

use super::{Detail, Paint, Tone};

/// The measures that are the same for all readers that ran, if there are several readers.
pub(super) struct Shared<'r>(Vec<&'r Measure>);

impl<'r> Shared<'r> {
    pub(super) fn of(readers: &'r [ReaderResult]) -> Self {
        let mut ran = readers
            .iter()
            .filter(|reader| reader.state == ReaderState::Ran);
        let first = ran.next();
        let others: Vec<&ReaderResult> = ran.collect();
        let is_shared = |measure: &&Measure| {
            let mut held = others.iter().map(|other| &other.tail.containment);
            !others.is_empty() && held.all(|held| held.contains(measure))
        };
        let measures = first.iter().flat_map(|reader| &reader.tail.containment);
        Self(measures.filter(is_shared).collect())
    }

    /// Writes the measures that all readers share.
    pub(super) fn render(
        &self,
        detail: Detail,
        paint: Paint,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        write(&self.0, " of every reader", detail, paint, out)
    }

    /// Writes the measures of `reader` that are not shared by all readers.
    pub(super) fn render_rest(
        &self,
        reader: &ReaderResult,
        detail: Detail,
        paint: Paint,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let measures = reader.tail.containment.iter();
        let rest: Vec<&Measure> = measures.filter(|own| !self.0.contains(own)).collect();
        write(&rest, "", detail, paint, out)
    }
}

/// Writes one line that says whether all measures are enforced and, if not, which ones are missing.
/// With `Detail::Full`, writes every measure with its limits instead.
fn write(
    measures: &[&Measure],
    whose: &str,
    detail: Detail,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    if measures.is_empty() {
        return Ok(());
    }
    let (enforced, missing): (Vec<&Measure>, Vec<&Measure>) =
        measures.iter().partition(|measure| measure.in_force);
    if detail == Detail::Full {
        for (label, measures) in [("enforced", enforced), ("not enforced", missing)] {
            let texts: Vec<String> = measures.into_iter().map(in_words).collect();
            if !texts.is_empty() {
                let line = format!("containment{whose}, {label}: {}", texts.join(", "));
                writeln!(out, "{}", paint.text(Tone::Faint, &line))?;
            }
        }
        return Ok(());
    }
    let mut line = format!(
        "containment{whose}: {} of {} enforced",
        enforced.len(),
        counted(measures.len(), "measure")
    );
    if !missing.is_empty() {
        let names: Vec<&str> = missing
            .iter()
            .map(|measure| measure.name.as_str())
            .collect();
        line.push_str(&format!("; not enforced: {}", names.join(", ")));
    }
    line.push_str(" (-v lists them)");
    writeln!(out, "{}", paint.text(Tone::Faint, &line))
}

fn in_words(measure: &Measure) -> String {
    if measure.note.is_empty() {
        measure.name.clone()
    } else {
        format!("{} ({})", measure.name, measure.note)
    }
}
