//! Judges a reader's answers: the outcome of each case, and whether a pass proves that the reader
//! distinguishes valid from malformed traces.
//!
//! [`compare`] compares the reported records with the expected ones as they arrive, [`Judge`] derives
//! the outcome, and [`baseline`] marks the failures that are already known.

mod attribution;
pub mod baseline;
mod chance;
pub mod compare;
mod detail;
mod mutants;
mod oracle;
mod order;
mod proof;
mod reported;
mod resemblance;
mod verdict;

pub use attribution::{
    compare_causes, compared_with_mistakes, consistent, mistake_of, named, observed, opened,
    somewhere,
};
use chance::Chances;
pub use detail::in_words;
pub use mutants::outcomes_within;
pub use oracle::response as response_of_decoder;
pub use oracle::{Oracle, parting};
pub use reported::Reported;
pub use resemblance::is_byte_swapped;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use serde::{Deserialize, Serialize};
use tracegauge_corpus::case::{Case, Expected, ExpectedVerdict, State};
use tracegauge_corpus::formats::Formats;
use tracegauge_protocol::reader_file::Reports;
use tracegauge_protocol::{Answer, Breakdown};
use tracegauge_results::{
    CaseResult, Detail, Expectation, FormatSummary, KindCount, Level, Outcome, Profile, RuleInfo,
    Standing,
};

use crate::compare::{LeftOut, Seen, Tally};

/// The maximum number of kinds of records that are counted in a format. A reader that reports random
/// kinds would otherwise make the result large.
const MOST_KINDS: usize = 1024;

/// How strictly violations of recommendations (`should` rules) are judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// A failure that violates only a recommendation is a warning.
    #[default]
    Ordinary,
    /// Violated recommendations, and violated rules that are judged only in strict mode, count as
    /// failures.
    Strict,
}

/// A reader's complete response to a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Response {
    /// The answer.
    pub answer: Answer,
    /// The comparison of the reported records, or `None` if the reader reports no records.
    pub seen: Option<Seen>,
    /// The last part of the reader's output on standard error.
    pub stderr: String,
    /// The problem that occurred when the case ran together with other cases but not when the case
    /// ran alone.
    pub unsteady: Option<Breakdown>,
    /// The first line of output that is neither a record nor a closing line (the line with the
    /// verdict), if the reader does not declare what it reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stray: Option<String>,
    /// The wall time in seconds from the request to the answer or, in `once` mode, from the start
    /// of the process to its exit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
}

/// Builds the response to a case. A reader that declares that it reports records must report every
/// member except those that its reader file lists under `omits`. For a reader without that
/// declaration, only the records and members that it does report are checked.
pub fn response(answer: Answer, mut seen: Seen, reports: Reports, stderr: String) -> Response {
    let compared = reports == Reports::Records || seen.reported > 0;
    let stray = seen.stray.take();
    if reports == Reports::Records {
        seen.hold(|_| true);
    }
    Response {
        answer,
        seen: compared.then_some(seen),
        stderr,
        unsteady: None,
        stray,
        seconds: None,
    }
}

/// Returns whether `response` counts as a failure for a reader that does not support the features
/// in `gaps`.
pub fn fails(case: &Case, response: &Response, gaps: &[String]) -> bool {
    verdict::outcome(case, response, gaps).is_failure()
}

/// Judges the answers of one reader to a set of cases.
#[derive(Debug)]
pub struct Judge<'a> {
    cases: &'a [&'a Case],
    responses: &'a [Option<Response>],
    rules: &'a [RuleInfo],
    gaps: &'a [String],
    strictness: Strictness,
    by_id: HashMap<&'a str, usize>,
    /// The malformed cases that were made from each valid case.
    siblings: HashMap<&'a str, Vec<usize>>,
    chances: Chances<'a>,
    /// The formats of the cases, if they are known.
    formats: Option<&'a Formats>,
}

impl<'a> Judge<'a> {
    /// Creates a judge of a reader's `responses` to `cases`, with one response for each case. The
    /// reader does not support the features in `gaps`.
    pub fn new(
        cases: &'a [&'a Case],
        responses: &'a [Option<Response>],
        rules: &'a [RuleInfo],
        gaps: &'a [String],
        strictness: Strictness,
    ) -> Self {
        let by_id: HashMap<&str, usize> = cases
            .iter()
            .enumerate()
            .map(|(index, case)| (case.id.as_str(), index))
            .collect();
        let siblings = siblings(cases, &by_id);
        Self {
            cases,
            responses,
            rules,
            gaps,
            strictness,
            chances: Chances::of(cases, responses),
            by_id,
            siblings,
            formats: None,
        }
    }

    /// Sets the formats of the cases, so that hints can say what the descriptions allow.
    #[must_use]
    pub fn knowing(mut self, formats: Option<&'a Formats>) -> Self {
        self.formats = formats;
        self
    }

    /// Returns the reader's result for the case at `index`, or `None` if the case did not run.
    pub fn result(&self, index: usize) -> Option<CaseResult> {
        let case = self.cases.get(index)?;
        let response = self.response(index)?;
        let outcome = verdict::outcome(case, response, self.gaps);
        let rules = rules_of(case);
        Some(CaseResult {
            case: case.id.clone(),
            version: case.version,
            format: case.format.clone(),
            expected: expectation(case.expected.verdict),
            departures: case.departures.clone(),
            operator: case.provenance.operator.clone(),
            twin: case.twin.clone(),
            outcome,
            proof: (outcome == Outcome::Pass)
                .then(|| self.proof(index, response))
                .flatten(),
            noted: verdict::noted(case, response, outcome),
            set_apart_by: None,
            suspects: Vec::new(),
            records: match case.expected.verdict {
                ExpectedVerdict::Accept => case.expected.records.iter().map(Vec::len).min(),
                _ => None,
            }
            .unwrap_or_default(),
            grade: verdict::grade(case, response, outcome),
            standing: self.standing(case, rules.first(), outcome),
            known: None,
            unsteady: response.unsteady.as_ref().map(Breakdown::to_string),
            seconds: response.seconds,
            detail: outcome
                .is_failure()
                .then(|| Box::new(self.detail(case, response, outcome))),
            rules,
        })
    }

    /// Returns a summary of each format, computed from the answers to the cases with the indexes
    /// `counted`. `results` are the results of these cases, some of which the baseline lists.
    /// `is_part` says whether only some cases of each format were selected.
    pub fn formats(
        &self,
        counted: Range<usize>,
        results: &[CaseResult],
        is_part: bool,
    ) -> Vec<FormatSummary> {
        let mut formats: BTreeMap<&str, FormatSummary> = BTreeMap::new();
        let mut by_chance: HashMap<&str, f64> = HashMap::new();
        let mut kinds: HashMap<&str, BTreeMap<&str, KindCount>> = HashMap::new();
        for index in counted {
            let case = self.cases[index];
            let format = case.format.as_str();
            let summary = formats.entry(format).or_insert_with(|| FormatSummary {
                format: format.to_owned(),
                valid: 0,
                accepted: 0,
                whole: !is_part,
                by_chance: 0,
                verdicts: self.chances.verdicts(format),
                kinds: Vec::new(),
            });
            summary.whole &= self.response(index).is_some();
            let kinds = kinds.entry(format).or_default();
            self.count_kinds(index, kinds);
            *by_chance.entry(format).or_default() += self.by_chance(index);
        }
        for result in results {
            let is_valid = result.expected == Expectation::Accept && result.standing.counts();
            let Some(summary) = formats.get_mut(result.format.as_str()).filter(|_| is_valid) else {
                continue;
            };
            let is_read = result.outcome == Outcome::Pass || result.known.is_some();
            summary.valid += 1;
            summary.accepted += usize::from(is_read);
        }
        let rounded = |mut summary: FormatSummary| {
            let by_chance = by_chance.get(summary.format.as_str());
            summary.by_chance = by_chance.map_or(0, |it| it.round() as usize);
            let kinds = kinds.get(summary.format.as_str());
            summary.kinds = kinds
                .into_iter()
                .flat_map(BTreeMap::values)
                .cloned()
                .collect();
            summary
        };
        formats.into_values().map(rounded).collect()
    }

    /// Counts the kinds of records that the trace at `index` contains, if they were compared, and those
    /// that the reader reported.
    fn count_kinds<'k>(&'k self, index: usize, counts: &mut BTreeMap<&'k str, KindCount>) {
        let seen = self.response(index).and_then(|it| it.seen.as_ref());
        let Some(seen) = seen else {
            return;
        };
        let count = |counts: &mut BTreeMap<&'k str, KindCount>, kind: &'k str, due: bool| {
            let new = || KindCount {
                kind: kind.to_owned(),
                due: 0,
                reported: 0,
            };
            let count = counts.entry(kind).or_insert_with(new);
            match due {
                true => count.due += 1,
                false => count.reported += 1,
            }
        };
        let case = self.cases[index];
        let is_compared = seen.expected
            && case.expected.verdict == ExpectedVerdict::Accept
            && self
                .response(index)
                .is_some_and(|it| it.answer == Answer::Accept);
        if is_compared {
            for kind in kinds_due(&case.expected) {
                count(counts, kind, true);
            }
        }
        for kind in &seen.kinds {
            if counts.len() < MOST_KINDS || counts.contains_key(kind.as_str()) {
                count(counts, kind, false);
            }
        }
    }

    /// Returns the counts of the expected and of the reported members of the case at `index`. All
    /// counts are zero unless the trace is valid and the answer is correct.
    pub fn tally(&self, index: usize) -> Tally {
        let (Some(case), Some(response)) = (self.cases.get(index), self.response(index)) else {
            return Tally::default();
        };
        let is_right = case.expected.verdict == ExpectedVerdict::Accept
            && verdict::outcome(case, response, self.gaps) == Outcome::Pass;
        match &response.seen {
            _ if !is_right => Tally::default(),
            Some(seen) => seen.tally.clone(),
            None => Tally::unseen(case.expected.records.first().map_or(&[], Vec::as_slice)),
        }
    }

    /// Returns the members omitted from the answer to the case at `index`, if the answer is
    /// otherwise correct. A reader that reports these members in other answers must report them in
    /// this answer too.
    pub fn left_out(&self, index: usize) -> &'a [LeftOut] {
        let (Some(case), Some(response)) = (self.cases.get(index), self.response(index)) else {
            return &[];
        };
        let is_right = case.expected.verdict == ExpectedVerdict::Accept
            && verdict::outcome(case, response, self.gaps) == Outcome::Pass;
        let seen = response.seen.as_ref().filter(|_| is_right);
        seen.map_or(&[], |seen| &seen.left_out)
    }

    /// Returns true if at least one answer says that the feature in `gap` is not supported.
    pub fn shows_gap(&self, gap: &String) -> bool {
        self.cases
            .iter()
            .zip(self.responses)
            .any(|(case, response)| match response {
                Some(Response {
                    answer: Answer::Unsupported { feature },
                    ..
                }) => verdict::is_declared(case, feature.as_deref(), std::slice::from_ref(gap)),
                _ => false,
            })
    }

    fn detail(&self, case: &Case, response: &Response, outcome: Outcome) -> Detail {
        let mut detail = detail::detail(case, response, outcome);
        let plan = self.formats.and_then(|formats| formats.plan(&case.format));
        if let (Outcome::WrongRecords, Some(plan), Some(seen)) = (outcome, plan, &response.seen) {
            let also_by = |kind: &str| {
                let planned = plan.records.iter().find(|planned| planned.kind == kind);
                planned.map_or(&[][..], |planned| &planned.also_by)
            };
            let hint = order::hint(case, seen, also_by);
            detail.hint = hint.or(detail.hint);
        }
        detail
    }

    fn response(&self, index: usize) -> Option<&'a Response> {
        self.responses.get(index)?.as_ref()
    }

    fn standing(&self, case: &Case, rule: Option<&String>, outcome: Outcome) -> Standing {
        if case.state == State::Disputed {
            return Standing::Disputed;
        }
        // A breakdown, such as a crash, is a failure even if the rule is only a recommendation.
        if outcome.is_breakdown() || self.strictness == Strictness::Strict {
            return Standing::Counts;
        }
        match rule.and_then(|rule| RuleInfo::find(self.rules, rule, &case.format)) {
            Some(rule) if rule.profile == Profile::Strict => Standing::NotJudged,
            Some(rule) if rule.level == Level::Should => Standing::Warning,
            _ => Standing::Counts,
        }
    }
}

fn siblings<'a>(
    cases: &[&'a Case],
    by_id: &HashMap<&'a str, usize>,
) -> HashMap<&'a str, Vec<usize>> {
    let mut siblings: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, case) in cases.iter().enumerate() {
        let Some(twin) = case.twin.as_deref() else {
            continue;
        };
        match case.expected.verdict {
            ExpectedVerdict::Reject => siblings.entry(twin).or_default().push(index),
            ExpectedVerdict::Accept => {
                siblings
                    .entry(&case.id)
                    .or_default()
                    .extend(by_id.get(twin));
            }
            ExpectedVerdict::Either => {}
        }
    }
    siblings
}

/// Returns the rules that a case counts toward. For a malformed case, the violated rules come
/// first.
fn rules_of(case: &Case) -> Vec<String> {
    let broken = case
        .expected
        .violation
        .iter()
        .flat_map(|violation| &violation.rules);
    let mut rules: Vec<String> = Vec::new();
    for rule in broken.chain(&case.provenance.rules) {
        if !rules.contains(rule) {
            rules.push(rule.clone());
        }
    }
    rules
}

fn expectation(verdict: ExpectedVerdict) -> Expectation {
    match verdict {
        ExpectedVerdict::Accept => Expectation::Accept,
        ExpectedVerdict::Reject => Expectation::Reject,
        ExpectedVerdict::Either => Expectation::Either,
    }
}

/// Returns the kinds of records that occur in every allowed answer.
pub fn kinds_due(expected: &Expected) -> BTreeSet<&str> {
    let kinds = expected.records.iter().map(|records| {
        let kinds = records.iter().map(|record| record.kind.as_str());
        kinds.collect::<BTreeSet<&str>>()
    });
    kinds.reduce(|due, kinds| &due & &kinds).unwrap_or_default()
}

#[cfg(test)]
mod tests;
