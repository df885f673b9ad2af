//! Recognizes reports of the GCC and LLVM sanitizers.

use tracegauge_results::Access;

use super::Report;
use super::frames::{Frame, place, sanitizer_frame, told};
use super::without_values;

/// Addresses below this one count as near null.
const NEAR_NULL: u64 = 64 << 10;

/// Sentences in reports and the kinds of errors that they describe.
const SENTENCES: [(&str, &str); 7] = [
    ("attempting double-free", "double-free"),
    ("attempting free on address", "bad-free"),
    (
        "attempting to call malloc_usable_size",
        "bad-malloc_usable_size",
    ),
    ("detected memory leaks", "memory-leaks"),
    ("requested allocation size", "allocation-size-too-big"),
    ("allocator is out of memory", "out-of-memory"),
    ("out of memory", "out-of-memory"),
];

/// The content of a report's first line: the sanitizer and the error it found.
struct Head<'l> {
    sanitizer: &'l str,
    found: &'l str,
}

/// Parses a report's first line: `==12==ERROR: AddressSanitizer: …`, `==reader==12==ERROR: …`,
/// `==12==WARNING: MemorySanitizer: …` or `WARNING: ThreadSanitizer: … (pid=12)`.
fn head(line: &str) -> Option<Head<'_>> {
    let (rest, numbered) = match line.strip_prefix("==") {
        Some(rest) => {
            let is_pid = |pid: &str| !pid.is_empty() && pid.bytes().all(|b| b.is_ascii_digit());
            // The option `log_exe_name` puts the name of the program before the process ID.
            let (first, rest) = rest.split_once("==")?;
            let after_name = rest.split_once("==").filter(|(pid, _)| is_pid(pid));
            let rest = match after_name {
                _ if is_pid(first) => rest,
                Some((_, rest)) => rest,
                None => return None,
            };
            (rest, true)
        }
        None => (line, false),
    };
    let (level, rest) = rest.split_once(": ")?;
    let (sanitizer, found) = rest.split_once(": ")?;
    let is_sanitizer = sanitizer.strip_suffix("Sanitizer").is_some_and(|name| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    let is_level = match level {
        "ERROR" => numbered,
        // Warnings of other sanitizers do not report errors in the program.
        "WARNING" => match sanitizer {
            "MemorySanitizer" => numbered,
            "ThreadSanitizer" => !numbered && found.contains("(pid="),
            _ => false,
        },
        _ => false,
    };
    (is_sanitizer && is_level && !found.is_empty()).then_some(Head { sanitizer, found })
}

/// Returns whether a line starts a report that ends the process.
pub(super) fn is_fatal(line: &str) -> bool {
    head(line).is_some_and(|head| !is_late(&head) && head.sanitizer != "ThreadSanitizer")
}

/// Returns whether a line starts a report after which the process continues.
pub(super) fn is_race(line: &str) -> bool {
    head(line).is_some_and(|head| head.sanitizer == "ThreadSanitizer")
}

/// Returns whether a line starts a report that is printed when the process exits.
pub(super) fn is_leak(line: &str) -> bool {
    head(line).is_some_and(|head| is_late(&head))
}

fn is_late(head: &Head<'_>) -> bool {
    head.sanitizer == "LeakSanitizer"
}

/// Parses a report. A first line alone is not a report: frames or a summary must follow.
pub(super) fn read(lines: &[String]) -> Option<Report> {
    let head = head(lines.first()?)?;
    let frames: Vec<Frame> = lines
        .iter()
        .skip_while(|line| sanitizer_frame(line).is_none())
        .map_while(|line| sanitizer_frame(line))
        .collect();
    let is_summary = |line: &String| {
        let rest = line.strip_prefix("SUMMARY: ");
        let name = rest.and_then(|rest| rest.split_once(": "));
        name.is_some_and(|(name, _)| name.ends_with("Sanitizer"))
    };
    if frames.is_empty() && !lines.iter().any(is_summary) {
        return None;
    }
    let kind = kind(head.found);
    let access = access(lines);
    Some(Report {
        runtime: Some(head.sanitizer.to_owned()),
        near_null: matches!(kind.as_str(), "SEGV" | "BUS") && is_near_null(&head, lines),
        kind,
        access,
        frames: told(&frames),
    })
}

fn kind(found: &str) -> String {
    let known = SENTENCES.iter().find(|(text, _)| found.starts_with(text));
    if let Some((_, kind)) = known {
        return (*kind).to_owned();
    }
    let ends = [" on ", " in thread", " (", ":", " 0x"];
    let end = ends.iter().filter_map(|end| found.find(end)).min();
    without_values(&found[..end.unwrap_or(found.len())])
}

fn access(lines: &[String]) -> Option<Access> {
    let of_line = |line: &String| {
        let text = line.trim_start();
        let caused =
            |access: &str| text.contains(&format!("is caused by a {access} memory access"));
        if text.starts_with("READ of size ") || text.starts_with("Read of size ") || caused("READ")
        {
            Some(Access::Read)
        } else if text.starts_with("WRITE of size ")
            || text.starts_with("Write of size ")
            || caused("WRITE")
        {
            Some(Access::Write)
        } else {
            None
        }
    };
    let before_frames = lines
        .iter()
        .take_while(|line| sanitizer_frame(line).is_none());
    before_frames.filter_map(of_line).next()
}

fn is_near_null(head: &Head<'_>, lines: &[String]) -> bool {
    let address = head.found.split_once(" address 0x").and_then(|(_, rest)| {
        let end = rest.find(|c: char| !c.is_ascii_hexdigit());
        u64::from_str_radix(&rest[..end.unwrap_or(rest.len())], 16).ok()
    });
    let hint = |line: &String| line.ends_with("Hint: address points to the zero page.");
    address.is_some_and(|address| address < NEAR_NULL) || lines.iter().any(hint)
}

/// The prefixes of UBSan's messages. The prefixes are needed because other programs may also print
/// a source location and `runtime error`.
const UNDEFINED: [&str; 34] = [
    "_Nonnull binding to ",
    "addition of unsigned offset to ",
    "applying ",
    "assumption ",
    "call to function ",
    "cast to virtual base of ",
    "constructor call on ",
    "control flow integrity check for type ",
    "division by zero",
    "division of ",
    "downcast of ",
    "dynamic operation on ",
    "execution reached an unreachable program point",
    "execution reached the end of a value-returning function",
    "implicit conversion from type ",
    "index ",
    "left shift of ",
    "load of address ",
    "load of misaligned address ",
    "load of null pointer of type ",
    "load of value ",
    "member access within ",
    "member call on ",
    "negation of ",
    "null pointer passed as argument ",
    "null pointer returned from function ",
    "passing zero to ",
    "pointer index expression with base ",
    "reference binding to ",
    "shift exponent ",
    "signed integer overflow: ",
    "store to ",
    "subtraction of unsigned offset from ",
    "unsigned integer overflow: ",
];
/// Texts that identify UBSan messages without a fixed prefix.
const UNDEFINED_INSIDE: [&str; 3] = [
    " is outside the range of representable values of type ",
    "upcast of ",
    "variable length array bound evaluates to ",
];

/// Parses a line of UBSan, such as
/// `src/a.c:17:53: runtime error: signed integer overflow: 1 + 2 cannot be …`, into its source
/// location and message.
fn undefined(line: &str) -> Option<(&str, &str)> {
    let (at, message) = line.split_once(": runtime error: ")?;
    let mut parts = at.rsplitn(3, ':');
    let is_number = |text: Option<&str>| {
        text.is_some_and(|text| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit()))
    };
    let is_place = is_number(parts.next()) && is_number(parts.next());
    let is_file = parts
        .next()
        .is_some_and(|file| !file.is_empty() && !file.starts_with(' '));
    let is_message = UNDEFINED.iter().any(|start| message.starts_with(start))
        || UNDEFINED_INSIDE.iter().any(|part| message.contains(part));
    (is_place && is_file && is_message).then_some((at, message))
}

/// Returns whether a line reports undefined behavior.
pub(super) fn is_undefined(line: &str) -> bool {
    undefined(line).is_some()
}

/// Parses a report of undefined behavior. The only frame of such a report is the source location,
/// which is always printed.
pub(super) fn read_undefined(lines: &[String]) -> Option<Report> {
    let (at, message) = undefined(lines.first()?)?;
    let ends = [":", ", which", " for type", " in type"];
    let end = ends.iter().filter_map(|end| message.find(end)).min();
    let kind = without_values(&message[..end.unwrap_or(message.len())]);
    let access = if kind.starts_with("load of ") {
        Some(Access::Read)
    } else if kind.starts_with("store to ") {
        Some(Access::Write)
    } else {
        None
    };
    Some(Report {
        kind,
        access,
        frames: vec![place(at)],
        ..Report::default()
    })
}
