//! Checks that cases with cached traces are the cases that are generated, whatever the cache holds.

use std::fs;
use std::path::Path;

use tracegauge_corpus::case::{Case, State};
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::manifest::Manifest;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::Suite;
use tracegauge_corpus::systematic::{Effort, SearchOptions};
use tracegauge_corpus::trace_cache::TraceCache;

const FORMAT: &str = "netperf-v1";

fn formats() -> Formats {
    Formats::bundled(&[FORMAT.to_owned()]).expect("a bundled description")
}

fn store() -> Store {
    Store::Folder(env!("CARGO_MANIFEST_DIR").into())
}

fn listed(cache: &TraceCache) -> Suite {
    Suite::listed(
        formats(),
        (&store(), &SearchOptions::without_cache(Effort::Quick)),
        Some(cache),
        &(),
    )
    .expect("a suite")
}

/// Returns everything about the cases in a form that can be compared.
fn shown(suite: &Suite) -> Vec<String> {
    let cases = suite.cases.iter();
    cases.map(|case: &Case| format!("{case:?}")).collect()
}

fn written(folder: &Path) -> Vec<u8> {
    fs::read(folder.join(format!("{FORMAT}.traces"))).expect("a file of traces")
}

#[test]
fn cached_cases_are_the_generated_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = TraceCache::at(folder.path().join("cache"));
    let generated = Suite::of(
        formats(),
        (&store(), &SearchOptions::without_cache(Effort::Quick)),
        &(),
    )
    .expect("a suite");
    let (first, second) = (listed(&cache), listed(&cache));
    assert!(generated.cases.len() > 300, "{}", generated.cases.len());
    assert_eq!(shown(&first), shown(&generated));
    assert_eq!(shown(&second), shown(&generated));
    // Only generated cases have ways to violate rules, so this shows where the cases come from.
    assert!(!first.ways.is_empty());
    assert!(second.ways.is_empty());
}

#[test]
fn a_changed_cache_is_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let cache = TraceCache::at(folder.path().to_path_buf());
    let generated = shown(&listed(&cache));
    let good = written(folder.path());
    let file = folder.path().join(format!("{FORMAT}.traces"));
    let mut flipped = good.clone();
    *flipped.last_mut().expect("a byte") ^= 1;
    for bad in [flipped, good[..good.len() - 1].to_vec(), Vec::new()] {
        fs::write(&file, bad).expect("a file");
        let suite = listed(&cache);
        assert_eq!(shown(&suite), generated);
        assert!(!suite.ways.is_empty());
        assert_eq!(written(folder.path()), good);
    }
}

/// A retired case that is no longer generated stays in the manifest. The other cases are cached.
#[test]
fn a_retired_case_is_not_missed() {
    let folder = tempfile::tempdir().expect("a folder");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"));
    for part in ["recipes", "manifest", "kills", "twins"] {
        fs::create_dir(folder.path().join(part)).expect("a folder");
        for entry in fs::read_dir(corpus.join(part)).expect("files").flatten() {
            let target = folder.path().join(part).join(entry.file_name());
            fs::copy(entry.path(), target).expect("a copy");
        }
    }
    let store = Store::Folder(folder.path().to_path_buf());
    let mut manifest = Manifest::load(&store, FORMAT)
        .expect("a manifest")
        .expect("entries");
    let mut entry = manifest.entries.values().next().expect("an entry").clone();
    entry.state = State::Retired;
    entry.reason = Some("no longer generated".to_owned());
    manifest
        .entries
        .insert(format!("{FORMAT}/valid/retired"), entry);
    manifest.save(&store).expect("written");
    let cache = TraceCache::at(folder.path().join("cache"));
    let read = || {
        Suite::listed(
            formats(),
            (&store, &SearchOptions::without_cache(Effort::Quick)),
            Some(&cache),
            &(),
        )
        .expect("a suite")
    };
    let (first, second) = (read(), read());
    assert!(!first.ways.is_empty());
    assert!(second.ways.is_empty(), "the traces were generated again");
    assert_eq!(shown(&second), shown(&first));
}
