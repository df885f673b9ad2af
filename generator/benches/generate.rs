//! Benchmarks for generating, encoding and recording traces.

use std::io;
use std::sync::{Arc, OnceLock};

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use tracegauge_decoder::decode_tree;
use tracegauge_decoder::tree::Tree;
use tracegauge_generator::{Generator, Options};
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

/// Options for traces of about 1 kB.
const SMALL: Options = Options {
    bytes: 1000,
    elements: 4096,
    fill: true,
    odd: false,
    mended: false,
    longest: u64::MAX,
    steps: u64::MAX,
    most: u64::MAX,
    choices: 1 << 20,
};
/// The number of small traces generated in each iteration.
const FILES: u64 = 1000;
/// Options for a trace of 4 MB.
const LARGE: Options = Options {
    bytes: 4_000_000,
    ..SMALL
};

fn generator() -> &'static Generator {
    static GENERATOR: OnceLock<Generator> = OnceLock::new();
    GENERATOR.get_or_init(|| {
        let format = bundled::find("dial9-v1")[0];
        let schema = Arc::new(format.load().schema.expect("the description is right"));
        Generator::new(Arc::new(
            lower(&schema, "dial9-v1").expect("the plan can be made"),
        ))
    })
}

/// Returns a trace of about 1 MB and its tree.
fn trace() -> &'static (Vec<u8>, Tree) {
    static TRACE: OnceLock<(Vec<u8>, Tree)> = OnceLock::new();
    TRACE.get_or_init(|| {
        let options = Options {
            bytes: 1_000_000,
            ..SMALL
        };
        let bytes = generator().from_seed(1, options).expect("a trace").bytes;
        let (_, tree) = decode_tree(generator().plan(), &bytes);
        (bytes, tree)
    })
}

fn main() {
    divan::main();
}

#[divan::bench]
fn files_of_1_kb(bencher: Bencher<'_, '_>) {
    let generator = generator();
    let bytes: usize = (0..FILES)
        .map(|seed| {
            generator
                .from_seed(seed, SMALL)
                .expect("a trace")
                .bytes
                .len()
        })
        .sum();
    bencher
        .counter(BytesCount::new(bytes))
        .counter(ItemsCount::new(FILES))
        .bench(|| {
            for seed in 0..FILES {
                divan::black_box(generator.from_seed(seed, SMALL).expect("a trace"));
            }
        });
}

#[divan::bench]
fn stream(bencher: Bencher<'_, '_>) {
    let generator = generator();
    let verdict = generator.write_seed(1, LARGE, io::sink()).expect("a trace");
    bencher
        .counter(BytesCount::new(verdict.length))
        .bench(|| generator.write_seed(1, LARGE, io::sink()));
}

#[divan::bench]
fn decode_to_tree(bencher: Bencher<'_, '_>) {
    let (bytes, _) = trace();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| decode_tree(generator().plan(), bytes));
}

#[divan::bench]
fn encode(bencher: Bencher<'_, '_>) {
    let (bytes, tree) = trace();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| generator().encode(tree));
}

#[divan::bench]
fn record(bencher: Bencher<'_, '_>) {
    let (bytes, tree) = trace();
    bencher
        .counter(BytesCount::new(bytes.len()))
        .bench(|| generator().record(tree));
}
