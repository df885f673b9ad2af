//! Defines a test case: a trace, the required behavior of a reader, and the purpose of the case.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tracegauge_decoder::record::Record;
use tracegauge_spec::schema;

use crate::huge::Repeated;

/// The stable identity of a case, for example `dial9-v1/malformed/MAGIC/bit-flipped/header.magic`.
/// The identity describes the case and contains no counter, so adding a case does not rename any
/// other case.
pub type CaseId = String;

/// One case of the corpus.
#[derive(Clone, Debug)]
pub struct Case {
    /// The stable identity of the case.
    pub id: CaseId,
    /// The id of the format and dialect, as used in the reader protocol.
    pub format: String,
    /// The bytes of the trace. For a [huge](Self::is_huge) trace, a part is contained only once.
    pub bytes: Arc<[u8]>,
    /// The part of `bytes` that a huge trace contains many times.
    pub repeated: Option<Repeated>,
    /// The behavior that the case expects of a conforming reader.
    pub expected: Expected,
    /// The counterpart of the case. For a reject case, the counterpart is the valid case that
    /// differs from the reject case only in the fault. For an accept case, the counterpart is a
    /// malformed case derived from the accept case. Only a reader that notices the fault passes
    /// both cases.
    pub twin: Option<CaseId>,
    /// The origin and the purpose of the case.
    pub provenance: Provenance,
    /// The sorted departures of the trace from what typical writers produce, not counting its
    /// fault: ids of rules and names of unusual values. Empty for a plain trace.
    pub departures: Vec<String>,
    /// The lifecycle state of the case.
    pub state: State,
    /// The version number, which is incremented when the trace or its expectation changes.
    pub version: u32,
}

/// The expected behavior of a conforming reader for a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The verdict.
    pub verdict: ExpectedVerdict,
    /// The allowed sets of records. The records that a reader reports must match one of the sets.
    /// For a rejected trace, each set contains the records before the fault, and a reader may stop
    /// after any of these records. There is always at least one set: a case with no records has a
    /// single empty set.
    pub records: Vec<Vec<Record>>,
    /// The number of records that a reader must report even though the trace is truncated, because
    /// they are complete before the trace ends. `None` if the trace is not truncated or if the
    /// description does not specify when records are complete.
    pub due: Option<usize>,
    /// True if conforming readers may report different records after those in `records`. If true,
    /// any further records are not compared.
    pub open: bool,
    /// The violation, if the verdict is `Reject`.
    pub violation: Option<ExpectedViolation>,
}

/// The verdict that a case expects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedVerdict {
    /// The reader accepts the trace.
    Accept,
    /// The reader rejects the trace.
    Reject,
    /// The reader may accept the trace and report its records correctly, reject it, or report that
    /// it does not support it.
    Either,
}

/// The violation that the trace of a reject case contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedViolation {
    /// The rules that the trace violates. A reader may report any of these rules. The case was
    /// created to test the first rule.
    pub rules: Vec<String>,
    /// The class of the fault, as named in the reader protocol.
    pub class: FaultClass,
    /// The path of the field that contains the fault, for example `frames[3].body.type_id`.
    pub path: String,
    /// The offset of the first byte of the fault.
    pub start: u64,
    /// The offset after the last byte of the fault.
    pub end: u64,
}

impl fmt::Display for ExpectedViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.rules.join(" or ");
        write!(f, "{rules} at `{}` {}..{}", self.path, self.start, self.end)?;
        match self.class {
            FaultClass::Malformed => Ok(()),
            class => write!(f, " ({})", class.name()),
        }
    }
}

/// The class of a fault, as a reader may report it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FaultClass {
    /// The bytes violate a rule.
    Malformed,
    /// The trace ends too early.
    Incomplete,
    /// The trace has a version or feature that the reader does not have to support.
    Unsupported,
}

/// The origin and purpose of a case.
#[derive(Clone, Debug)]
pub struct Provenance {
    /// The part of the corpus that the case belongs to.
    pub source: Source,
    /// The rules that the case tests, most important first.
    pub rules: Vec<String>,
    /// The name of the operator that planted the fault.
    pub operator: Option<String>,
    /// The purpose of the case, in one sentence.
    pub why: String,
}

/// A part of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A trace assembled by hand from the specification.
    Vector,
    /// A generated valid trace.
    Valid,
    /// A generated trace with one fault.
    Malformed,
    /// A truncated valid trace.
    Ladder,
    /// A trace that once broke a reader.
    Regression,
    /// A trace produced by a real writer.
    Real,
    /// A trace that is longer than 2^31 bytes, or a small one to compare it with.
    Huge,
}

/// The lifecycle state of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The case has not been reviewed yet and is not run.
    Draft,
    /// The case is run and counted in the result.
    Active,
    /// The case is run and reported, but its failure never makes a run fail.
    Disputed,
    /// The case is no longer run. A retired case remains listed so that no other case reuses its
    /// identity.
    Retired,
}

impl ExpectedVerdict {
    /// Returns the name of the verdict.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Either => "either",
        }
    }
}

impl FaultClass {
    /// Returns the name of the class in the reader protocol.
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
    /// Returns the name of the source, which is also the second component of a case's identity.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Valid => "valid",
            Self::Malformed => "malformed",
            Self::Ladder => "ladder",
            Self::Regression => "regression",
            Self::Real => "real",
            Self::Huge => "huge",
        }
    }
}

impl State {
    /// All states, in the order of the lifecycle.
    pub const ALL: [Self; 4] = [Self::Draft, Self::Active, Self::Disputed, Self::Retired];

    /// Returns the name of the state.
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Active => "active",
            Self::Disputed => "disputed",
            Self::Retired => "retired",
        }
    }

    /// Returns the state with the given name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// Returns true if readers are run against cases in this state.
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
