//! The vocabulary of the language: the keys that the loader looks up in descriptions.

use std::collections::{BTreeMap, BTreeSet};

/// The keys that the loader looked up in each kind of mapping, whether or not the mapping contained
/// them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary(BTreeMap<&'static str, BTreeSet<&'static str>>);

impl Vocabulary {
    /// Adds the keys that were looked up in a mapping described by `what`, for example "a field".
    pub(super) fn add(&mut self, what: &'static str, keys: &[&'static str]) {
        self.0.entry(what).or_default().extend(keys);
    }

    /// Adds the keys that were looked up in another description.
    pub fn extend(&mut self, other: Self) {
        for (what, keys) in other.0 {
            self.0.entry(what).or_default().extend(keys);
        }
    }

    /// Returns each kind of mapping with the keys that were looked up in it. Kinds of mappings are
    /// omitted if the author chooses all their keys.
    pub fn kinds(
        &self,
    ) -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
        self.0
            .iter()
            .filter(|(_, keys)| !keys.is_empty())
            .map(|(what, keys)| (*what, keys.iter().copied()))
    }
}
