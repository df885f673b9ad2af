//! Warns before a campaign if starting a process for each input will make the campaign slow.

use std::time::{Duration, Instant};

use tracegauge_generator::mutate::Supply;
use tracegauge_protocol::reader_file::{Mode, ReaderFile};
use tracegauge_results::RuleInfo;

use tracegauge_harness::campaign::coverage::Pool;
use tracegauge_harness::campaign::{Asker, InputId, InputMaker};
use tracegauge_harness::containment;

/// The number of inputs to time. A single input is not enough, because the first start of a program
/// is slower than later ones.
const TRIED: u64 = 3;
/// The time after which no more inputs are timed.
const PATIENCE: Duration = Duration::from_secs(1);

/// Returns a note about the speed of `reader` with `jobs` processes running in parallel. Returns
/// `None` if the reader answers many inputs per process. Also returns `None` if the reader cannot
/// be run, because the campaign reports that error.
pub(super) fn note(
    reader: &ReaderFile,
    supply: &Supply,
    rules: &[RuleInfo],
    jobs: usize,
) -> Option<String> {
    if reader.mode != Mode::Once {
        return None;
    }
    let rate = match rate(fastest(reader, supply, rules)?, jobs) {
        0 => "less than one input per second".to_owned(),
        rate => format!("about {rate} inputs per second"),
    };
    Some(format!(
        "mode `once` starts a process for each input, which gives {rate} here; mode `serve` is \
         many times faster: see docs/fuzz-a-parser.md#inputs-per-second"
    ))
}

/// Returns the shortest time that the reader took for any of the timed inputs.
fn fastest(reader: &ReaderFile, supply: &Supply, rules: &[RuleInfo]) -> Option<Duration> {
    let plan = supply.generator().plan();
    let pool = Pool::default();
    let mut maker = InputMaker::new(supply, &pool);
    let containment = containment::begin().ok()?;
    let mut asker = Asker::new(reader, None, rules, &containment).ok()?;
    let mut fastest = None;
    let began = Instant::now();
    for number in 1..=TRIED {
        if began.elapsed() > PATIENCE {
            break;
        }
        let input = maker.make(InputId::Numbered(number))?;
        let asked = Instant::now();
        asker.ask(plan, &input.bytes).ok()?;
        let took = asked.elapsed();
        fastest = Some(fastest.map_or(took, |fastest: Duration| fastest.min(took)));
    }
    fastest
}

/// Returns the number of inputs per second when `jobs` readers run in parallel and each input takes
/// `each`.
fn rate(each: Duration, jobs: usize) -> u128 {
    let jobs = jobs.min(super::processors()) as u128;
    jobs * 1_000_000 / each.as_micros().max(1)
}
