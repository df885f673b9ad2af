//! Prepares cases for running mutants. A prepared case contains the results of reading its trace
//! with the unmodified plan.

use tracegauge_decoder::{Findings, Mark, Observer, observe};
use tracegauge_plan::terms::RuleId;
use tracegauge_plan::{OpId, Plan};

use super::answer::{Trail, follows, trail};
use super::{Answer, answer};
use crate::case::{Case, ExpectedVerdict};

/// The factor in the limit on operations: a mutant may run `TIMES` operations for each operation
/// that the unmodified plan runs, plus `BESIDES`.
const TIMES: u64 = 4;
const BESIDES: u64 = 20_000;

/// A case that has been read with the unmodified plan.
pub(crate) struct Prepared<'c> {
    pub(crate) case: &'c Case,
    /// The answer of the unmodified plan.
    pub(crate) truth: Answer,
    /// The behavior of the unmodified plan on the trace.
    trail: Trail,
    /// The number of operations that the unmodified plan runs.
    pub(crate) work: u64,
    /// The maximum number of operations that a mutant may run.
    pub(crate) operations: u64,
    /// The operation that makes the unmodified plan reject the trace.
    blamed: Option<OpId>,
    /// A bit set of the operations that the unmodified plan runs or skips.
    touched: Vec<u64>,
    /// The rules that the trace triggers.
    pub(crate) shown: Vec<RuleId>,
}

impl<'c> Prepared<'c> {
    pub(crate) fn new(plan: &Plan, case: &'c Case) -> Self {
        let mut marks = Marks {
            touched: vec![0; plan.ops.len().div_ceil(64)],
            shown: Vec::new(),
            run: 0,
        };
        let verdict = observe(plan, &case.bytes, Findings::Marks, &mut marks).verdict;
        Self {
            case,
            truth: answer(plan, &case.bytes, u64::MAX),
            trail: trail(plan, &case.bytes),
            work: marks.run,
            operations: marks.run.saturating_mul(TIMES).saturating_add(BESIDES),
            blamed: verdict.violation().map(|found| found.op),
            touched: marks.touched,
            shown: marks.shown,
        }
    }

    /// Returns true if a mutant gives the same answer to the case as the unmodified plan.
    fn is_followed_by(&self, mutated: &Plan) -> bool {
        follows(mutated, &self.case.bytes, self.operations, &self.trail)
    }

    /// Returns a mutant's answer to the case. Returns `None` if the unmodified plan gives the same
    /// answer.
    pub(crate) fn other_answer(&self, mutated: &Plan) -> Option<Answer> {
        if self.is_followed_by(mutated) {
            return None;
        }
        let found = answer(mutated, &self.case.bytes, self.operations);
        (found != self.truth).then_some(found)
    }

    /// Returns true if a mutant gives a wrong verdict, wrong records for a valid trace, or no answer
    /// at all. Unlike an oracle, this function knows no values and records that readers may leave
    /// out or show differently.
    pub(crate) fn detects(&self, mutated: &Plan) -> bool {
        self.other_answer(mutated).is_some_and(|other| {
            let accepts = other.verdict != ExpectedVerdict::Reject;
            match self.case.expected.verdict {
                ExpectedVerdict::Accept => {
                    other.endless || !accepts || other.records != self.truth.records
                }
                ExpectedVerdict::Reject => other.endless || accepts,
                ExpectedVerdict::Either => other.endless,
            }
        })
    }

    /// Returns true if the unmodified plan runs or skips the operation.
    pub(crate) fn touches(&self, op: OpId) -> bool {
        self.touched[op.index() / 64] >> (op.index() % 64) & 1 != 0
    }

    /// Returns true if the trace is rejected at one of these operations.
    pub(crate) fn blames(&self, ops: &[OpId]) -> bool {
        self.blamed.is_some_and(|blamed| ops.contains(&blamed))
    }
}

struct Marks {
    touched: Vec<u64>,
    shown: Vec<RuleId>,
    run: u64,
}

impl Observer for Marks {
    fn mark(&mut self, op: OpId, mark: Mark) {
        match mark {
            Mark::Enter | Mark::Skip => {
                self.touched[op.index() / 64] |= 1 << (op.index() % 64);
                self.run += 1;
            }
            Mark::Shows(rule, _) if !self.shown.contains(&rule) => self.shown.push(rule),
            _ => {}
        }
    }
}
