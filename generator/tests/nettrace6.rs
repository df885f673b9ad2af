//! Tests of NetTrace 6: generated traces survive round trips, and real files are read to their last
//! byte.
//!
//! Real files are read from the folder that `TRACEGAUGE_REAL` names, or from `../shared/real` next
//! to the checkout. Without the files, their test prints a message and passes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracegauge_decoder::{decode, decode_tree};
use tracegauge_generator::laws::{check_decode, check_identities, check_made};
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::Plan;
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

fn plan() -> Arc<Plan> {
    let format = bundled::find("nettrace-v6").first().copied();
    let schema = format.expect("the format is bundled").load().schema;
    let schema = Arc::new(schema.expect("the description is right"));
    Arc::new(lower(&schema, "nettrace-v6").expect("the plan can be made"))
}

fn real() -> PathBuf {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/real");
    let named = std::env::var_os("TRACEGAUGE_REAL");
    named.map_or_else(beside, PathBuf::from).join("nettrace")
}

#[test]
fn what_is_made_comes_back() {
    let generator = Generator::new(plan());
    let options = Options {
        bytes: 8000,
        ..Options::default()
    };
    let mut rows: BTreeMap<&str, usize> = BTreeMap::new();
    let mut events = 0;
    for seed in 0..150 {
        let made = generator.from_seed(seed, options);
        let made = made.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        check_made(&generator, &made).unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
        let (_, found) = decode(generator.plan(), &made.bytes);
        events += found.iter().filter(|record| record.kind == "event").count();
        for node in &made.tree.nodes {
            let name = generator.plan().info(node.op).type_name;
            let name = name.map(|name| generator.plan().name(name));
            for kind in ["event_compressed", "event_uncompressed"] {
                let found = usize::from(name == Some(kind));
                *rows.entry(kind).or_default() += found;
            }
        }
        let mut bytes = made.bytes;
        let at = usize::try_from(seed * 37).expect("small") % bytes.len();
        bytes[at] ^= 0x91;
        check_decode(generator.plan(), &bytes)
            .unwrap_or_else(|broken| panic!("seed {seed}, damaged: {broken}"));
    }
    assert!(events > 300, "{events} events");
    assert!(rows.values().all(|rows| *rows > 50), "{rows:?}");
}

#[test]
fn the_same_seed_makes_the_same_bytes() {
    let generator = Generator::new(plan());
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
    assert!(first.len() >= 60_000);
    assert_eq!(first, streamed, "streaming changes nothing");
}

/// Returns the number of blocks of a kind according to the sidecar file.
fn counted(sidecar: &serde_json::Value, kind: &str) -> usize {
    let count = sidecar["block_counts"][kind].as_u64().unwrap_or(0);
    usize::try_from(count).expect("small")
}

#[test]
fn real_files_are_read_to_their_last_byte() {
    let files = std::fs::read_dir(real()).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    files.retain(|path| path.to_string_lossy().contains("onecollect-v6-"));
    files.retain(|path| path.extension().is_some_and(|end| end == "nettrace"));
    if files.is_empty() {
        eprintln!("skipped: {} has no such files", real().display());
        return;
    }
    assert_eq!(files.len(), 6, "all of them: {files:?}");
    let generator = Generator::new(plan());
    let plan = generator.plan();
    for file in files {
        let name = file.display();
        let bytes = std::fs::read(&file).expect("the file can be read");
        let sidecar = std::fs::read(file.with_extension("nettrace.json"));
        let sidecar: serde_json::Value =
            serde_json::from_slice(&sidecar.expect("it has a sidecar")).expect("it is JSON");
        let (verdict, tree) = decode_tree(plan, &bytes);
        assert!(verdict.tolerable(), "{name}: {verdict:?}");
        assert_eq!(tree.nodes[0].span.end, bytes.len() as u64, "{name}");
        let mut blocks: BTreeMap<String, usize> = BTreeMap::new();
        let mut events = 0_u64;
        for node in &tree.nodes {
            let type_name = plan.info(node.op).type_name.map(|name| plan.name(name));
            match type_name {
                Some("event_compressed" | "event_uncompressed") => events += 1,
                Some(name) => *blocks.entry(name.to_owned()).or_default() += 1,
                None => {}
            }
        }
        for (kind, type_name) in [
            ("Trace", "trace_block"),
            ("Event", "event_block"),
            ("Metadata", "metadata_block"),
            ("SequencePoint", "sequence_point_block"),
            ("Stack", "stack_block"),
            ("Thread", "thread_block"),
            ("LabelList", "label_list_block"),
            ("EndOfStream", "end_of_stream_block"),
        ] {
            let found = blocks.get(type_name).copied().unwrap_or(0);
            assert_eq!(found, counted(&sidecar, kind), "{name}: {kind}");
        }
        assert_eq!(Some(events), sidecar["event_count"].as_u64(), "{name}");
        if bytes.len() < LARGE {
            check_identities(&generator, &bytes)
                .unwrap_or_else(|broken| panic!("{name}: {broken}"));
        }
    }
}

/// Files of this size in bytes take several seconds to come back.
const LARGE: usize = 1 << 20;

#[test]
#[ignore = "large; run by `ci/published.sh`"]
fn large_real_files_come_back() {
    let generator = Generator::new(plan());
    for entry in std::fs::read_dir(real()).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_meant = name.starts_with("onecollect-v6-") && name.ends_with(".nettrace");
        let bytes = std::fs::read(entry.path()).expect("the file can be read");
        if is_meant && bytes.len() >= LARGE {
            check_identities(&generator, &bytes)
                .unwrap_or_else(|broken| panic!("{name}: {broken}"));
        }
    }
}
