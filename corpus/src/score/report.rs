//! A score as text.

use std::io::{self, Write};

use super::Score;

/// Writes `score`: a line a class, then at most `misses` lines of each class's misses.
///
/// # Errors
/// Those of `out`.
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
            "  {:<11} {:>6} of {:>6}  {:>5} %",
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
        writeln!(out, "  {} that no file meets:", class.class.name())?;
        for miss in class.misses.iter().take(misses) {
            writeln!(out, "    {}  ({})", miss.obligation, miss.described)?;
        }
        let rest = class.misses.len().saturating_sub(misses);
        if rest > 0 {
            writeln!(out, "    … and {rest} more")?;
        }
    }
    if !score.excluded.is_empty() {
        writeln!(
            out,
            "  {} left out, since no file can meet them",
            score.excluded.len()
        )?;
    }
    Ok(())
}

/// With one digit, rounded down: only all is 100.
pub(crate) fn percent(hit: usize, feasible: usize) -> String {
    let thousandths = hit * 1000 / feasible.max(1);
    format!("{}.{}", thousandths / 10, thousandths % 10)
}
