//! Cases with what is known of them before any mutant reads them.

use tracegauge_decoder::{Machine, Mark, SliceInput, Visitor};
use tracegauge_spec::plan::{OpId, Plan};

use super::{Answer, answer};
use crate::case::Case;

/// Operations that a mutant may run for each that the truth runs, and besides.
const TIMES: u64 = 4;
const BESIDES: u64 = 20_000;

/// A case, read by the truth.
pub(super) struct Prepared<'c> {
    pub(super) case: &'c Case,
    /// What the truth answers.
    pub(super) truth: Answer,
    /// How many operations a mutant may run.
    pub(super) operations: u64,
    /// The operation at which the truth rejects it.
    blamed: Option<OpId>,
    /// Operations that run or are passed over, as bits.
    touched: Vec<u64>,
    /// Rules that it shows.
    pub(super) shown: Vec<u32>,
}

impl<'c> Prepared<'c> {
    pub(super) fn new(plan: &Plan, case: &'c Case) -> Self {
        let marks = Marks {
            touched: vec![0; plan.ops.len().div_ceil(64)],
            shown: Vec::new(),
            run: 0,
        };
        let finished = Machine::new(plan, SliceInput::new(&case.bytes), marks).run();
        let marks = finished.visitor;
        Self {
            case,
            truth: answer(plan, &case.bytes, u64::MAX),
            operations: marks.run.saturating_mul(TIMES).saturating_add(BESIDES),
            blamed: finished.verdict.violation().map(|found| found.op),
            touched: marks.touched,
            shown: marks.shown,
        }
    }

    /// The operation runs, or is passed over.
    pub(super) fn touches(&self, op: OpId) -> bool {
        self.touched[op.index() / 64] >> (op.index() % 64) & 1 != 0
    }

    /// It is rejected at one of these operations.
    pub(super) fn blames(&self, ops: &[OpId]) -> bool {
        self.blamed.is_some_and(|blamed| ops.contains(&blamed))
    }
}

struct Marks {
    touched: Vec<u64>,
    shown: Vec<u32>,
    run: u64,
}

impl Visitor for Marks {
    const MARKS: bool = true;

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
