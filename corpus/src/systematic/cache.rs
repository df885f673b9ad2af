//! Caches the traces that a quick search has found, so that the next run with the same description
//! needs no search.

use std::path::Path;
use std::sync::Arc;

use tracegauge_generator::Generator;
use tracegauge_plan::Plan;

use super::recipe;
use super::trace::{Found, Valid};
use crate::source::{Built, Problem};
use crate::store::Store;

/// A number that is increased whenever the search changes, so that it is repeated.
const SEARCH: u32 = 11;

/// Returns the cache key for the traces of a description.
fn key(plan: &Plan) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{} {version} {SEARCH}", recipe::hash(plan))
}

/// Returns the traces that an earlier search found, and adds the cases that it skipped and the
/// traces that it could not generate to `built`. A cache that cannot be read is treated as empty.
pub(super) fn load(folder: &Path, plan: &Arc<Plan>, built: &mut Built) -> Option<Found> {
    let text = store(folder).compressed(&recipe::path(&plan.format));
    let kept = recipe::parse(&text.ok()??).ok()?;
    if kept.description != key(plan) {
        return None;
    }
    let generator = Generator::new(Arc::clone(plan));
    let traces = kept.traces.into_iter();
    let traces: Result<Vec<Valid>, _> = traces
        .map(|trace| recipe::made(&generator, trace))
        .collect();
    let valid = traces.ok()?;
    let failed = kept.failed.into_iter();
    built
        .problems
        .extend(failed.map(|failed| Problem::Generate {
            format: plan.format.clone(),
            wanted: failed.wanted,
            why: failed.why,
        }));
    built.left_out.extend(kept.left_out);
    Some(Found {
        valid,
        rejected: kept.rejected,
    })
}

/// Saves the traces that a search found, the cases that it skipped, and the traces that it could not
/// generate, unless there was another problem. Errors are ignored, because without a cache the next
/// run merely takes longer.
pub(super) fn save(folder: &Path, plan: &Plan, found: &Found, built: &Built) {
    let failed = built.problems.iter().map(|problem| match problem {
        Problem::Generate { wanted, why, .. } => Some(recipe::WrittenFailure {
            wanted: wanted.clone(),
            why: why.clone(),
        }),
        _ => None,
    });
    let Some(failed) = failed.collect() else {
        return;
    };
    // The bytes are stored rather than the seeds, because another version of the generator may
    // generate different traces from the same seeds.
    let traces = found.valid.iter();
    let traces = traces.map(recipe::WrittenTrace::with_bytes).collect();
    let written = recipe::Written {
        format: plan.format.clone(),
        description: key(plan),
        left_out: built.left_out.clone(),
        failed,
        rejected: found.rejected.clone(),
        traces,
    };
    if let Some(text) = recipe::text(&written) {
        let _ = store(folder).compress(&recipe::path(&plan.format), &text);
    }
}

fn store(folder: &Path) -> Store {
    Store::Folder(folder.to_path_buf())
}
