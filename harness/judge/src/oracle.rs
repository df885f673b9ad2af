//! Judges answers that come from decoders instead of reader processes.

use std::time::Duration;

use tracegauge_corpus::case::{Case, ExpectedVerdict};
use tracegauge_corpus::mutation_score::{self, Dumb, Parting, Wrong};
use tracegauge_decoder::record::{Record, write_record};
use tracegauge_protocol::{Answer, Breakdown, Line, Rejection, parse_line};
use tracegauge_results::{Difference, Outcome, Proof};

use super::{Judge, Response, Strictness, detail, verdict};
use crate::compare::{Matcher, Reporting, Seen, canonical_shown};

/// An oracle that judges answers as if they came from a reader that reports all records in file
/// order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Oracle;

impl mutation_score::Oracle for Oracle {
    fn judge(
        &self,
        case: &Case,
        answer: &mutation_score::Answer,
    ) -> Option<(Wrong, Option<Parting>)> {
        if answer.endless {
            return Some((Wrong::Endless, None));
        }
        let response = response(case, answer);
        let tally = response.seen.as_ref().map(|seen| &seen.tally);
        let left_out = tally.is_some_and(|tally| !tally.left_out.is_empty());
        let outcome = verdict::outcome(case, &response, &[]);
        if outcome != Outcome::Pass {
            let wrong = match outcome {
                Outcome::WrongRecords => Wrong::Records,
                _ => Wrong::Verdict,
            };
            let difference = detail::difference(&response, outcome);
            return Some((wrong, difference.as_ref().map(parting)));
        }
        let Some(grade) = verdict::grade(case, &response, Outcome::Pass) else {
            return left_out.then_some((Wrong::LeftOut, None));
        };
        [
            (grade.records, Wrong::RecordsBefore),
            (grade.class, Wrong::Class),
            (grade.byte, Wrong::Byte),
        ]
        .into_iter()
        .find_map(|(right, wrong)| (right == Some(false)).then_some((wrong, None)))
    }

    fn canonical(&self, shown: &str) -> String {
        canonical_shown(shown)
    }

    fn dumb(&self, cases: &[&Case], verdict: ExpectedVerdict) -> Dumb {
        let answer = match verdict {
            ExpectedVerdict::Reject => Answer::Reject(Rejection::default()),
            ExpectedVerdict::Accept | ExpectedVerdict::Either => Answer::Accept,
        };
        let said = Response {
            answer,
            seen: None,
            stderr: String::new(),
            unsteady: None,
            stray: None,
            seconds: None,
        };
        let responses = vec![Some(said); cases.len()];
        let judge = Judge::new(cases, &responses, &[], &[], Strictness::Ordinary);
        let results = (0..cases.len()).filter_map(|index| judge.result(index));
        let mut dumb = Dumb::default();
        for result in results {
            dumb.passed += usize::from(result.outcome == Outcome::Pass);
            dumb.proven += usize::from(result.proof == Some(Proof::Proven));
        }
        dumb
    }
}

/// Converts `answer` to the response of a reader. A decoder that does not terminate is treated as a
/// reader that does not answer in time.
pub fn response(case: &Case, answer: &mutation_score::Answer) -> Response {
    Response {
        seen: Some(seen(case, &answer.records)),
        answer: match answer.endless {
            true => Answer::Broke(Breakdown::Hang(Duration::ZERO)),
            false => said(answer),
        },
        stderr: String::new(),
        unsteady: None,
        stray: None,
        seconds: None,
    }
}

/// Converts the first difference in the records to the type used for the mutation score.
pub fn parting(difference: &Difference) -> Parting {
    Parting {
        owed: difference.owed,
        path: difference.path.clone(),
        came: difference.actual.clone(),
    }
}

/// Converts the verdict of `answer` to the answer that a closing line would contain.
fn said(answer: &mutation_score::Answer) -> Answer {
    match (answer.verdict, &answer.violation) {
        (ExpectedVerdict::Reject, violation) => Answer::Reject(Rejection {
            class: violation.as_ref().map(|violation| violation.class),
            offset: violation.as_ref().map(|violation| violation.start),
            ..Rejection::default()
        }),
        _ => Answer::Accept,
    }
}

/// Compares `records` with the expected records of `case`.
fn seen(case: &Case, records: &[Record]) -> Seen {
    let reporting = Reporting::default();
    let mut matcher = Matcher::new(&case.expected, &case.format, &reporting);
    let mut line = Vec::new();
    for record in records {
        line.clear();
        write_record(record, &mut line);
        if let Ok(Line::Record(record)) = parse_line(&line) {
            matcher.record(&record);
        }
    }
    let mut seen = matcher.finish();
    seen.hold(|_| true);
    seen
}
