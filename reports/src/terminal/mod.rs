//! The report for a terminal: for each reader a table by rule, the sums, and the first
//! failures with all that is known about them.

mod failure;
mod summary;
mod table;

use std::io::{self, Write};

use owo_colors::{OwoColorize, Style};

use crate::model::{ReaderInfo, ReaderResult, ReaderState, RunResult};

/// How a report is rendered.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether to use colour.
    pub color: Color,
    /// How many failures are shown in full, a reader.
    pub failures: usize,
    /// Which rules have a row.
    pub rules: Rules,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            color: Color::Never,
            failures: 10,
            rules: Rules::Notable,
        }
    }
}

/// Whether to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Escape sequences are written.
    Always,
    /// Plain text.
    Never,
}

/// Which rules have a row in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Those where not every case passes without doubt; the others share a row.
    Notable,
    /// All.
    All,
}

/// What a piece of text means; colours follow from it.
#[derive(Clone, Copy)]
enum Tone {
    Plain,
    Strong,
    Good,
    Doubt,
    Bad,
    Faint,
}

#[derive(Clone, Copy)]
struct Paint(Color);

impl Paint {
    fn text(self, tone: Tone, text: &str) -> String {
        let style = match tone {
            Tone::Plain => return text.to_owned(),
            _ if self.0 == Color::Never => return text.to_owned(),
            Tone::Strong => Style::new().bold(),
            Tone::Good => Style::new().green(),
            Tone::Doubt => Style::new().yellow(),
            Tone::Bad => Style::new().red().bold(),
            Tone::Faint => Style::new().dimmed(),
        };
        text.style(style).to_string()
    }
}

/// Writes the report of `result` to `out`.
///
/// # Errors
/// `out` cannot be written to.
pub fn render(result: &RunResult, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    for (index, reader) in result.readers.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        render_reader(result, reader, options, out)?;
    }
    Ok(())
}

fn render_reader(
    result: &RunResult,
    reader: &ReaderResult,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let paint = Paint(options.color);
    writeln!(out, "{}", paint.text(Tone::Strong, &title(&reader.reader)))?;
    match &reader.state {
        ReaderState::Skipped(why) => {
            return writeln!(out, "{} {why}", paint.text(Tone::Doubt, "skipped:"));
        }
        ReaderState::Failed(why) => {
            return writeln!(out, "{} {why}", paint.text(Tone::Bad, "could not run:"));
        }
        ReaderState::Ran => {}
    }
    table::render(reader, options, out)?;
    summary::render(reader, paint, out)?;
    failure::render_all(result, reader, options, out)
}

fn title(reader: &ReaderInfo) -> String {
    let mut title = reader.name.clone();
    if let Some(version) = &reader.version {
        title.push(' ');
        title.push_str(version);
    }
    let reports = reader.reports.as_deref().unwrap_or("whatever it prints");
    format!("{title} ({}, reports {reports})", reader.mode)
}
