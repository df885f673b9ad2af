//! What the page holds, as its script reads it. Names are short: there may be many.

use std::collections::BTreeMap;

use serde::Serialize;

use super::fixes::Fixes;
use crate::model::{Measure, Selection};
use crate::outcome::Outcome;
use crate::totals::Totals;

/// A text in [`Data::texts`].
pub(super) type Text = usize;

#[derive(Serialize)]
pub(super) struct Data {
    pub(super) title: String,
    pub(super) tool: Vec<String>,
    pub(super) selection: Selection,
    pub(super) rules: Vec<Rule>,
    /// The cases' names, a line each: how many characters it shares with the line before,
    /// a blank, the rest.
    pub(super) ids: String,
    /// For each case its place in `rules`.
    pub(super) rule_of: Vec<usize>,
    /// For each case `a`, `r` or `e`.
    pub(super) expected: String,
    /// Versions that are not 1.
    pub(super) versions: BTreeMap<usize, u32>,
    pub(super) pages: BTreeMap<usize, Page>,
    pub(super) readers: Vec<Reader>,
    pub(super) texts: Vec<String>,
    /// Cases of which more is known than the page holds.
    pub(super) dropped: usize,
}

/// A rule of one format. The one without a name is for cases about no rule.
#[derive(Serialize)]
pub(super) struct Rule {
    pub(super) id: String,
    pub(super) format: String,
    pub(super) section: String,
    pub(super) level: Option<crate::Level>,
    pub(super) says: String,
    pub(super) duty: Option<crate::ReaderDuty>,
    pub(super) strict: bool,
}

/// What is known of a case whatever the reader.
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
    /// The path of the fault, its first byte and one past its last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fault: Option<(Text, u64, u64)>,
    /// Where a few bytes lie, and the bytes in hex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) excerpt: Option<(u64, String)>,
    /// Further rules that it is about.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) also: Vec<Text>,
}

/// A reader's column.
#[derive(Serialize)]
pub(super) struct Reader {
    pub(super) name: String,
    pub(super) version: Option<String>,
    pub(super) mode: String,
    pub(super) reports: Option<String>,
    pub(super) tone: &'static str,
    pub(super) mark: char,
    pub(super) headline: String,
    /// Why it did not run.
    pub(super) absent: Option<String>,
    pub(super) totals: Totals,
    /// Of its failures those that do not count.
    pub(super) uncounted: BTreeMap<Outcome, usize>,
    pub(super) proven: Option<String>,
    pub(super) observed: Option<String>,
    pub(super) left_out: Vec<String>,
    pub(super) containment: Vec<Measure>,
    pub(super) not_run: Option<String>,
    pub(super) problems: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) seconds: f64,
    /// A letter for each case: what the reader did.
    pub(super) outcomes: String,
    /// A letter for each case: how much it counts.
    pub(super) standings: String,
    pub(super) details: BTreeMap<usize, CaseDetail>,
    pub(super) fixes: Fixes,
}

/// What one reader did with a case.
#[derive(Serialize, Default)]
pub(super) struct CaseDetail {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) actual: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<Text>,
    /// Where the records part, what was expected there, and what was reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) differs: Option<(Text, Text, Text)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) read_from: Option<ReadFrom>,
    /// The rules that speak of what differs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) about: Vec<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stderr: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) known: Option<Text>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unsteady: Option<Text>,
    /// Records before the fault, class, byte: right or not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) grade: Option<crate::Grade>,
    /// The version of the case, where it is not that of the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<u32>,
}

/// The bytes that what was expected was read from.
#[derive(Serialize)]
pub(super) struct ReadFrom {
    /// In words: the field and its bytes, once for each place.
    pub(super) places: Vec<Text>,
    /// For each the first byte and one past the last.
    pub(super) ranges: Vec<(u64, u64)>,
    /// The lines of the trace around them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dump: Option<Text>,
    /// Where a few bytes lie, and the bytes in hex, where there are no such lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) excerpt: Option<(u64, String)>,
}

/// The letter for an outcome.
pub(super) fn outcome_letter(case: &crate::CaseResult) -> char {
    use crate::{Noted, Outcome, Proof};
    match case.outcome {
        Outcome::Pass => match (case.proof, case.noted) {
            (Some(Proof::Proven), _) => 'p',
            (Some(Proof::NoTwin), _) => '1',
            (Some(Proof::TwinNotAnswered), _) => '2',
            (Some(Proof::TwinNotAccepted), _) => '3',
            (Some(Proof::TwinWrongRecords), _) => '4',
            (Some(Proof::SiblingNotRejected), _) => '5',
            (Some(Proof::PerhapsCrashed), _) => '6',
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

/// The letter for how much a case counts.
pub(super) fn standing_letter(case: &crate::CaseResult) -> char {
    use crate::Standing;
    match case.standing {
        _ if !case.outcome.is_failure() => ' ',
        _ if case.known.is_some() => 'k',
        Standing::Counts => ' ',
        Standing::Warning => 'w',
        Standing::Disputed => 'd',
        Standing::NotJudged => 'n',
    }
}
