//! The rules that cases test, as shown in reports.

use serde::{Deserialize, Serialize};

/// A rule: a requirement of a format's specification, or a question that the specification leaves
/// open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleInfo {
    /// The rule's id, which is unique within the format.
    pub id: String,
    /// The id of the format and dialect, as used in the reader protocol.
    pub format: String,
    /// The section of the specification that `says` summarizes.
    pub section: String,
    /// The level of the rule.
    pub level: Level,
    /// The rule in one sentence.
    pub says: String,
    /// The verdict that a trace that exercises or violates the rule requires of a reader.
    pub reader: ReaderDuty,
    /// The runs that judge the rule.
    #[serde(default, skip_serializing_if = "Profile::is_ordinary")]
    pub profile: Profile,
    /// The rule that is reported as violated when this rule is violated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
}

impl RuleInfo {
    /// Finds the rule `id` of `format` in `rules`. A rule of the exact dialect takes precedence
    /// over a rule of the base format.
    pub fn find<'a>(rules: &'a [Self], id: &str, format: &str) -> Option<&'a Self> {
        let base = format.split('@').next().unwrap_or(format);
        let of = |wanted: &str| {
            rules
                .iter()
                .find(|rule| rule.id == id && rule.format == wanted)
        };
        of(format).or_else(|| of(base))
    }
}

/// The level of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// A requirement of the specification.
    Must,
    /// A recommendation of the specification. A failure is only a warning.
    Should,
    /// A permission in the specification.
    May,
    /// A statement of the specification that is not a requirement.
    States,
    /// A question that the specification does not answer. The rule is this suite's interpretation.
    Silent,
    /// A question that the specification answers in contradictory ways.
    Contradicted,
}

/// The verdict that a trace that exercises or violates a rule requires of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReaderDuty {
    /// The reader must reject the trace.
    Reject,
    /// The reader must accept the trace.
    Accept,
    /// The reader may accept or reject the trace.
    Either,
    /// No trace can exercise or violate the rule.
    None,
}

/// The runs that judge a rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Every run.
    #[default]
    Ordinary,
    /// Only strict runs.
    Strict,
}

impl Profile {
    fn is_ordinary(&self) -> bool {
        *self == Self::Ordinary
    }
}
