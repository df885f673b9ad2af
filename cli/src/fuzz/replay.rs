//! `tracegauge fuzz --replay`: runs one input again.

use std::str::FromStr;
use std::sync::Arc;

use tracegauge_corpus::dump::dump;
use tracegauge_harness::campaign::coverage::Pool;
use tracegauge_harness::campaign::{Asker, CampaignError, Grown, InputId, InputMaker};
use tracegauge_harness::containment;
use tracegauge_results::Difference;
use tracegauge_results::text::visible_lines;

use super::{Args, Refusal, against, reader_of, rules_of, supply};
use crate::{Exit, one_line, say, tell};

/// The seed and the number of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replay {
    seed: u64,
    number: InputId,
}

impl FromStr for Replay {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || {
            "expected a campaign seed and an input number, such as 1:42 or 1:s3.17, \
             as shown in the `about.md` file of a finding"
                .to_owned()
        };
        let (seed, number) = text.split_once(':').ok_or_else(wrong)?;
        Ok(Self {
            seed: seed.parse().map_err(|_| wrong())?,
            number: number.parse().map_err(|_| wrong())?,
        })
    }
}

/// Runs the input again, and prints its bytes and the behavior of the reader.
pub(super) fn again(args: &Args, replay: Replay) -> Result<Exit, Refusal> {
    let (reader, against) = (reader_of(args)?, against(args)?);
    let supply = supply(args, &reader, replay.seed)?;
    let plan = Arc::clone(supply.generator().plan());
    let pool = match replay.number {
        InputId::Numbered(_) => Pool::default(),
        InputId::Grown(Grown { from, .. }) => Pool::load(&args.out, from as usize)?,
    };
    let input = InputMaker::new(&supply, &pool).make(replay.number);
    let input = input
        .ok_or_else(|| Refusal::Usage("inputs of a campaign are numbered from 1".to_owned()))?;
    let containment =
        containment::begin().map_err(|error| Refusal::Incomplete(error.to_string()))?;
    let asker = Asker::new(&reader, against.as_ref(), &rules_of(&supply), &containment);
    let mut asker = asker.map_err(CampaignError::from)?;
    asker.watch_until_exit(true);
    let found = asker
        .ask(&plan, &input.bytes)
        .map_err(CampaignError::from)?;
    say!("{} bytes, {}", input.bytes.len(), one_line(&input.made));
    let mut shown = Vec::new();
    // Writing to memory does not fail.
    let _ = dump(&plan, &input.bytes, &mut shown);
    tell!("{}", visible_lines(&String::from_utf8_lossy(&shown)));
    let Some(found) = found else {
        say!("the reader behaves correctly");
        return Ok(Exit::Ok);
    };
    say!("the reader: {}", one_line(&found.signature.to_string()));
    if let Some(detail) = &found.seen.result.detail {
        say!("expected:   {}", one_line(&detail.expected));
        say!("actual:     {}", one_line(&detail.actual));
        if let Some(difference) = &detail.difference {
            let Difference { record, path, .. } = difference;
            say!("differs:    record {record}, {}", one_line(path));
            say!("  expected: {}", one_line(&difference.expected));
            say!("  actual:   {}", one_line(&difference.actual));
        }
        if let Some(hint) = &detail.hint {
            say!("hint:       {}", one_line(hint));
        }
    }
    Ok(Exit::Finding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_input_is_named_by_two_numbers() {
        for (text, number) in [
            ("1:42", InputId::Numbered(42)),
            ("1:s3.17", InputId::Grown(Grown { from: 3, count: 17 })),
        ] {
            assert_eq!(text.parse(), Ok(Replay { seed: 1, number }));
        }
        for wrong in ["", "1", "1:", "x:1", "1:2:3", "1:s2"] {
            assert!(wrong.parse::<Replay>().is_err(), "{wrong}");
        }
    }
}
