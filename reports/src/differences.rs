//! All differences between the reported and the expected records of a case.

use serde::{Deserialize, Serialize};

use crate::causes::RecordFault;
use crate::model::Difference;

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
