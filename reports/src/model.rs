//! The model of a run's result. All reports are rendered from this model.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::causes::Cause;
use crate::crash::Crash;
use crate::differences::Differences;
use crate::excerpt::Excerpt;
use crate::format_summary::FormatSummary;
use crate::outcome::{Expectation, Grade, Noted, Outcome, Proof, Standing};
use crate::rule::RuleInfo;
use crate::totals::Totals;

/// The version of the result file's format. The version is increased when programs that read older
/// files would misinterpret newer ones.
pub const FORM: u32 = 1;

/// The result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// The version of the file's format: [`FORM`].
    pub tracegauge_result: u32,
    /// The properties of the run that are known before it starts.
    pub run: RunHead,
    /// The results of the readers, in the order given by the user.
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

/// The properties of a run that are known before it starts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunHead {
    /// The version of tracegauge.
    pub tool_version: String,
    /// Which cases were selected, and how strictly they are judged.
    pub selection: Selection,
    /// The rules of the formats that the cases belong to.
    pub rules: Vec<RuleInfo>,
    /// An identifier of the corpus that the cases were selected from. Different corpora have
    /// different identifiers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub corpus: Option<String>,
    /// For each format, the departures (unusual properties of traces) that known writers produce.
    /// Empty if these departures are unknown.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub written: BTreeMap<String, Vec<String>>,
}

/// Which cases of the corpus were selected, and how strictly they are judged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Selection {
    /// The requested formats. Empty if all formats were requested.
    pub formats: Vec<String>,
    /// The patterns that select cases by name or rule. Empty if all cases were requested.
    pub filters: Vec<String>,
    /// The requested departures (unusual properties of traces). A case must have at least one of
    /// these departures, unless the list is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub with: Vec<String>,
    /// The departures (unusual properties of traces) that no case may have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
    /// The shard of the corpus that was run, for example `2/5`.
    pub shard: Option<String>,
    /// Whether recommendations are judged as requirements.
    pub strict: bool,
}

impl Selection {
    /// Returns whether every case of the readers' formats was selected.
    pub fn is_whole(&self) -> bool {
        let named = [&self.formats, &self.filters, &self.with, &self.without];
        named.iter().all(|patterns| patterns.is_empty()) && self.shard.is_none()
    }
}

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
    /// Crashes outside of any case, for example when the reader's process ended. Such crashes fail
    /// the run.
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
            let NotRepeatable { case, first, again } = it;
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
}

fn is_zero(count: &usize) -> bool {
    *count == 0
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

/// A discrepancy between a reader and its baseline of known failures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "problem")]
pub enum BaselineProblem {
    /// A listed case passes.
    Passes {
        /// The pattern of the entry.
        pattern: String,
        /// The case.
        case: String,
    },
    /// A listed case fails with an outcome that the baseline does not list.
    Differs {
        /// The pattern of the entry.
        pattern: String,
        /// The case.
        case: String,
        /// The first listed outcome.
        listed: Outcome,
        /// The other listed outcomes.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        or_listed: Vec<Outcome>,
        /// The actual outcome.
        got: Outcome,
    },
    /// A listed case has wrong records, as the baseline says, but the difference concerns another
    /// rule.
    Elsewhere {
        /// The pattern of the entry.
        pattern: String,
        /// The case.
        case: String,
        /// The listed rule. Several rules are joined with "or".
        about: String,
        /// The rule about the member that differs. Empty if there is no such rule.
        instead: String,
    },
    /// The simplest case of an entry passes, so the bug is probably fixed.
    Fixed {
        /// The pattern of the entry.
        pattern: String,
        /// The case.
        case: String,
        /// The description of the bug in the entry.
        reason: String,
        /// Other cases of the entry that still fail. The bug had hidden these failures.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        hidden: Vec<String>,
    },
    /// An entry matches no case.
    Stale {
        /// The pattern of the entry.
        pattern: String,
    },
}

impl fmt::Display for BaselineProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Passes { pattern, case } if pattern == case => {
                write!(f, "{case} is listed but passes; remove the entry")
            }
            Self::Passes { pattern, case } => {
                write!(f, "{case} matches {pattern} but passes; narrow the pattern")
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
                write!(f, "{case} is listed for {about}, but the failure is about ")?;
                match instead.as_str() {
                    "" => f.write_str("something else"),
                    rule => f.write_str(rule),
                }
            }
            Self::Fixed {
                case,
                reason,
                hidden,
                ..
            } => {
                write!(
                    f,
                    "fixed: {case} passes; remove the entry with this reason: {reason}"
                )?;
                match hidden.as_slice() {
                    [] => Ok(()),
                    [first] => write!(f, " (the entry hid the failure of {first})"),
                    [first, others @ ..] => {
                        let others = others.len();
                        write!(
                            f,
                            " (the entry hid the failures of {first} and {others} more)"
                        )
                    }
                }
            }
            Self::Stale { pattern } => write!(f, "{pattern} matches no case"),
        }
    }
}

/// The result of a reader for one case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CaseResult {
    /// The case.
    pub case: String,
    /// The version of the case.
    pub version: u32,
    /// The format of the case.
    pub format: String,
    /// The rules that the case tests, most important first.
    pub rules: Vec<String>,
    /// The departures of the trace from what typical writers write, not counting its fault: ids of
    /// rules and names of unusual values. Empty for a plain trace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub departures: Vec<String>,
    /// For a valid trace that fails without a known cause: a rule that distinguishes the reader's
    /// failing traces from those that it reads correctly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub set_apart_by: Option<String>,
    /// Contents of a failing valid trace that may be the reason for the failure. The list always
    /// includes the unusual values among the trace's departures, with the rules about their fields.
    /// If the reader rejects the trace or gives no valid answer, the list also includes other
    /// contents that occur in no accepted valid trace. Contents that many traces have by chance,
    /// such as a large value, come last among these.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suspects: Vec<Suspect>,
    /// The expected verdict.
    pub expected: Expectation,
    /// For a valid trace, the number of records that a conforming reader reports.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub records: usize,
    /// The name of the operator that made the case from a valid trace, or `None` if the case was
    /// made in a different way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<String>,
    /// The case that differs from this one only in the fault: the valid twin of a malformed case,
    /// or the malformed case made from a valid one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twin: Option<String>,
    /// The outcome.
    pub outcome: Outcome,
    /// The evidence that a pass provides about the reader. `None` if more than one verdict is
    /// correct.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
    /// The reader's verdict, if more than one verdict is correct.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub noted: Option<Noted>,
    /// The quality of a correct rejection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<Grade>,
    /// How a failure of the case affects this run.
    #[serde(default, skip_serializing_if = "Standing::counts")]
    pub standing: Standing,
    /// The reason given in the baseline, if the failure is listed there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// The failure that occurred when the case ran together with other cases but not when it ran
    /// alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsteady: Option<String>,
    /// The wall-clock time from the request to the answer in seconds, if it was measured. In `once`
    /// mode, the time from the start of the process to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The details of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Box<Detail>>,
}

/// A property of a trace that may be the reason why a reader fails.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suspect {
    /// The id of a rule that the trace exercises, or a phrase, for example `traces with` followed
    /// by the path of a field.
    pub name: String,
    /// The rules about the named contents, most characteristic rule first. Empty if the name is the
    /// id of a rule.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

impl CaseResult {
    /// Returns whether this result alone makes the reader fail the run.
    pub fn fails_the_run(&self) -> bool {
        self.outcome.is_failure() && self.known.is_none() && self.standing.counts()
    }

    /// Returns the rule that the case is counted under. A case with a wrong record is counted under
    /// the first rule about the member that differs. A valid trace that fails in a different way is
    /// counted under the rule that distinguishes the failing traces, if there is one. Any other
    /// case is counted under the first rule that it tests.
    pub fn rule(&self) -> Option<&str> {
        let about = self.about_difference().first();
        let about = about.or(self.set_apart_by.as_ref());
        about.or(self.rules.first()).map(String::as_str)
    }

    /// Returns the rules about the member that differs. Empty if no records differ or if the
    /// description has no rule about the member.
    pub fn about_difference(&self) -> &[String] {
        let detail = self.detail.as_deref();
        let difference = detail.and_then(|detail| detail.difference.as_ref());
        difference.map_or(&[], |difference| &difference.rules)
    }
}

/// The details of a failure.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// The purpose of the case, in words.
    pub why: String,
    /// The behavior of a conforming reader.
    pub expected: String,
    /// The behavior of the reader.
    pub actual: String,
    /// A suggestion for the reader's author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The first difference between the records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difference: Option<Difference>,
    /// All differences between the records, after their alignment. If the reader rejected the
    /// trace, only the records that it reported are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differences: Option<Differences>,
    /// The location of the fault in the trace.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The bytes around the fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// For a failure on a valid trace that is not explained by a difference between records: the
    /// bytes to look at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look_at: Option<LookAt>,
    /// The crash that the reader's runtime reported, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crash: Option<Crash>,
    /// The end of the reader's output to standard error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
}

/// The first difference between two sequences of records.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The index of the record, counted from 0.
    pub record: usize,
    /// The member, for example `fields[2].value`. Empty if the whole record differs.
    pub path: String,
    /// The expected value, as JSON or in words.
    pub expected: String,
    /// The value that the reader reported, as JSON or in words.
    pub actual: String,
    /// The index of the record among the expected records, counted from 0. This index differs from
    /// `record` if the reader omits or reorders records. `None` if no further record is expected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owed: Option<usize>,
    /// The bytes that the expected value was read from. Bytes inside the record itself come first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<Origin>,
    /// The rules that the description gives for the member that differs, or for an enclosing part
    /// of the record. The list is reduced to the rules that the record exercises, if any, and then
    /// to the rules that the case tests, if any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
}

/// Bytes of a trace that an expected value was read from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// How the bytes relate to the value.
    pub part: OriginPart,
    /// The path of the field, for example `frames[3].body.length`. Empty for the whole trace.
    pub path: String,
    /// The position of the first byte.
    pub offset: u64,
    /// The number of bytes.
    pub length: u64,
    /// The bytes and their surroundings.
    pub excerpt: Excerpt,
}

impl Origin {
    /// Returns the position after the last byte.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.length)
    }
}

/// How bytes in a trace relate to an expected value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OriginPart {
    /// The bytes are inside the record itself.
    Value,
    /// The bytes are outside the record: where the value was last written, or in a table row that
    /// the record refers to.
    Elsewhere,
    /// The bytes are the whole record, because the value has no bytes of its own.
    Record,
}

/// Bytes of a valid trace that a reader probably misreads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookAt {
    /// The rule that these bytes are the first to exercise. `None` if the reader reported the byte
    /// where it stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The rules exercised by the parts of the trace that enclose the byte where the reader
    /// stopped, innermost part first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
    /// The position of the first byte.
    pub offset: u64,
    /// The number of bytes.
    pub length: u64,
    /// The bytes and their surroundings.
    pub excerpt: Excerpt,
}

impl LookAt {
    /// Describes the bytes `offset..offset + length` of a trace, which the reader reported or which
    /// exercise `rule`.
    pub fn new(bytes: &[u8], rule: Option<String>, offset: u64, length: u64) -> Self {
        Self {
            rule,
            near: Vec::new(),
            offset,
            length,
            excerpt: Excerpt::around(bytes, offset, offset.saturating_add(length)),
        }
    }

    /// Returns the position after the last byte.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.length)
    }
}

/// The location of the fault in a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The path of the field.
    pub path: String,
    /// The position of the field's first byte.
    pub start: u64,
    /// The position after the field's last byte.
    pub end: u64,
    /// For a trace that the reader wrongly accepts: the rules of the field, except for the rule that
    /// the trace violates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<String>,
}
