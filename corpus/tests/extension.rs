//! Checks that a search which extends stored recipes keeps the valid traces that are still what the
//! manifest says, and finds traces for what is missing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use tracegauge_corpus::case::{Case, Source};
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::score::{Meter, Obligation};
use tracegauge_corpus::source::{Built, CaseSource};
use tracegauge_corpus::store::Store;
use tracegauge_corpus::systematic::{Recipes, SearchOptions, SystematicCases};
use tracegauge_plan::Plan;

const FORMAT: &str = "dial9-v1";

fn plan() -> Arc<Plan> {
    let formats = Formats::bundled(&[FORMAT.to_owned()]).expect("a bundled description");
    Arc::clone(&formats.plans()[0])
}

/// Copies the recipes and the manifest of the format, without the recipes for the traces in
/// `without`.
fn store(folder: &Path, without: &[&str]) -> Store {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"));
    for part in ["manifest", "recipes"] {
        fs::create_dir_all(folder.join(part)).expect("a folder");
    }
    let manifest = format!("manifest/{FORMAT}.yaml");
    fs::copy(corpus.join(&manifest), folder.join(&manifest)).expect("a manifest");
    let path = format!("recipes/{FORMAT}.yaml.gz");
    let recipes = Store::Folder(corpus.into()).compressed(&path);
    let recipes = recipes.expect("recipes").expect("recipes");
    let is_kept = |line: &&str| !without.iter().any(|id| line.contains(&format!("\"{id}\"")));
    let kept: Vec<&str> = recipes.lines().filter(is_kept).collect();
    let store = Store::Folder(folder.to_path_buf());
    let text = format!("{}\n", kept.join("\n"));
    store.compress(&path, &text).expect("written recipes");
    store
}

fn built(store: &Store, recipes: Recipes) -> Built {
    let source = SystematicCases::new(store.clone(), recipes, SearchOptions::default());
    let built = source.build(&plan());
    assert!(built.problems.is_empty(), "{:?}", built.problems);
    built
}

/// Returns the traces of the valid cases that no malformed trace is made from by name.
fn valid(built: &Built) -> BTreeMap<String, Vec<u8>> {
    let cases = built.cases.iter();
    let cases = cases.filter(|case: &&Case| case.provenance.source == Source::Valid);
    let cases = cases.filter(|case| !case.id.contains("/valid/twin/"));
    cases
        .map(|case| (case.id.clone(), case.bytes.to_vec()))
        .collect()
}

fn met(plan: &Plan, traces: &BTreeMap<String, Vec<u8>>) -> Vec<Obligation> {
    let meter = Meter::new(plan);
    let mut met: Vec<Obligation> = traces
        .values()
        .flat_map(|trace| meter.measure(trace))
        .collect();
    met.sort_unstable();
    met.dedup();
    met
}

#[test]
fn nothing_is_added_to_recipes_that_cover_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store(folder.path(), &[]);
    let followed = built(&store, Recipes::Follow);
    let extended = built(&store, Recipes::Extend);
    assert_eq!(valid(&extended), valid(&followed));
}

#[test]
fn a_removed_trace_is_replaced_and_the_others_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = valid(&built(&store(folder.path(), &[]), Recipes::Follow));
    let lost = "dial9-v1/valid/boundaries/frames[].body:schema_frame.name.text-byte-order-mark";
    assert!(whole.contains_key(lost));
    let store = store(folder.path(), &[lost]);
    let rest = valid(&built(&store, Recipes::Follow));
    assert_eq!(rest.len() + 1, whole.len());
    let extended = valid(&built(&store, Recipes::Extend));
    for (id, trace) in &rest {
        assert_eq!(extended.get(id), Some(trace), "{id}");
    }
    let plan = plan();
    assert_ne!(met(&plan, &rest), met(&plan, &whole));
    let (now, before) = (met(&plan, &extended), met(&plan, &whole));
    let missing: Vec<&Obligation> = before.iter().filter(|known| !now.contains(known)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_trace_that_differs_from_the_manifest_is_not_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = store(folder.path(), &[]);
    let whole = valid(&built(&store, Recipes::Follow));
    let changed = "dial9-v1/valid/boundaries/frames[].body:schema_frame.name.text-byte-order-mark";
    let path = folder.path().join(format!("manifest/{FORMAT}.yaml"));
    let manifest = fs::read_to_string(&path).expect("a manifest");
    let lines = manifest.lines().map(|line| match line.contains(changed) {
        true => line.replace("bytes: ", "bytes: 9"),
        false => line.to_owned(),
    });
    let lines: Vec<String> = lines.collect();
    let text = format!("{}\n", lines.join("\n"));
    assert_ne!(text, manifest);
    fs::write(&path, text).expect("a written manifest");
    let extended = valid(&built(&store, Recipes::Extend));
    // The trace is found again by the search, so only its bytes may differ.
    let plan = plan();
    assert_eq!(met(&plan, &extended), met(&plan, &whole));
}
