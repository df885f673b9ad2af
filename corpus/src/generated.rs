//! Cases that a program made: they enter the corpus when the reference decoder, not knowing
//! what was done, finds what they were made to show.

use std::sync::Arc;

use tracegauge_spec::plan::Plan;

use crate::case::{Case, CaseId, ExpectedVerdict, Provenance, Source, State};
use crate::expected::{Examined, examine};
use crate::source::WitnessError;

/// A case as it was made.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its identity: what it is, never a counter.
    pub id: CaseId,
    /// Which part of the corpus it belongs to.
    pub source: Source,
    /// The trace.
    pub bytes: Vec<u8>,
    /// What readers are to do with it.
    pub made_for: ExpectedVerdict,
    /// What is wrong with it or shown by it, of which one must be found; the first is what it
    /// was made for.
    pub breaches: Vec<Breach>,
    /// The valid case that it was made from.
    pub twin: Option<CaseId>,
    /// What was done to the twin.
    pub operator: Option<String>,
    /// One sentence: what it tests.
    pub why: String,
}

/// A rule that is broken or shown, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The rule; none where the description names none.
    pub rule: Option<String>,
    /// Path of the field.
    pub path: String,
    /// First byte; none where the maker does not know.
    pub start: Option<u64>,
}

/// The case that `candidate` is.
///
/// # Errors
/// The decoder finds something else in its bytes.
pub fn admit(plan: &Plan, candidate: Candidate) -> Result<Case, Box<WitnessError>> {
    let examined = examine(plan, &candidate.bytes);
    if !agreed(&candidate, &examined) {
        return Err(Box::new(refusal(candidate, examined)));
    }
    let rules: Vec<String> = candidate
        .breaches
        .iter()
        .filter_map(|breach| breach.rule.clone())
        .collect();
    let mut expected = examined.expected;
    if let Some(violation) = &mut expected.violation {
        violation.rules.clone_from(&rules);
        violation.rules.dedup();
    }
    Ok(Case {
        id: candidate.id,
        format: plan.format.clone(),
        bytes: Arc::from(candidate.bytes),
        expected,
        twin: candidate.twin,
        provenance: Provenance {
            source: candidate.source,
            rules: if rules.is_empty() {
                examined.shown
            } else {
                rules
            },
            operator: candidate.operator,
            why: candidate.why,
        },
        state: State::Active,
        version: 1,
    })
}

fn agreed(candidate: &Candidate, examined: &Examined) -> bool {
    if candidate.made_for != examined.expected.verdict {
        return false;
    }
    let is_found = |breach: &Breach| match &examined.expected.violation {
        Some(found) => {
            breach.rule.as_ref() == found.rules.first()
                && breach.path == found.path
                && breach.start.is_none_or(|start| start == found.start)
        }
        None => breach
            .rule
            .as_ref()
            .is_none_or(|rule| examined.shown.contains(rule)),
    };
    candidate.breaches.is_empty() || candidate.breaches.iter().any(is_found)
}

fn refusal(candidate: Candidate, examined: Examined) -> WitnessError {
    let first = candidate.breaches.first();
    let violation = examined.expected.violation;
    WitnessError {
        case: candidate.id,
        made_for: candidate.made_for,
        path: first.map(|breach| breach.path.clone()).unwrap_or_default(),
        rules: candidate
            .breaches
            .into_iter()
            .filter_map(|breach| breach.rule)
            .collect(),
        found: Box::new(examined.verdict),
        found_rule: violation.and_then(|found| found.rules.into_iter().next()),
    }
}
