//! Seeds that are kept for what their traces do: found once by searching, good for one version of a
//! description.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use tracegauge_generator::Options;

use crate::store::{KeptError, Store};

/// A seed, and what its trace does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sown {
    /// What it was looked for: a mutant that it tells apart, a way to break a rule that it allows.
    pub of: String,
    /// The seed.
    pub seed: u64,
}

/// What is made of a seed: traces of many sizes, up to some 6 bytes for each of so many.
pub(crate) fn options(seed: u64, sizes: u64) -> Options {
    Options {
        bytes: 24 + seed % sizes * 6,
        fill: true,
        ..Options::default()
    }
}

/// The seeds that the file at `path` keeps; none where it is not there.
///
/// # Errors
/// The file is there and cannot be read.
pub(crate) fn kept(store: &Store, path: &str) -> Result<Vec<Sown>, KeptError> {
    Ok(store.yaml(path)?.unwrap_or_default())
}

/// Keeps more seeds, one of each thing; how many are kept in all.
///
/// # Errors
/// The file cannot be read or written.
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
