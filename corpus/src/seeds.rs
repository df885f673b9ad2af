//! Stores seeds that generate traces with a particular effect. A search finds the seeds, which
//! remain valid only for one version of a description.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use tracegauge_generator::plain::Allowed;
use tracegauge_generator::{GenerateError, Generated, Generator, Options, Target};

use crate::store::{KeptError, Store};

/// A seed and the purpose that its trace serves.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sown {
    /// The purpose of the seed: the mutant that the seed's trace detects, or the kind of rule
    /// violation that can be planted in the trace.
    pub of: String,
    /// The seed.
    pub seed: u64,
}

/// The maximum numbers of departures in the traces of consecutive seeds. `None` means that all
/// choices are random.
const SWARMS: [Option<usize>; 8] = [
    Some(0),
    Some(1),
    Some(3),
    Some(0),
    Some(1),
    Some(3),
    Some(8),
    None,
];

/// Generates the trace of a seed. The seed selects one of `sizes` trace sizes, in steps of 6 bytes,
/// and the number of departures from plain traces that the trace may contain.
///
/// # Errors
/// Returns an error if the generator fails.
pub(crate) fn make(
    generator: &Generator,
    seed: u64,
    sizes: u64,
) -> Result<Generated, GenerateError> {
    make_with(generator, seed, options(seed, sizes))
}

/// Returns the options for the trace of a seed.
pub(crate) fn options(seed: u64, sizes: u64) -> Options {
    Options {
        fill: true,
        ..Options::about(24 + seed % sizes * 6)
    }
}

/// Generates the trace of a seed with these options.
pub(crate) fn make_with(
    generator: &Generator,
    seed: u64,
    options: Options,
) -> Result<Generated, GenerateError> {
    match allowed(generator, seed) {
        None => generator.from_seed(seed, options),
        Some(allowed) => generator.plain(seed, options, &Target::default(), allowed),
    }
}

/// Returns the departures that the trace of a seed may contain, or `None` if all choices are random.
pub(crate) fn allowed(generator: &Generator, seed: u64) -> Option<Allowed> {
    let turn = usize::try_from(seed).unwrap_or_default() % SWARMS.len();
    let (plan, answers) = (generator.plan(), generator.answers());
    SWARMS[turn].map(|count| Allowed::swarm(plan, answers, seed, count))
}

/// Loads the seeds in the file at `path`. Returns an empty list if there is no such file.
///
/// # Errors
/// Returns an error if the file exists but cannot be read.
pub(crate) fn kept(store: &Store, path: &str) -> Result<Vec<Sown>, KeptError> {
    Ok(store.yaml(path)?.unwrap_or_default())
}

/// Adds seeds to the file at `path`, one for each purpose that has no seed yet, and returns the
/// total number of stored seeds.
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
