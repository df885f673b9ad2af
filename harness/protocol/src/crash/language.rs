//! Tracebacks of language runtimes: uncaught exceptions and panics.

use super::Report;
use super::frames::{Frame, place, told};
use super::without_values;

/// The maximum number of characters of an error message to use as the kind of the crash.
const KIND: usize = 60;

/// Returns the beginning of a message, with values removed. The last word is complete unless it is
/// the only one.
fn kind(message: &str) -> String {
    let message = without_values(message);
    let Some((end, _)) = message.char_indices().nth(KIND) else {
        return message.trim_end().to_owned();
    };
    let beginning = &message[..end];
    let is_cut = |at: usize| !message[at..].starts_with(char::is_whitespace);
    let whole = match beginning.rfind(char::is_whitespace) {
        Some(last) if is_cut(end) => &beginning[..last],
        _ => beginning,
    };
    format!("{}…", whole.trim_end())
}

fn frame(name: &str, is_runtime: bool) -> Frame {
    Frame {
        name: name.to_owned(),
        is_runtime,
    }
}

/// Returns the source location of a Rust panic, and the message if it is on the same line.
///
/// The line is `thread 'main' panicked at src/main.rs:1:27:`. Since Rust 1.91, the line contains
/// the thread's number; before 1.73, it contained the message.
fn panicked(line: &str) -> Option<(&str, Option<&str>)> {
    let rest = line.strip_prefix("thread '")?;
    let (thread, at) = rest.split_once(" panicked at ")?;
    let name = match thread.rsplit_once(' ') {
        Some((name, number)) if number.starts_with('(') && number.ends_with(')') => name,
        _ => thread,
    };
    name.strip_suffix('\'')?;
    let (place, message) = match at.strip_suffix(':') {
        Some(place) => (place, None),
        None => {
            let (message, place) = at.strip_prefix('\'')?.rsplit_once("', ")?;
            (place, Some(message))
        }
    };
    let mut numbers = place.rsplitn(3, ':');
    let is_number = |text: Option<&str>| {
        text.is_some_and(|text| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit()))
    };
    let is_place =
        is_number(numbers.next()) && is_number(numbers.next()) && numbers.next().is_some();
    is_place.then_some((place, message))
}

pub(super) fn is_rust(line: &str) -> bool {
    panicked(line).is_some()
}

pub(super) fn read_rust(lines: &[String]) -> Option<Report> {
    let (at, message) = panicked(lines.first()?)?;
    let message = message.or(lines.get(1).map(String::as_str));
    Some(Report {
        kind: kind(message.unwrap_or("panic")),
        frames: vec![place(at)],
        ..Report::default()
    })
}

/// Returns whether a line starts a Go report: `panic: …`, `fatal error: …` or `SIGSEGV:
/// segmentation violation`.
pub(super) fn is_go(line: &str) -> bool {
    go(line).is_some()
}

fn go(line: &str) -> Option<&str> {
    let message = line
        .strip_prefix("panic: ")
        .or(line.strip_prefix("fatal error: "));
    message.or((line == "SIGSEGV: segmentation violation").then_some(line))
}

/// Parses a Go report, which must contain the stack of a goroutine.
pub(super) fn read_go(lines: &[String]) -> Option<Report> {
    let message = go(lines.first()?)?;
    let is_goroutine = |line: &&String| line.starts_with("goroutine ") && line.ends_with("]:");
    let mut rest = lines.iter().skip_while(|line| !is_goroutine(line));
    rest.next()?;
    let frames: Vec<Frame> = rest
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with(['\t', ' ']) && !line.starts_with("created by "))
        .filter_map(|line| line.rsplit_once('('))
        .map(|(name, _)| {
            let own = ["panic", "runtime.", "internal/runtime/"];
            frame(name, own.iter().any(|own| name.starts_with(own)))
        })
        .collect();
    Some(Report {
        kind: kind(message),
        frames: told(&frames),
        ..Report::default()
    })
}

const PYTHON: &str = "Traceback (most recent call last):";
const PYTHON_GROUP: &str = "  + Exception Group Traceback (most recent call last):";

pub(super) fn is_python(line: &str) -> bool {
    line == PYTHON || line == PYTHON_GROUP
}

/// Parses a Python report, which consists of frames followed by the exception.
pub(super) fn read_python(lines: &[String]) -> Option<Report> {
    let grouped = lines.first()? == PYTHON_GROUP;
    let lines: Vec<String> = lines
        .iter()
        .skip(1)
        .map(|line| {
            if grouped {
                line.strip_prefix("  | ").unwrap_or(line)
            } else {
                line
            }
        })
        .map(str::to_owned)
        .collect();
    let exception = lines
        .iter()
        .find(|line| !line.starts_with(' ') && !line.is_empty())?;
    let name = exception.split(':').next().unwrap_or_default();
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "_.".contains(c));
    let end = lines.iter().position(|line| line == exception)?;
    let mut frames: Vec<String> = python_frames(&lines[..end]).collect();
    frames.reverse();
    let frames: Vec<Frame> = frames.iter().map(|name| frame(name, false)).collect();
    (is_name && !frames.is_empty()).then(|| Report {
        kind: name.to_owned(),
        frames: told(&frames),
        ..Report::default()
    })
}

/// Parses frames like `  File "/src/a.py", line 4, in parse` and returns them as `a.py:parse`.
pub(super) fn python_frames(lines: &[String]) -> impl Iterator<Item = String> {
    lines.iter().filter_map(|line| {
        let rest = line.strip_prefix("  File \"")?;
        let (file, rest) = rest.rsplit_once("\", line ")?;
        let (_, function) = rest.split_once(" in ")?;
        let file = file.rsplit('/').next().unwrap_or(file);
        Some(format!("{file}:{function}"))
    })
}

/// Returns whether this is the last line of a Node.js report, such as `Node.js v20.1.0`.
pub(super) fn is_node(line: &str) -> bool {
    let version = line.strip_prefix("Node.js v").unwrap_or_default();
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    let (release, _) = version.split_once('-').unwrap_or((version, ""));
    release.split('.').count() == 3 && release.split('.').all(digits)
}

/// Parses a Node.js report, which shows the source line, a caret below it, and then the exception.
pub(super) fn read_node(lines: &[String]) -> Option<Report> {
    let is_caret = |line: &String| {
        let line = line.trim();
        !line.is_empty() && line.bytes().all(|byte| byte == b'^')
    };
    let at = lines.iter().rposition(is_caret)?;
    let message = lines[at + 1..].iter().find(|line| !line.is_empty())?;
    let frames: Vec<Frame> = lines[at + 1..]
        .iter()
        .filter_map(|line| node_frame(line))
        .collect();
    let name = message.split(':').next().unwrap_or_default();
    Some(Report {
        kind: if frames.is_empty() {
            "uncaught value".to_owned()
        } else {
            kind(name)
        },
        frames: told(&frames),
        ..Report::default()
    })
}

/// Parses frames like `    at parse (/src/a.js:1:21)` and `    at /src/a.js:1:21`.
fn node_frame(line: &str) -> Option<Frame> {
    let rest = line.strip_prefix("    at ")?;
    let rest = rest.strip_prefix("async ").unwrap_or(rest);
    let (name, at) = match rest
        .strip_suffix(')')
        .and_then(|rest| rest.rsplit_once(" ("))
    {
        Some((name, at)) => (name, at),
        None => ("", rest),
    };
    let is_runtime = at.starts_with("node:");
    let name = match name {
        "" => place(at),
        name if name.contains("<anonymous>") => place(at),
        name => name.to_owned(),
    };
    Some(Frame { name, is_runtime })
}

/// Returns whether a line starts a Java report, such as `Exception in thread "main"
/// java.lang.IllegalStateException: x`.
pub(super) fn is_java(line: &str) -> bool {
    java(line).is_some()
}

fn java(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("Exception in thread \"")?;
    let (_, exception) = rest.split_once("\" ")?;
    let name = exception.split(':').next()?;
    let is_class = name.contains(|c: char| c.is_alphabetic())
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "_.$".contains(c));
    is_class.then_some(name)
}

pub(super) fn read_java(lines: &[String]) -> Option<Report> {
    let name = java(lines.first()?)?;
    let frames: Vec<Frame> = lines
        .iter()
        .skip_while(|line| !line.starts_with("\tat "))
        .map_while(|line| line.strip_prefix("\tat "))
        .map(|line| line.split('(').next().unwrap_or(line))
        .map(|name| {
            let own = ["java.", "jdk.", "sun."];
            frame(name, own.iter().any(|own| name.starts_with(own)))
        })
        .collect();
    (!frames.is_empty()).then(|| Report {
        kind: name.to_owned(),
        frames: told(&frames),
        ..Report::default()
    })
}

/// Returns whether a line starts a .NET report, such as `Unhandled exception.
/// System.InvalidOperationException: x`.
pub(super) fn is_dotnet(line: &str) -> bool {
    dotnet(line).is_some()
}

fn dotnet(line: &str) -> Option<&str> {
    let exception = line.strip_prefix("Unhandled exception. ")?;
    let name = exception.split(':').next()?;
    let is_class = name.contains('.')
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "_.+`".contains(c));
    is_class.then_some(name)
}

pub(super) fn read_dotnet(lines: &[String]) -> Option<Report> {
    let name = dotnet(lines.first()?)?;
    let frames: Vec<Frame> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("   at "))
        .map(|line| line.split('(').next().unwrap_or(line))
        .map(|name| frame(name, name.starts_with("System.")))
        .collect();
    (!frames.is_empty()).then(|| Report {
        kind: name.to_owned(),
        frames: told(&frames),
        ..Report::default()
    })
}

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn a_kind_ends_with_a_complete_word() {
        let long = "the header of the trace has a version that this reader cannot handle yet";
        assert_eq!(
            kind(long),
            "the header of the trace has a version that this reader…"
        );
        assert_eq!(kind("index out of range "), "index out of range");
        let word = "x".repeat(80);
        assert_eq!(kind(&word), format!("{}…", "x".repeat(60)));
    }
}
