//! Obligations that are left out, each with the reason.

use serde::{Deserialize, Serialize};

use crate::pattern::Pattern;
use crate::store::{KeptError, Store};

/// Obligations that no file can meet, for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exclusion {
    /// The obligation as a score shows it, or a pattern for several, or a list of either.
    pub obligation: Named,
    /// Why no file can meet it.
    pub because: String,
}

/// One or several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Named {
    /// One.
    One(String),
    /// Several.
    Several(Vec<String>),
}

/// An obligation that is not counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The obligation.
    pub obligation: String,
    /// Why no file can meet it.
    pub because: String,
    /// How that is known.
    pub known: Known,
}

/// How it is known that no file can meet an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Known {
    /// It follows from the description.
    Description,
    /// Somebody has written it down.
    Written,
}

/// What is left out of the score of a format by hand.
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

    /// The patterns, as they are written.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        self.list.iter().map(|(pattern, _)| pattern)
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
