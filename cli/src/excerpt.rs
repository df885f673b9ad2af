//! Prints the part of a dump that is of interest.

use std::io::{self, Write};

/// The number of lines shown before the fault, and the total number of lines shown.
const BEFORE: usize = 12;
const LINES: usize = 20;

/// Prints the lines of a dump, in which the lines of a fault start with `!`. Of a long dump, only
/// the part around the fault is printed, or the start if there is no fault, followed by `all`, the
/// command that shows all lines.
pub fn write(dump: &str, all: &str, out: &mut dyn Write) -> io::Result<()> {
    let lines: Vec<&str> = dump.lines().collect();
    let fault = lines.iter().position(|line| line.starts_with('!'));
    let first = fault.map_or(0, |at| at.saturating_sub(BEFORE));
    let first = first.min(lines.len().saturating_sub(LINES));
    let last = (first + LINES).min(lines.len());
    if first > 0 {
        writeln!(out, "  … {first} earlier lines")?;
    }
    for line in &lines[first..last] {
        writeln!(out, "{line}")?;
    }
    if last < lines.len() {
        writeln!(out, "  … {} more lines: {all}", lines.len() - last)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(dump: &str) -> String {
        let mut out = Vec::new();
        write(dump, "show", &mut out).expect("a vector takes everything");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn a_long_dump_is_cut_around_its_fault() {
        assert_eq!(excerpt("  a\n! b\n"), "  a\n! b\n");
        let long = excerpt(&"  a\n".repeat(50));
        assert!(long.ends_with("  a\n  … 30 more lines: show\n"), "{long}");
        let fault = format!("{}! b\n", "  a\n".repeat(50));
        let long = excerpt(&fault);
        assert!(long.starts_with("  … 31 earlier lines\n"), "{long}");
        assert!(long.ends_with("! b\n"), "{long}");
    }
}
