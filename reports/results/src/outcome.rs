//! The outcome of a case, and how it counts.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The result of comparing a reader's answer with the expectation of a case. Every case that ran
/// has exactly one outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The answer is as expected.
    Pass,
    /// The reader correctly accepted the trace but reported wrong records.
    WrongRecords,
    /// The reader rejected a trace that the format allows.
    WrongReject,
    /// The reader accepted a trace that the format forbids.
    WrongAccept,
    /// The reader reported an unsupported feature that its reader file declares.
    Unsupported,
    /// The reader reported an unsupported feature that its reader file does not declare.
    UndeclaredGap,
    /// The reader was terminated by a signal or exited with an undefined status.
    Crash,
    /// The reader did not answer before its time limit.
    Hang,
    /// The reader exceeded its memory limit.
    OutOfMemory,
    /// The reader exceeded its output limit.
    Flood,
    /// The reader violated the reader protocol.
    Protocol,
}

impl Outcome {
    /// All outcomes, in the order of the report's columns.
    pub const ALL: [Self; 11] = [
        Self::Pass,
        Self::WrongRecords,
        Self::WrongReject,
        Self::WrongAccept,
        Self::Unsupported,
        Self::UndeclaredGap,
        Self::Crash,
        Self::Hang,
        Self::OutOfMemory,
        Self::Flood,
        Self::Protocol,
    ];

    /// Formats a number of cases with this outcome.
    ///
    /// ```
    /// use tracegauge_results::Outcome;
    /// assert_eq!(Outcome::WrongRecords.counted(1), "1 case with wrong records");
    /// assert_eq!(Outcome::Crash.counted(2), "2 crashes");
    /// ```
    pub fn counted(self, count: usize) -> String {
        let (one, several) = match self {
            Self::Pass => ("pass", "pass"),
            Self::WrongRecords => ("case with wrong records", "cases with wrong records"),
            Self::WrongReject => ("wrong reject", "wrong rejects"),
            Self::WrongAccept => ("wrong accept", "wrong accepts"),
            Self::Unsupported => ("unsupported", "unsupported"),
            Self::UndeclaredGap => ("undeclared gap", "undeclared gaps"),
            Self::Crash => ("crash", "crashes"),
            Self::Hang => ("hang", "hangs"),
            Self::OutOfMemory => ("case out of memory", "cases out of memory"),
            Self::Flood => ("flood", "floods"),
            Self::Protocol => ("protocol violation", "protocol violations"),
        };
        format!("{count} {}", if count == 1 { one } else { several })
    }

    /// Returns whether the reader fails to conform in this case.
    pub fn is_failure(self) -> bool {
        !matches!(self, Self::Pass | Self::Unsupported)
    }

    /// Returns whether the reader gave no valid answer. An outcome with no valid answer never
    /// conforms, not even to a recommendation.
    pub fn is_breakdown(self) -> bool {
        matches!(
            self,
            Self::Crash | Self::Hang | Self::OutOfMemory | Self::Flood | Self::Protocol
        )
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Pass => "pass",
            Self::WrongRecords => "wrong records",
            Self::WrongReject => "wrong reject",
            Self::WrongAccept => "wrong accept",
            Self::Unsupported => "unsupported",
            Self::UndeclaredGap => "undeclared gap",
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::OutOfMemory => "out of memory",
            Self::Flood => "flood",
            Self::Protocol => "protocol",
        })
    }
}

/// The verdicts that a case expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expectation {
    /// The reader must accept the trace.
    Accept,
    /// The reader must reject the trace.
    Reject,
    /// The reader may accept the trace, with correct records, or reject it.
    Either,
}

/// The reader's verdict on a case that has more than one correct verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Noted {
    /// The reader accepted the trace.
    Accepted,
    /// The reader rejected the trace.
    Rejected,
    /// The reader reported an unsupported feature.
    Unsupported,
}

/// The evidence that a pass provides about the reader. A reader that gives the same answer to every
/// trace passes many cases, but these passes prove nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// The reader answers this case and its twin differently, or its records are correct.
    Proven,
    /// The case has no twin: it was not made from a valid case, and no malformed case was made from
    /// it.
    NoTwin,
    /// The twin did not run, or the reader gave no valid answer to it.
    TwinNotAnswered,
    /// The reader also rejects the valid twin.
    TwinNotAccepted,
    /// The reader accepts the valid twin but reports wrong records for it.
    TwinWrongRecords,
    /// The records that the reader reported before the fault are wrong, so the reader may have
    /// rejected the trace for another reason.
    WrongRecordsBefore,
    /// The reader also accepts the malformed case that was made from this valid case.
    SiblingNotRejected,
    /// The reader exited with status 1, which may also be the result of an uncaught exception.
    PerhapsCrashed,
    /// The verdicts of the reader are not better than chance, so its passes prove nothing.
    NoBetterThanChance,
}

impl Proof {
    /// Returns whether the pass proves anything about the reader.
    pub fn is_proven(self) -> bool {
        self == Self::Proven
    }
}

/// The quality of a correct rejection. A property that the reader does not report is `None` and
/// counts neither for nor against the reader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// Whether the records before the fault were correct.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<bool>,
    /// Whether the reader reported the class of the fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<bool>,
    /// Whether the reader reported a byte inside the fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<bool>,
}

/// How a failure of a case affects the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// A failure fails the run.
    #[default]
    Counts,
    /// A failure is a warning, because the rule is a recommendation.
    Warning,
    /// A failure is only reported, because the specification is disputed.
    Disputed,
    /// A failure is only reported, because the rule is judged only in strict runs.
    NotJudged,
}

impl Standing {
    /// Returns whether a failure of the case fails the run. Result files omit the standing if it is
    /// the default, [`Self::Counts`].
    pub fn counts(&self) -> bool {
        *self == Self::Counts
    }
}
