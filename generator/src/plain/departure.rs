//! Defines departures, which are differences between a trace and a plain trace (a trace as typical
//! writers produce it), and their names.

use tracegauge_plan::terms::RuleId;
use tracegauge_plan::{OpId, Plan};

/// A choice in a trace that differs from what typical writers choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Departure {
    /// The trace exercises a rule that plain traces do not exercise. The number is the rule's index
    /// in the plan.
    Rule(RuleId),
    /// A field has a value that typical writers do not write.
    Field(OpId, Unusual),
}

/// How a value differs from the values that typical writers write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unusual {
    /// A number is negative.
    Negative,
    /// A number is larger than usual.
    Large,
    /// A number or string is not one of the usual values.
    Other,
    /// A float is NaN, infinite or negative zero.
    Special,
    /// A string is empty.
    Empty,
    /// A string is longer than usual.
    Long,
    /// A string starts with a byte order mark, followed only by printable ASCII.
    Mark,
    /// A string contains characters outside printable ASCII, not counting a byte order mark at its
    /// start.
    Characters,
    /// A field marks the rest of its structure as null.
    Null,
    /// A field that readers ignore is not empty.
    Filled,
}

impl Unusual {
    /// Returns the description of the value, which follows the field's path in the name of a
    /// departure.
    pub fn name(self) -> &'static str {
        match self {
            Self::Negative => "negative",
            Self::Large => "large",
            Self::Other => "unusual value",
            Self::Special => "special float",
            Self::Empty => "empty",
            Self::Long => "long",
            Self::Mark => "byte order mark",
            Self::Characters => "unusual characters",
            Self::Null => "null",
            Self::Filled => "not empty",
        }
    }
}

impl Departure {
    /// Returns the name of the departure: the id of the rule, or the path of the field and what is
    /// unusual about its value.
    pub fn name(self, plan: &Plan) -> String {
        match self {
            Self::Rule(rule) => plan.rules[rule].id.clone(),
            Self::Field(op, unusual) => format!("{}: {}", field_name(plan, op), unusual.name()),
        }
    }
}

/// Returns the name of a field, which consists of the type that contains the field and the field's
/// path inside that type.
pub fn field_name(plan: &Plan, op: OpId) -> String {
    let mut names = Vec::new();
    let mut at = Some(op);
    while let Some(op) = at {
        let info = plan.info(op);
        // A list has the same label as its elements, and a part may have the same label as its
        // contents. Use such a label only once.
        let label = info.label.map(|label| plan.name(label));
        if let Some(label) = label.filter(|label| names.last() != Some(label)) {
            names.push(label);
        }
        let around = info.parent.map(|parent| plan.info(parent));
        if let Some(around) = around
            && let Some(type_name) = around.type_name
            && !names.is_empty()
        {
            names.push(plan.name(type_name));
            break;
        }
        at = info.parent;
    }
    names.reverse();
    names.join(".")
}
