//! Caches the traces that a quick search has found, so that the next run with the same description
//! needs no search.

use std::path::Path;
use std::sync::Arc;

use tracegauge_generator::Generator;
use tracegauge_plan::Plan;

use super::recipe;
use super::trace::Valid;
use crate::store::Store;

/// Returns the cache key for the traces of a description.
fn key(plan: &Plan) -> String {
    format!("{} {}", recipe::hash(plan), env!("CARGO_PKG_VERSION"))
}

/// Returns the traces that an earlier search found, and descriptions of the cases that it skipped.
/// A cache that cannot be read is treated as empty.
pub(super) fn load(folder: &Path, plan: &Arc<Plan>) -> Option<(Vec<Valid>, Vec<String>)> {
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
    Some((traces.ok()?, kept.left_out))
}

/// Saves the traces that a search found, and descriptions of the cases that it skipped. Errors are
/// ignored, because without a cache the next run merely takes longer.
pub(super) fn save(folder: &Path, plan: &Plan, valid: &[Valid], left_out: &[String]) {
    // The bytes are stored rather than the seeds, because another version of the generator may
    // generate different traces from the same seeds.
    let traces = valid.iter().map(recipe::WrittenTrace::with_bytes).collect();
    let written = recipe::Written {
        format: plan.format.clone(),
        description: key(plan),
        left_out: left_out.to_vec(),
        traces,
    };
    if let Some(text) = recipe::text(&written) {
        let _ = store(folder).compress(&recipe::path(&plan.format), &text);
    }
}

fn store(folder: &Path) -> Store {
    Store::Folder(folder.to_path_buf())
}
