//! Tests of NetPerf 1 to 3: generated traces survive round trips, and real files are read to their
//! last byte and have the expected contents.
//!
//! Real files are read from the folder that `TRACEGAUGE_REAL` names, or from `../shared/real` next
//! to the checkout. Without the files, or without `unzip` for the compressed one, the tests print a
//! message and pass.

use crate::eventpipe;
use std::path::{Path, PathBuf};
use std::process::Command;

use tracegauge_generator::laws::{check_decode, check_identities, check_made};
use tracegauge_generator::{Generator, Options};

use eventpipe::{count, plan, skip};

/// Returns the path of a real file, if it is present.
fn real(name: &str) -> Option<PathBuf> {
    eventpipe::real("netperf", name)
}

/// Returns the contents of the only file in a zip archive.
fn unzipped(path: &Path) -> Option<Vec<u8>> {
    match Command::new("unzip").arg("-p").arg(path).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", path.display());
            Some(output.stdout)
        }
        Err(error) => {
            skip(&format!("`unzip` cannot be run: {error}"));
            None
        }
    }
}

#[test]
fn what_is_made_comes_back() {
    for id in ["netperf-v1", "netperf-v2", "netperf-v3"] {
        let generator = Generator::new(plan(id));
        let options = Options {
            bytes: 2000,
            ..Options::default()
        };
        let mut events = 0;
        for seed in 0..150 {
            let made = generator.from_seed(seed, options);
            let made = made.unwrap_or_else(|error| panic!("{id}, seed {seed}: {error}"));
            check_made(&generator, &made)
                .unwrap_or_else(|broken| panic!("{id}, seed {seed}: {broken}"));
            events += count(generator.plan(), &made.bytes).events;
            let mut bytes = made.bytes;
            let at = usize::try_from(seed * 37).expect("small") % bytes.len();
            bytes[at] ^= 0x91;
            check_decode(generator.plan(), &bytes)
                .unwrap_or_else(|broken| panic!("{id}, seed {seed}, damaged: {broken}"));
        }
        assert!(events > 100, "{id}: {events} events");
    }
}

#[test]
fn the_same_seed_makes_the_same_bytes() {
    for id in ["netperf-v1", "netperf-v2", "netperf-v3"] {
        let generator = Generator::new(plan(id));
        let options = Options {
            bytes: 60_000,
            fill: true,
            ..Options::default()
        };
        let first = generator.from_seed(11, options).expect("a trace").bytes;
        let mut streamed = Vec::new();
        generator
            .write_seed(11, options, &mut streamed)
            .expect("a trace");
        assert!(first.len() >= 60_000, "{id}: {}", first.len());
        assert_eq!(first, streamed, "{id}: streaming changes nothing");
    }
}

#[test]
fn version_3_files_are_read_to_their_last_byte() {
    let v3 = plan("netperf-v3");
    for (name, wanted) in [
        (
            "eventpipe-dotnetcore2.1-linux-x64-objver3.netperf",
            (9, 26_146),
        ),
        (
            "eventpipe-dotnetcore2.1-linux-x64-tracelogging.netperf",
            (8, 12),
        ),
    ] {
        let Some(path) = real(name) else { return };
        let bytes = std::fs::read(&path).expect("the file can be read");
        let found = count(&v3, &bytes);
        assert_eq!((found.metadata, found.events), wanted, "{name}");
        found.agree_with(&path);
    }
}

#[test]
fn nested_values_of_trace_logging_are_found() {
    let name = "eventpipe-dotnetcore2.1-linux-x64-tracelogging.netperf";
    let Some(path) = real(name) else { return };
    let bytes = std::fs::read(&path).expect("the file can be read");
    let (_, records) = tracegauge_decoder::decode(&plan("netperf-v3"), &bytes);
    let lines: Vec<String> = records.iter().map(ToString::to_string).collect();
    // The values passed to the writer, according to the expected output of another reader.
    for (event, fields) in [
        (
            "TestEventMethod",
            r#""fields":[["i",1],["s","Hello World!"]]"#,
        ),
        ("TestEmptyEvent", r#""fields":[]"#),
        (
            "TestNestedStructs",
            r#""fields":[["",[["structVal",[["field17","hello world!"]]],["i",42]]]]"#,
        ),
        (
            "TestEvent",
            r#""fields":[["",[["field1","Hello"],["field2",3],["field3",6]]]]"#,
        ),
    ] {
        let name = format!(r#""name":"{event}""#);
        let mut named = lines.iter().filter(|line| line.contains(&name));
        assert!(
            named.any(|line| line.contains(r#""record":"event""#) && line.contains(fields)),
            "{event} has not {fields}"
        );
    }
}

#[test]
fn version_3_files_come_back_from_trees_and_tapes() {
    let generator = Generator::new(plan("netperf-v3"));
    for name in [
        "eventpipe-dotnetcore2.1-linux-x64-objver3.netperf",
        "eventpipe-dotnetcore2.1-linux-x64-tracelogging.netperf",
    ] {
        let Some(path) = real(name) else { return };
        let bytes = std::fs::read(&path).expect("the file can be read");
        check_identities(&generator, &bytes).unwrap_or_else(|broken| panic!("{name}: {broken}"));
    }
}

const PACKED: &str = "eventpipe-dotnetcore2.0-linux-objver2.netperf.zip";

#[test]
fn the_version_2_file_is_read_to_its_last_byte() {
    let Some(path) = real(PACKED) else { return };
    let Some(bytes) = unzipped(&path) else { return };
    assert_eq!(bytes.len(), 62_222_479);
    let found = count(&plan("netperf-v2"), &bytes);
    assert_eq!((found.metadata, found.events), (35, 272_332));
    assert_eq!((found.threads.len(), found.with_stack), (19, 212_816));
    for (provider, events) in [
        ("Microsoft-DotNETCore-SampleProfiler", 163_801),
        ("System.Threading.Tasks.TplEventSource", 545),
        ("TestEventSource", 56),
    ] {
        assert_eq!(found.providers[provider], events, "{provider}");
    }
    found.agree_with(&path.with_extension(""));
}

/// The tree of the whole file takes several gigabytes.
#[test]
#[ignore = "large; run by `ci/published.sh`"]
fn the_version_2_file_comes_back_from_its_tree_and_tape() {
    let Some(path) = real(PACKED) else { return };
    let Some(bytes) = unzipped(&path) else { return };
    let generator = Generator::new(plan("netperf-v2"));
    check_identities(&generator, &bytes).unwrap_or_else(|broken| panic!("{broken}"));
}
