//! Checks that the cases listed from a manifest are those that are generated.

use tracegauge_corpus::case::State;
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::listing::{Listed, Listing};
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::Suite;
use tracegauge_corpus::systematic::{Effort, SearchOptions};

#[test]
fn cases_are_listed_as_they_are_made() {
    let formats = Formats::bundled(&["dial9-v1".to_owned()]).expect("a bundled description");
    let store = Store::Folder(env!("CARGO_MANIFEST_DIR").into());
    let listing = Listing::of(
        &formats,
        (&store, &SearchOptions::without_cache(Effort::Quick)),
        &(),
    )
    .expect("a listing");
    let suite = Suite::of(
        formats,
        (&store, &SearchOptions::without_cache(Effort::Quick)),
        &(),
    )
    .expect("a suite");
    let made: Vec<Listed> = suite.cases.iter().map(Listed::of).collect();
    assert!(made.len() > 300, "{}", made.len());
    // A manifest also lists retired cases that are no longer generated.
    let is_made = |listed: &&Listed| listed.state != State::Retired || made.contains(listed);
    let listed: Vec<&Listed> = listing.cases.iter().filter(is_made).collect();
    assert_eq!(listed, made.iter().collect::<Vec<_>>());
    let of_files = Suite::of_files(suite.formats.clone(), &store, &()).expect("a suite");
    assert!(of_files.case("dial9-v1/vector/one-event").is_some());
    assert!(of_files.cases.len() < made.len());
}
