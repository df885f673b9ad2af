//! Obligations that are left out by hand, each with the reason.

use serde::{Deserialize, Serialize};

use crate::pattern::Pattern;
use crate::store::{KeptError, Store};

/// An obligation that no file can meet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// The obligation as a score shows it, or a pattern for several.
    pub obligation: String,
    /// Why no file can meet it.
    pub because: String,
}

/// What is left out of the score of a format.
#[derive(Clone, Debug, Default)]
pub struct Exclusions {
    list: Vec<(Pattern, String)>,
}

impl Exclusions {
    /// What is left out for a format; nothing where no file says so.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn load(store: &Store, format: &str) -> Result<Self, KeptError> {
        let path = format!("excluded/{format}.yaml");
        let written: Option<Vec<Exclusion>> = store.yaml(&path)?;
        Ok(written.map_or_else(Self::default, Self::from))
    }

    /// Why an obligation is left out; `None` where it is not.
    pub(crate) fn reason(&self, obligation: &str) -> Option<&str> {
        let found = self
            .list
            .iter()
            .find(|(pattern, _)| pattern.matches(obligation));
        found.map(|(_, because)| because.as_str())
    }
}

impl From<Vec<Exclusion>> for Exclusions {
    fn from(written: Vec<Exclusion>) -> Self {
        let list = written.into_iter();
        Self {
            list: list
                .map(|exclusion| (Pattern::new(exclusion.obligation), exclusion.because))
                .collect(),
        }
    }
}
