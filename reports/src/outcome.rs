//! What a reader did with one case, and what that is worth.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What a reader did with a case, held against what the case expects. Every case that ran
/// has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// As expected.
    Pass,
    /// Accepted rightly, but what it read differs.
    WrongRecords,
    /// Rejected a trace that the format allows.
    WrongReject,
    /// Accepted a trace that the format forbids.
    WrongAccept,
    /// Said that it does not support this, as its reader file declares.
    Unsupported,
    /// Said that it does not support this, and its reader file does not say so.
    UndeclaredGap,
    /// Died of a signal or with a status that means nothing.
    Crash,
    /// Had not answered when its time was over.
    Hang,
    /// Took more memory than it is allowed.
    OutOfMemory,
    /// Wrote more than it is allowed.
    Flood,
    /// Broke the reader protocol.
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

    /// Whether the reader does not conform on this case.
    pub fn is_failure(self) -> bool {
        !matches!(self, Self::Pass | Self::Unsupported)
    }

    /// Whether the reader gave no clean answer. That conforms to no rule, however weak.
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

/// What a case expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expectation {
    /// The reader accepts.
    Accept,
    /// The reader rejects.
    Reject,
    /// The reader accepts, with the records of a right reading, or rejects.
    Either,
}

/// Which answer a reader gave where more than one verdict is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Noted {
    /// It accepted.
    Accepted,
    /// It rejected.
    Rejected,
    /// It said that it does not support this.
    Unsupported,
}

/// Whether a pass shows anything. A reader that answers the same to everything passes
/// many cases and proves none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Proof {
    /// The reader tells this case from its twin, or its records are right.
    Proven,
    /// The case has no twin to tell it from.
    NoTwin,
    /// The twin did not run, or gave no clean answer.
    TwinNotAnswered,
    /// The reader rejects the valid twin as well.
    TwinNotAccepted,
    /// The reader accepts the valid twin, but reads it wrong.
    TwinWrongRecords,
    /// The reader accepts the faulty sibling as well.
    SiblingNotRejected,
    /// The reader exited with status 1, which an uncaught exception does too.
    PerhapsCrashed,
}

impl Proof {
    /// Whether the pass shows anything.
    pub fn is_proven(self) -> bool {
        self == Self::Proven
    }
}

/// How far a rejection for the right reason went. A step that the reader does not report
/// is `None` and counts neither way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grade {
    /// The records before the fault were right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub records: Option<bool>,
    /// It named the class of the fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<bool>,
    /// It named a byte of the fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub byte: Option<bool>,
}

/// How much a case counts in this run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// A failure fails the run.
    #[default]
    Counts,
    /// A failure is a warning: the rule is a recommendation.
    Warning,
    /// Shown only: the format document is in dispute.
    Disputed,
    /// Shown only: the rule is judged in strict runs.
    NotJudged,
}

impl Standing {
    /// Whether this is the ordinary case, which a result file leaves out.
    pub fn counts(&self) -> bool {
        *self == Self::Counts
    }
}
