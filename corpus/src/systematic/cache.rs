//! Caches the traces that a quick search has found, so that the next run with the same description
//! needs no search, or continues a search that was stopped.

use std::path::Path;
use std::sync::Arc;

use tracegauge_generator::Generator;
use tracegauge_plan::Plan;

use super::recipe;
use super::trace::{Found, Valid};
use crate::source::{Built, Problem};
use crate::store::Store;

/// A number that is increased whenever the search changes, so that it is repeated.
const SEARCH: u32 = 14;

/// Returns the cache key for the traces of a description.
fn key(plan: &Plan) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!("{} {version} {SEARCH}", recipe::hash(plan))
}

/// A stage of a search that takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    /// The search for traces that meet obligations.
    Valid,
    /// The search for traces that faults are planted in.
    Twins,
}

impl Stage {
    const ALL: [Self; 2] = [Self::Valid, Self::Twins];

    /// Returns the cache key for the traces of a search that was stopped after this stage.
    fn key(self, plan: &Plan) -> String {
        let stage = match self {
            Self::Valid => "valid",
            Self::Twins => "twins",
        };
        format!("{} {stage}", key(plan))
    }
}

/// Returns the traces that an earlier search found, and adds the cases that it skipped and the
/// traces that it could not generate to `built`. A cache that cannot be read is treated as empty.
pub(super) fn load(folder: &Path, plan: &Arc<Plan>, built: &mut Built) -> Option<Found> {
    let kept = kept(folder, plan)?;
    (kept.description == key(plan)).then(|| restored(kept, plan, built))?
}

/// Returns the last completed stage of a search that was stopped and the traces that it had found, as
/// [`load`] does for a complete search.
pub(super) fn begun(folder: &Path, plan: &Arc<Plan>, built: &mut Built) -> Option<(Stage, Found)> {
    let kept = kept(folder, plan)?;
    let stage = Stage::ALL
        .into_iter()
        .find(|stage| kept.description == stage.key(plan))?;
    Some((stage, restored(kept, plan, built)?))
}

fn kept(folder: &Path, plan: &Plan) -> Option<recipe::Written> {
    let text = store(folder).compressed(&recipe::path(&plan.format));
    recipe::parse(&text.ok()??).ok()
}

fn restored(kept: recipe::Written, plan: &Arc<Plan>, built: &mut Built) -> Option<Found> {
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
    write(folder, (plan, key(plan)), found, built);
}

/// Saves what a search has found when it has completed a stage, as [`save`] does at the end.
pub(super) fn save_stage(
    folder: &Path,
    (plan, stage): (&Plan, Stage),
    found: &Found,
    built: &Built,
) {
    write(folder, (plan, stage.key(plan)), found, built);
}

fn write(folder: &Path, (plan, key): (&Plan, String), found: &Found, built: &Built) {
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
        description: key,
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

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use tracegauge_spec::load::{Memory, load as description};
    use tracegauge_spec::lower::lower;

    use super::super::{Effort, Recipes, SearchOptions, SystematicCases, valid};
    use super::*;
    use crate::source::CaseSource as _;

    const ROWS: &str = "
meta: { id: rows, endian: le }
faults: { eof: WHOLE, trailing: WHOLE }
tables: { rows: { key: u2, row: row } }
seq:
  - { id: count, type: u1, value: rows.size }
  - { id: rows, type: row, repeat: expr, repeat-expr: count }
  - { id: used, type: u2, refs: { table: rows, none: 0, dangling: KNOWN } }
types:
  row: { defines: { table: rows, key: id, again: ONCE }, seq: [ { id: id, type: u2 } ] }
rules:
  WHOLE: { level: must, section: 1, says: A trace is complete., reader: reject }
  ONCE: { level: must, section: 2, says: A row is not defined twice., reader: reject }
  KNOWN: { level: must, section: 3, says: The row exists., reader: reject }
";

    fn plan() -> Arc<Plan> {
        let loaded = description(&Memory::new().with("rows.yaml", ROWS), "rows.yaml");
        let schema = loaded.schema.expect("a description");
        Arc::new(lower(&Arc::new(schema), "rows").expect("a plan"))
    }

    fn source(cache: Option<PathBuf>) -> SystematicCases {
        let effort = Effort::Quick;
        let store = Store::Folder(PathBuf::from("no such folder"));
        SystematicCases::new(store, Recipes::Follow, SearchOptions { effort, cache })
    }

    fn cases(source: &SystematicCases, plan: &Arc<Plan>) -> Vec<(String, Vec<u8>)> {
        let built = source.build(plan);
        assert!(built.problems.is_empty(), "{:?}", built.problems);
        let cases = built.cases.into_iter();
        cases.map(|case| (case.id, case.bytes.to_vec())).collect()
    }

    #[test]
    fn a_search_that_was_stopped_finds_the_same_cases() {
        let plan = plan();
        let whole = cases(&source(None), &plan);
        let generator = Generator::new(Arc::clone(&plan));
        let limits = Effort::Quick.limits().paced(&generator);
        let mut built = Built::default();
        let mut found = Found {
            valid: valid::traces(&generator, limits, &[], &mut built),
            rejected: Vec::new(),
        };
        for stage in Stage::ALL {
            if stage == Stage::Twins {
                source(None).add_twins(&generator, limits, (true, false), &mut found.valid);
            }
            let folder = tempfile::tempdir().expect("a folder");
            save_stage(folder.path(), (&plan, stage), &found, &built);
            assert!(load(folder.path(), &plan, &mut Built::default()).is_none());
            let (begun, _) = begun(folder.path(), &plan, &mut Built::default()).expect("a stage");
            assert_eq!(begun, stage);
            let continued = source(Some(folder.path().to_owned()));
            assert_eq!(cases(&continued, &plan), whole, "{stage:?}");
            // The complete search has replaced what the stage had found.
            assert!(load(folder.path(), &plan, &mut Built::default()).is_some());
        }
    }
}
