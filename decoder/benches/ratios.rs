//! Measures the speed of the decoder relative to the dial9 format's own library.
//!
//! Arguments: the number of events and the number of rounds.

mod support;

use std::hint::black_box;

use support::turns::{Subject, medians};
use support::{peers, recipe, subjects};

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok());
    let events = numbers.next().unwrap_or(200_000);
    let turns = numbers.next().unwrap_or(15);
    let plan = subjects::plan("dial9-v1");
    let trace = recipe::recipe(events);
    let (plan, trace) = (&plan, trace.as_slice());
    let all: Vec<Subject<'_>> = vec![
        (
            "peer for_each_event",
            Box::new(|| {
                let _ = black_box(peers::for_each_event(trace));
            }),
        ),
        ("verdict", Box::new(|| subjects::verdict(plan, trace))),
        (
            "peer next_frame",
            Box::new(|| {
                let _ = black_box(peers::next_frame(trace));
            }),
        ),
        (
            "records in place",
            Box::new(|| {
                let _ = black_box(subjects::in_place(plan, trace));
            }),
        ),
        (
            "records owned",
            Box::new(|| {
                let _ = black_box(subjects::owned(plan, trace));
            }),
        ),
    ];
    let medians = medians(&all, turns);
    println!("{events} events, {} bytes, {turns} turns", trace.len());
    for (index, ((name, _), median)) in all.iter().zip(&medians).enumerate() {
        let base = if index < 2 { medians[0] } else { medians[2] };
        println!(
            "{name:20} {:8.1} MB/s {:7.2} M events/s {:6.2} times the peer's time",
            trace.len() as f64 / median / 1e6,
            events as f64 / median / 1e6,
            median / base,
        );
    }
}
