//! Compares two runs, and attributes the differences to the readers or to the corpus.

mod text;

use std::collections::BTreeMap;

use tracegauge_results::{CaseResult, Outcome, ReaderInfo, ReaderResult, ReaderState, RunResult};

pub use text::render;

/// The differences between two runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Comparison {
    /// Differences between the runs themselves, such as the version of tracegauge.
    pub runs: Vec<String>,
    /// Readers that only the older run contains.
    pub gone: Vec<String>,
    /// Readers that only the newer run contains.
    pub come: Vec<String>,
    /// Readers that both runs contain.
    pub readers: Vec<ReaderChange>,
}

impl Comparison {
    /// Returns whether the answers of all readers are the same, and no reader or answer was added
    /// or removed.
    pub fn is_empty(&self) -> bool {
        self.gone.is_empty() && self.come.is_empty() && self.readers.iter().all(|r| r.is_empty())
    }
}

/// The differences for one reader.
#[derive(Clone, Debug, PartialEq)]
pub struct ReaderChange {
    /// The reader in the older run.
    pub old: ReaderInfo,
    /// The reader in the newer run.
    pub new: ReaderInfo,
    /// The states of the reader in the two runs, if they differ.
    pub states: Option<(ReaderState, ReaderState)>,
    /// Cases with the same version in both runs but different outcomes. The reader caused these
    /// changes.
    pub reader: Vec<CaseChange>,
    /// Cases with different versions and different outcomes. The corpus may have caused these
    /// changes.
    pub corpus: Vec<CaseChange>,
    /// Cases that only the newer run contains.
    pub added: Vec<CaseEnd>,
    /// Cases that only the older run contains.
    pub removed: Vec<CaseEnd>,
    /// The number of cases with the same outcome in both runs.
    pub same: usize,
}

impl ReaderChange {
    /// Returns whether nothing changed for this reader.
    pub fn is_empty(&self) -> bool {
        self.states.is_none()
            && self.reader.is_empty()
            && self.corpus.is_empty()
            && self.added.is_empty()
            && self.removed.is_empty()
    }
}

/// A case with different outcomes in the two runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseChange {
    /// The case.
    pub case: String,
    /// The versions of the case in the two runs.
    pub versions: (u32, u32),
    /// The outcomes of the case in the two runs.
    pub outcomes: (Outcome, Outcome),
    /// Whether the outcome became better, worse or merely different.
    pub way: Way,
}

/// The direction of a change in outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    /// The case now fails.
    Worse,
    /// The case still fails or still passes, but with a different outcome.
    Otherwise,
    /// The case no longer fails.
    Better,
}

/// A case that only one run contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CaseEnd {
    /// The case.
    pub case: String,
    /// The outcome of the case in the run that contains it.
    pub outcome: Outcome,
}

/// Compares `old` with `new`. Readers are matched by name. If each run has exactly one reader, the
/// two are matched regardless of their names.
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
            "the older run used tracegauge {}, the newer run {}",
            one.tool_version, two.tool_version
        ));
    }
    if one.corpus.is_some() && two.corpus.is_some() && one.corpus != two.corpus {
        differences.push("the corpus changed".to_owned());
    }
    if one.selection != two.selection {
        differences.push("the runs selected different cases".to_owned());
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
