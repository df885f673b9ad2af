//! Tests of the laws of generating, encoding and recording.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use proptest::prelude::*;
use tracegauge_decoder::judge;
use tracegauge_generator::laws::{check_decode, check_identities, check_tape};
use tracegauge_generator::tape::{Tape, tapes};
use tracegauge_generator::{Generator, Options};
use tracegauge_plan::Plan;
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

fn plan(dialect: &str) -> Arc<Plan> {
    let format = bundled::find(dialect)
        .first()
        .copied()
        .expect("the format is bundled");
    let schema = Arc::new(format.load().schema.expect("the description is right"));
    Arc::new(lower(&schema, dialect).expect("the plan can be made"))
}

fn generator() -> &'static Generator {
    static GENERATOR: OnceLock<Generator> = OnceLock::new();
    GENERATOR.get_or_init(|| Generator::new(plan("dial9-v1")))
}

/// Returns the plan of the `dial9-v1` dialect with recursive types.
fn deep_plan() -> &'static Plan {
    static PLAN: OnceLock<Arc<Plan>> = OnceLock::new();
    PLAN.get_or_init(|| plan("dial9-v1@containers"))
}

fn real_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/real/dial9-v1");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the real files are in the repository")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "trc"))
        .collect();
    files.sort();
    files
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_tape_makes_a_valid_trace_and_comes_back(tape in tapes(4000)) {
        let held = check_tape(generator(), &tape, Options::default());
        held.map_err(|broken| TestCaseError::fail(broken.to_string()))?;
    }

    #[test]
    fn no_bytes_make_the_decoder_panic(mut bytes in prop::collection::vec(any::<u8>(), 0..600), header in any::<bool>()) {
        if header && bytes.len() > 5 {
            bytes[..5].copy_from_slice(b"TRC\0\x01");
        }
        let held = check_decode(deep_plan(), &bytes);
        held.map_err(|broken| TestCaseError::fail(broken.to_string()))?;
    }

    #[test]
    fn no_damage_makes_the_decoder_panic(seed in any::<u64>(), at in any::<prop::sample::Index>(), value in any::<u8>(), cut in any::<prop::sample::Index>()) {
        let generator = generator();
        let mut bytes = generator.from_seed(seed, Options::default()).expect("a trace").bytes;
        let place = at.index(bytes.len());
        bytes[place] = value;
        bytes.truncate(cut.index(bytes.len()).max(place));
        let held = check_decode(generator.plan(), &bytes);
        held.map_err(|broken| TestCaseError::fail(broken.to_string()))?;
    }
}

#[test]
fn real_files_come_back() {
    let generator = generator();
    let mut seen = 0;
    for file in real_files() {
        let bytes = std::fs::read(&file).expect("the file can be read");
        if judge(generator.plan(), &bytes).tolerable() {
            if let Err(broken) = check_identities(generator, &bytes) {
                panic!("{}: {broken}", file.display());
            }
            seen += 1;
        }
    }
    assert!(seen >= 2, "{seen} real files");
}

#[test]
fn the_same_seed_makes_the_same_bytes() {
    let generator = generator();
    let options = Options {
        bytes: 20_000,
        fill: true,
        ..Options::default()
    };
    let first = generator.from_seed(7, options).expect("a trace").bytes;
    let second = generator.from_seed(7, options).expect("a trace").bytes;
    assert_eq!(first, second);
    assert!(first.len() >= 20_000);
    let mut streamed = Vec::new();
    generator
        .write_seed(7, options, &mut streamed)
        .expect("a trace");
    assert_eq!(first, streamed, "streaming changes nothing");
    let other = generator.from_seed(8, options).expect("a trace").bytes;
    assert_ne!(first, other);
}

#[test]
fn a_tape_of_nothing_makes_the_smallest_trace() {
    let made = generator()
        .generate(&Tape::default(), Options::default())
        .expect("a trace");
    assert_eq!(made.bytes, b"TRC\0\x01");
}
