//! What changed between two runs, and whether the reader or the corpus did.

mod text;

use std::collections::BTreeMap;

use crate::model::{CaseResult, ReaderInfo, ReaderResult, ReaderState, RunResult};
use crate::outcome::Outcome;

pub use text::render;

/// What changed between two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// What is not the same about the runs themselves.
    pub runs: Vec<String>,
    /// Readers of the older run alone.
    pub gone: Vec<String>,
    /// Readers of the newer run alone.
    pub come: Vec<String>,
    /// Readers of both.
    pub readers: Vec<ReaderChange>,
}

impl Comparison {
    /// Whether no answer of any reader differs, and none is new or gone.
    pub fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.come.is_empty() && self.readers.iter().all(|r| r.is_empty())
    }
}

/// What changed for one reader.
#[derive(Clone, Debug, PartialEq)]
pub struct ReaderChange {
    /// The reader in the older run.
    pub old: ReaderInfo,
    /// The reader in the newer run.
    pub new: ReaderInfo,
    /// Whether it ran, where that is not the same.
    pub states: Option<(ReaderState, ReaderState)>,
    /// Cases of both runs, in the same version, that are answered otherwise: the reader did it.
    pub reader: Vec<CaseChange>,
    /// Cases of both runs, in different versions, that are answered otherwise: the corpus may
    /// have done it.
    pub corpus: Vec<CaseChange>,
    /// Cases of the newer run alone.
    pub added: Vec<CaseEnd>,
    /// Cases of the older run alone.
    pub removed: Vec<CaseEnd>,
    /// Cases that are answered as before.
    pub same: usize,
}

impl ReaderChange {
    /// Whether nothing changed for this reader.
    pub fn is_empty(&self) -> bool {
        self.states.is_none()
            && self.reader.is_empty()
            && self.corpus.is_empty()
            && self.added.is_empty()
            && self.removed.is_empty()
    }
}

/// A case that is answered otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseChange {
    /// The case.
    pub case: String,
    /// Its versions in the two runs.
    pub versions: (u32, u32),
    /// Its outcomes in the two runs.
    pub outcomes: (Outcome, Outcome),
    /// For the better, for the worse, or only otherwise.
    pub way: Way,
}

/// Which way an answer changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// It fails now.
    Worse,
    /// It fails in another way.
    Otherwise,
    /// It fails no longer.
    Better,
}

/// A case of one run alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseEnd {
    /// The case.
    pub case: String,
    /// Its outcome there.
    pub outcome: Outcome,
}

/// What changed from `old` to `new`. Readers are matched by name; where each run has one reader
/// alone, the two are matched whatever their names are.
pub fn diff(old: &RunResult, new: &RunResult) -> Comparison {
    if let ([one], [other]) = (&old.readers[..], &new.readers[..]) {
        return Comparison {
            runs: runs(old, new),
            readers: vec![change(one, other)],
            ..Comparison::default()
        };
    }
    let missing = |from: &RunResult, in_: &RunResult| {
        let names = from.readers.iter().map(|reader| &reader.reader.name);
        let gone = names.filter(|name| find(in_, name).is_none());
        gone.cloned().collect::<Vec<String>>()
    };
    let both = old.readers.iter().filter_map(|reader| {
        let other = find(new, &reader.reader.name)?;
        Some(change(reader, other))
    });
    Comparison {
        runs: runs(old, new),
        gone: missing(old, new),
        come: missing(new, old),
        readers: both.collect(),
    }
}

fn find<'r>(run: &'r RunResult, name: &str) -> Option<&'r ReaderResult> {
    run.readers.iter().find(|reader| reader.reader.name == name)
}

fn runs(old: &RunResult, new: &RunResult) -> Vec<String> {
    let mut differences = Vec::new();
    let (one, two) = (&old.run, &new.run);
    if one.tool_version != two.tool_version {
        differences.push(format!(
            "tracegauge {} before, {} now",
            one.tool_version, two.tool_version
        ));
    }
    if one.corpus.is_some() && two.corpus.is_some() && one.corpus != two.corpus {
        differences.push("the corpus is another".to_owned());
    }
    if one.selection != two.selection {
        differences.push("the two runs did not choose cases in the same way".to_owned());
    }
    differences
}

fn change(old: &ReaderResult, new: &ReaderResult) -> ReaderChange {
    let by_id = |reader| -> BTreeMap<&str, &CaseResult> {
        let reader: &ReaderResult = reader;
        reader
            .cases
            .iter()
            .map(|case| (case.case.as_str(), case))
            .collect()
    };
    let (before, after) = (by_id(old), by_id(new));
    let mut change = ReaderChange {
        old: old.reader.clone(),
        new: new.reader.clone(),
        states: (old.state != new.state).then(|| (old.state.clone(), new.state.clone())),
        reader: Vec::new(),
        corpus: Vec::new(),
        added: only(&after, &before),
        removed: only(&before, &after),
        same: 0,
    };
    for (id, one) in &before {
        let Some(two) = after.get(id) else { continue };
        if one.outcome == two.outcome {
            change.same += 1;
            continue;
        }
        let list = if one.version == two.version {
            &mut change.reader
        } else {
            &mut change.corpus
        };
        list.push(CaseChange {
            case: one.case.clone(),
            versions: (one.version, two.version),
            outcomes: (one.outcome, two.outcome),
            way: way(one.outcome, two.outcome),
        });
    }
    change.reader.sort_by_key(|change| change.way);
    change.corpus.sort_by_key(|change| change.way);
    change
}

fn only(of: &BTreeMap<&str, &CaseResult>, not_of: &BTreeMap<&str, &CaseResult>) -> Vec<CaseEnd> {
    of.iter()
        .filter(|(id, _)| !not_of.contains_key(*id))
        .map(|(_, case)| CaseEnd {
            case: case.case.clone(),
            outcome: case.outcome,
        })
        .collect()
}

fn way(before: Outcome, after: Outcome) -> Way {
    match (before.is_failure(), after.is_failure()) {
        (false, true) => Way::Worse,
        (true, false) => Way::Better,
        _ => Way::Otherwise,
    }
}
