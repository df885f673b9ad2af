//! The answer of a plan, unmodified or mutated, to a trace.

use tracegauge_decoder::record::Record;
use tracegauge_decoder::report::RecordView;
use tracegauge_decoder::{Machine, SliceInput, Visitor};
use tracegauge_spec::plan::Plan;

use crate::case::{ExpectedVerdict, ExpectedViolation};
use crate::expected::{before_fault, verdict_of, violation};

/// The answer of a reader that implements a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// The verdict, of which `Either` counts as acceptance.
    pub verdict: ExpectedVerdict,
    /// The violation, if the trace is rejected.
    pub violation: Option<ExpectedViolation>,
    /// The records that were read.
    pub records: Vec<Record>,
    /// True if the reader was stopped because it exceeded its limit of operations.
    pub endless: bool,
}

/// Reads `bytes` with `plan`, executing at most `operations` operations.
pub fn answer(plan: &Plan, bytes: &[u8], operations: u64) -> Answer {
    let listener = Listener {
        records: Vec::new(),
        left: operations,
        endless: false,
    };
    let finished = Machine::new(plan, SliceInput::new(bytes), listener).run();
    let (verdict, listener) = (finished.verdict, finished.visitor);
    Answer {
        verdict: verdict_of(&verdict.judgement),
        records: before_fault(plan, &verdict, listener.records),
        violation: verdict.violation().map(|found| violation(plan, found)),
        endless: listener.endless,
    }
}

struct Listener {
    /// The records, each with the byte where it ends.
    records: Vec<(u64, Record)>,
    left: u64,
    endless: bool,
}

impl Visitor for Listener {
    const RECORDS: bool = true;
    const LIMITED: bool = true;

    fn record(&mut self, record: &RecordView<'_>) {
        self.records.push((record.end, record.to_record()));
    }

    fn spent(&mut self) -> bool {
        self.endless |= self.left == 0;
        self.left = self.left.saturating_sub(1);
        self.endless
    }
}
