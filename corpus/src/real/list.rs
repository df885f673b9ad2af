//! The list of a folder of real files.

use serde::Deserialize;
use tracegauge_spec::plan::Plan;

use crate::case::{ExpectedViolation, FaultClass};
use crate::vector::Violated;
use crate::words::{StateWord, VerdictWord};

/// A real file, read as one format.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Listed {
    /// Its name in the folder.
    pub file: String,
    /// The format with its dialect that it is read as.
    pub format: String,
    /// What wrote it, and what is special about it.
    pub says: String,
    pub expect: VerdictWord,
    /// How many records it has, those before the fault where it is rejected.
    pub records: usize,
    violation: Option<Violated>,
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
    /// The file's name without its extension.
    pub(super) fn name(&self) -> &str {
        self.file
            .rsplit_once('.')
            .map_or(&self.file, |(name, _)| name)
    }

    /// What is violated, with the class that the plan gives to its rule.
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
