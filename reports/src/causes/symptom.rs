//! Finds the symptom of a failing case.

use tracegauge_results::text::{anywhere, shortened};
use tracegauge_results::{CaseResult, Difference, Outcome, RecordFault, Symptom};

/// The text that the harness shows in place of a record if the reader reported too few or too many
/// records.
const NO_RECORD: &str = "no further record";

/// The path of a record's kind.
const KIND: &str = "record";

/// The maximum number of characters in a message.
const MESSAGE: usize = 160;

/// Returns the symptom of a failing case, or `None` if the case does not fail.
pub(super) fn of(case: &CaseResult) -> Option<Symptom> {
    Some(match case.outcome {
        Outcome::Pass | Outcome::Unsupported => return None,
        Outcome::WrongReject => Symptom::Rejects,
        Outcome::WrongRecords => records(case),
        Outcome::WrongAccept => Symptom::Accepts {
            rule: case.rules.first().cloned(),
        },
        Outcome::UndeclaredGap => Symptom::Gap {
            message: actual(case),
        },
        Outcome::Crash => crash(case),
        Outcome::Hang => Symptom::Hang,
        Outcome::OutOfMemory => Symptom::OutOfMemory,
        Outcome::Flood => Symptom::Flood,
        Outcome::Protocol => Symptom::Protocol {
            message: actual(case),
        },
    })
}

/// Returns the reader's reason for rejecting a trace, without numbers, or an empty string if it
/// gave none.
pub(super) fn reason(case: &CaseResult) -> String {
    let detail = case.detail.as_deref();
    let why = detail.and_then(|detail| detail.actual.split_once(": "));
    why.map_or_else(String::new, |(_, why)| without_numbers(why))
}

/// Returns the path of the member that differs, without list indexes and repeated components.
pub(super) fn member(difference: &Difference) -> String {
    let path = anywhere(&difference.path);
    // The depth of a nested value depends on the trace.
    let mut steps: Vec<&str> = path.split('.').collect();
    steps.dedup();
    steps.join(".")
}

fn records(case: &CaseResult) -> Symptom {
    let detail = case.detail.as_deref();
    let Some(difference) = detail.and_then(|detail| detail.difference.as_ref()) else {
        return Symptom::Records {
            fault: RecordFault::Unknown,
            member: String::new(),
        };
    };
    let Difference {
        path,
        expected,
        actual,
        ..
    } = difference;
    let (fault, member) = match path.as_str() {
        "" if actual.starts_with(NO_RECORD) => (RecordFault::MissingTail, record_kind(expected)),
        "" if expected.starts_with(NO_RECORD) => (RecordFault::Extra, record_kind(actual)),
        "" => (RecordFault::Unknown, record_kind(expected)),
        KIND => (RecordFault::Displaced, unquoted(expected)),
        _ => (RecordFault::of_member(difference), member(difference)),
    };
    Symptom::Records { fault, member }
}

/// Returns the kind of a record that is shown as JSON, which may be truncated.
fn record_kind(json: &str) -> String {
    let kind = json.split_once("\"record\":\"");
    let kind = kind.and_then(|(_, rest)| rest.split_once('"'));
    kind.map_or_else(String::new, |(kind, _)| kind.to_owned())
}

fn unquoted(json: &str) -> String {
    json.trim_matches('"').to_owned()
}

fn crash(case: &CaseResult) -> Symptom {
    let crash = case
        .detail
        .as_deref()
        .and_then(|detail| detail.crash.as_ref());
    match crash {
        Some(crash) => Symptom::Crash {
            message: crash.class(),
            place: crash.frames.first().cloned(),
        },
        None => Symptom::Crash {
            message: actual(case),
            place: None,
        },
    }
}

fn actual(case: &CaseResult) -> String {
    let detail = case.detail.as_deref();
    detail.map_or_else(String::new, |detail| without_numbers(&detail.actual))
}

/// The words before an exit status.
const STATUS: &str = "exited with status ";

/// Replaces each number with `#`, because numbers distinguish traces rather than bugs. An exit
/// status is kept.
fn without_numbers(text: &str) -> String {
    let mut shown = String::new();
    let mut word = String::new();
    for c in shortened(text, MESSAGE).chars().chain(['\n']) {
        if c.is_alphanumeric() {
            word.push(c);
            continue;
        }
        let is_number = word.starts_with(|c: char| c.is_ascii_digit()) && !shown.ends_with(STATUS);
        shown.push_str(if is_number { "#" } else { &word });
        word.clear();
        shown.push(c);
    }
    shown.pop();
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_replaced_but_not_names_with_digits() {
        assert_eq!(
            without_numbers("kind 0x1f at byte 12: u16 too large (70000)"),
            "kind # at byte #: u16 too large (#)"
        );
        assert_eq!(
            without_numbers("exited with status 3"),
            "exited with status 3"
        );
    }

    #[test]
    fn the_depth_of_a_nested_value_does_not_matter() {
        let at = |path: &str| {
            member(&Difference {
                path: path.into(),
                ..Difference::default()
            })
        };
        assert_eq!(at("inner[0].inner[3].inner[1].kind"), "inner[].kind");
        assert_eq!(at("fields[2].value"), "fields[].value");
    }
}
