//! Mutants that no trace can tell from the truth, each with the reason.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::pattern::Pattern;
use crate::store::{Store, StoreError};

/// A mutant that reads every trace as the truth does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Equivalent {
    /// Its name, or a pattern for several.
    pub mutant: String,
    /// Why no trace tells it apart.
    pub because: String,
}

/// The equivalent mutants of a format.
#[derive(Clone, Debug, Default)]
pub struct Equivalents {
    list: Vec<(Pattern, String)>,
}

/// The list of equivalent mutants cannot be read.
#[derive(Debug)]
pub enum EquivalentError {
    /// The file cannot be read.
    Store(StoreError),
    /// It is not a list of `{mutant, because}`.
    Text {
        /// The file.
        file: String,
        /// The mistake, with its place.
        error: serde_yaml::Error,
    },
}

impl fmt::Display for EquivalentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::Text { file, error } => write!(f, "{file}: {error}"),
        }
    }
}

impl std::error::Error for EquivalentError {}

impl Equivalents {
    /// Those of a format and of its undialected form; none where no file lists any.
    ///
    /// # Errors
    /// A file is there and cannot be read.
    pub fn load(store: &Store, format: &str) -> Result<Self, EquivalentError> {
        let family = format.split('@').next().unwrap_or(format);
        let mut names = vec![family];
        if family != format {
            names.push(format);
        }
        let mut all = Self::default();
        for name in names {
            let path = format!("equivalent/{name}.yaml");
            let Some(bytes) = store.read(&path).map_err(EquivalentError::Store)? else {
                continue;
            };
            let written: Vec<Equivalent> =
                serde_yaml::from_slice(&bytes).map_err(|error| EquivalentError::Text {
                    file: store.shown(&path),
                    error,
                })?;
            all.list.extend(Self::from(written).list);
        }
        Ok(all)
    }

    /// Why a mutant is equivalent; `None` where nothing says so.
    pub fn reason(&self, mutant: &str) -> Option<&str> {
        let found = self
            .list
            .iter()
            .find(|(pattern, _)| pattern.matches(mutant));
        found.map(|(_, because)| because.as_str())
    }
}

impl From<Vec<Equivalent>> for Equivalents {
    fn from(written: Vec<Equivalent>) -> Self {
        let list = written.into_iter();
        Self {
            list: list
                .map(|one| (Pattern::new(one.mutant), one.because))
                .collect(),
        }
    }
}
