//! Compares the speed of the decoder with that of the dial9 format's own library on the same bytes.
//!
//! Set `TRACEGAUGE_BENCH_EVENTS=2100000` to decode the trace that was used for the published
//! decoding rates.

mod support;

use std::sync::OnceLock;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use support::{peers, recipe, subjects};
use tracegauge_plan::Plan;

struct Bench {
    plan: Plan,
    trace: Vec<u8>,
    events: usize,
}

fn bench() -> &'static Bench {
    static BENCH: OnceLock<Bench> = OnceLock::new();
    BENCH.get_or_init(|| {
        let asked = std::env::var("TRACEGAUGE_BENCH_EVENTS").ok();
        let events = asked
            .and_then(|events| events.parse().ok())
            .unwrap_or(200_000);
        Bench {
            plan: subjects::plan("dial9-v1"),
            trace: recipe::recipe(events),
            events,
        }
    })
}

fn measure<T>(bencher: Bencher<'_, '_>, decode: impl Fn(&Plan, &[u8]) -> T + Sync) {
    let bench = bench();
    bencher
        .counter(BytesCount::new(bench.trace.len()))
        .counter(ItemsCount::new(bench.events))
        .bench(|| decode(&bench.plan, &bench.trace));
}

fn main() {
    divan::main();
}

#[divan::bench]
fn verdict(bencher: Bencher<'_, '_>) {
    measure(bencher, subjects::verdict);
}

#[divan::bench]
fn records_in_place(bencher: Bencher<'_, '_>) {
    measure(bencher, subjects::in_place);
}

#[divan::bench]
fn records_owned(bencher: Bencher<'_, '_>) {
    measure(bencher, subjects::owned);
}

#[divan::bench]
fn peer_for_each_event(bencher: Bencher<'_, '_>) {
    measure(bencher, |_, bytes| peers::for_each_event(bytes));
}

#[divan::bench]
fn peer_next_frame(bencher: Bencher<'_, '_>) {
    measure(bencher, |_, bytes| peers::next_frame(bytes));
}

/// Measures the time to load a description. Every command loads a description, so this time adds to
/// the run time of every command.
#[divan::bench(args = tracegauge_spec::bundled::list().iter().map(|format| &*format.id))]
fn load_description(bencher: Bencher<'_, '_>, id: &str) {
    bencher.bench(|| subjects::plan(id));
}
