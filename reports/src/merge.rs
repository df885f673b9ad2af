//! Merges the results of a run's shards.

use std::collections::HashSet;
use std::fmt;

use tracegauge_results::text::{counted, visible};
use tracegauge_results::{
    FormatSummary, Observed, ReaderResult, ReaderState, ReaderTail, RunHead, RunResult, Totals,
};

use crate::causes;

/// The reason why results are not the shards of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeError {
    /// There are no results.
    Nothing,
    /// The result with the given number is not a shard.
    NotAShard(usize),
    /// Two results are the same shard, or belong to runs with different numbers of shards.
    Shards(String, String),
    /// The given shards are missing.
    Missing(Vec<String>),
    /// A property of the run differs between results. The fields are the number of a result and the
    /// property.
    Differs(usize, &'static str),
    /// A reader is missing from a result, or its version differs there. The fields are the number
    /// of the result and the reader.
    Reader(usize, String),
    /// A reader ran in only some of the shards. The fields are the number of a result where the
    /// reader did not run, the reader and the reason.
    Skipped(usize, String, String),
    /// Two results contain the same case for the same reader. The fields are the reader and the
    /// case.
    Overlap(String, String),
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("no results to merge"),
            Self::NotAShard(number) => write!(
                f,
                "result {number} is not the result of a shard; only results of `run --shard I/N` \
                 can be merged, while `report html`, `report junit` and `report markdown` accept \
                 several whole results"
            ),
            Self::Shards(one, other) => write!(f, "shards {one} and {other} overlap"),
            Self::Missing(shards) => write!(
                f,
                "missing {}: {}",
                if shards.len() == 1 { "shard" } else { "shards" },
                shards.join(", ")
            ),
            Self::Differs(number, what) => {
                write!(
                    f,
                    "result {number} has a different {what} than the first result"
                )
            }
            Self::Reader(number, reader) => write!(
                f,
                "{} in result {number} differs from the other results: all shards must run the \
                 same readers in the same versions",
                visible(reader)
            ),
            Self::Skipped(number, reader, why) => write!(
                f,
                "{} ran in some shards but was skipped in result {number}: {}",
                visible(reader),
                visible(why)
            ),
            Self::Overlap(reader, case) => {
                write!(
                    f,
                    "{}: {} is in two results",
                    visible(reader),
                    visible(case)
                )
            }
        }
    }
}

impl std::error::Error for MergeError {}

/// Merges all `shards` of a run into one result. Every case of every shard occurs once, in the
/// order of the corpus.
///
/// # Errors
/// Returns an error unless the results are all shards of one run, each exactly once. The errors
/// number the results from 1.
pub fn merge(shards: &[RunResult]) -> Result<RunResult, MergeError> {
    let first = shards.first().ok_or(MergeError::Nothing)?;
    check_division(shards)?;
    for (number, shard) in (1..).zip(shards) {
        check_head(number, &first.run, &shard.run)?;
        if let Some(reader) = odd_reader(first, shard) {
            return Err(MergeError::Reader(number, reader));
        }
    }
    let mut run = first.run.clone();
    run.selection.shard = None;
    let readers = (0..first.readers.len())
        .map(|index| {
            let parts: Vec<&ReaderResult> =
                shards.iter().map(|shard| &shard.readers[index]).collect();
            merge_reader(&run, &parts)
        })
        .collect::<Result<_, _>>()?;
    Ok(RunResult {
        run,
        readers,
        ..first.clone()
    })
}

fn check_division(shards: &[RunResult]) -> Result<(), MergeError> {
    let mut seen: Vec<(usize, usize)> = Vec::new();
    for (number, shard) in (1..).zip(shards) {
        let text = shard.run.selection.shard.as_deref();
        let parts = text.and_then(|text| text.split_once('/'));
        let (Some(index), Some(count)) = (
            parts.and_then(|(index, _)| index.parse::<usize>().ok()),
            parts.and_then(|(_, count)| count.parse::<usize>().ok()),
        ) else {
            return Err(MergeError::NotAShard(number));
        };
        let clash = seen
            .iter()
            .find(|(known, of)| *of != count || *known == index);
        if let Some((known, of)) = clash {
            return Err(MergeError::Shards(
                format!("{known}/{of}"),
                format!("{index}/{count}"),
            ));
        }
        seen.push((index, count));
    }
    let count = seen.first().map_or(0, |(_, count)| *count);
    // A result file may declare any number of shards, so list only the first few that are missing.
    let missing: Vec<String> = (1..=count)
        .filter(|index| !seen.iter().any(|(known, _)| known == index))
        .take(8)
        .map(|index| format!("{index}/{count}"))
        .collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(MergeError::Missing(missing))
    }
}

fn check_head(number: usize, first: &RunHead, other: &RunHead) -> Result<(), MergeError> {
    let (one, two) = (&first.selection, &other.selection);
    let what = if first.tool_version != other.tool_version {
        "version of tracegauge"
    } else if (&first.corpus, &first.rules, &first.written)
        != (&other.corpus, &other.rules, &other.written)
    {
        "corpus"
    } else if (&one.formats, &one.filters, one.strict) != (&two.formats, &two.filters, two.strict) {
        "selection of cases"
    } else {
        return Ok(());
    };
    Err(MergeError::Differs(number, what))
}

/// Returns the name of the first reader that is not the same in both results: only one result
/// contains it, or its version differs.
fn odd_reader(first: &RunResult, other: &RunResult) -> Option<String> {
    let most = first.readers.len().max(other.readers.len());
    (0..most).find_map(|index| {
        let (one, two) = (first.readers.get(index), other.readers.get(index));
        match (one, two) {
            (Some(one), Some(two)) if is_same(one, two) => None,
            (Some(one), _) => Some(one.reader.name.clone()),
            (None, two) => two.map(|reader| reader.reader.name.clone()),
        }
    })
}

/// Returns whether two results are from the same reader. Versions are compared only if the reader
/// ran in both, because otherwise its version is unknown.
fn is_same(one: &ReaderResult, two: &ReaderResult) -> bool {
    let both_ran = one.state == ReaderState::Ran && two.state == ReaderState::Ran;
    one.reader.name == two.reader.name && (!both_ran || one.reader.version == two.reader.version)
}

fn merge_reader(run: &RunHead, parts: &[&ReaderResult]) -> Result<ReaderResult, MergeError> {
    let ran: Vec<&ReaderResult> = parts
        .iter()
        .copied()
        .filter(|part| part.state == ReaderState::Ran)
        .collect();
    let Some(first) = ran.first().or(parts.first()) else {
        return Err(MergeError::Nothing);
    };
    let mut cases = Vec::new();
    let mut planned = 0;
    for part in parts {
        cases.extend(part.cases.iter().cloned());
        planned += part.totals.planned;
    }
    cases.sort_by(|one, two| one.case.cmp(&two.case));
    if let Some(pair) = cases.windows(2).find(|pair| pair[0].case == pair[1].case) {
        return Err(MergeError::Overlap(
            first.reader.name.clone(),
            pair[0].case.clone(),
        ));
    }
    let tail = merge_tails(parts, &ran);
    let mut merged = ReaderResult {
        reader: first.reader.clone(),
        state: merge_states(parts, &first.reader.name)?,
        totals: Totals::of(planned, tail.not_run.cases, &cases),
        tail,
        causes: Vec::new(),
        cases,
    };
    merged.causes = causes::of(run, &merged);
    Ok(merged)
}

fn merge_states(parts: &[&ReaderResult], name: &str) -> Result<ReaderState, MergeError> {
    let failed = parts
        .iter()
        .find(|p| matches!(p.state, ReaderState::Failed(_)));
    if let Some(failed) = failed {
        return Ok(failed.state.clone());
    }
    let ran = parts.iter().any(|part| part.state == ReaderState::Ran);
    for (number, part) in (1..).zip(parts) {
        match &part.state {
            ReaderState::Skipped(why) if why != ReaderState::NOTHING_FOR_IT && ran => {
                return Err(MergeError::Skipped(number, name.to_owned(), why.clone()));
            }
            ReaderState::Skipped(_) if !ran => return Ok(part.state.clone()),
            _ => {}
        }
    }
    Ok(ReaderState::Ran)
}

/// Merges the tails of the shards, which contain what is known about the reader once a shard is
/// complete. A note is included only if every shard where the reader ran contains it, because any
/// other note applies only to some of the cases.
fn merge_tails(parts: &[&ReaderResult], ran: &[&ReaderResult]) -> ReaderTail {
    let mut tail = ReaderTail::default();
    let mut left_out = HashSet::new();
    let mut reasons: Vec<String> = Vec::new();
    let mut seeds = HashSet::new();
    for part in parts {
        let ReaderTail {
            containment,
            observed,
            not_run,
            support,
            baseline_problems,
            unexplained,
            seconds,
            remembers,
            crashes,
            formats,
            repeated,
            seed,
            notes: _,
        } = &part.tail;
        for measure in containment {
            if !tail.containment.contains(measure) {
                tail.containment.push(measure.clone());
            }
        }
        tail.observed.expected += observed.expected;
        tail.observed.seen += observed.seen;
        left_out.extend(observed.left_out.iter().cloned());
        tail.not_run.cases += not_run.cases;
        if let Some(why) = &not_run.why
            && !reasons.contains(why)
        {
            reasons.push(why.clone());
        }
        tail.support += support;
        tail.baseline_problems
            .extend(baseline_problems.iter().cloned());
        tail.unexplained += unexplained;
        tail.seconds += seconds;
        tail.remembers |= remembers;
        tail.crashes.extend(crashes.iter().cloned());
        merge_formats(&mut tail.formats, formats);
        seeds.insert(*seed);
        if let Some(repeated) = repeated {
            let all = tail.repeated.get_or_insert_default();
            all.cases += repeated.cases;
            all.differ.extend(repeated.differ.iter().cloned());
        }
    }
    tail.not_run.why = (!reasons.is_empty()).then(|| reasons.join("; "));
    // The merged result has a seed only if all shards used the same one.
    tail.seed = (seeds.len() == 1)
        .then(|| seeds.into_iter().next().flatten())
        .flatten();
    tail.observed = Observed {
        left_out: sorted(left_out),
        ..tail.observed
    };
    if let Some((first, others)) = ran.split_first() {
        let everywhere = |note: &&String| others.iter().all(|part| part.tail.notes.contains(note));
        tail.notes = first
            .tail
            .notes
            .iter()
            .filter(everywhere)
            .cloned()
            .collect();
    }
    tail
}

/// Adds the summaries of a shard to those of other shards.
fn merge_formats(merged: &mut Vec<FormatSummary>, shard: &[FormatSummary]) {
    for summary in shard {
        match merged.iter_mut().find(|it| it.format == summary.format) {
            Some(known) => known.add(summary),
            None => merged.push(summary.clone()),
        }
    }
}

fn sorted(names: HashSet<String>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().collect();
    names.sort();
    names
}

/// Summarizes a merged result in one line.
pub fn summary(result: &RunResult, shards: usize) -> String {
    let cases: usize = result.readers.iter().map(|reader| reader.cases.len()).sum();
    format!(
        "{} of {}, {}",
        counted(shards, "shard"),
        counted(result.readers.len(), "reader"),
        counted(cases, "answer")
    )
}
