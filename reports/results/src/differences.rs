//! The differences between the reported and the expected records of a case.

use serde::{Deserialize, Serialize};

use crate::place::Origin;
use crate::symptom::RecordFault;

/// The first difference between two sequences of records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The index of the record, counted from 0.
    pub record: usize,
    /// The member, for example `fields[2].value`. Empty if the whole record differs.
    pub path: String,
    /// The expected value, as JSON or in words.
    pub expected: String,
    /// The value that the reader reported, as JSON or in words.
    pub actual: String,
    /// The index of the record among the expected records, counted from 0. This index differs from
    /// `record` if the reader omits or reorders records. `None` if no further record is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owed: Option<usize>,
    /// The bytes that the expected value was read from. Bytes inside the record itself come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<Origin>,
    /// The rules that the description gives for the member that differs, or for an enclosing part
    /// of the record. The list is reduced to the rules that the record exercises, if any, and then
    /// to the rules that the case tests, if any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

/// The differences between two sequences of records after their alignment: a missing or surplus
/// record does not make all later records differ.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Differences {
    /// The number of differences, including differences that are not in the list.
    pub count: usize,
    /// Whether the whole answer was compared. An answer with too many differences is compared only
    /// in part.
    pub is_complete: bool,
    /// The differences, listed in record order. Of the many differences that one mistake can cause,
    /// only the first few are listed.
    pub list: Vec<AlignedDifference>,
}

/// One difference between aligned records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlignedDifference {
    /// The kind of fault.
    pub fault: RecordFault,
    /// The kind of the expected record, or of the reported one if none is expected.
    pub kind: String,
    /// The location of the difference, and the expected and reported values.
    pub difference: Difference,
}
