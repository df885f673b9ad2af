//! The vocabulary of the language: the keys that the loader looks up in descriptions.

use std::collections::BTreeMap;

/// The keys that the loader looked up in each kind of mapping, whether or not the mapping contained
/// them. The keys of a kind are in the order of their first lookup.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary(BTreeMap<&'static str, Vec<&'static str>>);

impl Vocabulary {
    /// Adds the keys that were looked up in a mapping described by `what`, for example "a field".
    pub(super) fn add(&mut self, what: &'static str, keys: &[&'static str]) {
        let known = self.0.entry(what).or_default();
        for (index, key) in keys.iter().enumerate() {
            // Most mappings of a kind are converted in the same way.
            if known.get(index) != Some(key) && !known.contains(key) {
                known.push(key);
            }
        }
    }

    /// Adds the keys that were looked up in another description.
    pub fn extend(&mut self, other: Self) {
        for (what, keys) in other.0 {
            self.add(what, &keys);
        }
    }

    /// Returns each kind of mapping with the keys that were looked up in it, sorted. Kinds of
    /// mappings are omitted if the author chooses all their keys.
    pub fn kinds(
        &self,
    ) -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
        self.0
            .iter()
            .filter(|(_, keys)| !keys.is_empty())
            .map(|(what, keys)| {
                let mut keys = keys.clone();
                keys.sort_unstable();
                (*what, keys.into_iter())
            })
    }
}
