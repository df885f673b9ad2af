//! Names of cases, had without making the generated ones.
//!
//! Whoever mistypes a name should not wait until all cases are made to hear of it.

use std::sync::Arc;

use rayon::prelude::*;
use tracegauge_spec::plan::Plan;

use crate::manifest::{Manifest, ManifestError};
use crate::real::Real;
use crate::source::CaseSource;
use crate::store::Store;
use crate::vector::Vectors;

/// Whether `finds` holds for the name of a case of `plan`; `None` where its generated cases are
/// kept in no manifest, so that nobody knows.
///
/// # Errors
/// The manifest cannot be read.
pub fn any(
    plan: &Arc<Plan>,
    store: &Store,
    finds: impl Fn(&str) -> bool,
) -> Result<Option<bool>, ManifestError> {
    let Some(manifest) = Manifest::load(store, &plan.format)? else {
        return Ok(None);
    };
    if manifest.entries.keys().any(|id| finds(id)) {
        return Ok(Some(true));
    }
    let kept: [&dyn CaseSource; 3] = [
        &Vectors::new(store.clone()),
        &Vectors::regressions(store.clone()),
        &Real::new(store.clone()),
    ];
    let mut cases = kept.iter().flat_map(|source| source.build(plan).cases);
    Ok(Some(cases.any(|case| finds(&case.id))))
}

/// Those of `plans` that may have a case for whose name `finds` holds.
///
/// # Errors
/// A manifest cannot be read.
pub fn formats_with(
    plans: &[Arc<Plan>],
    store: &Store,
    finds: impl Fn(&str) -> bool + Sync,
) -> Result<Vec<String>, ManifestError> {
    let found: Result<Vec<_>, _> = plans
        .par_iter()
        .map(|plan| Ok((any(plan, store, &finds)?, &plan.format)))
        .collect();
    let found = found?.into_iter();
    let found = found.filter(|(found, _)| *found != Some(false));
    Ok(found.map(|(_, format)| format.clone()).collect())
}
