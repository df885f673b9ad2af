//! The lines of a dump that matter.

/// Lines before the fault that are shown, and lines at the start of the trace.
const BEFORE: usize = 14;
/// Lines that are shown in all.
const LINES: usize = 36;
/// Lines of the start that stay when the fault is far from it.
const START: usize = 3;

/// Up to 36 lines of `dump` around the first line that begins with `!`, or from its start
/// where none does. A line with nothing but `…` stands for those left out.
pub(super) fn window(dump: &str) -> String {
    let lines: Vec<&str> = dump.lines().collect();
    if lines.len() <= LINES {
        return lines.join("\n");
    }
    let fault = lines.iter().position(|line| line.starts_with('!'));
    let from = fault.map_or(0, |fault| fault.saturating_sub(BEFORE));
    let mut kept: Vec<&str> = Vec::new();
    let from = if from > START + 1 {
        kept.extend(&lines[..START]);
        kept.push("…");
        from
    } else {
        0
    };
    let room = LINES - kept.len();
    kept.extend(lines[from..].iter().take(room));
    if from + room < lines.len() {
        kept.push("…");
    }
    kept.join("\n")
}

#[cfg(test)]
mod tests {
    use super::window;

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
