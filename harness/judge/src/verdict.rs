//! The table that maps answers and expectations to outcomes.

use tracegauge_corpus::case::{Case, ExpectedVerdict, ExpectedViolation, FaultClass};
use tracegauge_protocol::{Answer, Breakdown, Rejection};
use tracegauge_results::{Grade, Noted, Outcome};

use super::Response;

/// Returns the outcome of a case for a reader that does not support the features in `gaps`.
pub(super) fn outcome(case: &Case, response: &Response, gaps: &[String]) -> Outcome {
    use ExpectedVerdict::{Accept, Either, Reject};
    match (&response.answer, case.expected.verdict) {
        (Answer::Broke(breakdown), _) => broken(breakdown),
        (Answer::Unsupported { .. }, Either) => Outcome::Pass,
        (Answer::Unsupported { .. }, Reject) if need_not_be_known(case) => Outcome::Pass,
        (Answer::Unsupported { feature }, _) => {
            if is_declared(case, feature.as_deref(), gaps) {
                Outcome::Unsupported
            } else {
                Outcome::UndeclaredGap
            }
        }
        // A reader that accepts a trace it may reject must still report one of the allowed sets of
        // records.
        (Answer::Accept, Accept | Either) => {
            let differs = response
                .seen
                .as_ref()
                .is_some_and(|seen| seen.whole.is_some());
            if differs {
                Outcome::WrongRecords
            } else {
                Outcome::Pass
            }
        }
        (Answer::Accept, Reject) => Outcome::WrongAccept,
        (Answer::Reject(_), Accept) => Outcome::WrongReject,
        (Answer::Reject(_), Reject | Either) => Outcome::Pass,
    }
}

fn broken(breakdown: &Breakdown) -> Outcome {
    match breakdown {
        Breakdown::Crash(..) => Outcome::Crash,
        Breakdown::Hang(_) => Outcome::Hang,
        Breakdown::OutOfMemory(_) => Outcome::OutOfMemory,
        Breakdown::Flood(_) => Outcome::Flood,
        Breakdown::Protocol(_) => Outcome::Protocol,
    }
}

/// Returns whether the trace uses a version or feature that readers need not support. Answering
/// "unsupported" is then a correct rejection.
fn need_not_be_known(case: &Case) -> bool {
    let class = case
        .expected
        .violation
        .as_ref()
        .map(|violation| violation.class);
    class == Some(FaultClass::Unsupported)
}

/// Returns true if the reader file declares the unsupported feature. For an answer that names no
/// feature, returns true if the case tests one of the declared features.
pub(super) fn is_declared(case: &Case, feature: Option<&str>, gaps: &[String]) -> bool {
    match feature {
        Some(feature) => gaps.iter().any(|gap| gap == feature),
        None => gaps.iter().any(|gap| is_about(case, gap)),
    }
}

fn is_about(case: &Case, name: &str) -> bool {
    let has_word = |text: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
            .any(|word| word == name)
    };
    let path = case
        .expected
        .violation
        .as_ref()
        .map_or("", |violation| violation.path.as_str());
    case.format == name
        || has_word(&case.id)
        || has_word(path)
        || case.provenance.rules.iter().any(|rule| rule == name)
}

/// Returns the answer that the reader gave to a case where both verdicts are allowed.
pub(super) fn noted(case: &Case, response: &Response, outcome: Outcome) -> Option<Noted> {
    if case.expected.verdict != ExpectedVerdict::Either || outcome != Outcome::Pass {
        return None;
    }
    match response.answer {
        Answer::Accept => Some(Noted::Accepted),
        Answer::Reject(_) => Some(Noted::Rejected),
        Answer::Unsupported { .. } => Some(Noted::Unsupported),
        Answer::Broke(_) => None,
    }
}

/// Grades the details of a correct rejection.
pub(super) fn grade(case: &Case, response: &Response, outcome: Outcome) -> Option<Grade> {
    let violation = case.expected.violation.as_ref()?;
    if case.expected.verdict != ExpectedVerdict::Reject || outcome != Outcome::Pass {
        return None;
    }
    let rejection = match &response.answer {
        Answer::Reject(rejection) => rejection.clone(),
        _ => Rejection {
            class: Some(FaultClass::Unsupported),
            ..Rejection::default()
        },
    };
    Some(Grade {
        records: response
            .seen
            .as_ref()
            .map(|seen| seen.before_fault.is_none()),
        class: rejection.class.map(|class| class == violation.class),
        byte: rejection.offset.map(|offset| is_in(violation, offset)),
    })
}

/// Returns true if `offset` lies in the faulty bytes. If the fault is that bytes are missing,
/// `offset` must be the position of the missing bytes.
fn is_in(violation: &ExpectedViolation, offset: u64) -> bool {
    let end = violation.end.max(violation.start.saturating_add(1));
    (violation.start..end).contains(&offset)
}
