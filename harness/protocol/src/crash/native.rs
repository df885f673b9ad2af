//! Recognizes the last messages of programs that abort: failed assertions, `std::terminate`, and
//! the checks of C libraries and of the runtimes of Rust, Python, Node.js and Java.

use super::Report;
use super::frames::place;

/// The messages of glibc's heap checks: the prefix of the line, and the texts that may follow it.
const HEAP: [(&str, &[&str]); 9] = [
    (
        "free(): ",
        &[
            "double free",
            "invalid ",
            "corrupted ",
            "unaligned ",
            "too many ",
        ],
    ),
    (
        "malloc(): ",
        &[
            "corrupted ",
            "invalid ",
            "memory corruption",
            "mismatching ",
            "smallbin ",
            "largebin ",
            "unsorted ",
            "unaligned ",
            "top size",
        ],
    ),
    ("realloc(): ", &["invalid ", "unaligned "]),
    ("calloc(): ", &["corrupted ", "invalid "]),
    ("munmap_chunk(): ", &["invalid pointer"]),
    ("mremap_chunk(): ", &["invalid pointer"]),
    ("malloc_consolidate(): ", &["invalid ", "unaligned "]),
    (
        "double free or corruption (",
        &["out)", "!prev)", "fasttop)", "top)"],
    ),
    ("corrupted ", &["size vs. prev_size", "double-linked list"]),
];

pub(super) fn is_assertion(line: &str) -> bool {
    assertion(line).is_some()
}

/// Returns the source location of a failed assertion.
fn assertion(line: &str) -> Option<String> {
    glibc_assertion(line)
        .or_else(|| musl_assertion(line))
        .or_else(|| macos_assertion(line))
}

/// Parses `prog: a.c:15: parse: Assertion `n < 4' failed.`. The name of the program may be missing,
/// and the name of the function may include its arguments.
fn glibc_assertion(line: &str) -> Option<String> {
    let rest = line.strip_suffix(" failed.")?;
    let (before, condition) = rest.split_once(": Assertion ")?;
    let is_quoted = condition.starts_with(['`', '\'']) && condition.ends_with('\'');
    let mut parts = before.split(": ");
    let place = parts.find(|part| is_place(part))?;
    is_quoted.then(|| place.to_owned())
}

/// Parses `Assertion failed: n < 4 (a.c: parse: 15)`.
fn musl_assertion(line: &str) -> Option<String> {
    let rest = line.strip_prefix("Assertion failed: ")?.strip_suffix(')')?;
    let (_, place) = rest.rsplit_once(" (")?;
    let mut parts = place.split(": ");
    let (file, _, number) = (parts.next()?, parts.next()?, parts.next()?);
    is_number(number).then(|| format!("{file}:{number}"))
}

/// Parses `Assertion failed: (n < 4), function parse, file a.c, line 15.`
fn macos_assertion(line: &str) -> Option<String> {
    let rest = line
        .strip_prefix("Assertion failed: (")?
        .strip_suffix('.')?;
    let (rest, number) = rest.rsplit_once(", line ")?;
    let (rest, file) = rest.rsplit_once(", file ")?;
    (rest.contains("), function ") && is_number(number)).then(|| format!("{file}:{number}"))
}

/// Returns whether `text` is a file and a line number, such as `a.c:15`.
fn is_place(text: &str) -> bool {
    let file = text.rsplit_once(':');
    file.is_some_and(|(file, number)| !file.is_empty() && is_number(number))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn read_assertion(lines: &[String]) -> Option<Report> {
    Some(Report {
        kind: "assertion failed".to_owned(),
        frames: vec![place(&assertion(lines.first()?)?)],
        ..Report::default()
    })
}

pub(super) fn is_terminate(line: &str) -> bool {
    exception(line).is_some()
}

/// Returns the type of the uncaught exception in a line about `std::terminate`. The type is empty
/// if there was no exception or its type is not printed.
fn exception(line: &str) -> Option<&str> {
    const GNU: &str = "terminate called after throwing an instance of '";
    if let Some(rest) = line.strip_prefix(GNU) {
        return rest.strip_suffix('\'');
    }
    let rest = line
        .strip_prefix("libc++abi: ")
        .or(line.strip_prefix("libc++abi.dylib: "));
    if let Some(rest) = rest.and_then(|rest| rest.strip_prefix("terminating")) {
        let kind = rest.split_once("exception of type ").map(|(_, kind)| kind);
        return Some(kind.map_or("", |kind| kind.split(": ").next().unwrap_or(kind)));
    }
    matches!(
        line,
        "terminate called without an active exception"
            | "terminate called recursively"
            | "pure virtual method called"
    )
    .then_some("")
}

pub(super) fn read_terminate(lines: &[String]) -> Option<Report> {
    let kind = match exception(lines.first()?)? {
        "" => "std::terminate".to_owned(),
        exception => format!("uncaught {exception}"),
    };
    Some(Report {
        kind,
        ..Report::default()
    })
}

pub(super) fn is_libc(line: &str) -> bool {
    libc(line).is_some()
}

fn libc(line: &str) -> Option<&'static str> {
    let is_heap = HEAP.iter().any(|(function, checks)| {
        let rest = line.strip_prefix(function);
        rest.is_some_and(|rest| checks.iter().any(|check| rest.starts_with(check)))
    });
    if is_heap {
        return Some("heap corruption");
    }
    match line {
        "*** stack smashing detected ***: terminated"
        | "*** stack smashing detected ***: <unknown> terminated" => Some("stack smashing"),
        "*** buffer overflow detected ***: terminated" => Some("buffer overflow detected"),
        _ => None,
    }
}

pub(super) fn read_libc(lines: &[String]) -> Option<Report> {
    Some(Report {
        kind: libc(lines.first()?)?.to_owned(),
        ..Report::default()
    })
}

pub(super) fn is_rust_abort(line: &str) -> bool {
    rust_abort(line).is_some()
}

fn rust_abort(line: &str) -> Option<&'static str> {
    let thread =
        |line: &str| line.starts_with("thread '") && line.ends_with(" has overflowed its stack");
    let memory = line
        .strip_prefix("memory allocation of ")
        .and_then(|it| it.strip_suffix(" bytes failed"));
    if thread(line) || line.starts_with("fatal runtime error: stack overflow") {
        Some("stack overflow")
    } else if memory.is_some_and(is_number) {
        Some("out-of-memory")
    } else if line == "thread panicked while processing panic. aborting." {
        Some("panic while panicking")
    } else if line == "panic in a function that cannot unwind" {
        Some("panic in a function that cannot unwind")
    } else {
        None
    }
}

pub(super) fn read_rust_abort(lines: &[String]) -> Option<Report> {
    Some(Report {
        kind: rust_abort(lines.first()?)?.to_owned(),
        ..Report::default()
    })
}

/// Returns whether a line starts a fatal error of the Python interpreter, such as `Fatal Python
/// error: Segmentation fault`.
pub(super) fn is_python_abort(line: &str) -> bool {
    line.starts_with("Fatal Python error: ")
}

pub(super) fn read_python_abort(lines: &[String]) -> Option<Report> {
    let what = lines.first()?.strip_prefix("Fatal Python error: ")?;
    let what = what.split(": ").next().unwrap_or(what);
    let trace = |line: &String| line.ends_with(" (most recent call first):");
    lines.iter().any(trace).then(|| Report {
        kind: super::without_values(what),
        frames: super::language::python_frames(lines).collect(),
        ..Report::default()
    })
}

/// Returns whether a line is a fatal error of V8, such as `FATAL ERROR: Reached heap limit
/// Allocation failed - JavaScript heap out of memory`.
pub(super) fn is_v8_abort(line: &str) -> bool {
    line.starts_with("FATAL ERROR: ") && line.ends_with(" - JavaScript heap out of memory")
}

pub(super) fn read_v8_abort(lines: &[String]) -> Option<Report> {
    is_v8_abort(lines.first()?).then(|| Report {
        kind: "out-of-memory".to_owned(),
        ..Report::default()
    })
}

/// Returns whether a line starts a fatal error of the Java virtual machine. The lines around this
/// line also start with `#`.
pub(super) fn is_java_abort(line: &str) -> bool {
    line == "# A fatal error has been detected by the Java Runtime Environment:"
        || line.starts_with("# There is insufficient memory for the Java Runtime Environment")
}

/// Parses a fatal error of the Java virtual machine: its signal or internal error, such as
/// `# SIGSEGV (0xb) at pc=0x00007f…`, and the function in `# C [libtoy.so+0x1a3c] parse+0x1c` below
/// `# Problematic frame:`.
pub(super) fn read_java_abort(lines: &[String]) -> Option<Report> {
    let first = lines.first()?;
    if !is_java_abort(first) {
        return None;
    }
    if !first.ends_with(':') {
        return Some(Report {
            kind: "out-of-memory".to_owned(),
            ..Report::default()
        });
    }
    let mut texts = lines[1..].iter().map(|line| line.trim_matches(['#', ' ']));
    let kind = texts.find(|text| !text.is_empty())?;
    let kind = kind.split(" (").next().unwrap_or(kind);
    let frame = texts
        .skip_while(|text| *text != "Problematic frame:")
        .nth(1);
    let function = frame.and_then(|frame| frame.rsplit("  ").next());
    let function = function.map(|name| name.split('+').next().unwrap_or(name).to_owned());
    Some(Report {
        kind: super::without_values(kind),
        frames: function.into_iter().collect(),
        ..Report::default()
    })
}
