//! Converts the findings of a campaign to the result of a run with one case for each group of
//! findings.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tracegauge_corpus::dump::dump;
use tracegauge_plan::Plan;
use tracegauge_reports::casebook::{CasePage, Casebook};
use tracegauge_results::text::visible;
use tracegauge_results::{
    CaseResult, Expectation, Outcome, ReaderInfo, ReaderResult, ReaderState, ReaderTail, RuleInfo,
    RunHead, RunResult, Selection, Standing, Totals,
};

use super::keep::{RESULT, trace_name};
use super::{Group, Summary};

/// The findings of a campaign, with its folder.
#[derive(Clone, Copy, Debug)]
pub struct Findings<'f> {
    /// The format.
    pub plan: &'f Plan,
    /// The result of the campaign.
    pub summary: &'f Summary,
    /// The folder of the campaign.
    pub folder: &'f Path,
}

impl Findings<'_> {
    /// Converts the findings to the result of a run of `reader`. The result contains one case for
    /// each group of findings, and a single case for all inputs that the reader handled correctly.
    pub fn result(&self, reader: ReaderInfo, rules: &[RuleInfo]) -> RunResult {
        let state = &self.summary.state;
        let mut cases: Vec<CaseResult> = state.groups.iter().map(|it| self.case(it)).collect();
        cases.push(self.rest());
        let note = format!(
            "{} inputs generated from the seed {}",
            state.inputs, state.seed
        );
        let result = ReaderResult {
            reader,
            state: ReaderState::Ran,
            totals: Totals::of(cases.len(), 0, &cases),
            tail: ReaderTail {
                notes: vec![note],
                seconds: self.summary.elapsed.as_secs_f64(),
                ..ReaderTail::default()
            },
            causes: Vec::new(),
            cases,
        };
        RunResult {
            run: RunHead {
                tool_version: env!("CARGO_PKG_VERSION").to_owned(),
                selection: Selection {
                    formats: vec![state.format.clone()],
                    ..Selection::default()
                },
                rules: rules.to_vec(),
                corpus: None,
                written: BTreeMap::new(),
            },
            readers: vec![result],
            ..RunResult::default()
        }
    }

    fn case(&self, group: &Group) -> CaseResult {
        let kept = self.kept(group);
        let mut case = kept.unwrap_or_else(|| self.bare(group));
        case.case = self.name(group);
        case.known.clone_from(&group.known);
        if let Some(detail) = &mut case.detail {
            let seed = self.summary.state.seed;
            let (number, count) = (group.number, group.count);
            detail.why = format!(
                "input {seed}:{number}, minimized; {count} inputs triggered the \
                failure"
            );
        }
        case
    }

    /// Loads the reader's result on the minimized trace of a group.
    fn kept(&self, group: &Group) -> Option<CaseResult> {
        let folder = self.folder.join(group.folder.as_ref()?);
        serde_json::from_slice(&fs::read(folder.join(RESULT)).ok()?).ok()
    }

    /// Creates a case for a group whose detailed result was not saved.
    fn bare(&self, group: &Group) -> CaseResult {
        let rule = Some(group.rule.clone()).filter(|rule| !rule.is_empty());
        CaseResult {
            expected: match rule {
                Some(_) => Expectation::Reject,
                None => Expectation::Accept,
            },
            rules: rule.into_iter().collect(),
            ..self.passed(self.name(group), group.outcome)
        }
    }

    /// Creates the case for all inputs that the reader handled correctly.
    fn rest(&self) -> CaseResult {
        let name = format!("{}/fuzz/all-other-inputs", self.plan.format);
        self.passed(name, Outcome::Pass)
    }

    fn passed(&self, case: String, outcome: Outcome) -> CaseResult {
        CaseResult {
            case,
            version: 1,
            format: self.plan.format.clone(),
            rules: Vec::new(),
            expected: Expectation::Either,
            departures: Vec::new(),
            operator: None,
            twin: None,
            outcome,
            proof: None,
            noted: None,
            set_apart_by: None,
            suspects: Vec::new(),
            records: 0,
            grade: None,
            standing: Standing::Counts,
            known: None,
            unsteady: None,
            seconds: None,
            detail: None,
        }
    }

    /// Returns the name of a group's case, such as `FORMAT/fuzz/RULE/1-42`. The name consists of
    /// the group's subject, the seed and the number of the saved input.
    fn name(&self, group: &Group) -> String {
        let case = group.case(&self.plan.format);
        let name = format!("{case}/{}-{}", self.summary.state.seed, group.number);
        visible(&name).into_owned()
    }
}

impl Casebook for Findings<'_> {
    fn page(&self, case: &str, _version: u32) -> Option<CasePage> {
        let groups = &self.summary.state.groups;
        let group = groups.iter().find(|group| self.name(group) == case)?;
        let folder = self.folder.join(group.folder.as_ref()?);
        let bytes = fs::read(folder.join(trace_name(self.plan))).ok()?;
        let mut text = Vec::new();
        // Writing to a `Vec` cannot fail.
        let _ = dump(self.plan, &bytes, &mut text);
        let input = format!("a finding, saved in {}", folder.display());
        Some(CasePage {
            why: visible(&input).into_owned(),
            operator: None,
            twin: None,
            dump: String::from_utf8_lossy(&text).into_owned(),
        })
    }
}
