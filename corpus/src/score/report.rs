//! Renders a score as text.

use std::io::{self, Write};

use super::{Known, Score};

/// Writes `score`: one line per class, then up to `misses` missed obligations of each class.
///
/// # Errors
/// Returns an error if writing to `out` fails.
pub fn write_score(score: &Score, misses: usize, out: &mut dyn Write) -> io::Result<()> {
    let files = match score.files {
        1 => "1 file".to_owned(),
        files => format!("{files} files"),
    };
    writeln!(out, "{}: {files}", score.format)?;
    for class in &score.classes {
        if class.feasible == 0 {
            continue;
        }
        writeln!(
            out,
            "  {:<11} {:>6} of {:>6}  {:>5}%",
            class.class.name(),
            class.hit,
            class.feasible,
            percent(class.hit, class.feasible)
        )?;
    }
    for class in &score.classes {
        if class.misses.is_empty() || misses == 0 {
            continue;
        }
        writeln!(out, "  {} that no file covers:", class.class.name())?;
        for miss in class.misses.iter().take(misses) {
            write!(out, "    {}  ({})", miss.obligation, miss.described)?;
            match miss.tried {
                Some(met) => writeln!(out, ": when tried, {met}")?,
                None => writeln!(out)?,
            }
        }
        let rest = class.misses.len().saturating_sub(misses);
        if rest > 0 {
            writeln!(out, "    … and {rest} more")?;
        }
    }
    if let Some(departures) = &score.departures {
        let figures = [
            ("valid", &departures.valid),
            ("malformed", &departures.malformed),
        ];
        for (name, figures) in figures {
            writeln!(
                out,
                "  departures from typical traces in {name} cases: median {}, at most {} in 95% of \
                 {} cases; {} cases have none",
                figures.median, figures.percentile_95, figures.cases, figures.plain
            )?;
        }
    }
    if !score.excluded.is_empty() {
        let written = score.excluded.iter();
        let written = written.filter(|one| one.known == Known::Written).count();
        writeln!(
            out,
            "  {} obligations excluded because no file can cover them: {} by the description, \
             {written} by documented exclusions",
            score.excluded.len(),
            score.excluded.len() - written,
        )?;
    }
    let doubts = [
        ("that a file covers", &score.contradicted),
        ("that match no obligation", &score.unknown),
    ];
    for (what, obligations) in doubts {
        if obligations.is_empty() {
            continue;
        }
        writeln!(out, "  documented exclusions {what}:")?;
        for obligation in obligations {
            writeln!(out, "    {obligation}")?;
        }
    }
    Ok(())
}

/// Formats a percentage with one decimal place. The percentage is rounded down, so that only full
/// coverage is shown as 100.
pub(crate) fn percent(hit: usize, feasible: usize) -> String {
    let thousandths = hit * 1000 / feasible.max(1);
    format!("{}.{}", thousandths / 10, thousandths % 10)
}
