//! Compares the speed of the decoder with that of a handwritten reader on NetTrace 6 traces.
//!
//! Arguments: the number of events in each generated trace, the number of rounds, and the trace
//! files to measure. If no file is given, the benchmark measures the real trace at the path `REAL`,
//! if that file exists.

mod support;

use std::hint::black_box;
use std::path::Path;

use support::nettrace::by_hand::{Asked, read};
use support::nettrace::traces::{Payloads, trace};
use support::subjects;
use support::turns::{Subject, medians};
use tracegauge_plan::Plan;

/// The path of a trace from a real writer. The file is optional.
const REAL: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../shared/real/nettrace/onecollect-v6-capture-long.nettrace"
);

fn main() {
    let (numbers, files): (Vec<_>, Vec<_>) = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"))
        .partition(|argument| argument.parse::<usize>().is_ok());
    let mut numbers = numbers.iter().filter_map(|number| number.parse().ok());
    let events = numbers.next().unwrap_or(200_000);
    let turns = numbers.next().unwrap_or(15);
    let plan = subjects::plan("nettrace-v6");
    for (name, payloads) in [
        ("headers only", Payloads::None),
        ("fixed payloads", Payloads::Fixed),
        ("texts", Payloads::Texts),
        ("nested", Payloads::Nested),
    ] {
        if std::env::var("ONLY").is_ok_and(|only| only != name) {
            continue;
        }
        compare(&plan, name, &trace(payloads, events), turns);
    }
    let real = Path::new(REAL);
    let beside = (files.is_empty() && real.is_file()).then(|| REAL.to_owned());
    for file in files.into_iter().chain(beside) {
        match std::fs::read(&file) {
            Ok(bytes) => {
                let name = Path::new(&file).file_name().unwrap_or_default();
                compare(&plan, &name.to_string_lossy(), &bytes, turns);
            }
            Err(error) => println!("{file}: {error}"),
        }
    }
}

/// Measures one trace and prints the results as a table.
fn compare(plan: &Plan, name: &str, bytes: &[u8], turns: usize) {
    let events = read(bytes, Asked::Payloads).expect("the trace can be read by hand");
    let by_hand = |asked| -> Box<dyn Fn() + '_> {
        Box::new(move || {
            let _ = black_box(read(bytes, asked));
        })
    };
    let all: Vec<Subject<'_>> = vec![
        ("by hand, headers", by_hand(Asked::Headers)),
        ("by hand, payloads", by_hand(Asked::Payloads)),
        ("by hand, checked", by_hand(Asked::Checked)),
        ("verdict", Box::new(|| subjects::verdict(plan, bytes))),
        (
            "records in place",
            Box::new(|| {
                let _ = black_box(subjects::in_place(plan, bytes));
            }),
        ),
    ];
    let medians = medians(&all, turns);
    println!(
        "{name}: {events} events, {} bytes, {turns} turns",
        bytes.len()
    );
    println!(
        "{:20} {:>8} {:>10} {:>8} {:>8} {:>8}",
        "", "MB/s", "M events/s", "headers", "payloads", "checked"
    );
    for ((name, _), median) in all.iter().zip(&medians) {
        println!(
            "{name:20} {:8.1} {:10.2} {:7.2}x {:7.2}x {:7.2}x",
            bytes.len() as f64 / median / 1e6,
            events as f64 / median / 1e6,
            median / medians[0],
            median / medians[1],
            median / medians[2],
        );
    }
}
