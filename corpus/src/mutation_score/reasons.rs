//! Documented reasons why mutants are not detected. Some undetected mutants cannot be detected by
//! any trace. Other undetected mutants could be detected by some trace, but no case of the corpus
//! detects them.

use serde::{Deserialize, Serialize};

use crate::pattern::Pattern;
use crate::store::{KeptError, Store};

/// An undetected mutant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Untold {
    /// The name of the mutant, or a pattern that matches several mutants.
    pub mutant: String,
    /// The reason why no case detects the mutant.
    pub because: String,
}

/// The documented reasons for the undetected mutants of a format.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    /// Equivalent mutants, which behave like the unmodified plan on every trace.
    pub equivalent: Untolds,
    /// Mutants that some trace may detect but no case detects.
    pub surviving: Untolds,
}

/// A list of mutants with reasons.
#[derive(Clone, Debug, Default)]
pub struct Untolds {
    list: Vec<Entry>,
}

/// An entry of a list.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The path of the file in the corpus, or empty if the entry does not come from a file.
    pub(super) file: String,
    pub(super) pattern: Pattern,
    pub(super) because: String,
}

impl Reasons {
    /// Loads the reasons for a format from `store`. The reasons for a dialect include those for its
    /// base format.
    ///
    /// # Errors
    /// Returns an error if a file exists but cannot be read.
    pub fn load(store: &Store, format: &str) -> Result<Self, KeptError> {
        Ok(Self {
            equivalent: Untolds::load(store, "equivalent", format)?,
            surviving: Untolds::load(store, "surviving", format)?,
        })
    }
}

impl Untolds {
    fn load(store: &Store, folder: &str, format: &str) -> Result<Self, KeptError> {
        let family = format.split('@').next().unwrap_or(format);
        let mut names = vec![family];
        if family != format {
            names.push(format);
        }
        let mut all = Self::default();
        for name in names {
            let file = format!("{folder}/{name}.yaml");
            let written: Vec<Untold> = list(store, &file)?;
            all.list.extend(entries(&file, written));
        }
        Ok(all)
    }

    /// Returns the reason why a mutant is not detected, or `None` if none is documented.
    pub fn of(&self, mutant: &str) -> Option<&str> {
        let found = self.fitting(mutant).next();
        found.map(|entry| entry.because.as_str())
    }

    /// Returns all entries.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.list
    }

    /// Returns the entries that match a mutant.
    pub(super) fn fitting(&self, mutant: &str) -> impl Iterator<Item = &Entry> {
        let list = self.list.iter();
        list.filter(move |entry| entry.pattern.matches(mutant))
    }
}

impl From<Vec<Untold>> for Untolds {
    fn from(written: Vec<Untold>) -> Self {
        Self {
            list: entries("", written).collect(),
        }
    }
}

fn entries(file: &str, written: Vec<Untold>) -> impl Iterator<Item = Entry> {
    written.into_iter().map(move |one| Entry {
        file: file.to_owned(),
        pattern: Pattern::new(one.mutant),
        because: one.because,
    })
}

/// Loads the entries of a file. Returns an empty list if there is no such file.
pub(super) fn list<T: serde::de::DeserializeOwned>(
    store: &Store,
    path: &str,
) -> Result<Vec<T>, KeptError> {
    Ok(store.yaml(path)?.unwrap_or_default())
}
