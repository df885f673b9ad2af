//! How a reader fails a case, without the parts that vary between traces.

use serde::{Deserialize, Serialize};

use crate::differences::Difference;

/// The text that the harness shows in place of a member that was not reported.
const NO_MEMBER: &str = "no such member";

/// The text shown as the expected value of a member with a name that no record of the format has.
pub const NOT_IN_FORMAT: &str = "no such member in this format";

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
    /// The reader reports a member with a name that no record of the format has.
    NotInFormat,
    /// A record of a different kind is reported in place of the expected record: the expected
    /// record is missing, the records are in the wrong order, or there is a surplus record.
    Displaced,
    /// A record is not reported, although later records are.
    Missing,
    /// The last records are not reported.
    MissingTail,
    /// Records of certain kinds are never reported.
    NeverReported,
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
    pub fn is_about_member(self) -> bool {
        matches!(
            self,
            Self::Value | Self::Element | Self::Absent | Self::Surplus | Self::NotInFormat
        )
    }

    /// Returns the fault of a member that differs.
    pub fn of_member(difference: &Difference) -> Self {
        match difference {
            _ if difference.actual.starts_with(NO_MEMBER) => Self::Absent,
            _ if difference.expected.starts_with(NOT_IN_FORMAT) => Self::NotInFormat,
            _ if difference.expected.starts_with(NO_MEMBER) => Self::Surplus,
            _ if difference.path.contains('[') => Self::Element,
            _ => Self::Value,
        }
    }
}

impl Symptom {
    /// Returns true if two cases with this symptom almost certainly have the same cause, regardless
    /// of what their traces contain.
    pub fn is_telling(&self) -> bool {
        matches!(self, Self::Crash { place: Some(_), .. })
    }

    /// Returns whether a member is wrong although all records are in their places.
    pub fn is_about_member(&self) -> bool {
        self.fault_of_member().is_some()
    }

    /// Returns the fault if it affects a member of a record that is in its place.
    pub fn fault_of_member(&self) -> Option<RecordFault> {
        match self {
            Self::Records { fault, .. } if fault.is_about_member() => Some(*fault),
            _ => None,
        }
    }

    /// Returns whether the last records are missing.
    pub fn is_missing_tail(&self) -> bool {
        let fault = RecordFault::MissingTail;
        matches!(self, Self::Records { fault: own, .. } if *own == fault)
    }

    /// Returns the fault if it affects whole records.
    pub fn record_fault(&self) -> Option<RecordFault> {
        match self {
            Self::Records { fault, .. } if !fault.is_about_member() => Some(*fault),
            _ => None,
        }
    }

    /// Returns whether whole records are wrong in nearly every trace, regardless of their kinds.
    pub fn is_everywhere(&self) -> bool {
        self.is_never_reported()
            || self.is_not_in_format()
            || matches!(self, Self::Records { member, .. } if member.is_empty())
                && self
                    .record_fault()
                    .is_some_and(|it| it != RecordFault::Unknown)
    }

    /// Returns whether the reader reports no records of certain kinds in any trace.
    pub fn is_never_reported(&self) -> bool {
        let never = RecordFault::NeverReported;
        matches!(self, Self::Records { fault, .. } if *fault == never)
    }

    /// Returns whether the reader reports a member that no record of the format has.
    pub fn is_not_in_format(&self) -> bool {
        self.fault_of_member() == Some(RecordFault::NotInFormat)
    }

    /// Returns whether the symptom consists of wrong records.
    pub fn is_records(&self) -> bool {
        matches!(self, Self::Records { .. })
    }
}
