//! Tests that shards are merged into one result, and that invalid sets of shards are rejected.
#![allow(clippy::unwrap_used)]

use crate::common;
use common::{cases, story};
use proptest::prelude::*;
use tracegauge_reports::merge::{MergeError, merge};
use tracegauge_results::{CaseResult, NotRun, ReaderState, RunResult, Totals};

fn whole() -> RunResult {
    let mut result = story(&cases(), 12);
    let reader = &mut result.readers[0];
    reader.tail.not_run = NotRun::default();
    reader.totals = Totals::of(12, 0, &reader.cases);
    reader.cases.sort_by(|one, two| one.case.cmp(&two.case));
    result.run.selection.shard = None;
    result
}

/// Splits `whole` into `count` shards. `choice` determines the shard of each case.
fn split(whole: &RunResult, count: usize, choice: &[usize]) -> Vec<RunResult> {
    (0..count)
        .map(|shard| {
            let mut part = whole.clone();
            part.run.selection.shard = Some(format!("{}/{count}", shard + 1));
            let reader = &mut part.readers[0];
            let chosen = reader.cases.iter().zip(choice);
            let chosen: Vec<CaseResult> = chosen
                .filter(|(_, at)| **at % count == shard)
                .map(|(case, _)| case.clone())
                .collect();
            reader.totals = Totals::of(chosen.len(), 0, &chosen);
            reader.cases = chosen;
            reader.tail.seconds /= count as f64;
            if shard > 0 {
                reader.tail.observed.expected = 0;
                reader.tail.observed.seen = 0;
                reader.tail.baseline_problems.clear();
            }
            part
        })
        .collect()
}

proptest! {
    #[test]
    fn no_case_is_lost_or_doubled(
        count in 1usize..6,
        choice in prop::collection::vec(0usize..60, 12),
        seed in any::<prop::sample::Index>(),
    ) {
        let whole = whole();
        let mut shards = split(&whole, count, &choice);
        let first = seed.index(count);
        shards.rotate_left(first);
        let merged = merge(&shards).unwrap();
        prop_assert_eq!(&merged.readers[0].cases, &whole.readers[0].cases);
        prop_assert_eq!(&merged.readers[0].totals, &whole.readers[0].totals);
        prop_assert_eq!(&merged.readers[0].tail.observed, &whole.readers[0].tail.observed);
        prop_assert_eq!(&merged.run, &whole.run);
        prop_assert!(merged.readers[0].totals.add_up());
    }
}

fn refusal(change: impl FnOnce(&mut Vec<RunResult>)) -> MergeError {
    let mut shards = split(&whole(), 3, &[0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
    change(&mut shards);
    merge(&shards).unwrap_err()
}

#[test]
fn what_is_no_division_of_one_run_is_refused() {
    let errors = [
        refusal(|shards| shards.clear()),
        refusal(|shards| shards[1].run.selection.shard = None),
        refusal(|shards| shards[1] = shards[0].clone()),
        refusal(|shards| shards[1].run.selection.shard = Some("2/4".into())),
        refusal(|shards| drop(shards.remove(1))),
        refusal(|shards| shards[2].run.tool_version = "0.2.0".into()),
        refusal(|shards| shards[2].run.corpus = Some("other".into())),
        refusal(|shards| shards[2].run.rules.clear()),
        refusal(|shards| shards[2].run.selection.strict = true),
        refusal(|shards| drop(shards[1].readers.remove(0))),
        refusal(|shards| shards[1].readers[0].reader.version = Some("9".into())),
        refusal(|shards| {
            shards[1].readers[0].state = ReaderState::Skipped("it requires `node`".into());
        }),
        refusal(|shards| {
            let case = shards[0].readers[0].cases[0].clone();
            shards[1].readers[0].cases.push(case);
        }),
        refusal(|shards| shards[0].run.selection.shard = Some("1/99999999999".into())),
    ];
    let texts: Vec<String> = errors.iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(texts.join("\n"));
}

#[test]
fn a_shard_without_a_case_for_a_reader_is_no_gap() {
    let mut shards = split(&whole(), 2, &[0; 12]);
    shards[1].readers[0].state = ReaderState::Skipped(ReaderState::NOTHING_FOR_IT.into());
    let merged = merge(&shards).unwrap();
    assert_eq!(merged.readers[0].state, ReaderState::Ran);
    assert_eq!(merged.readers[0].cases.len(), 12);
}

#[test]
fn unexplained_failures_of_shards_are_summed() {
    let mut shards = split(&whole(), 3, &[0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
    for (shard, unexplained) in shards.iter_mut().zip([4, 0, 3]) {
        shard.readers[0].tail.unexplained = unexplained;
    }
    assert_eq!(merge(&shards).unwrap().readers[0].tail.unexplained, 7);
}

#[test]
fn a_reader_that_failed_in_a_shard_failed() {
    let mut shards = split(&whole(), 2, &[0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
    shards[1].readers[0].state = ReaderState::Failed("it does not start".into());
    let merged = merge(&shards).unwrap();
    let failed = ReaderState::Failed("it does not start".into());
    assert_eq!(merged.readers[0].state, failed);
}
