//! The runtimes whose crash reports are recognized.

use super::Report;
use super::{language, native, sanitizer};

/// The form of a runtime's reports.
pub(super) struct Runtime {
    /// The name of the runtime as it is shown in reports.
    pub(super) name: &'static str,
    /// The condition under which a report counts as a crash.
    pub(super) weight: Weight,
    /// The line that identifies a report.
    pub(super) mark: Mark,
    /// Parses a report whose lines start with the identifying line or end with it, depending on
    /// `mark`. Returns `None` if the other lines do not match the format of the
    /// runtime's reports.
    pub(super) read: fn(&[String]) -> Option<Report>,
}

/// The conditions under which reports count as crashes, in order of increasing priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// The report counts only if the process did not answer. A program may print a traceback and
    /// then reject the trace.
    Unanswered,
    /// Always counts. The report is printed when the process exits.
    AtExit,
    /// Always counts. The process continues after the report.
    GoesOn,
    /// Always counts. The reader file declares that the line reports a crash.
    Declared,
    /// The report counts only if the process exits. The report is the last message of an aborting
    /// process, so a process that continues has only echoed the text of such a message.
    LastWords,
    /// Always counts. This kind of report is the most detailed.
    Fatal,
}

/// The line that identifies a report.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    /// The first line.
    First(fn(&str) -> bool),
    /// The last line.
    Last(fn(&str) -> bool),
}

pub(super) const RUNTIMES: [Runtime; 17] = [
    Runtime {
        name: "sanitizer",
        weight: Weight::Fatal,
        mark: Mark::First(sanitizer::is_fatal),
        read: sanitizer::read,
    },
    Runtime {
        name: "ThreadSanitizer",
        weight: Weight::GoesOn,
        mark: Mark::First(sanitizer::is_race),
        read: sanitizer::read,
    },
    Runtime {
        name: "LeakSanitizer",
        weight: Weight::AtExit,
        mark: Mark::First(sanitizer::is_leak),
        read: sanitizer::read,
    },
    Runtime {
        name: "UndefinedBehaviorSanitizer",
        weight: Weight::GoesOn,
        mark: Mark::First(sanitizer::is_undefined),
        read: sanitizer::read_undefined,
    },
    Runtime {
        name: "C",
        weight: Weight::LastWords,
        mark: Mark::First(native::is_assertion),
        read: native::read_assertion,
    },
    Runtime {
        name: "C library",
        weight: Weight::LastWords,
        mark: Mark::First(native::is_libc),
        read: native::read_libc,
    },
    Runtime {
        name: "C++",
        weight: Weight::LastWords,
        mark: Mark::First(native::is_terminate),
        read: native::read_terminate,
    },
    Runtime {
        name: "Rust",
        weight: Weight::LastWords,
        mark: Mark::First(native::is_rust_abort),
        read: native::read_rust_abort,
    },
    Runtime {
        name: "Python",
        weight: Weight::LastWords,
        mark: Mark::First(native::is_python_abort),
        read: native::read_python_abort,
    },
    Runtime {
        name: "Java",
        weight: Weight::LastWords,
        mark: Mark::First(native::is_java_abort),
        read: native::read_java_abort,
    },
    Runtime {
        name: "Rust",
        weight: Weight::Unanswered,
        mark: Mark::First(language::is_rust),
        read: language::read_rust,
    },
    Runtime {
        name: "Go",
        weight: Weight::Unanswered,
        mark: Mark::First(language::is_go),
        read: language::read_go,
    },
    Runtime {
        name: "Python",
        weight: Weight::Unanswered,
        mark: Mark::First(language::is_python),
        read: language::read_python,
    },
    Runtime {
        name: "Java",
        weight: Weight::Unanswered,
        mark: Mark::First(language::is_java),
        read: language::read_java,
    },
    Runtime {
        name: ".NET",
        weight: Weight::Unanswered,
        mark: Mark::First(language::is_dotnet),
        read: language::read_dotnet,
    },
    Runtime {
        name: "Node.js",
        weight: Weight::Unanswered,
        mark: Mark::Last(language::is_node),
        read: language::read_node,
    },
    Runtime {
        name: "Node.js",
        weight: Weight::LastWords,
        mark: Mark::First(native::is_v8_abort),
        read: native::read_v8_abort,
    },
];
