//! Handles excluded obligations, each with a documented reason.

use serde::{Deserialize, Serialize};

use crate::pattern::Pattern;
use crate::store::{KeptError, Store};

/// Obligations that no file can meet, all for the same reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// The obligation as shown in a coverage report, a pattern that matches several obligations, or
    /// a list of obligations and patterns.
    pub obligation: Named,
    /// The reason why no file can meet the obligation.
    pub because: String,
}

/// One name or a list of names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Named {
    /// One name.
    One(String),
    /// Several names.
    Several(Vec<String>),
}

/// An obligation that is not counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The obligation.
    pub obligation: String,
    /// The reason why no file can meet the obligation.
    pub because: String,
    /// The source of the reason.
    pub known: Known,
}

/// The source of the claim that no file can meet an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Known {
    /// The description proves the claim.
    Description,
    /// The claim is documented in a file in the corpus.
    Written,
}

/// The documented exclusions of a format.
#[derive(Clone, Debug, Default)]
pub struct Exclusions {
    list: Vec<(Pattern, String)>,
}

impl Exclusions {
    /// Loads the exclusions of a format. The list is empty if the format has no exclusions file.
    ///
    /// # Errors
    /// Returns an error if the file exists but cannot be read.
    pub fn load(store: &Store, format: &str) -> Result<Self, KeptError> {
        let path = format!("excluded/{format}.yaml");
        let written: Option<Vec<Exclusion>> = store.yaml(&path)?;
        Ok(written.map_or_else(Self::default, Self::from))
    }

    /// Returns the patterns as written in the file.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        self.list.iter().map(|(pattern, _)| pattern)
    }

    /// Returns the reason for excluding an obligation. Returns `None` if the obligation is not
    /// excluded.
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
        let mut list = Vec::new();
        for Exclusion {
            obligation,
            because,
        } in written
        {
            let names = match obligation {
                Named::One(name) => vec![name],
                Named::Several(names) => names,
            };
            let named = names.into_iter().map(Pattern::new);
            list.extend(named.map(|pattern| (pattern, because.clone())));
        }
        Self { list }
    }
}
