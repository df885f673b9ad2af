//! NetTrace 4 and 5: traces that are made come back, and real files are read to their last byte.
//!
//! Real files are in the folder that `TRACEGAUGE_REAL` names, else in `../shared/real` beside
//! the checkout; without them their test says so and passes.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tracegauge_decoder::record::{Record, Value};
use tracegauge_decoder::{decode, decode_tree};
use tracegauge_generator::laws::{check_decode, check_identities, check_made};
use tracegauge_generator::{Generator, Options};
use tracegauge_spec::bundled;
use tracegauge_spec::plan::{Plan, lower};

fn plan() -> Arc<Plan> {
    let format = bundled::find("nettrace-v4").first().copied();
    let schema = format.expect("the format is bundled").load().schema;
    let schema = Arc::new(schema.expect("the description is right"));
    Arc::new(lower(&schema, "nettrace-v4").expect("the plan can be made"))
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

/// What is known of a real file: its blocks of each kind, metadata rows, events, and how many
/// of these are marked sorted; and a line of the baseline beside it.
struct Known {
    file: &'static str,
    blocks: [(&'static str, usize); 4],
    metadata: usize,
    events: usize,
    sorted: Option<usize>,
    /// A provider, and how many events it has.
    provider: Option<(&'static str, usize)>,
}

const KNOWN: [Known; 3] = [
    Known {
        file: "eventpipe-dotnetcore3.0-win-x64-objver4.nettrace",
        blocks: [
            ("aligned_metadata_block", 9),
            ("aligned_stack_block", 44),
            ("aligned_event_block", 54),
            ("aligned_sequence_point_block", 18),
        ],
        metadata: 39,
        events: 105_540,
        sorted: Some(173),
        provider: Some(("Microsoft-DotNETCore-SampleProfiler", 35_161)),
    },
    Known {
        file: "eventpipe-dotnetcore6.0-win-x64-executioncheckpoints.nettrace",
        blocks: [
            ("aligned_metadata_block", 1),
            ("aligned_stack_block", 1),
            ("aligned_event_block", 1),
            ("aligned_sequence_point_block", 1),
        ],
        metadata: 1,
        events: 3,
        sorted: None,
        provider: Some(("Microsoft-Windows-DotNETRuntimeRundown", 3)),
    },
    Known {
        file: "only_managed_samples.nettrace",
        blocks: [
            ("aligned_metadata_block", 6),
            ("aligned_stack_block", 62),
            ("aligned_event_block", 105),
            ("aligned_sequence_point_block", 6),
        ],
        metadata: 18,
        events: 37_603,
        sorted: None,
        provider: None,
    },
];

#[test]
fn real_files_are_read_to_their_last_byte() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/real");
    let named = std::env::var_os("TRACEGAUGE_REAL");
    let folder = named.map_or_else(beside, PathBuf::from).join("nettrace");
    let generator = Generator::new(plan());
    for known in &KNOWN {
        let Ok(bytes) = std::fs::read(folder.join(known.file)) else {
            // Not `eprintln!`, which a passing test does not show.
            let message = format!("SKIPPED: {} has no {}\n", folder.display(), known.file);
            std::io::stderr()
                .write_all(message.as_bytes())
                .expect("standard error");
            continue;
        };
        agrees(&generator, known, &bytes);
    }
}

fn agrees(generator: &Generator, known: &Known, bytes: &[u8]) {
    let (plan, name) = (generator.plan(), known.file);
    let (verdict, tree) = decode_tree(plan, bytes);
    assert!(verdict.tolerable(), "{name}: {verdict:?}");
    assert_eq!(tree.nodes[0].span.end, bytes.len() as u64, "{name}");
    let mut blocks: BTreeMap<&str, usize> = BTreeMap::new();
    for node in &tree.nodes {
        if let Some(type_name) = plan.info(node.op).type_name {
            *blocks.entry(plan.name(type_name)).or_default() += 1;
        }
    }
    for (kind, wanted) in known.blocks {
        assert_eq!(blocks.get(kind), Some(&wanted), "{name}: {kind}");
    }
    let (_, records) = decode(plan, bytes);
    let of = |kind: &str| {
        records
            .iter()
            .filter(|r| r.kind == kind)
            .collect::<Vec<_>>()
    };
    let events = of("event");
    assert_eq!(events.len(), known.events, "{name}");
    assert_eq!(of("metadata").len(), known.metadata, "{name}");
    let has = |record: &Record, member: &str, value: &Value| record.member(member) == Some(value);
    let sorted = events
        .iter()
        .filter(|e| has(e, "is_sorted", &Value::Bool(true)));
    if let Some(wanted) = known.sorted {
        assert_eq!(sorted.count(), wanted, "{name}");
    }
    if let Some((provider, wanted)) = known.provider {
        let provider = Value::Text(provider.to_owned());
        let found = events.iter().filter(|e| has(e, "provider", &provider));
        assert_eq!(found.count(), wanted, "{name}");
    }
    if bytes.len() < 1_000_000 {
        check_identities(generator, bytes).unwrap_or_else(|broken| panic!("{name}: {broken}"));
    }
}
