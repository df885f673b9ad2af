//! The results of a reader.

use serde::{Deserialize, Serialize};

use crate::baseline::BaselineProblem;
use crate::case::CaseResult;
use crate::cause::Cause;
use crate::format_summary::FormatSummary;
use crate::is_zero;
use crate::outcome::{Expectation, Noted, Outcome};
use crate::totals::Totals;

/// The results of one reader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReaderResult {
    /// The reader.
    pub reader: ReaderInfo,
    /// Whether the reader ran.
    pub state: ReaderState,
    /// The totals of the results.
    pub totals: Totals,
    /// The results that are known only once the reader's run is over.
    pub tail: ReaderTail,
    /// The probable causes of the failures that fail the run, most important first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Cause>,
    /// The results of the cases that ran, in the order of the corpus.
    pub cases: Vec<CaseResult>,
}

impl ReaderResult {
    /// Returns whether the reader passed at least one case, but none by accepting the trace. A
    /// program that fails on every trace would have the same result, so such a result does not show
    /// that the reader conforms. Returns false if there are known failures, because somebody must
    /// have reviewed them to list them.
    pub fn accepts_nothing(&self) -> bool {
        let is_accepted = |case: &CaseResult| {
            let expected = case.expected == Expectation::Accept;
            case.outcome == Outcome::Pass && (expected || case.noted == Some(Noted::Accepted))
        };
        let totals = &self.totals;
        totals.unproven > 0
            && totals.proven == 0
            && totals.known == 0
            && !self.cases.iter().any(is_accepted)
    }

    /// Returns whether the reader keeps state from one trace to the next although no failure fails
    /// the run: only failures that do not count show it. Returns false if there are known failures,
    /// because somebody must have reviewed them to list them.
    pub fn only_remembers(&self) -> bool {
        let totals = &self.totals;
        self.tail.remembers && totals.failures == 0 && totals.known == 0
    }

    /// Returns the number of cases that passed and then failed when they ran again under different
    /// conditions.
    pub fn fail_again(&self) -> usize {
        let repeated = self.tail.repeated.iter();
        repeated
            .flat_map(|it| &it.differ)
            .filter(|it| it.fails)
            .count()
    }
}

/// The identity of a reader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReaderInfo {
    /// The reader's name.
    pub name: String,
    /// The reader's version, if the reader reports one.
    pub version: Option<String>,
    /// The mode of the reader: `once` or `serve`.
    pub mode: String,
    /// The content of the reader's answers: `verdict` or `records`. `None` if the content is
    /// detected for each case.
    pub reports: Option<String>,
    /// The reader's baseline of known failures, if it has one.
    pub baseline: Option<String>,
}

/// Whether a reader ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReaderState {
    /// The reader ran.
    Ran,
    /// The reader was skipped, for the given reason: it cannot run on this machine, or none of the
    /// selected cases applies to it.
    Skipped(String),
    /// The reader was expected to run but could not, for the given reason.
    Failed(String),
}

impl ReaderState {
    /// The reason for skipping a reader that none of the selected cases applies to.
    pub const NOTHING_FOR_IT: &str = "none of the selected cases applies to this reader";
}

/// The results of a reader that are known only once its run is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReaderTail {
    /// The containment measures that were enabled for the reader, and those that were unavailable.
    pub containment: Vec<Measure>,
    /// The numbers of expected and of reported record members.
    pub observed: Observed,
    /// The planned cases that did not run.
    pub not_run: NotRun,
    /// The number of cases that ran only to prove that passes of other cases are not accidental.
    /// Such supporting cases are not counted in the totals.
    pub support: usize,
    /// The discrepancies between the reader and its baseline.
    pub baseline_problems: Vec<BaselineProblem>,
    /// The number of known failures whose entries in the baseline are marked `unexplained`, because
    /// nobody has described the bug yet.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unexplained: usize,
    /// Whether the reader retains state between traces: every failing case that was retried passed
    /// in a fresh process.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remembers: bool,
    /// Crashes that no case alone causes, for example when a process ended or after many cases. Such
    /// crashes fail the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crashes: Vec<String>,
    /// For each format, a summary of the answers to its cases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub formats: Vec<FormatSummary>,
    /// Remarks for the reader's author.
    pub notes: Vec<String>,
    /// The cases that ran again under different conditions. `None` if no cases ran again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeated: Option<Repeated>,
    /// The seed for the order of the cases and for the trace file names that the reader saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The wall-clock time in seconds.
    pub seconds: f64,
}

impl ReaderTail {
    /// Describes the answers that are not repeatable, each in one line.
    pub fn not_repeatable(&self) -> Vec<String> {
        let differ = self.repeated.iter().flat_map(|it| &it.differ);
        let line = |it: &NotRepeatable| {
            let NotRepeatable {
                case, first, again, ..
            } = it;
            format!("not repeatable: {case}: first run: {first}; second run: {again}")
        };
        differ.map(line).collect()
    }
}

/// The cases that ran again in a different order, time zone, locale and folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repeated {
    /// The number of cases.
    pub cases: usize,
    /// The cases whose answer changed.
    pub differ: Vec<NotRepeatable>,
}

/// A case that a reader answered differently when it ran again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotRepeatable {
    /// The case.
    pub case: String,
    /// The answer that was judged.
    pub first: String,
    /// The answer under different conditions.
    pub again: String,
    /// Whether the case passed the first time, but the other answer would fail it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fails: bool,
}

/// The planned cases that did not run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotRun {
    /// The number of cases.
    pub cases: usize,
    /// The reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// A containment measure, which limits the resources or permissions of a reader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// The name of the measure, for example `process group`.
    pub name: String,
    /// Whether the measure was enabled.
    pub in_force: bool,
    /// The scope of the measure, or the reason why it was not enabled.
    pub note: String,
}

/// The numbers of record members that were expected and that were reported, in the valid traces
/// that a reader read correctly.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// The number of expected members.
    pub expected: u64,
    /// The number of members that were reported.
    pub seen: u64,
    /// The members that the reader omitted at least once, as `record.member`, sorted.
    pub left_out: Vec<String>,
}

impl Observed {
    /// Returns the percentage of members that were reported, or `None` if no members were expected.
    pub fn percent(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a share for human eyes")]
        (self.expected > 0).then(|| self.seen as f64 * 100.0 / self.expected as f64)
    }
}
