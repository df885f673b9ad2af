//! A reader's answers to cases, in the form that the harness uses and in a form for programs in any
//! language.

use std::collections::BTreeSet;

use serde_json::json;
use tracegauge_corpus::case::Case;
use tracegauge_corpus::rows::rows;
use tracegauge_decoder::record::{Record, write_record};
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{Findings, Judgement, Observer, observe};
use tracegauge_judge::compare::{Matcher, Reporting};
use tracegauge_judge::{Judge, Response, Strictness};
use tracegauge_plan::Plan;
use tracegauge_protocol::{Answer as Closing, Breakdown, Death, Line, Rejection, parse_line};
use tracegauge_results::Standing;

/// The verdict of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Said {
    Accept,
    Reject,
    Unsupported,
    Crash,
}

/// A reader's answer to a case.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub said: Said,
    /// The reported records, or `None` for a reader that reports only verdicts.
    pub records: Option<Vec<Record>>,
}

#[derive(Default)]
struct Records(Vec<Record>);

impl Observer for Records {
    fn record(&mut self, record: &RecordView<'_>) {
        self.0.push(record.to_record());
    }
}

impl Answer {
    /// Returns the answer of the reference decoder. Rejections have no records, because exported
    /// tests do not use them.
    pub fn of_reference(plan: &Plan, bytes: &[u8]) -> Self {
        let mut records = Records::default();
        let verdict = observe(plan, bytes, Findings::Records, &mut records).verdict;
        match verdict.judgement {
            Judgement::Rejected(_) => Self {
                said: Said::Reject,
                records: None,
            },
            Judgement::Accepted | Judgement::Either { .. } => Self {
                said: Said::Accept,
                records: Some(records.0),
            },
        }
    }

    /// Returns the answer in the form in which the readers in other languages load it: the verdict
    /// and typed rows.
    pub fn json(&self) -> String {
        let said = match self.said {
            Said::Accept => "accept",
            Said::Reject => "reject",
            Said::Unsupported => "unsupported",
            Said::Crash => "crash",
        };
        let records = match &self.records {
            Some(records) => format!("[{}]", rows(records).replace('\n', "")),
            None => "null".to_owned(),
        };
        format!("{{\"said\":{},\"records\":{records}}}\n", json!(said))
    }

    /// Returns the answer in the form in which the harness sees it after a run.
    pub fn response(&self, case: &Case) -> Response {
        let reporting = Reporting::default();
        let mut matcher = Matcher::new(&case.expected, &case.format, &reporting);
        let mut breach = None;
        let mut line = Vec::new();
        for record in self.records.iter().flatten() {
            line.clear();
            // A record without a kind represents an object that is not a record.
            match record.kind.is_empty() {
                true => line.extend_from_slice(b"{}"),
                false => write_record(record, &mut line),
            }
            match parse_line(&line) {
                Ok(Line::Record(record)) => matcher.record(&record),
                Ok(_) => panic!("{} is no record", String::from_utf8_lossy(&line)),
                Err(found) => breach = breach.or(Some(found)),
            }
        }
        let answer = match (self.said, breach) {
            (_, Some(breach)) => Closing::Broke(Breakdown::Protocol(breach)),
            (Said::Accept, _) => Closing::Accept,
            (Said::Reject, _) => Closing::Reject(Rejection::default()),
            (Said::Unsupported, _) => Closing::Unsupported { feature: None },
            (Said::Crash, _) => Closing::Broke(Breakdown::Crash(Death::Signal(11), None)),
        };
        Response {
            answer,
            seen: self.records.is_some().then(|| {
                let mut seen = matcher.finish();
                seen.hold(|_| true);
                seen
            }),
            stderr: String::new(),
            unsteady: None,
            stray: None,
            seconds: None,
        }
    }
}

/// Returns the names of the cases that `run --strict` fails, given the responses to all cases.
pub fn failing(cases: &[&Case], responses: &[Option<Response>]) -> BTreeSet<String> {
    let judge = Judge::new(cases, responses, &[], &[], Strictness::Strict);
    let results = (0..cases.len()).filter_map(|index| judge.result(index));
    let failing =
        results.filter(|result| result.outcome.is_failure() && result.standing == Standing::Counts);
    failing.map(|result| result.case).collect()
}
