//! Measures the number of mutations per second. A fuzzer waits for a mutation before each run.

#![allow(clippy::unwrap_used, missing_docs)]

use divan::Bencher;
use divan::counter::ItemsCount;
use tracegauge_generator::mutate::Dice;
use tracegauge_generator::{Generator, Options};
use tracegauge_mutator::{Mutator as _, Settings, TraceMutator};

/// The formats to measure, each with an approximate trace size in bytes.
const TRACES: [(&str, u64); 6] = [
    ("dial9-v1", 100),
    ("dial9-v1", 1000),
    ("dial9-v1", 20_000),
    ("nettrace-v6", 1000),
    ("fieldlog-v2", 1000),
    ("wtf-v3", 1000),
];

/// The number of mutations per sample. The mutations are distributed over several traces.
const CALLS: u64 = 200;

fn main() {
    divan::main();
}

#[divan::bench(args = TRACES.map(|(format, bytes)| format!("{format} {bytes}")), sample_count = 20)]
fn change(bencher: Bencher<'_, '_>, which: &str) {
    let (format, bytes) = which.split_once(' ').unwrap();
    let settings = Settings {
        format: Some(format.to_owned()),
        ..Settings::default()
    };
    let mut mutator = TraceMutator::new(&settings).unwrap();
    let generator = Generator::new(settings.plan().unwrap());
    let options = Options {
        bytes: bytes.parse().unwrap(),
        elements: 8,
        fill: true,
        ..Options::default()
    };
    let traces = [1, 2, 3, 4, 5].map(|seed| generator.from_seed(seed, options).unwrap().bytes);
    bencher.counter(ItemsCount::new(CALLS)).bench_local(|| {
        for number in 0..CALLS {
            let trace = &traces[usize::try_from(number % 5).unwrap()];
            divan::black_box(mutator.change(trace, 1 << 20, &mut Dice::new(1, number)));
        }
    });
}
