//! Selects the cases to run for a reader.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::str::FromStr;

use tracegauge_corpus::case::{Case, ExpectedVerdict, State};

use tracegauge_corpus::departure_filter::DepartureFilter;
use tracegauge_corpus::pattern::Pattern;
use tracegauge_protocol::reader_file::{ReaderFile, Reports, names_format};

/// The user's selection criteria.
#[derive(Clone, Debug, Default)]
pub struct Criteria {
    /// Names of formats or format families. An empty list selects all formats.
    pub formats: Vec<String>,
    /// Patterns, at least one of which must match the case or one of its rules. An empty list
    /// selects all cases.
    pub filters: Vec<Pattern>,
    /// The filter for departures, which are unusual features of a case's trace.
    pub departures: DepartureFilter,
    /// The shard of the corpus to select.
    pub shard: Option<Shard>,
}

/// A part of the corpus. For example, `2/5` is the second of five parts. A valid case and all cases
/// made from it are in the same part, and adding cases does not move existing ones between parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

/// The error for a string that is not a valid shard. A shard is written `I/N`, with I from 1 to N.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardError;

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a shard in the form I/N, with I from 1 to N")
    }
}

impl std::error::Error for ShardError {}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, count) = text.split_once('/').ok_or(ShardError)?;
        let index = index.parse().map_err(|_| ShardError)?;
        let count = count.parse().map_err(|_| ShardError)?;
        if (1..=count).contains(&index) {
            Ok(Self { index, count })
        } else {
            Err(ShardError)
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl Shard {
    fn holds(self, case: &Case) -> bool {
        let origin = match (case.expected.verdict, &case.twin) {
            (ExpectedVerdict::Reject, Some(twin)) => twin,
            _ => &case.id,
        };
        hash(origin) % self.count == self.index - 1
    }
}

/// Computes the FNV-1a hash, which is the same on every machine and in every version.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The cases selected for a reader.
#[derive(Clone, Debug)]
pub struct Chosen<'c> {
    /// The selected cases in corpus order, followed by supporting cases. A supporting case is run
    /// only to prove the pass of another case, or to find out which record members the reader
    /// reports.
    pub cases: Vec<&'c Case>,
    /// The number of selected cases, without the supporting cases.
    pub counted: usize,
}

/// Selects cases for `reader`.
pub fn choose<'c>(cases: &'c [Case], criteria: &Criteria, reader: &ReaderFile) -> Chosen<'c> {
    let runs = |case: &&Case| {
        matches!(case.state, State::Active | State::Disputed) && reader.reads(&case.format)
    };
    let mut chosen: Vec<&Case> = cases
        .iter()
        .filter(runs)
        .filter(|case| criteria.holds(case))
        .collect();
    let counted = chosen.len();
    if counted < cases.len() {
        let mut support = support(&chosen, cases, runs);
        if reader.reports == Reports::Unknown {
            let formats: HashSet<&str> = chosen.iter().map(|case| case.format.as_str()).collect();
            let wanted = |case: &&Case| runs(case) && formats.contains(case.format.as_str());
            let sample = sample(cases.iter().filter(wanted));
            let known: HashSet<&str> = chosen
                .iter()
                .chain(&support)
                .map(|case| case.id.as_str())
                .collect();
            support.extend(
                sample
                    .iter()
                    .filter(|case| !known.contains(case.id.as_str())),
            );
        }
        chosen.extend(support);
    }
    Chosen {
        cases: chosen,
        counted,
    }
}

impl Criteria {
    /// Returns true if only some cases of each format are selected, for a reason other than
    /// sharding.
    pub fn is_part_of_formats(&self) -> bool {
        !self.filters.is_empty() || !self.departures.is_empty()
    }

    /// Returns true if the departure filter selects the case and at least one pattern, if there are
    /// any, matches the case or one of its rules.
    pub fn is_named(&self, case: &Case) -> bool {
        (self.filters.is_empty() || self.filters.iter().any(|f| is_found(f, case)))
            && self.departures.keeps(&case.departures)
    }

    fn holds(&self, case: &Case) -> bool {
        let format = self.formats.is_empty()
            || self
                .formats
                .iter()
                .any(|name| names_format(name, &case.format));
        format && self.is_named(case) && self.shard.is_none_or(|shard| shard.holds(case))
    }
}

fn is_found(filter: &Pattern, case: &Case) -> bool {
    let broken = case
        .expected
        .violation
        .iter()
        .flat_map(|violation| &violation.rules);
    filter.finds(&case.id)
        || broken
            .chain(&case.provenance.rules)
            .any(|rule| filter.finds(rule))
}

/// Returns the cases outside `chosen` that are needed to prove passes of cases in `chosen`. A
/// malformed case needs its twin (the valid case that it was made from). A valid case needs a
/// malformed case that was made from it: if `chosen` contains none, the first one is returned.
fn support<'c>(
    chosen: &[&'c Case],
    cases: &'c [Case],
    runs: impl Fn(&&Case) -> bool,
) -> Vec<&'c Case> {
    let ids: HashSet<&str> = chosen.iter().map(|case| case.id.as_str()).collect();
    let mut first: HashMap<&str, &str> = HashMap::new();
    for case in cases.iter().filter(|case| runs(case) && is_reject(case)) {
        let Some(twin) = case.twin.as_deref() else {
            continue;
        };
        let sibling = first.entry(twin).or_insert(&case.id);
        if ids.contains(case.id.as_str()) {
            *sibling = &case.id;
        }
    }
    let proves = |case: &&'c Case| match case.expected.verdict {
        ExpectedVerdict::Reject => case.twin.as_deref(),
        ExpectedVerdict::Accept => first
            .get(case.id.as_str())
            .copied()
            .or(case.twin.as_deref()),
        ExpectedVerdict::Either => None,
    };
    let wanted: HashSet<&str> = chosen
        .iter()
        .filter_map(proves)
        .filter(|id| !ids.contains(id))
        .collect();
    cases
        .iter()
        .filter(runs)
        .filter(|case| wanted.contains(case.id.as_str()))
        .collect()
}

fn is_reject(case: &Case) -> bool {
    case.expected.verdict == ExpectedVerdict::Reject
}

mod sample;
pub(crate) use sample::sample;

#[cfg(test)]
mod tests;
