//! Lists the containment measures of the readers. Measures that all readers share are listed only
//! once.

use std::io::{self, Write};

use super::{Paint, Tone};
use crate::model::{Measure, ReaderResult, ReaderState};

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
    pub(super) fn render(&self, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
        if self.0.is_empty() {
            return Ok(());
        }
        writeln!(out)?;
        write(&self.0, " for each reader", paint, out)
    }

    /// Writes the measures of `reader` that not all readers share.
    pub(super) fn render_rest(
        &self,
        reader: &ReaderResult,
        paint: Paint,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let measures = reader.tail.containment.iter();
        let rest: Vec<&Measure> = measures.filter(|own| !self.0.contains(own)).collect();
        write(&rest, "", paint, out)
    }
}

fn write(measures: &[&Measure], whose: &str, paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    for (in_force, label) in [(true, "in force"), (false, "not in force")] {
        let measures = measures.iter().filter(|it| it.in_force == in_force);
        let texts: Vec<String> = measures.map(|measure| in_words(measure)).collect();
        if !texts.is_empty() {
            let line = format!("{label}{whose}: {}", texts.join(", "));
            writeln!(out, "{}", paint.text(Tone::Faint, &line))?;
        }
    }
    Ok(())
}

fn in_words(measure: &Measure) -> String {
    if measure.note.is_empty() {
        measure.name.clone()
    } else {
        format!("{} ({})", measure.name, measure.note)
    }
}
