//! The runtimes whose reports are recognized.

use super::Report;
use super::{language, native, sanitizer};

/// The form of the reports of one runtime.
pub(super) struct Runtime {
    /// What it is called in reports of ours.
    pub(super) name: &'static str,
    /// When its report is a crash.
    pub(super) weight: Weight,
    /// The line that gives it away.
    pub(super) mark: Mark,
    /// Reads a report, from its first line on or up to its last; nothing where the rest of it is
    /// not of the runtime's form.
    pub(super) read: fn(&[String]) -> Option<Report>,
}

/// When a report is a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// Where the process did not answer: a program may print a traceback and reject.
    Unanswered,
    /// Always. Found at the end of the process.
    AtExit,
    /// Always. The process goes on after it.
    GoesOn,
    /// Always. The last words of a process.
    LastWords,
    /// Always. The report that tells most.
    Fatal,
}

/// Which line of a report gives it away.
#[derive(Clone, Copy)]
pub(super) enum Mark {
    /// The first.
    First(fn(&str) -> bool),
    /// The last.
    Last(fn(&str) -> bool),
}

pub(super) const RUNTIMES: [Runtime; 16] = [
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
