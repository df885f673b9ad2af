//! The result of a reader for one case.

use serde::{Deserialize, Serialize};

use crate::crash::Crash;
use crate::differences::{Difference, Differences};
use crate::excerpt::Excerpt;
use crate::is_zero;
use crate::outcome::{Expectation, Grade, Noted, Outcome, Proof, Standing};
use crate::place::{Fault, LookAt};

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
