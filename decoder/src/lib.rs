//! The reference decoder. Given a plan and the bytes of a trace, the decoder produces records, a
//! verdict and the byte range of each field.
//!
//! The decoder contains no format-specific code. A [`Machine`] runs the plan over an [`Input`] and
//! reports records and tolerated deviations to a [`Visitor`] or, through [`observe`], to an
//! [`Observer`]. No input makes the decoder panic. The decoder's memory use is bounded by the
//! number of bytes read, not by the lengths that a trace declares.

mod excess;
pub mod input;
pub mod json;
mod machine;
mod observe;
pub mod places;
pub mod record;
pub mod report;
pub mod stack;
pub mod state;
pub mod text;
pub mod tree;
mod value;
pub mod verdict;
pub mod visitor;

pub use excess::{Excess, RECORD_BYTES, RECORD_VALUES, TREE_BYTES, TREE_BYTES_EACH, TREE_NODES};
pub use input::{GrowingInput, Input, SliceInput, StreamInput};
pub use machine::{Finished, Machine, Placed, Source, Word};
pub use observe::{Findings, Observed, Observer, StreamFindings, Window, observe, observe_stream};
pub use value::Value;
pub use verdict::{Judgement, Note, Shown, Span, Verdict, Violation};
pub use visitor::{CarryMark, Cut, Mark, Refused, RowMark, VerdictOnly, Visitor, WholeTree};

use std::io::Read;

use record::Record;
use report::RecordView;
use tracegauge_plan::Plan;

/// An observer that collects records.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// The records, in the order of the trace.
    pub records: Vec<Record>,
}

impl Observer for Records {
    fn beyond(&self) -> bool {
        true
    }

    fn record(&mut self, record: &RecordView<'_>) {
        self.records.push(record.to_record());
    }
}

/// Decodes `bytes` and returns the verdict.
pub fn judge(plan: &Plan, bytes: &[u8]) -> Verdict {
    Machine::new(plan, SliceInput::new(bytes), VerdictOnly)
        .run()
        .verdict
}

/// Decodes the bytes of `stream` and returns the verdict and the error that stopped reading, if
/// any.
pub fn judge_stream(plan: &Plan, stream: &mut dyn Read) -> (Verdict, Option<std::io::Error>) {
    let observed = observe_stream(plan, stream, StreamFindings::Notes, &mut VerdictOnly);
    (observed.verdict, observed.failure)
}

/// Decodes `bytes` and returns the verdict and the records that precede the first violation.
pub fn decode(plan: &Plan, bytes: &[u8]) -> (Verdict, Vec<Record>) {
    let mut records = Records::default();
    let verdict = observe(plan, bytes, Findings::Records, &mut records).verdict;
    (verdict, records.records)
}

/// Decodes `bytes` and returns the verdict and the tree. If the trace is rejected, the tree ends at
/// the violation. If the tree needs too much memory, its [`excess`](field@tree::Tree::excess) is set,
/// and the verdict covers only the bytes that the tree contains.
pub fn decode_tree(plan: &Plan, bytes: &[u8]) -> (Verdict, tree::Tree) {
    let finished = Machine::new(plan, SliceInput::new(bytes), WholeTree).run();
    (finished.verdict, finished.tree)
}

/// Decodes `bytes` and returns the verdict, or `None` if the trace has too many fields and elements
/// for [`decode_small_tree`]. Use this function in place of [`judge`] if many traces of an unknown
/// plan are judged: if values refer to one another, judging a short trace may take minutes.
pub fn judge_small(plan: &Plan, bytes: &[u8]) -> Option<Verdict> {
    if plan.locations.is_empty() {
        return Some(judge(plan, bytes));
    }
    let (verdict, tree) = decode_small_tree(plan, bytes);
    tree.excess.is_none().then_some(verdict)
}

/// Decodes `bytes` like [`decode_tree`], but limits the number of nodes to what a trace of this size
/// needs, unless its values refer to one another: 64 for each byte, and at least 65,536.
pub fn decode_small_tree(plan: &Plan, bytes: &[u8]) -> (Verdict, tree::Tree) {
    let mut machine = Machine::new(plan, SliceInput::new(bytes), WholeTree);
    machine.tree_mut().limit_nodes(bytes.len() as u64);
    let finished = machine.run();
    (finished.verdict, finished.tree)
}
