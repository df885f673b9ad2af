//! Tests that `tracegauge fuzz --coverage` reaches more of a reader than its author's tests do, and
//! that it saves and describes the traces responsible.

#![allow(clippy::unwrap_used, missing_docs)]

#[path = "coverage/place.rs"]
mod place;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value as Json;

use crate::page;
use place::{Place, Reader, said, script_in};

/// Returns the numbers of the new edges of each saved trace, in the order in which they were saved.
fn opened(folder: &Path) -> Vec<BTreeSet<u64>> {
    let seeds = &state(folder)["coverage"]["seeds"];
    let folders = seeds.as_array().unwrap().iter();
    let folders = folders.filter_map(|seed| seed["folder"].as_str());
    let about = folders.map(|name| json(&folder.join("found").join(name).join("about.json")));
    let edges = about.map(|about| {
        let edges = about["edges"].as_array().unwrap().iter();
        edges.map(|edge| edge["edge"].as_u64().unwrap()).collect()
    });
    edges.collect()
}

fn json(path: &Path) -> Json {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn state(folder: &Path) -> Json {
    json(&folder.join("found/state.json"))
}

fn reach(folder: &Path) -> Json {
    json(&folder.join("found/coverage/about.json"))
}

fn number(of: &Json, name: &str) -> u64 {
    of[name].as_u64().unwrap()
}

/// Checks that coverage feedback works for a reader.
fn is_covered(place: &Place) {
    let folder = place.folder();
    let output = place.fuzz(&["--tests", "tests", "--inputs", "1200"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let said = said(&output);
    let reach = reach(folder);
    let by_tests = number(&reach["tests"], "edges");
    assert!(by_tests > 0, "{said}");
    assert!(number(&reach, "reached") > 2 * by_tests, "{said}");
    assert!(
        number(&reach, "reached") <= number(&reach, "edges"),
        "{said}"
    );
    assert!(said.contains("your 2 tests reach"), "{said}");
    assert!(said.contains("arms"), "{said}");

    // Each saved trace reaches new edges, and none is saved twice.
    let opened = opened(folder);
    assert_eq!(opened.len() as u64, number(&reach, "kept"));
    let all: BTreeSet<u64> = opened.iter().flatten().copied().collect();
    assert!(opened.iter().all(|edges| !edges.is_empty()));
    assert_eq!(opened.iter().map(BTreeSet::len).sum::<usize>(), all.len());
    assert!(all.len() as u64 + by_tests >= number(&reach, "reached"));

    // Each trace is described, and the report is readable.
    let about = fs::read_to_string(folder.join("found/coverage/about.md")).unwrap();
    assert!(about.contains("frames[].body:event"), "{about}");
    assert!(about.contains("see coverage/"), "{about}");
    is_documented(folder);
}

/// Checks that the page on JSON output names all members of the files of a campaign.
fn is_documented(folder: &Path) {
    // Without a symbolizer, the members that describe functions are missing.
    if !place::has_symbolizer() {
        return;
    }
    let page = page::Page::read("json.md");
    page.check(&["`fuzz --coverage`"], &[reach(folder)], &[]);
    let seeds = state(folder)["coverage"]["seeds"].take();
    let folders = seeds.as_array().unwrap().iter();
    let folders = folders.filter_map(|seed| seed["folder"].as_str());
    let about = folders.map(|name| json(&folder.join("found").join(name).join("about.json")));
    page.check(&["The saved traces"], &about.collect::<Vec<_>>(), &[]);
}

#[test]
fn a_reader_in_c_that_serves_is_covered() {
    if let Some(place) = Place::new(Reader::C, "serve") {
        is_covered(&place);
        let reach = reach(place.folder());
        let functions = reach["functions"].as_array().unwrap();
        let is_named = functions.iter().any(|it| it["function"] == "read_stack");
        assert!(is_named || !place::has_symbolizer(), "{functions:?}");
    }
}

#[test]
fn a_reader_in_c_that_runs_once_is_covered() {
    if let Some(place) = Place::new(Reader::C, "once") {
        is_covered(&place);
    }
}

#[test]
fn a_reader_in_rust_is_covered() {
    if let Some(place) = Place::new(Reader::Rust, "serve") {
        is_covered(&place);
    }
}

#[test]
fn what_is_kept_reaches_its_edges_again() {
    let Some(place) = Place::new(Reader::C, "serve") else {
        return;
    };
    let folder = place.folder();
    let output = place.fuzz(&["--inputs", "600"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let before = reach(folder);
    // When they are used as the tests of another campaign, the minimized traces reach everything
    // that was reached before.
    let kept = folder.join("kept");
    fs::create_dir(&kept).unwrap();
    for entry in fs::read_dir(folder.join("found/coverage"))
        .unwrap()
        .flatten()
    {
        if let Ok(bytes) = fs::read(entry.path().join("trace.trc")) {
            fs::write(kept.join(entry.file_name()), bytes).unwrap();
        }
    }
    fs::rename(folder.join("found"), folder.join("before")).unwrap();
    let output = place.fuzz(&["--tests", "kept", "--inputs", "1"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let again = number(&reach(folder)["tests"], "edges");
    // The minimized traces may reach more edges than the originals.
    assert!(again >= number(&before, "reached"), "{}", said(&output));
}

#[test]
fn the_same_seed_keeps_the_same() {
    let Some(place) = Place::new(Reader::C, "serve") else {
        return;
    };
    let kept = ["1", "1", "2"].map(|jobs| {
        let _ = fs::remove_dir_all(place.folder().join("found"));
        let more = ["--inputs", "1000", "--seed", "5", "--jobs", jobs];
        let output = place.fuzz(&more);
        assert_eq!(output.status.code(), Some(0), "{}", said(&output));
        let seeds = state(place.folder())["coverage"]["seeds"].clone();
        let sources: Vec<Json> = seeds.as_array().unwrap().iter().map(without_name).collect();
        assert!(sources.len() > 10, "{sources:?}");
        sources
    });
    assert_eq!(kept[0], kept[1]);
    assert_eq!(kept[0], kept[2]);
}

/// Removes the folder's name, which depends on the minimized trace and therefore on the available
/// time.
fn without_name(seed: &Json) -> Json {
    let mut seed = seed.clone();
    seed.as_object_mut().unwrap().remove("folder");
    seed
}

#[test]
fn a_campaign_goes_on_with_what_was_kept() {
    let Some(place) = Place::new(Reader::C, "serve") else {
        return;
    };
    let first = place.fuzz(&["--tests", "tests", "--inputs", "300"]);
    assert_eq!(first.status.code(), Some(0), "{}", said(&first));
    let before = state(place.folder())["coverage"].clone();
    let more = place.fuzz(&["--inputs", "1200", "--resume"]);
    assert_eq!(more.status.code(), Some(0), "{}", said(&more));
    assert!(
        said(&more).contains("your 2 tests reach"),
        "{}",
        said(&more)
    );
    let after = state(place.folder())["coverage"].clone();
    let (before_seeds, after_seeds) = (&before["seeds"], &after["seeds"]);
    let (old, new) = (
        before_seeds.as_array().unwrap(),
        after_seeds.as_array().unwrap(),
    );
    assert_eq!(&new[..old.len()], &old[..]);
    assert!(number(&after, "reached") > number(&before, "reached"));
    // Some inputs were derived from saved traces and can be generated again.
    let mut sources = new.iter().filter_map(|seed| seed["source"].get("input"));
    let grown = sources.rfind(|input| input.is_object());
    let grown = grown.expect("something has grown");
    let replay = format!("1:s{}.{}", grown["from"], grown["count"]);
    let again = place.run(&["--replay", &replay, "--out", "found"]);
    assert_eq!(again.status.code(), Some(0), "{}", said(&again));
    assert!(
        said(&again).contains("saved for new coverage"),
        "{}",
        said(&again)
    );
}

#[test]
fn what_was_reached_before_a_crash_is_known() {
    let Some(place) = Place::new(Reader::CrashingC, "serve") else {
        return;
    };
    let output = place.fuzz(&["--inputs", "1500"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let seeds = state(place.folder())["coverage"]["seeds"].clone();
    let seeds = seeds.as_array().unwrap();
    let crashed = seeds.iter().find(|seed| seed["outcome"] == "crash");
    assert!(crashed.is_some(), "{seeds:?}");
    // No inputs are derived from a trace that crashes the reader.
    let place = seeds.iter().position(|seed| seed["outcome"] == "crash");
    let number = place.unwrap() + 1;
    let from = seeds.iter().map(|seed| &seed["source"]["input"]["from"]);
    assert!(from.into_iter().all(|from| *from != number), "{seeds:?}");
}

#[test]
fn a_reader_that_says_nothing_is_told_so() {
    let folder = tempfile::tempdir().unwrap();
    let silent = script_in(folder.path(), "exit 65\n");
    let output = silent.fuzz(&["--inputs", "10"]);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    assert!(
        said(&output).contains("SanitizerCoverage"),
        "{}",
        said(&output)
    );
    let none = silent.fuzz(&["--tests", "none", "--inputs", "10"]);
    assert_eq!(none.status.code(), Some(2), "{}", said(&none));
}

/// Checks that any program can mark the edges that it reaches, and that the environment variable is
/// set only if coverage is enabled.
#[test]
fn a_script_can_mark_its_edges() {
    let folder = tempfile::tempdir().unwrap();
    let script = script_in(
        folder.path(),
        "[ -n \"$TRACEGAUGE_COVERAGE\" ] || exit 64\n\
         mark() { printf \"$1\" | dd of=\"$TRACEGAUGE_COVERAGE\" bs=1 seek=\"$2\" conv=notrunc \
         2>/dev/null; }\n\
         mark '\\003\\000\\000\\000' 16\n\
         mark '\\001' 64\n\
         [ -s \"$1\" ] || mark '\\001' 65\n\
         exit 65\n",
    );
    let output = script.fuzz(&["--inputs", "60"]);
    // The reader rejects everything.
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let text = said(&output);
    assert!(
        text.contains(" of the reader's 3 control-flow edges"),
        "{text}"
    );
    let plain = script.run(&["--inputs", "5", "--out", "plain"]);
    let text = said(&plain);
    assert!(text.contains("crash") && !text.contains("edges"), "{text}");
}

/// Checks that a reader that damages the coverage file does no harm.
#[test]
fn a_reader_that_spoils_the_file_does_no_harm() {
    for spoil in [
        "rm -f \"$TRACEGAUGE_COVERAGE\"",
        ": > \"$TRACEGAUGE_COVERAGE\"",
        "head -c 200 /dev/urandom > \"$TRACEGAUGE_COVERAGE\"",
        "rm -f \"$TRACEGAUGE_COVERAGE\"; mkfifo \"$TRACEGAUGE_COVERAGE\"",
        "rm -f \"$TRACEGAUGE_COVERAGE\"; ln -s /dev/zero \"$TRACEGAUGE_COVERAGE\"",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let reader = script_in(folder.path(), &format!("{spoil}\nexit 65\n"));
        let output = reader.fuzz(&["--inputs", "10"]);
        assert_eq!(output.status.code(), Some(3), "{spoil}: {}", said(&output));
    }
}
