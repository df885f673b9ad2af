//! Computes the answer to a trace according to an unmodified or mutated plan.

use tracegauge_decoder::record::Record;
use tracegauge_decoder::report::{LineWriter, RecordView};
use tracegauge_decoder::{Findings, Observer, Verdict, observe};
use tracegauge_plan::Plan;

use crate::case::{ExpectedVerdict, ExpectedViolation};
use crate::expected::{before_fault, verdict_of, violation};

/// The answer of a reader that implements a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The verdict. `Either` counts as acceptance.
    pub verdict: ExpectedVerdict,
    /// The violation, if the trace is rejected.
    pub violation: Option<ExpectedViolation>,
    /// The records that were read.
    pub records: Vec<Record>,
    /// True if the reader was stopped because it exceeded the maximum number of operations.
    pub endless: bool,
}

/// Reads `bytes` with `plan`, executing at most `operations` operations.
pub fn answer(plan: &Plan, bytes: &[u8], operations: u64) -> Answer {
    let mut listener = Listener {
        records: Vec::new(),
        left: operations,
        endless: false,
    };
    let verdict = observe(plan, bytes, Findings::LimitedRecords, &mut listener).verdict;
    Answer {
        verdict: verdict_of(&verdict.judgement),
        records: before_fault(plan, &verdict, listener.records),
        violation: verdict.violation().map(|found| violation(plan, found)),
        endless: listener.endless,
    }
}

/// The behavior of a plan on a trace, in a form that allows fast comparison of many mutants with
/// the unmodified plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Trail {
    /// The records as JSON, without separators.
    records: Vec<u8>,
    /// For each record, the length of `records` up to the end of the record, and the offset in the
    /// trace where the record ends.
    ends: Vec<(usize, u64)>,
    verdict: Option<(ExpectedVerdict, Option<ExpectedViolation>)>,
}

/// Decodes a trace with `plan` and records the plan's behavior.
pub(crate) fn trail(plan: &Plan, bytes: &[u8]) -> Trail {
    let mut follower = Follower {
        trail: Trail::default(),
        writer: LineWriter::default(),
        known: None,
        left: u64::MAX,
        is_other: false,
    };
    let verdict = observe(plan, bytes, Findings::LimitedRecords, &mut follower).verdict;
    Trail {
        verdict: Some(outcome(plan, &verdict)),
        ..follower.trail
    }
}

/// Returns true if a mutated plan gives the same answer to `bytes` as the unmodified plan, whose
/// behavior is recorded in `known`. Decoding stops at the first difference or after `operations`
/// operations.
pub(crate) fn follows(plan: &Plan, bytes: &[u8], operations: u64, known: &Trail) -> bool {
    let mut follower = Follower {
        trail: Trail::default(),
        writer: LineWriter::default(),
        known: Some(known),
        left: operations,
        is_other: false,
    };
    let verdict = observe(plan, bytes, Findings::LimitedRecords, &mut follower).verdict;
    !follower.is_other
        && follower.trail.ends == known.ends
        && Some(outcome(plan, &verdict)) == known.verdict
}

fn outcome(plan: &Plan, verdict: &Verdict) -> (ExpectedVerdict, Option<ExpectedViolation>) {
    let found = verdict.violation().map(|found| violation(plan, found));
    (verdict_of(&verdict.judgement), found)
}

/// Records the behavior of a plan and compares it with a known trail.
struct Follower<'k> {
    trail: Trail,
    writer: LineWriter,
    known: Option<&'k Trail>,
    left: u64,
    is_other: bool,
}

impl Observer for Follower<'_> {
    fn record(&mut self, record: &RecordView<'_>) {
        let Trail { records, ends, .. } = &mut self.trail;
        let (start, index) = (records.len(), ends.len());
        self.writer.write(record, records, &mut |_| {});
        ends.push((records.len(), record.end));
        if let Some(known) = self.known {
            let is_same = known.ends.get(index) == ends.last()
                && known.records.get(start..records.len()) == Some(&records[start..]);
            self.is_other |= !is_same;
        }
    }

    fn spent(&mut self) -> bool {
        self.is_other |= self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.is_other
    }
}

struct Listener {
    /// The records, each with its end offset.
    records: Vec<(u64, Record)>,
    left: u64,
    endless: bool,
}

impl Observer for Listener {
    fn record(&mut self, record: &RecordView<'_>) {
        self.records.push((record.end, record.to_record()));
    }

    fn spent(&mut self) -> bool {
        self.endless |= self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.endless
    }
}
