//! The normative sentences that cases are about, as a report shows them.

use serde::{Deserialize, Serialize};

/// One normative sentence of a format document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleInfo {
    /// Its name, unique within the format.
    pub id: String,
    /// The format, as the reader protocol names it; a dialect is part of the name.
    pub format: String,
    /// Where in the format document the sentence stands.
    pub section: String,
    /// How strongly the sentence binds.
    pub level: Level,
    /// The sentence.
    pub says: String,
    /// What a reader does with a file that shows or breaks it.
    pub reader: ReaderDuty,
    /// Whether it is judged in an ordinary run.
    #[serde(default, skip_serializing_if = "Profile::is_ordinary")]
    pub profile: Profile,
}

impl RuleInfo {
    /// The rule `id` of `format` among `rules`: of the very dialect where that has its own,
    /// else of the format.
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

/// How strongly a sentence binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// The document demands it.
    Must,
    /// The document recommends it: a failure is a warning.
    Should,
    /// The document allows it.
    May,
    /// The document states it without demanding it.
    States,
    /// The document is silent; this is the suite's own reading.
    Silent,
    /// The document contradicts itself.
    Contradicted,
}

/// What a reader does with a file that shows or breaks a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReaderDuty {
    /// It rejects the file.
    Reject,
    /// It accepts the file.
    Accept,
    /// Either conforms.
    Either,
    /// No file can show the rule.
    None,
}

/// When a rule is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// In every run.
    #[default]
    Ordinary,
    /// Only in a strict run.
    Strict,
}

impl Profile {
    fn is_ordinary(&self) -> bool {
        *self == Self::Ordinary
    }
}
