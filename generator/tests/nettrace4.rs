//! Tests of NetTrace 4 and 5: generated traces survive round trips, and real files are read to
//! their last byte.
//!
//! Real files are read from the folder that `TRACEGAUGE_REAL` names, or from `../shared/real` next
//! to the checkout. Without the files, their test prints a message and passes.

use crate::eventpipe;
use std::collections::BTreeMap;

use tracegauge_decoder::{decode, decode_tree};
use tracegauge_generator::laws::{check_decode, check_identities, check_made};
use tracegauge_generator::{Generator, Options};

use eventpipe::{count, real};

fn plan() -> std::sync::Arc<tracegauge_plan::Plan> {
    eventpipe::plan("nettrace-v4")
}

#[test]
fn what_is_made_comes_back() {
    let generator = Generator::new(plan());
    let options = Options {
        bytes: 3000,
        ..Options::default()
    };
    let (mut events, mut metadata) = (0, 0);
    for seed in 0..200 {
        let made = generator.from_seed(seed, options);
        let made = made.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        check_made(&generator, &made).unwrap_or_else(|broken| panic!("seed {seed}: {broken}"));
        let (verdict, found) = decode(generator.plan(), &made.bytes);
        assert!(verdict.tolerable(), "seed {seed}: {verdict:?}");
        events += found.iter().filter(|record| record.kind == "event").count();
        metadata += found.iter().filter(|r| r.kind == "metadata").count();
        let mut bytes = made.bytes;
        let at = usize::try_from(seed * 37).expect("small") % bytes.len();
        bytes[at] ^= 0x91;
        check_decode(generator.plan(), &bytes)
            .unwrap_or_else(|broken| panic!("seed {seed}, damaged: {broken}"));
    }
    assert!(events > 100 && metadata > 100, "{events}, {metadata}");
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

/// The expected contents of a real file.
struct Known {
    file: &'static str,
    /// The numbers of metadata blocks, stack blocks, event blocks and sequence points.
    blocks: [usize; 4],
    metadata: usize,
    events: usize,
    threads: Option<usize>,
    /// The number of events marked as sorted.
    sorted: Option<usize>,
    /// A provider and its number of events.
    provider: Option<(&'static str, usize)>,
    /// Whether the expected output of another reader is stored next to the file.
    baseline: bool,
}

const KNOWN: [Known; 3] = [
    Known {
        file: "eventpipe-dotnetcore3.0-win-x64-objver4.nettrace",
        blocks: [9, 44, 54, 18],
        metadata: 39,
        events: 105_540,
        threads: Some(17),
        sorted: Some(173),
        provider: Some(("Microsoft-DotNETCore-SampleProfiler", 35_161)),
        baseline: true,
    },
    Known {
        file: "eventpipe-dotnetcore6.0-win-x64-executioncheckpoints.nettrace",
        blocks: [1, 1, 1, 1],
        metadata: 1,
        events: 3,
        threads: None,
        sorted: None,
        provider: Some(("Microsoft-Windows-DotNETRuntimeRundown", 3)),
        baseline: true,
    },
    Known {
        file: "only_managed_samples.nettrace",
        blocks: [6, 62, 105, 6],
        metadata: 18,
        events: 37_603,
        threads: None,
        sorted: None,
        provider: None,
        baseline: false,
    },
];

#[test]
fn real_files_are_read_to_their_last_byte() {
    for known in &KNOWN {
        let Some(path) = real("nettrace", known.file) else {
            return;
        };
        let (name, bytes) = (known.file, std::fs::read(&path).expect("a file"));
        let found = count(&plan(), &bytes);
        assert_eq!(
            (found.metadata, found.events),
            (known.metadata, known.events)
        );
        assert_eq!(found.sequence_points, known.blocks[3], "{name}");
        if let Some(threads) = known.threads {
            assert_eq!(found.threads.len(), threads, "{name}");
        }
        if let Some(sorted) = known.sorted {
            assert_eq!(found.sorted, sorted, "{name}");
        }
        if let Some((provider, events)) = known.provider {
            assert_eq!(found.providers[provider], events, "{name}");
        }
        if known.baseline {
            found.agree_with(&path);
        }
    }
}

#[test]
fn real_files_have_the_blocks_that_are_known_and_small_ones_come_back() {
    let generator = Generator::new(plan());
    let plan = generator.plan();
    for known in &KNOWN {
        let Some(path) = real("nettrace", known.file) else {
            return;
        };
        let (name, bytes) = (known.file, std::fs::read(&path).expect("a file"));
        let (verdict, tree) = decode_tree(plan, &bytes);
        assert!(verdict.tolerable(), "{name}: {verdict:?}");
        assert_eq!(tree.nodes[0].span.end, bytes.len() as u64, "{name}");
        let mut blocks: BTreeMap<&str, usize> = BTreeMap::new();
        for node in &tree.nodes {
            if let Some(type_name) = plan.info(node.op).type_name {
                *blocks.entry(plan.name(type_name)).or_default() += 1;
            }
        }
        let found = ["metadata", "stack", "event", "sequence_point"].map(|kind| {
            blocks
                .get(format!("aligned_{kind}_block").as_str())
                .copied()
        });
        assert_eq!(found, known.blocks.map(Some), "{name}");
        if bytes.len() < LARGE {
            come_back(&generator, name, &bytes);
        }
    }
}

/// Files of this size in bytes take more than ten seconds to come back.
const LARGE: usize = 1 << 20;

fn come_back(generator: &Generator, name: &str, bytes: &[u8]) {
    check_identities(generator, bytes).unwrap_or_else(|broken| panic!("{name}: {broken}"));
}

#[test]
#[ignore = "large; run by `ci/published.sh`"]
fn large_real_files_come_back() {
    let generator = Generator::new(plan());
    for known in &KNOWN {
        let Some(path) = real("nettrace", known.file) else {
            return;
        };
        let bytes = std::fs::read(&path).expect("a file");
        if bytes.len() >= LARGE {
            come_back(&generator, known.file, &bytes);
        }
    }
}
