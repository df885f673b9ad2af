//! Names of cases, had without making the generated ones.
//!
//! Whoever mistypes a name should not wait until all cases are made to hear of it.

use std::sync::Arc;

use rayon::prelude::*;
use tracegauge_spec::plan::Plan;

use crate::manifest::Manifest;
use crate::progress::Progress;
use crate::real::Real;
use crate::source::CaseSource;
use crate::store::{KeptError, Store};
use crate::vector::Vectors;

/// Where the cases are whose names are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Whereabouts {
    /// All of them are kept in files.
    Files,
    /// Some of them have to be made, or nobody knows, since there is no manifest.
    Made,
}

/// The sources of the cases that are kept in files.
pub fn files(store: &Store) -> Vec<Box<dyn CaseSource>> {
    vec![
        Box::new(Vectors::new(store.clone())),
        Box::new(Vectors::regressions(store.clone())),
        Box::new(Real::new(store.clone())),
    ]
}

/// Where the cases of `plan` are for whose name `finds` holds; `None` where there are none.
///
/// # Errors
/// The manifest cannot be read.
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

/// Those of `plans` that may have a case for whose name `finds` holds, and where those cases are.
///
/// # Errors
/// A manifest cannot be read.
pub fn formats_with(
    plans: &[Arc<Plan>],
    store: &Store,
    finds: impl Fn(&str) -> bool + Sync,
    progress: &dyn Progress,
) -> Result<Vec<(String, Whereabouts)>, KeptError> {
    progress.begin("looking for the case", plans.len() as u64);
    let found: Result<Vec<_>, KeptError> = plans
        .par_iter()
        .map(|plan| {
            let found = any(plan, store, &finds)?;
            progress.step();
            Ok(found.map(|found| (plan.format.clone(), found)))
        })
        .collect();
    progress.end();
    Ok(found?.into_iter().flatten().collect())
}
