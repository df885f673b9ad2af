//! Runs some cases again, for example in another order or time zone, to find answers that are not
//! repeatable.

use tracegauge_judge::compare::Reporting;
use tracegauge_judge::{Reported, Response};
use tracegauge_protocol::{Answer, Breakdown};
use tracegauge_results::text::shortened;
use tracegauge_results::{CaseResult, NotRepeatable, Repeated};

use super::{Material, ReaderRun};
use crate::schedule::{self, in_short, is_alike};

/// Time zones with offsets that are not whole hours, at least one of which differs from the user's
/// time zone.
const ZONES: [&str; 2] = ["Asia/Kathmandu", "Pacific/Chatham"];
/// Locales, at least one of which differs from the user's locale. In Turkish, `I` is not the
/// capital form of `i`. In both locales, the decimal separator is a comma. If a locale is not
/// installed, programs use `C`.
const LOCALES: [&str; 2] = ["tr_TR.UTF-8", "de_DE.UTF-8"];
/// The maximum number of characters of an answer to show in the report.
const SHOWN: usize = 200;

impl ReaderRun<'_> {
    /// Reruns a sample of the answered cases in another order, under other names, in other folders,
    /// and with another time zone and locale.
    pub(super) fn repeat(
        &self,
        material: &Material<'_>,
        responses: &[Option<Response>],
        (reported, results): (&Reported, &[CaseResult]),
    ) -> Option<Repeated> {
        let seed = material.seed.other();
        let counted = 0..self.chosen.counted;
        let is_answered = |index: &usize| {
            let response = responses[*index].as_ref();
            let is_quick = !self.chosen.cases[*index].is_huge();
            is_quick && response.is_some_and(|it| !is_circumstantial(&it.answer))
        };
        let mut sample: Vec<usize> = counted.filter(is_answered).collect();
        seed.arrange(&mut sample, &self.chosen.cases);
        sample.truncate(self.config.repeat);
        if sample.is_empty() {
            return None;
        }
        let mut launch = material.launch.clone();
        let (zone, locale) = (other("TZ", ZONES), other("LANG", LOCALES));
        launch.environment.insert("TZ", zone.into());
        for name in ["LC_ALL", "LANG"] {
            launch.environment.insert(name, locale.into());
        }
        let material = Material {
            launch: &launch,
            seed,
            ..*material
        };
        let reporting = Reporting::of(&self.participant.reader);
        let mut again = schedule::again(&self.assignment(&material, &reporting), &sample);
        again.retain(|(_, response)| !is_circumstantial(&response.answer));
        let mut repeated = Repeated {
            cases: again.len(),
            differ: Vec::new(),
        };
        for (index, response) in &mut again {
            reported.hold(&self.chosen.cases[*index].format, response);
        }
        again.retain(|(index, response)| {
            let first = responses[*index].as_ref();
            !first.is_some_and(|first| is_alike(first, response))
        });
        if again.is_empty() {
            return (repeated.cases > 0).then_some(repeated);
        }
        let mut others = responses.to_vec();
        let mut changed = Vec::new();
        for (index, response) in again {
            others[index] = Some(response);
            changed.push(index);
        }
        let judge = self.judge_of(&others);
        for index in changed {
            let (Some(first), Some(again)) = (&responses[index], &others[index]) else {
                continue;
            };
            let case = self.chosen.cases[index];
            let passed = results
                .iter()
                .any(|it| it.case == case.id && !it.outcome.is_failure());
            let fails = judge.result(index).is_some_and(|it| it.fails_the_run());
            let shown = |response| shortened(&in_short(response), SHOWN).into_owned();
            repeated.differ.push(NotRepeatable {
                case: case.id.clone(),
                first: shown(first),
                again: shown(again),
                fails: passed && fails,
            });
        }
        repeated.differ.sort_by(|one, two| one.case.cmp(&two.case));
        (repeated.cases > 0).then_some(repeated)
    }
}

/// Returns true for a timeout and for a lack of memory. Either can be due to a busy machine, so it
/// says nothing about whether the reader's answers are repeatable.
fn is_circumstantial(answer: &Answer) -> bool {
    matches!(
        answer,
        Answer::Broke(Breakdown::Hang(_) | Breakdown::OutOfMemory(_))
    )
}

/// Returns whichever of two values differs from the current value of an environment variable.
fn other(name: &str, [value, otherwise]: [&'static str; 2]) -> &'static str {
    match std::env::var_os(name) {
        Some(own) if own == value => otherwise,
        _ => value,
    }
}
