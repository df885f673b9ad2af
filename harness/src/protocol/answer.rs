//! What a reader answered.

use std::borrow::Cow;
use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tracegauge_corpus::case::FaultClass;
use tracegauge_reports::Crash;

use crate::contain::{Flood, Stop};
use crate::crash::Sighted;

/// What a reader answered, whatever was expected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// It accepts the trace.
    Accept,
    /// It rejects the trace.
    Reject(Rejection),
    /// It does not support this.
    Unsupported {
        /// What it does not support, where it says so.
        feature: Option<String>,
    },
    /// It gave no clean answer.
    Broke(Breakdown),
}

/// All that a reader says about a rejection.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// In its own words.
    pub why: Option<String>,
    /// The class of the fault.
    pub class: Option<FaultClass>,
    /// The byte at which it noticed the fault.
    pub offset: Option<u64>,
    /// Whether what looks like a rejection may be an uncaught exception.
    pub perhaps_crashed: bool,
}

/// How a reader failed to answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Breakdown {
    /// Its process died, or reported that it did what no program may do.
    Crash(Death, Option<Box<Crash>>),
    /// Its time was over.
    Hang(Duration),
    /// It had so many bytes of memory.
    OutOfMemory(u64),
    /// It wrote too much.
    Flood(Flood),
    /// It broke the protocol.
    Protocol(Breach),
}

/// How a process died.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Death {
    /// Of a signal.
    Signal(i32),
    /// With a status that is no answer.
    Status(i32),
    /// With any status, once it had reported a crash.
    Exited(i32),
    /// It lived on, but closed its standard output.
    ClosedOutput,
    /// It answered, but reported a crash.
    Answered,
    /// It answered, and reported a crash or died when it was told to end.
    AtExit,
}

/// How a reader broke the protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Breach {
    /// A line is no JSON; with the line, and what is wrong with it.
    NotJson(String, String),
    /// A line is JSON, but neither a record nor a closing line.
    Neither(String),
    /// A closing line is not as it should be; with the line, and what is wrong with it.
    Closing(String, Cow<'static, str>),
    /// There was more after the closing line.
    AfterClosing(String),
    /// Fed the same trace in pieces of so many bytes, it answers otherwise.
    Pieces {
        /// Bytes of a piece.
        size: usize,
        /// Its answer to the whole.
        whole: String,
        /// Its answer to the pieces.
        pieces: String,
    },
}

impl Answer {
    /// The same, unless its process reported what is a crash whatever it answers.
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

    /// The same with what its process reported, where it crashed.
    pub(super) fn reporting(self, sighted: Sighted) -> Self {
        match self {
            Self::Crash(death, None) => Self::Crash(death, sighted.any().map(Box::new)),
            other => other,
        }
    }

    /// How a process broke down that ended with `status`.
    pub(super) fn of_status(status: ExitStatus) -> Self {
        match (status.signal(), status.code()) {
            // The kernel enforces the size of files with this one.
            (Some(SIGXFSZ), _) => Self::Flood(Flood::Files),
            (Some(signal), _) => Self::Crash(Death::Signal(signal), None),
            (None, code) => Self::Crash(Death::Status(code.unwrap_or(-1)), None),
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
            f.write_str(" (exit status 1: perhaps a crash)")?;
        }
        Ok(())
    }
}

/// The name of a class of faults in the protocol.
pub(crate) fn class_name(class: FaultClass) -> &'static str {
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
                write!(f, "{} MiB of resident memory", bytes.div_ceil(1 << 20))
            }
            Self::Flood(Flood::Output) => f.write_str("too much on standard output"),
            Self::Flood(Flood::Errors) => f.write_str("too much on standard error"),
            Self::Flood(Flood::Line) => f.write_str("too long a line on standard output"),
            Self::Flood(Flood::Files) => f.write_str("too much written to files"),
            Self::Protocol(breach) => breach.fmt(f),
        }
    }
}

impl fmt::Display for Death {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Signal(number) => match signal_name(*number) {
                Some(name) => write!(f, "died of {name}"),
                None => write!(f, "died of signal {number}"),
            },
            Self::Status(0) => f.write_str("exited with status 0 without an answer"),
            Self::Status(code) | Self::Exited(code) => write!(f, "exited with status {code}"),
            Self::ClosedOutput => f.write_str("closed its standard output without an answer"),
            Self::Answered => f.write_str("answered all the same"),
            Self::AtExit => f.write_str("answered, and crashed afterwards"),
        }
    }
}

/// The signals that crashes are made of.
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
            Self::NotJson(line, why) => write!(f, "wrote what is no JSON ({why}): {line}"),
            Self::Neither(line) => {
                write!(
                    f,
                    "wrote what is neither a record nor a closing line: {line}"
                )
            }
            Self::Closing(line, why) => write!(f, "wrote a closing line whose {why}: {line}"),
            Self::AfterClosing(line) => write!(f, "went on after the closing line: {line}"),
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
                    "answers otherwise when fed {fed}: {pieces}; the whole: {whole}"
                )
            }
        }
    }
}
