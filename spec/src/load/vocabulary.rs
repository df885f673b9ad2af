//! The keys of the language, as descriptions were asked for them.

use std::collections::{BTreeMap, BTreeSet};

/// The keys that each kind of mapping was asked for while descriptions were loaded, whether
/// they had them or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary(BTreeMap<&'static str, BTreeSet<&'static str>>);

impl Vocabulary {
    /// `what` ("a field", say) was asked for `keys`.
    pub(super) fn add(&mut self, what: &'static str, keys: &[&'static str]) {
        self.0.entry(what).or_default().extend(keys);
    }

    /// Takes in what another description was asked for.
    pub fn extend(&mut self, other: Self) {
        for (what, keys) in other.0 {
            self.0.entry(what).or_default().extend(keys);
        }
    }

    /// Each kind of mapping with its keys; kinds that have only names of the author's own are
    /// left out.
    pub fn kinds(
        &self,
    ) -> impl Iterator<Item = (&'static str, impl Iterator<Item = &'static str>)> {
        self.0
            .iter()
            .filter(|(_, keys)| !keys.is_empty())
            .map(|(what, keys)| (*what, keys.iter().copied()))
    }
}
