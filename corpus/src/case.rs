//! A case: bytes, what a reader must do with them, and why the case exists.

use std::sync::Arc;

use tracegauge_decoder::record::Record;

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
#[derive(Clone, Debug)]
pub struct Expected {
    /// Accept, reject or either.
    pub verdict: ExpectedVerdict,
    /// Sets of records of which one must match. With `Reject`, those before the fault, of
    /// which a reader owes a prefix. Never empty: a case without records has one empty set.
    pub records: Vec<Vec<Record>>,
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
    /// Any clean answer conforms.
    Either,
}

/// What is wrong with the bytes of a reject case.
#[derive(Clone, Debug)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
