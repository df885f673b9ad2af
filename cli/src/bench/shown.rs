//! Prints the measurements as a table or as JSON.

use std::fmt::Write as _;

use serde_json::{Value as Json, json};
use tracegauge_generator::PerTrace;
use tracegauge_results::text::{counted, visible};

use super::measure::{Bench, Measured};

impl Measured {
    /// Returns the number of traces per second in each round.
    fn rates(&self) -> impl Iterator<Item = f64> {
        self.seconds
            .iter()
            .map(|seconds| per(self.traces as u64, *seconds))
    }

    /// Returns the median number of traces per second.
    fn rate(&self) -> f64 {
        median(self.rates())
    }

    /// Returns the median number of megabytes per second.
    fn megabytes(&self) -> f64 {
        median(
            self.seconds
                .iter()
                .map(|seconds| per(self.bytes, *seconds) / 1e6),
        )
    }

    /// Returns the speed of this task divided by the speed of the task that it is compared with, as
    /// the median over all rounds.
    fn ratio(&self, all: &[Self]) -> Option<f64> {
        let against = self.against.as_ref()?;
        let other = all.iter().find(|other| other.name == *against)?;
        let pairs = self.rates().zip(other.rates());
        Some(median(pairs.map(|(ours, theirs)| ours / theirs)))
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate for human eyes")]
fn per(number: u64, seconds: f64) -> f64 {
    number as f64 / seconds.max(1e-9)
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => 0.0,
        length if length % 2 == 1 => values[middle],
        _ => f64::midpoint(values[middle - 1], values[middle]),
    }
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get)
}

/// Returns the measurements as one line of JSON.
pub(super) fn json(bench: &Bench, measured: &[Measured]) -> String {
    let rates: Vec<Json> = measured.iter().map(|one| rate(one, measured)).collect();
    let cases = bench.traces();
    let report = json!({
        "tracegauge_bench": 1,
        "tool_version": env!("CARGO_PKG_VERSION"),
        "format": bench.plan().format,
        "processors": processors(),
        "jobs": bench.jobs,
        "traces": cases.len(),
        "seeds_left_out": bench.left_out.seeds,
        "attempts_per_trace": bench.attempts().map(|made| made.attempts),
        "bytes": cases.iter().map(|case| case.bytes.len()).sum::<usize>(),
        "rates": rates,
    });
    format!("{report}\n")
}

fn rate(one: &Measured, all: &[Measured]) -> Json {
    let mut rate = json!({
        "name": one.name,
        "traces": one.traces,
        "traces_per_second": one.rate(),
        "megabytes_per_second": one.megabytes(),
        "seconds": one.seconds,
        "wrong": one.wrong,
    });
    if let (Some(against), Some(ratio)) = (&one.against, one.ratio(all)) {
        rate["against"] = json!(against);
        rate["ratio"] = json!(ratio);
    }
    rate
}

/// Returns the measurements as a human-readable table.
pub(super) fn table(bench: &Bench, measured: &[Measured]) -> String {
    let cases = bench.traces();
    let bytes: u64 = cases.iter().map(|case| case.bytes.len() as u64).sum();
    let size = usize::try_from(bytes / cases.len() as u64).unwrap_or(usize::MAX);
    let rounds = measured.first().map_or(0, |one| one.seconds.len());
    let mut text = format!(
        "{}: {} of {} each, {}, {} in parallel, medians of {}\n\n",
        bench.plan().format,
        counted(cases.len(), "trace"),
        counted(size, "byte"),
        counted(processors(), "processor"),
        bench.jobs,
        counted(rounds, "round"),
    );
    let names: Vec<String> = measured
        .iter()
        .map(|one| visible(&one.name).into_owned())
        .collect();
    let width = names.iter().map(|name| name.chars().count()).max();
    let width = width.unwrap_or_default();
    let _ = writeln!(text, "{:width$}  {:>9}  {:>8}", "", "traces/s", "MB/s");
    for (one, name) in measured.iter().zip(&names) {
        let ratio = match (&one.against, one.ratio(measured)) {
            (Some(against), Some(ratio)) => format!("  {ratio:.2} × {against}"),
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "{name:width$}  {:>9.0}  {:>8.1}{ratio}",
            one.rate(),
            one.megabytes(),
        );
        if one.wrong > 0 {
            let _ = writeln!(
                text,
                "  {} of {} traces were read incorrectly",
                one.wrong, one.traces
            );
        }
    }
    text.push_str(&attempts(bench.attempts()));
    text
}

/// The number of attempts per trace from which the table shows it.
const MANY_ATTEMPTS: f64 = 1.05;

/// Returns a line about the attempts that generating a trace takes, if it often fails.
fn attempts(made: Option<PerTrace>) -> String {
    match made.filter(|made| made.attempts >= MANY_ATTEMPTS) {
        Some(PerTrace {
            attempts,
            reason: Some((reason, share)),
        }) => format!(
            "\ngenerating a trace took {attempts:.1} attempts on average; {:.0}% of the failures: {}\n",
            share * 100.0,
            visible(&reason)
        ),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(name: &str, against: Option<&str>, seconds: &[f64]) -> Measured {
        Measured {
            name: name.to_owned(),
            against: against.map(str::to_owned),
            traces: 10,
            bytes: 2_000_000,
            seconds: seconds.to_vec(),
            wrong: 0,
        }
    }

    #[test]
    fn ratios_are_of_the_same_round() {
        let bare = measured("bare", None, &[1.0, 2.0, 4.0]);
        let once = measured("once", Some("bare"), &[2.0, 4.0, 5.0]);
        assert_eq!(
            once.ratio(&[bare, measured("other", None, &[1.0])]),
            Some(0.5)
        );
        assert_eq!(once.ratio(&[]), None);
    }

    #[test]
    fn rates_are_medians() {
        let one = measured("one", None, &[1.0, 10.0, 2.0]);
        assert_eq!((one.rate(), one.megabytes()), (5.0, 1.0));
        let two = measured("two", None, &[1.0, 2.0]);
        assert_eq!(two.rate(), 7.5);
    }
}
