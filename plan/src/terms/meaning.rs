//! The meanings that a value can have. Descriptions cannot define further meanings, and a writer
//! can convert a value with any of these meanings back to its encoding.

use super::{JsonId, LayoutId, RuleRef};

/// The meaning of a value.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A Boolean: zero is false, and any other number is true.
    Bool,
    /// A point in time, as a number of units since an epoch.
    Time {
        /// The length of a unit in nanoseconds.
        unit_nanoseconds: u64,
        /// The point in time that the units are counted from.
        epoch: Epoch,
    },
    /// A date and time as eight 16-bit numbers: year, month, day of week, day, hour, minute, second
    /// and millisecond.
    DateTime,
    /// A code unit of a string.
    CodeUnit,
    /// A map, encoded as a list of structures with two fields.
    Map,
    /// A key-value pair, encoded as a structure with two fields. A list of pairs is a map.
    Pair {
        /// The name of the field with the key.
        key: String,
        /// The name of the field with the value.
        value: String,
    },
    /// Text that contains JSON.
    Json {
        /// The schema that the JSON must satisfy, or `None` if any JSON is allowed.
        schema: Option<JsonId>,
        /// The rule broken by text that is not JSON.
        rule: Option<RuleRef>,
    },
    /// Text that describes fields of this layout set.
    Signature(LayoutId),
}

/// The epoch: the point in time that times are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Epoch {
    /// 0001-01-01T00:00:00Z.
    Year1,
    /// 1601-01-01T00:00:00Z.
    Year1601,
    /// 1970-01-01T00:00:00Z.
    Year1970,
}

/// The kind of a JSON value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonKind {
    /// An object.
    Object,
    /// An array.
    List,
    /// A string.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`.
    Nothing,
}
