//! Defines value types that several YAML files of the corpus use.

use serde::de::{self, Deserializer};
use serde::{Deserialize, Serialize};

use crate::case::{ExpectedVerdict, State};

/// A string or a list of strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OneOrMany(pub Vec<String>);

impl<'de> Deserialize<'de> for OneOrMany {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            One(String),
            Many(Vec<String>),
        }
        Ok(Self(match Written::deserialize(deserializer)? {
            Written::One(text) => vec![text],
            Written::Many(texts) => texts,
        }))
    }
}

/// A verdict: `accept`, `reject` or `either`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VerdictWord(pub(crate) ExpectedVerdict);

impl<'de> Deserialize<'de> for VerdictWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let all = [
            ExpectedVerdict::Accept,
            ExpectedVerdict::Reject,
            ExpectedVerdict::Either,
        ];
        let found = all.into_iter().find(|verdict| verdict.name() == word);
        found
            .map(Self)
            .ok_or_else(|| de::Error::unknown_variant(&word, &["accept", "reject", "either"]))
    }
}

/// A state: `draft`, `active`, `disputed` or `retired`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StateWord(pub(crate) State);

impl Default for StateWord {
    fn default() -> Self {
        Self(State::Active)
    }
}

impl<'de> Deserialize<'de> for StateWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        State::named(&word).map(Self).ok_or_else(|| {
            de::Error::unknown_variant(&word, &["draft", "active", "disputed", "retired"])
        })
    }
}
