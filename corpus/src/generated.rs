//! Confirms generated cases. A case enters the corpus only if the reference decoder, which does not
//! know how the case was generated, confirms its verdict and its violation.

use std::sync::Arc;

use tracegauge_plan::Plan;

use crate::case::{Case, CaseId, ExpectedVerdict, Provenance, Source, State};
use crate::expected::{Examined, examine};
use crate::source::WitnessError;

/// A generated case that has not been confirmed yet.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The identity, which describes the case instead of numbering it, so it stays the same when
    /// other cases are added.
    pub id: CaseId,
    /// The part of the corpus that the case belongs to.
    pub source: Source,
    /// The bytes of the trace.
    pub bytes: Vec<u8>,
    /// The verdict that the generator intended.
    pub made_for: ExpectedVerdict,
    /// The rules that the trace should violate or trigger, with their locations. The decoder must
    /// detect at least one of these rules. The case was generated to test the first rule.
    pub breaches: Vec<Breach>,
    /// The valid case that this case was generated from.
    pub twin: Option<CaseId>,
    /// The name of the operator that planted the fault in the twin.
    pub operator: Option<String>,
    /// The purpose of the case, in one sentence.
    pub why: String,
}

/// A rule that a trace violates or triggers, with the location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// The rule, or `None` if the description names no rule for this violation.
    pub rule: Option<String>,
    /// The path of the field.
    pub path: String,
    /// The offset of the first byte, or `None` if the generator does not know the offset.
    pub start: Option<u64>,
}

/// Turns `candidate` into a case.
///
/// # Errors
/// Returns an error if the decoder does not confirm the verdict or the violation.
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
        repeated: None,
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
        departures: Vec::new(),
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
