//! Describes how a reader fails a case, without the parts that vary between traces.

use serde::{Deserialize, Serialize};

use crate::model::{CaseResult, Difference};
use crate::outcome::Outcome;
use crate::text::{anywhere, shortened};

/// The text that the harness shows in place of a record if the reader reported too few or too many
/// records.
const NO_RECORD: &str = "no further record";

/// The text that the harness shows in place of a member that was not reported.
const NO_MEMBER: &str = "no such member";

/// The path of a record's kind.
const KIND: &str = "record";

/// The maximum number of characters in a message.
const MESSAGE: usize = 160;

/// How a reader fails a case. Failures with the same cause have the same symptom.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Symptom {
    /// The reader rejects a valid trace.
    Rejects,
    /// The reader reports wrong records.
    Records {
        /// The fault in the records.
        fault: RecordFault,
        /// The path of the wrong member without list indexes, or the kind of the record if the
        /// fault is not about a member. Empty if neither the member nor the kind is known.
        member: String,
    },
    /// The reader reports an unsupported feature that its reader file does not declare.
    Gap {
        /// The answer, without numbers.
        message: String,
    },
    /// The reader crashes.
    Crash {
        /// The kind of crash, or how the reader's process ended, without numbers.
        message: String,
        /// The innermost function, if it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        place: Option<String>,
    },
    /// The reader does not answer in time.
    Hang,
    /// The reader exceeds its memory limit.
    OutOfMemory,
    /// The reader exceeds its output limit.
    Flood,
    /// The reader violates the reader protocol.
    Protocol {
        /// The violation, without numbers.
        message: String,
    },
    /// The reader accepts a trace that violates a rule.
    Accepts {
        /// The violated rule, if the description names one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rule: Option<String>,
    },
}

/// The kind of fault in the records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordFault {
    /// A member has a wrong value.
    Value,
    /// A value inside a list is wrong, or the list has the wrong length.
    Element,
    /// A member is not reported.
    Absent,
    /// The reader reports a member that the record does not contain.
    Surplus,
    /// A record of a different kind is reported in place of the expected record: the expected
    /// record is missing, the records are in the wrong order, or there is a surplus record.
    Displaced,
    /// A record is not reported, although later records are.
    Missing,
    /// The last records are not reported.
    MissingTail,
    /// Records are reported in a different order.
    Order,
    /// A record is reported again.
    Duplicate,
    /// More records are reported than the trace contains.
    Extra,
    /// The records differ in a way that the result does not describe.
    Unknown,
}

impl RecordFault {
    /// Returns whether a member is wrong in a record that is in its place.
    pub(super) fn is_about_member(self) -> bool {
        matches!(
            self,
            Self::Value | Self::Element | Self::Absent | Self::Surplus
        )
    }

    /// Returns the fault of a member that differs.
    pub fn of_member(difference: &Difference) -> Self {
        match difference {
            _ if difference.actual.starts_with(NO_MEMBER) => Self::Absent,
            _ if difference.expected.starts_with(NO_MEMBER) => Self::Surplus,
            _ if difference.path.contains('[') => Self::Element,
            _ => Self::Value,
        }
    }
}

impl Symptom {
    /// Returns the symptom of a failing case, or `None` if the case does not fail.
    pub fn of(case: &CaseResult) -> Option<Self> {
        Some(match case.outcome {
            Outcome::Pass | Outcome::Unsupported => return None,
            Outcome::WrongReject => Self::Rejects,
            Outcome::WrongRecords => records(case),
            Outcome::WrongAccept => Self::Accepts {
                rule: case.rules.first().cloned(),
            },
            Outcome::UndeclaredGap => Self::Gap {
                message: actual(case),
            },
            Outcome::Crash => crash(case),
            Outcome::Hang => Self::Hang,
            Outcome::OutOfMemory => Self::OutOfMemory,
            Outcome::Flood => Self::Flood,
            Outcome::Protocol => Self::Protocol {
                message: actual(case),
            },
        })
    }

    /// Returns true if two cases with this symptom almost certainly have the same cause, regardless
    /// of what their traces contain.
    pub(super) fn is_telling(&self) -> bool {
        matches!(self, Self::Crash { place: Some(_), .. })
    }

    /// Returns whether a member is wrong although all records are in their places.
    pub(super) fn is_about_member(&self) -> bool {
        self.fault_of_member().is_some()
    }

    /// Returns the fault if it affects a member of a record that is in its place.
    pub(super) fn fault_of_member(&self) -> Option<RecordFault> {
        match self {
            Self::Records { fault, .. } if fault.is_about_member() => Some(*fault),
            _ => None,
        }
    }

    /// Returns whether the last records are missing.
    pub(super) fn is_missing_tail(&self) -> bool {
        let fault = RecordFault::MissingTail;
        matches!(self, Self::Records { fault: own, .. } if *own == fault)
    }

    /// Returns the fault if it affects whole records.
    pub(super) fn record_fault(&self) -> Option<RecordFault> {
        match self {
            Self::Records { fault, .. } if !fault.is_about_member() => Some(*fault),
            _ => None,
        }
    }

    /// Returns whether whole records are wrong in nearly every trace, regardless of their kinds.
    pub fn is_everywhere(&self) -> bool {
        matches!(self, Self::Records { member, .. } if member.is_empty())
            && self
                .record_fault()
                .is_some_and(|it| it != RecordFault::Unknown)
    }

    /// Returns whether the symptom consists of wrong records.
    pub(super) fn is_records(&self) -> bool {
        matches!(self, Self::Records { .. })
    }
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
