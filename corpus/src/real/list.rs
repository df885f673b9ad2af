//! Parses the list that describes a folder of real files.

use serde::Deserialize;
use tracegauge_plan::Plan;

use crate::case::{CaseId, ExpectedViolation, FaultClass, Source};
use crate::vector::Violated;
use crate::words::{StateWord, VerdictWord};

/// A real file and the format to read it as.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Listed {
    /// The name of the file in its folder.
    pub file: String,
    /// The id of the format and dialect.
    pub format: String,
    /// A sentence that describes the contents and the writer of the file.
    pub says: String,
    pub expect: VerdictWord,
    /// The number of records or, for a rejected file, the number of records before the fault.
    pub records: usize,
    pub violation: Option<Violated>,
    #[serde(default)]
    pub rules: Vec<String>,
    #[serde(default)]
    pub state: StateWord,
    #[serde(default = "first_version")]
    pub version: u32,
}

fn first_version() -> u32 {
    1
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    cases: Vec<Listed>,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Listed>, serde_yaml::Error> {
    let written: Written = serde_yaml::from_slice(bytes)?;
    Ok(written.cases)
}

impl Listed {
    /// Returns the identity of the case.
    pub(crate) fn id(&self) -> CaseId {
        format!("{}/{}/{}", self.format, Source::Real.name(), self.name())
    }

    /// Returns the name of the file without its extension.
    fn name(&self) -> &str {
        self.file
            .rsplit_once('.')
            .map_or(&self.file, |(name, _)| name)
    }

    /// Returns the violation given in the list. The class of its rule is taken from the plan.
    pub(super) fn violation(&self, plan: &Plan) -> Option<ExpectedViolation> {
        self.violation.as_ref().map(|stated| {
            let rules = stated.rules.0.clone();
            let rule = rules.first().and_then(|id| plan.rule_named(id));
            ExpectedViolation {
                class: rule.map_or(FaultClass::Malformed, |rule| plan.rules[rule].class.into()),
                rules,
                path: stated.path.clone(),
                start: stated.start,
                end: stated.end,
            }
        })
    }
}
