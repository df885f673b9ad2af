//! The data of the HTML page, in the form that its script reads.

use std::collections::BTreeMap;

use serde::Serialize;
use tracegauge_results::{
    CaseResult, Grade, Level, Measure, Noted, Outcome, Proof, ReaderDuty, Selection, Standing,
    Totals,
};

use super::causes::Causes;
use super::fixes::Fixes;

/// An index into [`Data::texts`].
pub(super) type Text = usize;

#[derive(Serialize)]
pub(super) struct Data {
    pub(super) title: String,
    pub(super) tool: Vec<String>,
    pub(super) selection: Selection,
    pub(super) rules: Vec<Rule>,
    /// The names of the cases, one per line: the number of characters shared with the previous
    /// name, a space, and the rest.
    pub(super) ids: String,
    /// The index of each case's rule in `rules`.
    pub(super) rule_of: Vec<usize>,
    /// The expected verdict of each case: `a`, `r` or `e`.
    pub(super) expected: String,
    /// The versions of cases whose version is not 1.
    pub(super) versions: BTreeMap<usize, u32>,
    pub(super) pages: BTreeMap<usize, Page>,
    pub(super) readers: Vec<Reader>,
    pub(super) texts: Vec<String>,
    /// The number of cases whose details did not fit on the page.
    pub(super) dropped: usize,
}

/// A rule of a format. The rule without a name is for cases that test no rule.
#[derive(Serialize)]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) format: String,
    pub(super) section: String,
    pub(super) level: Option<Level>,
    pub(super) says: String,
    pub(super) duty: Option<ReaderDuty>,
    pub(super) strict: bool,
}

/// The details of a case that are the same for all readers.
#[derive(Serialize)]
pub(super) struct Page {
    pub(super) why: Text,
    pub(super) expected: Text,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) operator: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) twin: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dump: Option<Text>,
    /// The path of the fault, the position of its first byte, and the position after its last byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fault: Option<(Text, u64, u64)>,
    /// The position of an excerpt of the trace, and its bytes in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) excerpt: Option<(u64, String)>,
    /// The departures of the trace from what typical writers write.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) unusual: Vec<Text>,
    /// The other rules that the case tests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) also: Vec<Text>,
}

/// The data of one reader's column.
#[derive(Serialize)]
pub(super) struct Reader {
    pub(super) name: String,
    pub(super) version: Option<String>,
    pub(super) mode: String,
    pub(super) reports: Option<String>,
    pub(super) tone: &'static str,
    pub(super) mark: char,
    pub(super) headline: String,
    /// The reason why the reader did not run.
    pub(super) absent: Option<String>,
    pub(super) totals: Totals,
    /// The failures that do not fail the run, by outcome.
    pub(super) uncounted: BTreeMap<Outcome, usize>,
    pub(super) proven: Option<String>,
    pub(super) by_chance: Option<usize>,
    pub(super) observed: Option<String>,
    pub(super) left_out: Vec<String>,
    pub(super) containment: Vec<Measure>,
    pub(super) not_run: Option<String>,
    pub(super) problems: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) seed: Option<u64>,
    pub(super) seconds: f64,
    /// One letter for each case, which encodes its outcome.
    pub(super) outcomes: String,
    /// One letter for each case, which says why its failure does not fail the run, or a space.
    pub(super) standings: String,
    pub(super) details: BTreeMap<usize, CaseDetail>,
    pub(super) fixes: Fixes,
    pub(super) causes: Causes,
}

/// The details of one reader's result for a case.
#[derive(Serialize, Default)]
pub(super) struct CaseDetail {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) actual: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<Text>,
    /// The location of the first difference, the expected value and the reported value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) differs: Option<(Text, Text, Text)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) read_from: Option<ReadFrom>,
    /// The bytes that the reader probably misreads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) look_at: Option<ReadFrom>,
    /// The rules for the member that differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) about: Vec<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stderr: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) known: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unsteady: Option<Text>,
    /// Whether the reported records before the fault, the class of the fault and its position were
    /// correct.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) grade: Option<Grade>,
    /// The version of the case, if it differs from the version on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<u32>,
}

/// The bytes that the expected value was read from, or the bytes that the reader probably misreads.
#[derive(Serialize)]
pub(super) struct ReadFrom {
    /// Descriptions of the byte ranges, each with its field and its bytes.
    pub(super) places: Vec<Text>,
    /// The byte range of each description. The end is exclusive.
    pub(super) ranges: Vec<(u64, u64)>,
    /// The lines of the trace's dump around the byte ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dump: Option<Text>,
    /// The position of an excerpt of the trace and its bytes in hexadecimal, if there is no dump.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) excerpt: Option<(u64, String)>,
}

/// Returns the character that stands for the outcome of a case in the page's data. It is a key of
/// `OUTCOMES` in `model.js`.
pub(super) fn outcome_letter(case: &CaseResult) -> char {
    match case.outcome {
        Outcome::Pass => match (case.proof, case.noted) {
            (Some(Proof::Proven), _) => 'p',
            (Some(Proof::NoTwin), _) => '1',
            (Some(Proof::TwinNotAnswered), _) => '2',
            (Some(Proof::TwinNotAccepted), _) => '3',
            (Some(Proof::TwinWrongRecords), _) => '4',
            (Some(Proof::SiblingNotRejected), _) => '5',
            (Some(Proof::PerhapsCrashed), _) => '6',
            (Some(Proof::NoBetterThanChance), _) => '7',
            (Some(Proof::WrongRecordsBefore), _) => '8',
            (None, Some(Noted::Accepted)) => 'a',
            (None, Some(Noted::Rejected)) => 'r',
            (None, Some(Noted::Unsupported)) => 's',
            (None, None) => 'o',
        },
        Outcome::WrongRecords => 'R',
        Outcome::WrongReject => 'J',
        Outcome::WrongAccept => 'A',
        Outcome::Unsupported => 'g',
        Outcome::UndeclaredGap => 'D',
        Outcome::Crash => 'C',
        Outcome::Hang => 'H',
        Outcome::OutOfMemory => 'M',
        Outcome::Flood => 'F',
        Outcome::Protocol => 'P',
    }
}

/// Returns the letter that says why the failure of a case does not fail the run (`k` known, `w`
/// warning, `d` disputed, `n` not judged), or a space.
pub(super) fn standing_letter(case: &CaseResult) -> char {
    match case.standing {
        _ if !case.outcome.is_failure() => ' ',
        _ if case.known.is_some() => 'k',
        Standing::Counts => ' ',
        Standing::Warning => 'w',
        Standing::Disputed => 'd',
        Standing::NotJudged => 'n',
    }
}
