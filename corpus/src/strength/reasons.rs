//! Why mutants are not told from the truth: some by no trace at all, others by no case so far.

use serde::{Deserialize, Serialize};

use crate::pattern::Pattern;
use crate::store::{KeptError, Store};

/// A mutant that is not told from the truth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Untold {
    /// Its name, or a pattern for several.
    pub mutant: String,
    /// Why nothing tells it apart.
    pub because: String,
}

/// What is known of mutants of a format that are not told from the truth.
#[derive(Clone, Debug, Default)]
pub struct Reasons {
    /// Those that read every trace as the truth does.
    pub equivalent: Untolds,
    /// Those that some trace may tell apart, and no case does.
    pub surviving: Untolds,
}

/// Mutants with reasons.
#[derive(Clone, Debug, Default)]
pub struct Untolds {
    list: Vec<Entry>,
}

/// One entry of a list.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The file that it stands in, from the folder of the corpus; nothing where none was read.
    pub(super) file: String,
    pub(super) pattern: Pattern,
    pub(super) because: String,
}

impl Reasons {
    /// What the files of `store` say of a format and of its undialected form.
    ///
    /// # Errors
    /// A file is there and cannot be read.
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

    /// Why a mutant is not told apart; `None` where nothing says so.
    pub fn of(&self, mutant: &str) -> Option<&str> {
        let found = self.fitting(mutant).next();
        found.map(|entry| entry.because.as_str())
    }

    /// All entries.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.list
    }

    /// The entries that a mutant fits.
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

/// The entries of a file; none where there is no such file.
pub(super) fn list<T: serde::de::DeserializeOwned>(
    store: &Store,
    path: &str,
) -> Result<Vec<T>, KeptError> {
    Ok(store.yaml(path)?.unwrap_or_default())
}
