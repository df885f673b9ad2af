//! Schemas for JSON inside a format.

use super::{JsonKind, RuleRef};
use tracegauge_plan::source::SourceSpan;

/// A schema for JSON that is embedded in the format.
#[derive(Clone, Debug)]
pub struct JsonSchema {
    /// The name of the schema.
    pub name: String,
    /// The permitted kinds of value.
    pub kinds: Vec<JsonKind>,
    /// The permitted values. If the list is empty, all values are permitted.
    pub one_of: Vec<String>,
    /// The rule broken by a string that is not listed in `one_of`, if it differs from `rule`.
    pub one_of_rule: Option<RuleRef>,
    /// The known members of an object.
    pub members: Vec<JsonMember>,
    /// The rule broken or exercised by a value of a kind that is not permitted.
    pub rule: Option<RuleRef>,
    /// The rule broken or exercised by unknown members.
    pub other_members: Option<RuleRef>,
    /// The location of the schema in the description.
    pub span: SourceSpan,
}

/// A known member of a JSON object.
#[derive(Clone, Debug)]
pub struct JsonMember {
    /// The name of the member.
    pub name: String,
    /// Whether the member is required.
    pub needed: bool,
    /// The schema of the member's value.
    pub value: JsonSchema,
}
