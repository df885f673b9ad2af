//! Extracts the reason for a rejection from standard error.

use super::message::shown;

/// Returns the line that gives the reason for a rejection: the last line or, if a stack trace ends
/// the output, the message of the exception.
pub(super) fn reason(errors: &str) -> Option<String> {
    let lines: Vec<&str> = errors.lines().map(str::trim_end).collect();
    let line =
        message(&lines).or_else(|| lines.iter().rev().find(|line| !line.is_empty()).copied());
    Some(shown(line?.trim().as_bytes()))
}

/// Returns the exception message if the output ends with a stack trace.
fn message<'l>(lines: &[&'l str]) -> Option<&'l str> {
    go_message(lines)
        .or_else(|| rust_message(lines))
        .or_else(|| message_above_frames(lines))
}

/// Returns the message that precedes the frames in a stack trace of Node.js, Java or .NET.
fn message_above_frames<'l>(lines: &[&'l str]) -> Option<&'l str> {
    let last = lines.iter().rposition(|line| is_frame(line))?;
    let (above, below) = (&lines[..last], &lines[last + 1..]);
    if !below.iter().all(|line| is_after_frames(line)) {
        return None;
    }
    let mut above = above.iter().rev();
    above
        .find(|line| !line.is_empty() && !is_frame(line))
        .copied()
}

/// Returns whether a line is a frame, such as `    at parse (/a.js:1:2)` or `\tat A.b(A.java:5)`.
fn is_frame(line: &str) -> bool {
    line.starts_with([' ', '\t']) && line.trim_start().starts_with("at ")
}

/// Returns true if a line may follow the frames: the members of an error object, the version of
/// Node.js, or the number of frames that Java omits.
fn is_after_frames(line: &str) -> bool {
    line.is_empty() || line.starts_with([' ', '\t']) || line == "}" || line.starts_with("Node.js v")
}

/// Returns the message of a Go panic, which precedes the stacks of the goroutines.
fn go_message<'l>(lines: &[&'l str]) -> Option<&'l str> {
    let is_end = |line: &&&str| !line.is_empty() && !line.starts_with("exit status ");
    let last = lines.iter().rev().find(is_end)?;
    if !(last.starts_with('\t') && last.contains(".go:")) {
        return None;
    }
    let is_stack = |line: &&str| line.starts_with("goroutine ") && line.ends_with("]:");
    let above = &lines[..lines.iter().position(is_stack)?];
    let is_message =
        |line: &&&str| line.starts_with("panic: ") || line.starts_with("fatal error: ");
    above
        .iter()
        .find(is_message)
        .or_else(|| above.iter().rev().find(|line| !line.is_empty()))
        .copied()
}

/// Returns the message of a Rust panic, which precedes a note about backtraces or the backtrace
/// itself.
fn rust_message<'l>(lines: &[&'l str]) -> Option<&'l str> {
    if let Some(at) = lines.iter().rposition(|line| *line == "stack backtrace:") {
        let (above, below) = (&lines[..at], &lines[at + 1..]);
        let is_numbered = |line: &str| {
            let number = line.trim_start().split_once(": ").map(|(number, _)| number);
            number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        };
        let belongs = |line: &&str| {
            line.is_empty() || line.starts_with("note: ") || is_frame(line) || is_numbered(line)
        };
        return match below.iter().all(belongs) {
            true => above.iter().rev().find(|line| !line.is_empty()).copied(),
            false => None,
        };
    }
    let mut lines = lines.iter().rev().filter(|line| !line.is_empty());
    let note = lines.next()?;
    let is_note = note.starts_with("note: run with `RUST_BACKTRACE=");
    is_note.then(|| lines.next().copied()).flatten()
}
