//! Lists the departures (unusual choices in traces) that known writers produce.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::formats::base;
use crate::store::{KeptError, Store};

/// The path of the list in the corpus.
const LIST: &str = "real/departures.yaml";

/// A departure that a known writer produces.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// The name of the departure.
    pub departure: String,
    /// The writer, and when it produces the departure.
    pub writer: String,
    /// The name of a real file that contains the departure. The file is not necessarily in the
    /// corpus.
    pub file: String,
}

/// The departures that known writers produce, by format.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct KnownWriters(BTreeMap<String, Vec<Written>>);

impl KnownWriters {
    /// Loads the list stored in a corpus. The list is empty if the corpus contains no such file.
    ///
    /// # Errors
    /// Returns an error if the list exists but cannot be read.
    pub fn load(store: &Store) -> Result<Self, KeptError> {
        Ok(store.yaml(LIST)?.unwrap_or_default())
    }

    /// Returns the departures that known writers of a format produce. All dialects of the format
    /// share the same list.
    pub fn of(&self, format: &str) -> &[Written] {
        self.0.get(base(format)).map_or(&[], Vec::as_slice)
    }

    /// Returns the formats that have known writers.
    pub fn formats(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
