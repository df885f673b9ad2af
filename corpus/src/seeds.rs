//! Stored seeds whose traces have a particular effect. A search finds them once, and they are valid
//! for one version of a description.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use tracegauge_generator::Options;

use crate::store::{KeptError, Store};

/// A seed and the purpose that its trace serves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sown {
    /// The purpose of the seed: the mutant that its trace detects, or the way to violate a rule
    /// that the trace allows.
    pub of: String,
    /// The seed.
    pub seed: u64,
}

/// Returns the generator options for a seed. The seed selects one of `sizes` trace sizes, in steps
/// of 6 bytes.
pub(crate) fn options(seed: u64, sizes: u64) -> Options {
    Options {
        bytes: 24 + seed % sizes * 6,
        fill: true,
        ..Options::default()
    }
}

/// Loads the seeds in the file at `path`. Returns an empty list if there is no such file.
///
/// # Errors
/// Returns an error if the file exists but cannot be read.
pub(crate) fn kept(store: &Store, path: &str) -> Result<Vec<Sown>, KeptError> {
    Ok(store.yaml(path)?.unwrap_or_default())
}

/// Adds seeds to the file at `path`, one for each purpose that has none yet, and returns the total
/// number of stored seeds.
///
/// # Errors
/// Returns an error if the file cannot be read or written.
pub(crate) fn keep(store: &Store, path: &str, more: &[Sown]) -> Result<usize, KeptError> {
    let mut all = kept(store, path)?;
    let known: HashSet<String> = all.iter().map(|sown| sown.of.clone()).collect();
    all.extend(
        more.iter()
            .filter(|sown| !known.contains(&sown.of))
            .cloned(),
    );
    all.sort();
    let text = serde_yaml::to_string(&all).map_err(|error| KeptError::Text {
        file: store.shown(path),
        error,
    })?;
    let written = store.write(path, text.as_bytes());
    written.map_err(KeptError::Store)?;
    Ok(all.len())
}
