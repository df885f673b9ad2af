//! The result of a run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::reader::ReaderResult;
use crate::rule::RuleInfo;

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
