//! Benchmarks how many cases a run completes per second in `once` and `serve` mode, compared with
//! how many times per second the same program can be started.
//!
//! `cargo bench -p tracegauge-cli --bench serve`
#![allow(clippy::unwrap_used, missing_docs)]

use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use tracegauge_contain::Limits;
use tracegauge_corpus::case::Case;
use tracegauge_harness::runner::{self, Config, Participant};
use tracegauge_harness::schedule::{Criteria, Seed, TimeLimit};
use tracegauge_judge::Strictness;
use tracegauge_reports::Collector;
use tracegauge_results::Outcome;

#[path = "../tests/common/mod.rs"]
mod common;

const SERVED: u16 = 10_000;
const STARTED: u16 = 400;

fn main() {
    divan::main();
}

/// Returns `count` tiny cases, half of them malformed.
fn cases(count: u16) -> Vec<Case> {
    (0..count / 2)
        .flat_map(|number| {
            let [high, low] = number.to_be_bytes();
            // Avoids the byte that marks a fault.
            let events = [high, low >> 4, low & 15];
            let valid = common::valid(&format!("events-{number:05}"), &events);
            let faulty = common::faulty(&valid);
            [valid, faulty]
        })
        .collect()
}

/// Performs a complete run: writes the files, starts the reader, sends the requests, and compares
/// and judges the answers.
fn run(mode: &str, cases: &[Case], jobs: usize) {
    let stop = AtomicBool::new(false);
    let config = Config {
        criteria: Criteria::default(),
        strictness: Strictness::Ordinary,
        jobs,
        limits: Limits::default(),
        stop: &stop,
        time: &TimeLimit::default(),
        seed: Seed::default(),
        repeat: 0,
        journals: None,
        formats: None,
    };
    let participant = Participant {
        reader: common::reader(mode, "perfect", ""),
        baseline: None,
    };
    let mut collector = Collector::new();
    runner::run(&config, cases, &[], &[participant], &mut collector).unwrap();
    let result = collector.into_result().unwrap();
    assert_eq!(result.readers[0].totals.count(Outcome::Pass), cases.len());
    black_box(result);
}

#[divan::bench(args = [1, 2, 4], sample_count = 5)]
fn serve(bencher: Bencher<'_, '_>, jobs: usize) {
    let cases = cases(SERVED);
    bencher
        .counter(ItemsCount::new(SERVED))
        .bench(|| run("serve", &cases, jobs));
}

#[divan::bench(args = [1, 2, 4], sample_count = 5)]
fn once(bencher: Bencher<'_, '_>, jobs: usize) {
    let cases = cases(STARTED);
    bencher
        .counter(ItemsCount::new(STARTED))
        .bench(|| run("once", &cases, jobs));
}

/// Starts the program and waits for it to exit: the minimum cost of any harness.
#[divan::bench(args = [1, 2, 4], sample_count = 5)]
fn bare_start(bencher: Bencher<'_, '_>, jobs: usize) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"TOY1\x01\x02\x03").unwrap();
    bencher.counter(ItemsCount::new(STARTED)).bench(|| {
        std::thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| {
                    for _ in 0..usize::from(STARTED) / jobs {
                        let mut command = Command::new(common::FAKE);
                        command.args(["once", "perfect"]).arg(file.path());
                        let output = command.stdin(Stdio::null()).output().unwrap();
                        assert!(output.status.success());
                    }
                });
            }
        });
    });
}
