//! The one model of a run's result, from which everything is rendered.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::crash::Crash;
use crate::excerpt::Excerpt;
use crate::outcome::{Expectation, Grade, Noted, Outcome, Proof, Standing};
use crate::rule::RuleInfo;
use crate::totals::Totals;

/// The version of the result file's form. It is raised when a reader of older files would
/// misunderstand a newer one.
pub const FORM: u32 = 1;

/// All that a run found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// The form of the file: [`FORM`].
    pub tracegauge_result: u32,
    /// What was run.
    pub run: RunHead,
    /// One entry a reader, in the order in which they were named.
    pub readers: Vec<ReaderResult>,
}

impl Default for RunResult {
    fn default() -> Self {
        Self {
            tracegauge_result: FORM,
            run: RunHead::default(),
            readers: Vec::new(),
        }
    }
}

/// What a run is about, known before it starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunHead {
    /// The version of the tool.
    pub tool_version: String,
    /// Which cases were chosen.
    pub selection: Selection,
    /// The rules of the formats of the cases.
    pub rules: Vec<RuleInfo>,
    /// A word for the corpus that they were chosen from: another corpus has another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corpus: Option<String>,
}

/// Which cases of the corpus were chosen, and how they are judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// Formats asked for; empty: all.
    pub formats: Vec<String>,
    /// Patterns asked for; empty: all.
    pub filters: Vec<String>,
    /// The part of the corpus that was run, `2/5` say.
    pub shard: Option<String>,
    /// Whether recommendations are demands.
    pub strict: bool,
}

impl Selection {
    /// Whether every case of the readers' formats was chosen.
    pub fn is_whole(&self) -> bool {
        self.formats.is_empty() && self.filters.is_empty() && self.shard.is_none()
    }
}

/// What was found about one reader.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReaderResult {
    /// Which reader.
    pub reader: ReaderInfo,
    /// Whether it ran.
    pub state: ReaderState,
    /// The sums.
    pub totals: Totals,
    /// What was found in the end.
    pub tail: ReaderTail,
    /// One entry a case that ran, in the order of the corpus.
    pub cases: Vec<CaseResult>,
}

/// Who a reader is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReaderInfo {
    /// Its name.
    pub name: String,
    /// Its version, where it says so.
    pub version: Option<String>,
    /// How it is run: `once` or `serve`.
    pub mode: String,
    /// What it reports: `verdict` or `records`; nothing where it is found out case by case.
    pub reports: Option<String>,
    /// Its list of known failures, where it has one.
    pub baseline: Option<String>,
}

/// Whether a reader ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReaderState {
    /// It ran.
    Ran,
    /// It cannot run here, for the reason given.
    Skipped(String),
    /// It should have run and could not, for the reason given.
    Failed(String),
}

impl ReaderState {
    /// Why a reader is skipped that reads none of the chosen cases.
    pub const NOTHING_FOR_IT: &str = "no case that was asked for is for it";
}

/// What is known about a reader when its run is over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReaderTail {
    /// What held the reader in, and what this machine cannot give.
    pub containment: Vec<Measure>,
    /// How much of what it should report was there to be compared.
    pub observed: Observed,
    /// Cases that were planned and did not run.
    pub not_run: NotRun,
    /// Cases that ran only to prove others, and are not counted.
    pub support: usize,
    /// Where the reader and its list of known failures part.
    pub baseline_problems: Vec<BaselineProblem>,
    /// Known failures that the list has, but does not explain.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unexplained: usize,
    /// It keeps something of one trace for the next: each of the cases that it fails among others
    /// and that were tried again passes in a fresh process.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub remembers: bool,
    /// Crashes that belong to no case: its process reported them or died of them outside of any.
    /// They fail the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crashes: Vec<String>,
    /// What else its author should know.
    pub notes: Vec<String>,
    /// Wall time in seconds.
    pub seconds: f64,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Cases that were planned and did not run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NotRun {
    /// How many.
    pub cases: usize,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// One measure of containment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    /// What it holds in, `process group` say.
    pub name: String,
    /// Whether it was in force.
    pub in_force: bool,
    /// Its extent, or why it was not in force.
    pub note: String,
}

/// How much of what a reader should report was there to be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observed {
    /// Members that were expected.
    pub expected: u64,
    /// Members that were there and right.
    pub seen: u64,
    /// Members that the reader left out somewhere, as `record.member`, sorted.
    pub left_out: Vec<String>,
}

impl Observed {
    /// The share that was seen, in percent; nothing where nothing was expected.
    pub fn percent(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "a share for human eyes")]
        (self.expected > 0).then(|| self.seen as f64 * 100.0 / self.expected as f64)
    }
}

/// A place where a reader and its list of known failures part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "problem")]
pub enum BaselineProblem {
    /// A listed case passes.
    Passes {
        /// The entry's pattern.
        pattern: String,
        /// The case.
        case: String,
    },
    /// A listed case fails otherwise than the list says.
    Differs {
        /// The entry's pattern.
        pattern: String,
        /// The case.
        case: String,
        /// What the list says, or the first that it says.
        listed: Outcome,
        /// The other outcomes that it says.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        or_listed: Vec<Outcome>,
        /// What happened.
        got: Outcome,
    },
    /// A listed case has wrong records as the list says, but something else in them is wrong.
    Elsewhere {
        /// The entry's pattern.
        pattern: String,
        /// The case.
        case: String,
        /// The rule that the list gives; several with "or" between them.
        about: String,
        /// The rule that speaks of what differs; empty where none does.
        instead: String,
    },
    /// An entry matches no case.
    Stale {
        /// The entry's pattern.
        pattern: String,
    },
}

impl fmt::Display for BaselineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passes { pattern, case } if pattern == case => {
                write!(f, "{case} is listed and passes; take it off the list")
            }
            Self::Passes { pattern, case } => {
                write!(
                    f,
                    "{case} is listed by {pattern} and passes; narrow the pattern"
                )
            }
            Self::Differs {
                case,
                listed,
                or_listed,
                got,
                ..
            } => {
                write!(f, "{case} is listed as {listed}")?;
                for outcome in or_listed {
                    write!(f, " or {outcome}")?;
                }
                write!(f, ", but the outcome is {got}")
            }
            Self::Elsewhere {
                case,
                about,
                instead,
                ..
            } => {
                write!(f, "{case} is listed for {about}, but what is wrong is ")?;
                match instead.as_str() {
                    "" => f.write_str("something else"),
                    rule => f.write_str(rule),
                }
            }
            Self::Stale { pattern } => write!(f, "{pattern} matches no case"),
        }
    }
}

/// What a reader did with one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The case.
    pub case: String,
    /// The version of the case.
    pub version: u32,
    /// Its format.
    pub format: String,
    /// The rules that it is about, the most important first.
    pub rules: Vec<String>,
    /// Of a valid trace that fails without a word on what is wrong in it: the rule that all such
    /// traces show, and none that the reader reads right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_apart_by: Option<String>,
    /// What it expects.
    pub expected: Expectation,
    /// What was done to a valid trace to make it, by the name of the generator's operator;
    /// nothing for a case that was not made so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<String>,
    /// The case that differs from it in the fault alone: a valid one beside a faulty one, or
    /// the other way round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<String>,
    /// What the reader did.
    pub outcome: Outcome,
    /// Whether a pass shows anything; nothing where more than one verdict is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// The answer, where more than one verdict is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noted: Option<Noted>,
    /// How good a right rejection was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// How much the case counts.
    #[serde(default, skip_serializing_if = "Standing::counts")]
    pub standing: Standing,
    /// The reason on the list of known failures, where the failure is on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// What went wrong when the case ran among others, where it did not when alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsteady: Option<String>,
    /// Wall time from the question to the answer in seconds, where it was measured; in mode `once`
    /// from the start of the process to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// All about a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Box<Detail>>,
}

impl CaseResult {
    /// Whether this alone makes the reader fail the run.
    pub fn fails_the_run(&self) -> bool {
        self.outcome.is_failure() && self.known.is_none() && self.standing.counts()
    }

    /// The rule that the case is counted under: of a record that is wrong the first that speaks
    /// of what differs, of a valid trace that fails otherwise the one that sets it apart, else the
    /// first that the case is about.
    pub fn rule(&self) -> Option<&str> {
        let about = self.about_difference().first();
        let about = about.or(self.set_apart_by.as_ref());
        about.or(self.rules.first()).map(String::as_str)
    }

    /// The rules that speak of the member in which records differ; none where none differ, or
    /// where the description has no rule for it.
    pub fn about_difference(&self) -> &[String] {
        let detail = self.detail.as_deref();
        let difference = detail.and_then(|detail| detail.difference.as_ref());
        difference.map_or(&[], |difference| &difference.rules)
    }
}

/// All about a failure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// What the case tests.
    pub why: String,
    /// What a conforming reader does.
    pub expected: String,
    /// What the reader did.
    pub actual: String,
    /// What its author may do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Where the records part.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// Where the fault of the trace lies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The bytes around the fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// What its runtime reported, where it crashed and did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crash: Option<Crash>,
    /// The end of what the reader wrote to standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// Where two sequences of records part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The record, counted from 0.
    pub record: usize,
    /// The member, `fields[2].value` say; empty for the whole record.
    pub path: String,
    /// What was expected, as JSON or in words.
    pub expected: String,
    /// What the reader reported, as JSON or in words.
    pub actual: String,
    /// The record among the expected ones, counted from 0: a reader that leaves out records or
    /// sorts them has another number for it. Nothing where no further one is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owed: Option<usize>,
    /// The bytes that what was expected was read from; what stands in the record itself comes
    /// first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<Origin>,
    /// The rules that the description gives for the member that differs, or for what is around
    /// it in the record; those that the case shows come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

/// Bytes of a trace that an expected value was read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// What of the value they are.
    pub part: OriginPart,
    /// The field, `frames[3].body.length` say; empty for the whole trace.
    pub path: String,
    /// Their first byte.
    pub offset: u64,
    /// How many they are.
    pub length: u64,
    /// The bytes around them.
    pub excerpt: Excerpt,
}

impl Origin {
    /// One past the last byte.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.length)
    }
}

/// What of an expected value bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OriginPart {
    /// What the record itself has of it.
    Value,
    /// What it takes from elsewhere: from where it was written last, or from a row that the
    /// record names.
    Elsewhere,
    /// The whole record: it has no bytes of the value.
    Record,
}

/// Where the fault of a trace lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The field.
    pub path: String,
    /// Its first byte.
    pub start: u64,
    /// One past its last byte.
    pub end: u64,
}
