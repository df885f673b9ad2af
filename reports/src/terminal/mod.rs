//! The report for a terminal. For each reader, the report contains the causes of the failures or a
//! table by rule, the totals, and the details of the first failures.

mod causes;
mod closing;
mod containment;
mod failure;
mod legend;
mod listed;
mod summary;
mod table;

use std::io::{self, Write};

use owo_colors::{OwoColorize, Style};
use tracegauge_results::text::{visible, visible_lines};
use tracegauge_results::{ReaderInfo, ReaderResult, ReaderState, RunResult};

use self::containment::Shared;
use crate::headline::Headline;

/// The options for rendering a report.
#[derive(Clone, Debug)]
pub struct Options {
    /// Whether to use color.
    pub color: Color,
    /// The maximum number of failures to show in full for each reader.
    pub failures: usize,
    /// The rules that have a row in the table.
    pub rules: Rules,
    /// The readers that are reported.
    pub scope: Scope,
    /// The command line that shows which bugs could explain the failures, or `None` if there is no
    /// file from which that command can read the results.
    pub explain: Option<String>,
    /// The amount of detail about containment.
    pub containment: Detail,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            color: Color::Never,
            failures: 10,
            rules: Rules::Notable,
            scope: Scope::All,
            explain: None,
            containment: Detail::Short,
        }
    }
}

/// The readers that are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Every reader, with its table and totals.
    All,
    /// Only failing readers, and only their failures.
    Failing,
}

/// The amount of detail in a part of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// One line.
    Short,
    /// Everything.
    Full,
}

/// Whether to use color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// Write escape sequences.
    Always,
    /// Write plain text.
    Never,
}

/// The rules that have a row in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Rules with at least one case that does not pass or that has an unproven pass. All remaining
    /// rules share one row.
    Notable,
    /// All rules.
    All,
}

/// The meaning of a piece of text, which controls the color of the text.
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
/// Returns an error if `out` cannot be written to.
pub fn render(result: &RunResult, options: &Options, out: &mut dyn Write) -> io::Result<()> {
    let none_ran = !result.readers.iter().any(|r| r.state == ReaderState::Ran);
    let is_told = |reader: &&ReaderResult| {
        options.scope == Scope::All || none_ran || closing::is_failed(reader)
    };
    let shared = Shared::of(&result.readers);
    for (index, reader) in result.readers.iter().filter(is_told).enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        render_reader(result, reader, &shared, options, out)?;
    }
    if options.scope == Scope::All && result.readers.len() > 1 {
        shared.render(options.containment, Paint(options.color), out)?;
        closing::render(&result.readers, Paint(options.color), out)?;
    }
    Ok(())
}

fn render_reader(
    result: &RunResult,
    reader: &ReaderResult,
    shared: &Shared<'_>,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let paint = Paint(options.color);
    let title = paint.text(Tone::Strong, &title(&reader.reader));
    match &reader.state {
        ReaderState::Skipped(why) => {
            return writeln!(
                out,
                "{title}\n{} {}",
                paint.text(Tone::Doubt, "skipped:"),
                visible_lines(why)
            );
        }
        ReaderState::Failed(why) => {
            let word = paint.text(Tone::Bad, "could not run:");
            return writeln!(out, "{title}\n{word} {}", visible_lines(why));
        }
        ReaderState::Ran => {}
    }
    if options.scope == Scope::All {
        writeln!(out, "{title}")?;
        causes::render(result, reader, options, out)?;
        // The causes above group the failures, so the table by rule is shown only if there are no
        // causes or if the user asked for all rules.
        if options.rules == Rules::All || reader.causes.is_empty() {
            table::render(result, reader, options, out)?;
        }
        summary::render(result, reader, shared, options.containment, paint, out)?;
    } else {
        let headline = Headline::of(reader).to_string();
        let kinds = closing::kinds(reader);
        writeln!(out, "{title}: {}{kinds}", paint.text(Tone::Bad, &headline))?;
        summary::render_failing(result, reader, paint, out)?;
    }
    failure::render_all(result, reader, options, out)?;
    if options.scope == Scope::All {
        writeln!(out)?;
        closing::line(reader, paint, out)?;
    }
    Ok(())
}

fn title(reader: &ReaderInfo) -> String {
    let mut title = visible(&reader.name).into_owned();
    if let Some(version) = &reader.version {
        title.push(' ');
        title.push_str(&visible(version));
    }
    let mode = visible(&reader.mode);
    match &reader.reports {
        Some(reports) => format!("{title} ({mode}, reports {})", visible(reports)),
        None => format!("{title} ({mode}; records are compared if it prints any)"),
    }
}
