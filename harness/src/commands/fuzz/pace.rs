//! What it costs that each input starts a process, told before hours are spent on it.

use std::time::{Duration, Instant};

use tracegauge_generator::mutate::Supply;
use tracegauge_reports::RuleInfo;

use crate::contain::Containment;
use crate::fuzz::coverage::Pool;
use crate::fuzz::{Asker, InputId, InputMaker};
use crate::reader_file::{Mode, ReaderFile};

/// So many inputs are tried; the first start of a program is slower than those after it.
const TRIED: u64 = 3;
/// No further one is tried after so long.
const PATIENCE: Duration = Duration::from_secs(1);

/// What to say of the pace of `reader`, of which so many run at once; nothing where a process
/// answers many inputs, or where the reader cannot be asked, which the campaign says.
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
        0 => "less than one a second".to_owned(),
        rate => format!("about {rate} a second"),
    };
    Some(format!(
        "mode `once` starts a process for each input, here {rate}; mode `serve` is many times \
         faster: docs/fuzz-a-parser.md#how-many-inputs-a-second"
    ))
}

/// The time of the input that took the least.
fn fastest(reader: &ReaderFile, supply: &Supply, rules: &[RuleInfo]) -> Option<Duration> {
    let plan = supply.generator().plan();
    let pool = Pool::default();
    let mut maker = InputMaker::new(supply, &pool);
    let containment = Containment::begin().ok()?;
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

/// Inputs a second where `jobs` readers run at once that take so long each.
fn rate(each: Duration, jobs: usize) -> u128 {
    let jobs = jobs.min(super::processors()) as u128;
    jobs * 1_000_000 / each.as_micros().max(1)
}
