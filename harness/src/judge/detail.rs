//! The details of a failure, for the person who fixes it.

use tracegauge_corpus::case::{Case, ExpectedVerdict, ExpectedViolation};
use tracegauge_reports::causes::RecordFault;
use tracegauge_reports::{Detail, Difference, Differences, Excerpt, Fault, LookAt, Outcome};

use super::Response;
use super::number::resemblance;
use crate::compare::NO_MEMBER;
use crate::protocol::{Answer, Breach, Breakdown, Rejection, class_name};

pub(super) fn detail(case: &Case, response: &Response, outcome: Outcome) -> Detail {
    let violation = case.expected.violation.as_ref();
    let difference = difference(response, outcome);
    Detail {
        why: case.provenance.why.clone(),
        expected: in_words(case),
        actual: response.answer.to_string(),
        hint: hint(&response.answer, outcome).or_else(|| {
            let difference = difference.as_ref()?;
            left_out(difference).or_else(|| resemblance(&difference.expected, &difference.actual))
        }),
        difference,
        differences: differences(response, outcome),
        fault: violation.map(|violation| Fault {
            path: violation.path.clone(),
            start: violation.start,
            end: violation.end,
        }),
        excerpt: violation
            .map(|violation| Excerpt::around(&case.bytes, violation.start, violation.end)),
        look_at: match &response.answer {
            Answer::Reject(Rejection {
                offset: Some(offset),
                ..
            }) if violation.is_none() => Some(LookAt::new(&case.bytes, None, *offset, 1)),
            _ => None,
        },
        crash: match &response.answer {
            Answer::Broke(Breakdown::Crash(_, crash)) => crash.as_deref().cloned(),
            _ => None,
        },
        stderr: (!response.stderr.trim().is_empty()).then(|| response.stderr.clone()),
    }
}

/// Returns advice about a member that the reader does not report.
fn left_out(difference: &Difference) -> Option<String> {
    let is_left_out = difference.actual == NO_MEMBER;
    is_left_out.then(|| {
        "if the reader cannot report a member, list the member under `omits` in the reader file; \
         if the reader only leaves it out when it is empty, zero or false, list it as `{member: …, \
         when: empty}`"
            .to_owned()
    })
}

/// Returns the first difference in the records, if the records are wrong or if it shows how far the
/// reader got before a wrong rejection.
pub(super) fn difference(response: &Response, outcome: Outcome) -> Option<Difference> {
    let seen = response.seen.as_ref()?;
    match outcome {
        Outcome::WrongRecords => seen.whole.clone(),
        // A reader that reports no records until it has read the whole trace gives no hint of how
        // far it got.
        Outcome::WrongReject if seen.reported > 0 => seen.whole.clone(),
        _ => None,
    }
}

/// Returns all differences in the records, if the first one is shown. What a reader does not report
/// after a wrong rejection is no difference of its own.
fn differences(response: &Response, outcome: Outcome) -> Option<Differences> {
    difference(response, outcome)?;
    let mut all = response.seen.as_ref()?.differences.clone()?;
    if outcome == Outcome::WrongReject {
        let before = all.list.len();
        all.list.retain(|it| it.fault != RecordFault::MissingTail);
        all.is_complete = false;
        all.count -= (before - all.list.len()).min(all.count);
    }
    (!all.list.is_empty()).then_some(all)
}

/// Describes the expected answer to a case in words.
pub fn in_words(case: &Case) -> String {
    match (case.expected.verdict, &case.expected.violation) {
        (ExpectedVerdict::Accept, _) => "accept".to_owned(),
        (ExpectedVerdict::Either, _) => "accept or reject".to_owned(),
        (ExpectedVerdict::Reject, None) => "reject".to_owned(),
        (ExpectedVerdict::Reject, Some(violation)) => rejection(violation),
    }
}

fn rejection(violation: &ExpectedViolation) -> String {
    let class = class_name(violation.class);
    let ExpectedViolation {
        path, start, end, ..
    } = violation;
    let place = match end.saturating_sub(*start) {
        0 => format!("before byte {start}"),
        1 => format!("byte {start}"),
        _ => format!("bytes {start}..{end}"),
    };
    if path.is_empty() {
        format!("reject as {class}, {place}")
    } else {
        format!("reject as {class} at {path}, {place}")
    }
}

fn hint(answer: &Answer, outcome: Outcome) -> Option<String> {
    let text = match (answer, outcome) {
        (
            Answer::Reject(Rejection {
                perhaps_crashed: true,
                ..
            }),
            _,
        ) => {
            "exit status 1 may also mean an uncaught exception; exit with 65, or declare the \
             status in the reader file: `statuses: {1: reject}`"
        }
        (
            Answer::Unsupported {
                feature: Some(feature),
            },
            Outcome::UndeclaredGap,
        ) => {
            return Some(format!(
                "declare it in the reader file: `unsupported: [{feature}]`"
            ));
        }
        (Answer::Unsupported { .. }, Outcome::UndeclaredGap) => {
            "name the feature in the closing line, and declare it in the reader file under \
             `unsupported`"
        }
        (Answer::Broke(Breakdown::Protocol(Breach::NotJson(..))), _) => {
            "standard output is for the protocol; other text belongs on standard error"
        }
        (Answer::Broke(Breakdown::Protocol(Breach::AfterClosing(_))), _) => {
            "the closing line must be the last line of each answer"
        }
        _ => return None,
    };
    Some(text.to_owned())
}
