//! Reports decoders with planted bugs in the same way as readers. The diagnosis uses these reports
//! to measure how often a report identifies a bug.

use tracegauge_corpus::case::Case;
use tracegauge_corpus::diagnosis::{Reporter, Reports, Row};
use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::mutation_score::{self, Answer};
use tracegauge_corpus::suite::rules;
use tracegauge_judge::compare::Tally;
use tracegauge_judge::{Judge, Oracle, Response, Strictness, response_of_decoder};
use tracegauge_reports::Collector;
use tracegauge_results::Sink as _;
use tracegauge_results::{
    CaseResult, Cause, Confidence, Event, ReaderInfo, ReaderState, ReaderTail, RuleInfo, RunHead,
    RunResult,
};

use super::notes::failing_alike;
use super::rules::rule_info;
use super::suspects::suspect;
use crate::origin::locate;

/// Creates reports that are based on the judge's [`Oracle`].
#[derive(Clone, Copy, Debug, Default)]
pub struct OracleReports;

impl Reports for OracleReports {
    fn oracle(&self) -> &dyn mutation_score::Oracle {
        &Oracle
    }

    fn reporter<'s>(
        &self,
        formats: &'s Formats,
        cases: &'s [&'s Case],
        truths: &[Answer],
    ) -> Box<dyn Reporter + 's> {
        let rules = formats.plans().iter().flat_map(|plan| rules(plan));
        let answered = cases.iter().zip(truths);
        let responses = answered.map(|(case, answer)| Some(response_of_decoder(case, answer)));
        Box::new(Planted {
            formats,
            cases,
            rules: rules.map(|entry| rule_info(&entry)).collect(),
            responses: responses.collect(),
        })
    }
}

/// A reporter for decoders with planted bugs.
struct Planted<'s> {
    formats: &'s Formats,
    cases: &'s [&'s Case],
    rules: Vec<RuleInfo>,
    /// The responses of the correct decoder.
    responses: Vec<Option<Response>>,
}

impl Reporter for Planted<'_> {
    fn rows(&self, answers: &[(usize, Answer)]) -> (usize, Vec<Row>) {
        let (cases, rules) = (self.cases, &self.rules);
        let mut responses = self.responses.clone();
        for (index, answer) in answers {
            responses[*index] = Some(response_of_decoder(cases[*index], answer));
        }
        let judge = Judge::new(cases, &responses, rules, &[], Strictness::Ordinary);
        let results = (0..cases.len()).filter_map(|index| judge.result(index));
        let mut results: Vec<CaseResult> = results.collect();
        let mut tally = Tally::default();
        (0..cases.len()).for_each(|index| tally.add(&judge.tally(index)));
        locate(&mut results, cases, self.formats);
        failing_alike(self.formats, cases, &mut results);
        suspect(self.formats, cases, &mut results);
        let head = RunHead {
            rules: rules.clone(),
            ..RunHead::default()
        };
        let tail = ReaderTail {
            observed: tally.into(),
            ..ReaderTail::default()
        };
        let result = collected(&head, &tail, &results);
        let reader = result.readers.into_iter().next();
        let rows = reader.map_or_else(Vec::new, |reader| reader.causes);
        let failures = results.iter().filter(|it| it.fails_the_run()).count();
        (failures, rows.into_iter().map(row).collect())
    }
}

/// Collects the results of a reader as a run does.
fn collected(head: &RunHead, tail: &ReaderTail, results: &[CaseResult]) -> RunResult {
    let (reader, state) = (&ReaderInfo::default(), &ReaderState::Ran);
    let mut collector = Collector::new();
    collector.event(&Event::RunStarted(head));
    collector.event(&Event::ReaderStarted {
        reader,
        planned: results.len(),
        support: 0,
    });
    for result in results {
        collector.event(&Event::CaseJudged(result));
    }
    collector.event(&Event::ReaderFinished {
        reader,
        state,
        tail,
    });
    collector.event(&Event::RunFinished);
    collector.into_result().unwrap_or_default()
}

fn row(cause: Cause) -> Row {
    Row {
        rule: cause.rule,
        is_stated: !matches!(cause.confidence, Confidence::OneOf(_)),
        is_certain: cause.confidence == Confidence::Proven,
    }
}
