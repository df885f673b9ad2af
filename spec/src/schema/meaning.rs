//! The closed list of meanings that a value can have, each with its inverse.

use super::{JsonId, LayoutId, RuleRef};
use crate::source::SourceSpan;

/// What a value means.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// Zero is false, anything else true.
    Bool,
    /// A point in time: so many units since an epoch.
    Time {
        /// Nanoseconds in a unit.
        unit_nanoseconds: u64,
        /// The epoch.
        epoch: Epoch,
    },
    /// Eight 16-bit numbers: year, month, day of week, day, hour, minute, second, millisecond.
    DateTime,
    /// A code unit of a text.
    CodeUnit,
    /// A list of structures of two fields is a map.
    Map,
    /// A structure whose two fields are key and value of a pair; a list of pairs is a map.
    Pair {
        /// The key's field.
        key: String,
        /// The value's field.
        value: String,
    },
    /// JSON text; with the schema that it must meet (`None`: any JSON) and the rule.
    Json {
        /// The schema.
        schema: Option<JsonId>,
        /// The rule that text which is no JSON breaks.
        rule: Option<RuleRef>,
    },
    /// Described fields of a layout set, in text.
    Signature(LayoutId),
}

/// Where time counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Epoch {
    /// 0001-01-01T00:00:00Z.
    Year1,
    /// 1601-01-01T00:00:00Z.
    Year1601,
    /// 1970-01-01T00:00:00Z.
    Year1970,
}

/// A schema for JSON inside the format.
#[derive(Clone, Debug)]
pub struct JsonSchema {
    /// Name.
    pub name: String,
    /// Kinds that the value may be of.
    pub kinds: Vec<JsonKind>,
    /// Values that it must be one of; empty: any.
    pub one_of: Vec<String>,
    /// The rule that another text breaks, where it is not that of the value.
    pub one_of_rule: Option<RuleRef>,
    /// Members of an object.
    pub members: Vec<JsonMember>,
    /// The rule that another kind shows or breaks.
    pub rule: Option<RuleRef>,
    /// The rule that other members show or break.
    pub other_members: Option<RuleRef>,
    /// Where it stands.
    pub span: SourceSpan,
}

/// A member of a JSON object.
#[derive(Clone, Debug)]
pub struct JsonMember {
    /// Name.
    pub name: String,
    /// It must be there.
    pub needed: bool,
    /// What it must be.
    pub value: JsonSchema,
}

/// Kinds of JSON values.
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
