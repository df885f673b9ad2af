//! Looks up the names of cases without generating the cases, so that a misspelled name is reported
//! quickly.

use std::sync::Arc;

use tracegauge_plan::Plan;

use crate::manifest::Manifest;
use crate::parallel;
use crate::progress::Progress;
use crate::real::Real;
use crate::source::CaseSource;
use crate::store::{KeptError, Store};
use crate::vector::Vectors;

/// The origin of the cases that match a name: files or the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whereabouts {
    /// All matching cases are stored in files.
    Files,
    /// Some matching cases have to be generated, or the format has no manifest to look them up in.
    Made,
}

/// Returns the sources of the cases that are stored in files.
pub fn files(store: &Store) -> Vec<Box<dyn CaseSource>> {
    vec![
        Box::new(Vectors::new(store.clone())),
        Box::new(Vectors::regressions(store.clone())),
        Box::new(Real::new(store.clone())),
    ]
}

/// Looks for cases of `plan` whose names satisfy `finds`, and returns where these cases come from.
/// Returns `None` if there are no such cases.
///
/// # Errors
/// Returns an error if the manifest cannot be read.
pub fn any(
    plan: &Arc<Plan>,
    store: &Store,
    finds: impl Fn(&str) -> bool,
) -> Result<Option<Whereabouts>, KeptError> {
    let Some(manifest) = Manifest::load(store, &plan.format)? else {
        return Ok(Some(Whereabouts::Made));
    };
    if manifest.entries.keys().any(|id| finds(id)) {
        return Ok(Some(Whereabouts::Made));
    }
    let files = files(store);
    let mut cases = files.iter().flat_map(|source| source.build(plan).cases);
    let found = cases.any(|case| finds(&case.id));
    Ok(found.then_some(Whereabouts::Files))
}

/// Returns the formats of those `plans` that may have a case whose name satisfies `finds`, each
/// with the origin of its matching cases.
///
/// # Errors
/// Returns an error if a manifest cannot be read.
pub fn formats_with(
    plans: &[Arc<Plan>],
    store: &Store,
    finds: impl Fn(&str) -> bool + Sync,
    progress: &dyn Progress,
) -> Result<Vec<(String, Whereabouts)>, KeptError> {
    progress.begin("finding the case", plans.len() as u64);
    let found = parallel::map(plans, |plan| {
        let found = any(plan, store, &finds)?;
        progress.step();
        Ok(found.map(|found| (plan.format.clone(), found)))
    });
    progress.end();
    found.into_iter().filter_map(Result::transpose).collect()
}
