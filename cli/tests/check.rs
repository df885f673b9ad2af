//! Tests `tracegauge check` on files from real writers. Each deviation listed in the files'
//! sidecars must be reported with its rule and offset, unless the table below says why no rule can
//! cover it.
//!
//! Files in addition to those of the corpus are read from the folder named by `TRACEGAUGE_REAL`, or
//! by default from `../shared/real` next to the checkout.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

/// The place of a deviation: its rule, its path, and its first byte if the sidecar contains it.
type Place = (&'static str, String, Option<u64>);

/// The beginnings of the entries in the sidecars' lists, each with the rule that covers the
/// deviation or the reason why no rule does.
const LISTED: [(&str, Result<&str, &str>); 14] = [
    (
        "string fields are declared as bare type 23",
        Ok("PAYLOAD-LONG"),
    ),
    (
        "ProcessMapping payloads end with two undeclared strings",
        Ok("PAYLOAD-LONG"),
    ),
    (
        "sched/sched_switch: payload longer than its declared fields",
        Ok("PAYLOAD-LONG"),
    ),
    (
        "user_events/demo_log: payload longer than its declared fields",
        Ok("PAYLOAD-LONG"),
    ),
    (
        "end time unknown: the last sequence point is 2^64-1",
        Ok("SIGN-OF-TIMES"),
    ),
    (
        "end time unknown: the last sequence point and the event block header",
        Ok("SIGN-OF-TIMES"),
    ),
    (
        "event block header min/max are region bounds",
        Ok("EVENT-BLOCK-TIMES"),
    ),
    (
        "dayOfWeek of SyncTimeUTC counts Monday as 0",
        Ok("TRACE-DAY-OF-WEEK"),
    ),
    (
        "one metadata row has an empty event name",
        Ok("METADATA-NAMES-EMPTY"),
    ),
    (
        "integer labels (kind 6) are written as plain unsigned",
        Err("any bytes are some zigzag number"),
    ),
    (
        "a sample without labels gets a label list",
        Err("a label list is right, whatever it says"),
    ),
    (
        "(habit) sequence numbers are not per thread",
        Err("threads are flushed before the number restarts, so that each number is right"),
    ),
    (
        "earlier times are moved to SyncTimeTicks",
        Err("the time that it was is not in the file"),
    ),
    (
        "Demo-Ticks/Tick field a was given to the writer as s8",
        Err("what the writer was given is not in the file"),
    ),
];

/// Returns the real files with their sidecars.
fn files() -> Vec<(PathBuf, Json)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let named = std::env::var_os("TRACEGAUGE_REAL").map(PathBuf::from);
    let more = named.unwrap_or_else(|| here.join("../../shared/real"));
    let folders = [
        here.join("../corpus/real/nettrace-v6"),
        more.join("nettrace"),
    ];
    let listed = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok());
    let mut files: BTreeMap<String, PathBuf> = BTreeMap::new();
    for entry in listed.flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.starts_with("onecollect-v6-") && name.ends_with(".nettrace") {
            files.insert(name, entry.path());
        }
    }
    let with_sidecar = |path: PathBuf| {
        let sidecar = fs::read(path.with_extension("nettrace.json")).unwrap();
        (path, serde_json::from_slice(&sidecar).unwrap())
    };
    files.into_values().map(with_sidecar).collect()
}

/// Returns the deviations that `check` reports, as one JSON object per line.
fn departures(file: &Path) -> Vec<Json> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tracegauge"));
    command
        .args(["check", "--json", "--places", "1000000"])
        .arg(file);
    let found = String::from_utf8(command.output().unwrap().stdout).unwrap();
    found
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn number(value: &Json) -> u64 {
    let text = value.as_str().map(str::to_owned);
    text.unwrap_or_else(|| value.to_string()).parse().unwrap()
}

/// Returns the blocks of the given kind, each with its index among all blocks and its offset.
fn blocks(sidecar: &Json, kind: &str) -> Vec<(usize, u64)> {
    let (mut at, mut found) = (20, Vec::new());
    for (index, block) in sidecar["block_sequence"]
        .as_array()
        .unwrap()
        .iter()
        .enumerate()
    {
        if block[0] == kind {
            found.push((index, at));
        }
        at += 4 + number(&block[1]);
    }
    found
}

/// Returns the deviations according to the sidecar, except those in payloads.
fn expected(sidecar: &Json) -> BTreeSet<Place> {
    let mut places = BTreeSet::new();
    let date: Vec<i64> = sidecar["trace"]["sync_time_utc"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part.as_i64().unwrap())
        .collect();
    if weekday(date[0], date[1], date[3]) != date[2] {
        let path = "blocks[0].body.sync_time_utc".to_owned();
        places.insert(("TRACE-DAY-OF-WEEK", path, Some(24)));
    }
    let headers = sidecar["event_block_headers"].as_array().unwrap();
    for ((block, start), header) in blocks(sidecar, "Event").into_iter().zip(headers) {
        for (name, event, at) in [("min", "first_event", 8), ("max", "last_event", 16)] {
            if header[format!("header_{name}")] != header[event] {
                let path = format!("blocks[{block}].body.header.{name}_timestamp");
                places.insert(("EVENT-BLOCK-TIMES", path, Some(start + at)));
            }
        }
    }
    let points = sidecar["sequence_points"].as_array().unwrap();
    for ((block, start), point) in blocks(sidecar, "SequencePoint").into_iter().zip(points) {
        if number(&point["timestamp"]) >= 1 << 63 {
            let path = format!("blocks[{block}].body.timestamp");
            places.insert(("SIGN-OF-TIMES", path, Some(start + 4)));
        }
    }
    let (block, _) = blocks(sidecar, "Metadata")[0];
    for (row, metadata) in sidecar["metadata"].as_array().unwrap().iter().enumerate() {
        if metadata["name"] == "" {
            let path = format!("blocks[{block}].body.rows[{row}].event_name");
            places.insert(("METADATA-NAMES-EMPTY", path, None));
        }
    }
    places
}

/// Returns the day of the week, where 0 is Sunday, computed with Sakamoto's method.
fn weekday(year: i64, month: i64, day: i64) -> i64 {
    let shift = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4][usize::try_from(month - 1).unwrap()];
    let year = if month < 3 { year - 1 } else { year };
    (year + year / 4 - year / 100 + year / 400 + shift + day) % 7
}

/// Returns the number of payloads that have bytes after their declared fields.
fn long_payloads(sidecar: &Json) -> u64 {
    let facts = &sidecar["facts"]["of_those_payload_size_disagrees_with_declared_types"];
    let texts = facts.as_u64().unwrap_or(0);
    let others = sidecar["payload_bytes_after_declared_fields"].as_object();
    let others = others.into_iter().flat_map(|events| events.values());
    let counts = others.flat_map(|sizes| sizes.as_object().unwrap().values());
    texts + counts.map(number).sum::<u64>()
}

#[test]
fn every_departure_of_real_files_is_named() {
    let files = files();
    assert!(!files.is_empty(), "the corpus has some");
    for (file, sidecar) in files {
        let name = file.display();
        let found = departures(&file);
        let wanted = expected(&sidecar);
        let known = |rule: &Json| wanted.iter().find(|place| rule == place.0).map(|p| p.0);
        let mut named = BTreeSet::new();
        let mut payloads = BTreeSet::new();
        for departure in &found {
            let start = number(&departure["start"]);
            if departure["rule"] == "PAYLOAD-LONG" {
                payloads.insert(start);
                continue;
            }
            let rule = known(&departure["rule"]);
            let rule = rule.unwrap_or_else(|| panic!("{name}: {departure} is in no list"));
            let path = departure["path"].as_str().unwrap().to_owned();
            let start = (rule != "METADATA-NAMES-EMPTY").then_some(start);
            named.insert((rule, path, start));
        }
        assert_eq!(named, wanted, "{name}");
        assert_eq!(
            payloads.len() as u64,
            long_payloads(&sidecar),
            "{name}: payloads"
        );
        for line in sidecar["deviations_and_habits_seen_in_bytes"]
            .as_array()
            .unwrap()
        {
            let line = line.as_str().unwrap();
            let listed = LISTED.iter().find(|(begins, _)| line.starts_with(begins));
            let (_, rule) = listed.unwrap_or_else(|| panic!("{name}: not looked at: {line}"));
            // In a file without events, the deviating fields are declared but never used.
            let events = sidecar["event_count"] != 0;
            if let (Ok(rule), true) = (rule, events) {
                let is_named = found.iter().any(|departure| departure["rule"] == *rule);
                // Bounds that happen to equal the times of the events are not a deviation.
                let bounds =
                    *rule == "EVENT-BLOCK-TIMES" && !wanted.iter().any(|(known, ..)| known == rule);
                assert!(is_named || bounds, "{name}: no {rule} for {line}");
            }
        }
    }
}

#[test]
fn what_is_compared_is_shown() {
    let (file, _) = files()
        .into_iter()
        .find(|(path, _)| path.ends_with("onecollect-v6-tiny.nettrace"))
        .unwrap();
    let found = departures(&file);
    let of = |rule: &str| {
        let departure = found.iter().find(|departure| departure["rule"] == rule);
        departure.unwrap()["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(of("EVENT-BLOCK-TIMES"), "-1, expected 1000006000000");
    assert_eq!(of("TRACE-DAY-OF-WEEK"), "0, not 1");
    assert_eq!(of("METADATA-NAMES-EMPTY"), "\"\"");
}

/// A format whose values can be nested in themselves, and whose traces may be longer than they
/// should be.
const NESTED: &str = "\
meta: { id: nested, endian: be }
seq: [ { id: root, type: node } ]
types: { node: { seq: [ { id: more, type: u1 }, { id: inner, type: node, if: more == 1 } ] } }
faults: { trailing: REST }
limits: [ { of: node, depth: { promised: 50, enforced: 200 }, rule: DEPTH } ]
rules:
  DEPTH: { level: silent, section: All, says: Nodes may be nested., reader: either, continues: open }
  REST: { level: should, section: All, says: Nothing follows the root., reader: accept }
";

/// Runs a command on a trace of the format [`NESTED`]. Returns the standard output and error.
fn nested(bytes: &[u8], words: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("nested.yaml"), NESTED).unwrap();
    fs::write(folder.path().join("trace.bin"), bytes).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tracegauge"))
        .current_dir(folder.path())
        .args(words)
        .args(["--spec", "nested.yaml", "trace.bin"])
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn a_deviation_of_no_field_has_a_place() {
    let (found, _) = nested(&[0, 7, 7], &["check"]);
    assert!(
        found.starts_with("trace.bin: bytes 1..3: the whole trace: REST: "),
        "{found}"
    );
}

#[test]
fn deep_nesting_is_reported_once_with_a_short_path() {
    let mut bytes = vec![1; 300];
    bytes.push(0);
    let (found, said) = nested(&bytes, &["check"]);
    assert_eq!(found.matches("DEPTH").count(), 1, "{found}");
    assert!(found.lines().all(|line| line.len() < 150), "{found}");
    assert!(found.contains("nested 51 levels deep"), "{found}");
    assert!(said.contains("too deeply were not checked"), "{said}");
    let (found, _) = nested(&bytes, &["check", "--json"]);
    let found: Json = serde_json::from_str(&found).unwrap();
    let path = found["path"].as_str().unwrap();
    assert_eq!(path.matches("inner").count(), 51, "{path}");
}

#[test]
fn what_is_nested_too_deeply_to_be_decoded_is_not_lost_silently() {
    for (levels, is_whole) in [(100, true), (300, false)] {
        let mut bytes = vec![1; levels];
        bytes.push(0);
        let (_, said) = nested(&bytes, &["decode"]);
        assert!(said.contains("readers may differ (DEPTH)"), "{said}");
        assert_eq!(!said.contains("were not decoded"), is_whole, "{said}");
    }
}
