//! Obligations that are left out by hand, each with the reason.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::pattern::Pattern;
use crate::store::{Store, StoreError};

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

/// Exclusions that cannot be read.
#[derive(Debug)]
pub enum ExcludeError {
    /// The file cannot be read.
    Store(StoreError),
    /// It is not a list of `{obligation, because}`.
    Text {
        /// The file.
        file: String,
        /// The mistake, with its place.
        error: serde_yaml::Error,
    },
}

impl fmt::Display for ExcludeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Text { file, error } => write!(f, "{file}: {error}"),
        }
    }
}

impl std::error::Error for ExcludeError {}

impl Exclusions {
    /// What is left out for a format; nothing where no file says so.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn load(store: &Store, format: &str) -> Result<Self, ExcludeError> {
        let path = format!("excluded/{format}.yaml");
        let Some(bytes) = store.read(&path).map_err(ExcludeError::Store)? else {
            return Ok(Self::default());
        };
        let written: Vec<Exclusion> =
            serde_yaml::from_slice(&bytes).map_err(|error| ExcludeError::Text {
                file: store.shown(&path),
                error,
            })?;
        Ok(Self::from(written))
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
