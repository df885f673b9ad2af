//! A case: bytes, what a reader must do with them, and why the case exists.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tracegauge_decoder::record::Record;
use tracegauge_spec::schema;

/// The stable identity of a case, `dial9-v1/malformed/MAGIC/bit-flipped/header.magic` say.
/// It says what the case is, never a counter, so that adding a case renames none.
pub type CaseId = String;

/// One case of the corpus.
#[derive(Clone, Debug)]
pub struct Case {
    /// Stable identity.
    pub id: CaseId,
    /// The format with its dialect, as the reader protocol names it.
    pub format: String,
    /// The trace.
    pub bytes: Arc<[u8]>,
    /// What a conforming reader does.
    pub expected: Expected,
    /// The valid case that differs from this one only in the fault (reject cases), or the
    /// faulty sibling (accept cases), which proves that the reader tells them apart.
    pub twin: Option<CaseId>,
    /// Where the case comes from and what it is about.
    pub provenance: Provenance,
    /// Where the case stands in its life.
    pub state: State,
    /// Raised when the verdict of the case changes.
    pub version: u32,
}

/// What a conforming reader does with a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// Accept, reject or either.
    pub verdict: ExpectedVerdict,
    /// Sets of records of which one must match. With `Reject`, those before the fault, of
    /// which a reader owes a prefix. Never empty: a case without records has one empty set.
    pub records: Vec<Vec<Record>>,
    /// How many of the records a reader owes although the trace is cut: those of what was
    /// complete by then. None where the trace is not cut, or nothing says what is complete.
    pub due: Option<usize>,
    /// Readers part ways after the last of `records`: what follows is not compared.
    pub open: bool,
    /// The violation, where the verdict is `Reject`.
    pub violation: Option<ExpectedViolation>,
}

/// The verdict that a case expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedVerdict {
    /// The reader accepts the trace.
    Accept,
    /// The reader rejects the trace.
    Reject,
    /// The reader accepts the trace, with the records of a right reading, or rejects it, or says
    /// that it does not support it.
    Either,
}

/// What is wrong with the bytes of a reject case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedViolation {
    /// Rules of which one must be named; the first is the one that the case was built for.
    pub rules: Vec<String>,
    /// The fault's class as the protocol names it.
    pub class: FaultClass,
    /// Path of the field that holds the fault, `frames[3].body.type_id` say.
    pub path: String,
    /// First byte of the fault.
    pub start: u64,
    /// One past the last byte of the fault.
    pub end: u64,
}

/// The class of a fault, as a reader may name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FaultClass {
    /// The bytes break a rule.
    Malformed,
    /// The trace ends too early.
    Incomplete,
    /// The trace is of a version or has a feature that this reader need not know.
    Unsupported,
}

/// Where a case comes from.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// Which part of the corpus the case belongs to.
    pub source: Source,
    /// The rules that the case is about, the most important first.
    pub rules: Vec<String>,
    /// The operator that made the fault.
    pub operator: Option<String>,
    /// One sentence: what the case tests.
    pub why: String,
}

/// The parts of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Assembled by hand from the format document.
    Vector,
    /// Systematic, valid.
    Valid,
    /// Systematic, one fault.
    Malformed,
    /// A valid trace cut short.
    Ladder,
    /// Once broke a reader.
    Regression,
    /// Written by a real writer.
    Real,
}

/// Where a case stands in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not yet judged.
    Draft,
    /// Counts.
    Active,
    /// Runs and is shown, but never fails a run.
    Disputed,
    /// Kept for its identity only.
    Retired,
}

impl ExpectedVerdict {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Either => "either",
        }
    }
}

impl FaultClass {
    /// The word for it, as the reader protocol has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::Incomplete => "incomplete",
            Self::Unsupported => "unsupported",
        }
    }
}

impl From<schema::FaultClass> for FaultClass {
    fn from(class: schema::FaultClass) -> Self {
        match class {
            schema::FaultClass::Malformed => Self::Malformed,
            schema::FaultClass::Incomplete => Self::Incomplete,
            schema::FaultClass::Unsupported => Self::Unsupported,
        }
    }
}

impl Source {
    /// The word for it, which is also a part of identities.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Valid => "valid",
            Self::Malformed => "malformed",
            Self::Ladder => "ladder",
            Self::Regression => "regression",
            Self::Real => "real",
        }
    }
}

impl State {
    /// All states, in the order of a life.
    pub const ALL: [Self; 4] = [Self::Draft, Self::Active, Self::Disputed, Self::Retired];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Active => "active",
            Self::Disputed => "disputed",
            Self::Retired => "retired",
        }
    }

    /// The state that a word means.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// A case in this state is given to readers.
    pub fn runs(self) -> bool {
        matches!(self, Self::Active | Self::Disputed)
    }
}

impl fmt::Display for ExpectedVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
