//! Selects the relevant lines of a dump, which shows the bytes of a trace with one line per field.

use std::ops::Range;

/// The maximum number of lines before the fault.
const BEFORE: usize = 14;
/// The maximum number of lines in total.
const LINES: usize = 36;
/// The number of lines to show from the start of the dump if the fault is far away.
const START: usize = 3;

/// The columns of a line that contain the offset, and the column where the field begins.
const OFFSET: Range<usize> = 2..10;
const FIELD: usize = 45;
/// The number of lines of context before and after marked bytes.
const NEAR: usize = 3;
/// The maximum number of marked lines for one range, because a record can be long.
const MARKED: usize = 12;
/// The line that replaces omitted lines.
const GAP: &str = "…";

/// Returns up to 36 lines of `dump` around the first line that begins with `!`, or from the start
/// if there is no such line. A line that consists of `…` replaces omitted lines.
pub(crate) fn window(dump: &str) -> String {
    let lines: Vec<&str> = dump.lines().collect();
    if lines.len() <= LINES {
        return lines.join("\n");
    }
    let fault = lines.iter().position(|line| line.starts_with('!'));
    let from = fault.map_or(0, |fault| fault.saturating_sub(BEFORE));
    let mut kept: Vec<&str> = Vec::new();
    let from = if from > START + 1 {
        kept.extend(&lines[..START]);
        kept.push(GAP);
        from
    } else {
        0
    };
    let room = LINES - kept.len();
    kept.extend(lines[from..].iter().take(room));
    if from + room < lines.len() {
        kept.push(GAP);
    }
    kept.join("\n")
}

/// Returns the lines of `dump` that contain bytes of `ranges`, together with nearby lines and the
/// headings above them. The end of a range is exclusive. A `>` marks the lines that contain bytes
/// of `ranges`, and a line that consists of `…` replaces omitted lines. The result is empty if no
/// line contains bytes of `ranges`.
///
/// ```
/// let dump = "                                             frame
///   00000000 07                       .          kind: 7
///   00000001 05                       .          length: 5";
/// let shown = tracegauge_reports::dump::around(dump, &[(1, 2)]);
/// assert!(shown.starts_with("    "));
/// assert!(shown.ends_with(">\u{20}00000001 05                       .          length: 5"));
/// ```
pub fn around(dump: &str, ranges: &[(u64, u64)]) -> String {
    let lines: Vec<&str> = dump.lines().collect();
    let mut wanted = vec![false; lines.len()];
    let mut marked = vec![false; lines.len()];
    for (start, end) in ranges {
        let touched = (0..lines.len()).filter(|line| {
            bytes_of(lines[*line]).is_some_and(|line| line.start < *end && *start < line.end)
        });
        for line in touched.take(MARKED) {
            marked[line] = true;
            let last = (line + NEAR).min(lines.len() - 1);
            wanted[line.saturating_sub(NEAR)..=last].fill(true);
        }
    }
    let nearest: Vec<usize> = (0..lines.len()).filter(|line| marked[*line]).collect();
    for line in nearest {
        for around in parts_around(&lines, line) {
            wanted[around] = true;
        }
    }
    // Show a single omitted line, because the `…` would take as much space.
    for line in 1..lines.len().saturating_sub(1) {
        wanted[line] |= wanted[line - 1] && wanted[line + 1];
    }
    let mut shown = String::new();
    let mut gap = false;
    for (line, text) in lines.iter().enumerate() {
        if !wanted[line] {
            gap = true;
            continue;
        }
        if std::mem::take(&mut gap) {
            shown.push_str(GAP);
            shown.push('\n');
        }
        match text.get(1..) {
            Some(rest) if marked[line] => shown.push_str(&format!(">{rest}\n")),
            _ => shown.push_str(&format!("{text}\n")),
        }
    }
    if gap && !shown.is_empty() {
        shown.push_str(GAP);
    }
    shown.trim_end_matches('\n').to_owned()
}

/// Returns the range of bytes that a line shows.
fn bytes_of(line: &str) -> Option<Range<u64>> {
    let start = u64::from_str_radix(line.get(OFFSET)?, 16).ok()?;
    let shown = line.get(OFFSET.end..FIELD.min(line.len()))?;
    let digits = shown.split(' ').skip(1);
    let count = digits.take_while(|byte| byte.len() == 2).count();
    Some(start..start + count as u64)
}

/// Returns the headings above a line, innermost first. Headings are lines without bytes.
fn parts_around(lines: &[&str], line: usize) -> Vec<usize> {
    let Some(mut depth) = depth(lines[line]) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for above in (0..line).rev() {
        match self::depth(lines[above]) {
            Some(outer) if outer < depth => {
                depth = outer;
                found.push(above);
            }
            _ => {}
        }
    }
    found
}

/// Returns the indentation of a line's field.
fn depth(line: &str) -> Option<usize> {
    let field: String = line.chars().skip(FIELD).collect();
    let named = field.trim_start();
    (!named.is_empty()).then(|| field.len() - named.len())
}

#[cfg(test)]
mod tests {
    use super::{around, window};

    #[test]
    fn marked_bytes_keep_what_they_are_inside_of() {
        let part = |depth: usize, name: &str| format!("{:45}{:depth$}{name}", "", "");
        let field = |at: usize, name: &str| format!("  {at:08x} {:22}  .          {name}", "07");
        let mut lines = vec![field(0, "magic"), part(0, "frames")];
        for number in 0..20 {
            lines.push(part(2, &format!("[{number}]")));
            lines.push(field(1 + number, "    kind: 7"));
        }
        let dump = lines.join("\n");
        let shown = around(&dump, &[(15, 16)]);
        let shown: Vec<&str> = shown.lines().collect();
        assert!(shown[1].trim() == "frames", "{shown:?}");
        assert!(shown.iter().any(|line| line.trim() == "[14]"), "{shown:?}");
        let marked: Vec<&&str> = shown.iter().filter(|line| line.starts_with('>')).collect();
        assert_eq!(marked.len(), 1);
        assert!(marked[0].starts_with("> 0000000f 07"));
        assert!(shown.len() < 12 && shown.last() == Some(&"…"), "{shown:?}");
        assert_eq!(around(&dump, &[(100, 101)]), "");
        assert_eq!(around("", &[(0, 1)]), "");
    }

    fn dump(lines: usize, fault: Option<usize>) -> String {
        let line = |n: usize| format!("{} {n:08x}", if fault == Some(n) { '!' } else { ' ' });
        (0..lines).map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn short_dumps_stay_whole() {
        assert_eq!(window(&dump(20, Some(19))), dump(20, Some(19)));
    }

    #[test]
    fn long_dumps_keep_the_start_and_what_is_around_the_fault() {
        let shown = window(&dump(500, Some(300)));
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[..4], ["  00000000", "  00000001", "  00000002", "…"]);
        assert!(lines.contains(&"! 0000012c"));
        assert_eq!(lines.last(), Some(&"…"));
        assert!(lines.len() <= 37);
    }

    #[test]
    fn without_a_fault_the_start_is_shown() {
        let shown = window(&dump(500, None));
        assert_eq!(shown.lines().count(), 37);
        assert!(shown.starts_with("  00000000\n"));
    }
}
