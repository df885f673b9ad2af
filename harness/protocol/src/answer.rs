//! A reader's answer to a case: a line for each record, followed by a closing line with the verdict
//! or, in once mode, by an exit status.

use std::borrow::Cow;
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tracegauge_contain::{Flood, Stop};
use tracegauge_corpus::case::FaultClass;
use tracegauge_results::Crash;

use crate::crash::Sighted;

/// A reader's answer to a case, regardless of what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The reader accepts the trace.
    Accept,
    /// The reader rejects the trace.
    Reject(Rejection),
    /// The reader does not support a feature of the trace.
    Unsupported {
        /// The unsupported feature, if the reader names it.
        feature: Option<String>,
    },
    /// The reader failed to give a valid answer.
    Broke(Breakdown),
}

/// The details that a reader gives about a rejection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// The reason in the reader's own words.
    pub why: Option<String>,
    /// The class of the fault that the reader reports.
    pub class: Option<FaultClass>,
    /// The byte offset at which the reader noticed the fault.
    pub offset: Option<u64>,
    /// Whether the apparent rejection may be an uncaught exception.
    pub perhaps_crashed: bool,
}

/// A failure of a reader to give a valid answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Breakdown {
    /// The process crashed or reported a crash, such as a sanitizer error.
    Crash(Death, Option<Box<Crash>>),
    /// The reader did not answer within this time limit.
    Hang(Duration),
    /// The reader exceeded the memory limit. The field is its resident memory in bytes.
    OutOfMemory(u64),
    /// The reader wrote more output than allowed.
    Flood(Flood),
    /// The reader violated the protocol.
    Protocol(Breach),
}

/// How a crashed process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Death {
    /// The process was killed by this signal.
    Signal(i32),
    /// The process exited with a status that does not stand for an answer.
    Status(i32),
    /// In `serve` mode, in which no status stands for an answer, the process exited with this status
    /// without answering.
    Early(i32),
    /// The process reported a crash and then exited with this status.
    Exited(i32),
    /// The process closed its standard output but did not exit.
    ClosedOutput,
    /// The process answered but also reported a crash.
    Answered,
    /// The process answered, but reported a crash or died when its standard input was closed.
    AtExit,
}

/// A violation of the protocol by a reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Breach {
    /// A line is not valid JSON. The strings are the line and the parser's message.
    NotJson(String, String),
    /// A line is JSON but neither a record nor a closing line.
    Neither(String),
    /// A line has the member `record`, but its value is not a string.
    Kind(String),
    /// A member occurs twice in one line. The strings are the line and the name of the member.
    Twice(String, String),
    /// The values of a line exceed a limit. The strings are the line and the limit.
    Excessive(String, String),
    /// A closing line is invalid. The strings are the line and a description of the problem.
    Closing(String, Cow<'static, str>),
    /// The reader wrote more output after the closing line.
    AfterClosing(String),
    /// The reader answers differently when the same trace is fed to it in pieces.
    Pieces {
        /// The size of a piece in bytes.
        size: usize,
        /// The answer to the whole trace.
        whole: String,
        /// The answer to the trace in pieces.
        pieces: String,
    },
}

impl Answer {
    /// Returns a crash with `death` if the process reported `crash`, and otherwise the answer. An
    /// answer that is already a breakdown is returned unchanged.
    pub(super) fn unless(self, crash: Option<Crash>, death: Death) -> Self {
        match (self, crash) {
            (answer @ Self::Broke(_), _) | (answer, None) => answer,
            (_, Some(crash)) => Self::Broke(Breakdown::Crash(death, Some(Box::new(crash)))),
        }
    }
}

impl Breakdown {
    pub(super) fn of_stop(stop: Stop, timeout: Duration) -> Self {
        match stop {
            Stop::TimeUp => Self::Hang(timeout),
            Stop::OutOfMemory(bytes) => Self::OutOfMemory(bytes),
            Stop::Flood(flood) => Self::Flood(flood),
        }
    }

    /// Adds the details of the crash that the process reported, if this answer is a crash without
    /// details.
    pub(super) fn reporting(self, sighted: Sighted) -> Self {
        match self {
            Self::Crash(death, None) => Self::Crash(death, sighted.any().map(Box::new)),
            other => other,
        }
    }

    /// Returns the kind of failure of a process that exited with `status` without answering.
    pub(super) fn of_status(status: ExitStatus) -> Self {
        match (status.signal(), status.code()) {
            // The kernel sends this signal when a file exceeds the size limit.
            (Some(SIGXFSZ), _) => Self::Flood(Flood::Files),
            (Some(signal), _) => Self::Crash(Death::Signal(signal), None),
            (None, code) => Self::Crash(Death::Early(code.unwrap_or(-1)), None),
        }
    }
}

const SIGXFSZ: i32 = rustix::process::Signal::XFSZ.as_raw();

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accept => f.write_str("accept"),
            Self::Reject(rejection) => rejection.fmt(f),
            Self::Unsupported {
                feature: Some(feature),
            } => write!(f, "unsupported: {feature}"),
            Self::Unsupported { feature: None } => f.write_str("unsupported"),
            Self::Broke(breakdown) => breakdown.fmt(f),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("reject")?;
        if let Some(class) = self.class {
            write!(f, " as {}", class_name(class))?;
        }
        if let Some(offset) = self.offset {
            write!(f, " at byte {offset}")?;
        }
        if let Some(why) = &self.why {
            write!(f, ": {why}")?;
        }
        if self.perhaps_crashed {
            f.write_str(" (exit status 1, possibly a crash)")?;
        }
        Ok(())
    }
}

/// Returns the name of a fault class in the protocol.
pub fn class_name(class: FaultClass) -> &'static str {
    match class {
        FaultClass::Malformed => "malformed",
        FaultClass::Incomplete => "incomplete",
        FaultClass::Unsupported => "unsupported",
    }
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crash(death, None) => death.fmt(f),
            Self::Crash(death, Some(crash)) => write!(f, "{crash}; it {death}"),
            Self::Hang(timeout) => write!(f, "no answer within {timeout:?}"),
            Self::OutOfMemory(bytes) => {
                write!(f, "resident memory use of {} MiB", bytes.div_ceil(1 << 20))
            }
            Self::Flood(Flood::Output) => f.write_str("too much output on standard output"),
            Self::Flood(Flood::Errors) => f.write_str("too much output on standard error"),
            Self::Flood(Flood::Line) => f.write_str("line too long on standard output"),
            Self::Flood(Flood::Files) => f.write_str("too much data written to files"),
            Self::Protocol(breach) => breach.fmt(f),
        }
    }
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signal(number) => write!(f, "terminated with {}", signal_words(*number)),
            Self::Status(0) | Self::Early(0) => {
                f.write_str("exited with status 0 without an answer")
            }
            Self::Status(code) | Self::Early(code) | Self::Exited(code) => {
                write!(f, "exited with status {code}")
            }
            Self::ClosedOutput => f.write_str("closed its standard output without an answer"),
            Self::Answered => f.write_str("answered nevertheless"),
            Self::AtExit => f.write_str("answered, then crashed"),
        }
    }
}

/// Returns the name of a signal, or a phrase that contains its number if the signal does not
/// typically end a process.
pub fn signal_words(number: i32) -> String {
    signal_name(number).map_or_else(|| format!("signal {number}"), str::to_owned)
}

/// Returns the name of a signal that typically ends a crashed process.
fn signal_name(number: i32) -> Option<&'static str> {
    use rustix::process::Signal;
    let names = [
        (Signal::SEGV, "SIGSEGV"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::KILL, "SIGKILL"),
        (Signal::TERM, "SIGTERM"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::SYS, "SIGSYS"),
    ];
    names
        .iter()
        .find(|(signal, _)| signal.as_raw() == number)
        .map(|(_, name)| *name)
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson(line, why) => write!(f, "a line that is not JSON ({why}): {line}"),
            Self::Kind(line) => {
                write!(f, "a record whose kind (`record`) is not a string: {line}")
            }
            Self::Neither(line) => {
                write!(
                    f,
                    "a line that is neither a record nor a closing line: {line}"
                )
            }
            Self::Twice(line, name) => {
                write!(f, "a line that contains the member `{name}` twice: {line}")
            }
            Self::Excessive(line, limit) => {
                write!(f, "a line that is too large ({limit}): {line}")
            }
            Self::Closing(line, why) => write!(f, "an invalid closing line ({why}): {line}"),
            Self::AfterClosing(line) => write!(f, "output after the closing line: {line}"),
            Self::Pieces {
                size,
                whole,
                pieces,
            } => {
                let fed = match size {
                    1 => "byte by byte".to_owned(),
                    size => format!("in pieces of {size} bytes"),
                };
                write!(
                    f,
                    "different answers when the trace is sent {fed}: {pieces}; as a whole: {whole}"
                )
            }
        }
    }
}
