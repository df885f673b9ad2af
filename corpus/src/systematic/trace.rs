//! Valid traces, and the recipes from which the generator makes them again.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tracegauge_generator::plain::{Allowed, Departure};
use tracegauge_generator::{GenerateError, Generator, Options, Target};
use tracegauge_plan::Plan;

use crate::case::CaseId;

/// The maximum number of bytes in a case. The generation of a larger trace is abandoned.
pub(super) const LARGEST: u64 = 1 << 24;

/// The generation of a trace is abandoned after this many steps.
const STEPS: u64 = 1 << 24;

/// A valid trace.
#[derive(Clone, Debug)]
pub(super) struct Valid {
    /// The identity of the trace.
    pub id: CaseId,
    /// The purpose of the trace.
    pub why: String,
    /// Ids of the rules that the trace tests, if known in advance.
    pub about: Vec<String>,
    /// The bytes of the trace.
    pub bytes: Vec<u8>,
    /// How to rebuild the trace without a search.
    pub origin: Origin,
    /// The departures of the trace from what typical writers produce, if a search found the trace.
    pub departures: Arc<BTreeSet<Departure>>,
    /// True if the trace is redundant. A redundant trace is not a case, but malformed traces are
    /// still generated from it.
    pub redundant: bool,
}

/// A trace that readers must reject, found by a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rejected {
    /// The identity of the trace.
    pub id: CaseId,
    /// The purpose of the trace.
    pub why: String,
    /// The id of the violated rule.
    pub rule: String,
    /// The path of the field that violates the rule.
    pub path: String,
    /// The offset of the violation.
    pub start: u64,
    /// The valid case that the trace is compared with.
    pub twin: CaseId,
    /// The bytes of the trace.
    #[serde(with = "hex::serde")]
    pub bytes: Vec<u8>,
}

/// The traces that a search has found.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// The valid traces.
    pub valid: Vec<Valid>,
    /// Traces that readers must reject, in addition to those that are made from valid traces.
    pub rejected: Vec<Rejected>,
}

/// The parts of identities of traces that detect typical mistakes of readers.
pub(super) const MISTAKES: &str = "mistakes";
pub(super) const SPECIAL: &str = "special";

/// The size in bytes of a large buffer in typical readers.
pub(super) const BUFFER: usize = 1 << 16;

impl Valid {
    /// Creates a twin: a trace that becomes a case only if a malformed trace is made from it.
    pub(super) fn twin(plan: &Plan, trace: Trace, number: usize) -> Self {
        Self {
            id: format!("{}/twin/{number}", plan.format),
            why: "A typical trace, used as the basis of malformed traces.".to_owned(),
            about: Vec::new(),
            bytes: trace.bytes.to_vec(),
            origin: trace.origin,
            departures: trace.departures,
            redundant: true,
        }
    }

    /// Returns true if malformed traces are made from the trace. A long trace has too many prefixes
    /// and offers nothing that shorter traces do not.
    pub(super) fn is_twin(&self, plan: &Plan) -> bool {
        self.bytes.len() <= BUFFER || !self.is_for_mistake(plan)
    }

    /// Returns true if the trace was made to detect a typical mistake of readers.
    pub(super) fn is_for_mistake(&self, plan: &Plan) -> bool {
        let begins = |part: &str| {
            let prefix = format!("{}/valid/{part}/", plan.format);
            self.id.starts_with(&prefix)
        };
        begins(MISTAKES) || begins(SPECIAL)
    }
}

/// A trace found by the search.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    /// The bytes of the trace.
    pub bytes: Arc<[u8]>,
    /// How to rebuild the trace without a search. The trace may be a prefix of the trace that a
    /// recipe generates.
    pub origin: Origin,
    /// The departures of the trace from what typical writers produce.
    pub departures: Arc<BTreeSet<Departure>>,
}

impl Trace {
    /// Creates a trace and determines its departures. Returns `None` if it cannot be decoded.
    pub(super) fn new(generator: &Generator, bytes: &[u8], origin: Origin) -> Option<Self> {
        let (departures, _) = generator.departures(bytes).ok()?;
        Some(Self {
            bytes: bytes.into(),
            origin,
            departures: Arc::new(departures.into_keys().collect()),
        })
    }

    /// Returns the rank of the trace: traces with fewer departures come first, and then shorter
    /// traces.
    pub(super) fn rank(&self) -> (usize, usize) {
        (self.departures.len(), self.bytes.len())
    }
}

/// How to rebuild a trace without a search.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// The recipe generates the trace, or a longer trace that begins with it.
    Recipe(Arc<Recipe>),
    /// The trace is stored as bytes, because it was made plainer after its generation.
    Stored,
}

/// The input of the generator for one trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Recipe {
    /// The seed.
    pub seed: u64,
    /// The requested size in bytes.
    pub bytes: u64,
    /// The properties that the trace should have, if any.
    pub target: Option<Target>,
    /// The departures that the trace may have, or `None` if all choices are random.
    pub allowed: Option<Allowed>,
}

impl Recipe {
    fn options(&self, largest: u64) -> Options {
        Options {
            bytes: self.bytes,
            fill: true,
            most: largest,
            steps: STEPS,
            ..Options::default()
        }
    }

    /// Generates the trace. Generation is abandoned if the trace has more than `largest` bytes.
    pub(super) fn make(
        &self,
        generator: &Generator,
        largest: u64,
    ) -> Result<tracegauge_generator::Generated, GenerateError> {
        let options = self.options(largest);
        let target = self.target.as_ref();
        match (&self.allowed, target) {
            (Some(allowed), target) => {
                let target = target.cloned().unwrap_or_default();
                generator.plain(self.seed, options, &target, allowed.clone())
            }
            (None, Some(target)) => generator.toward(self.seed, options, target),
            (None, None) => generator.from_seed(self.seed, options),
        }
    }
}
