//! The reference decoder: a plan and bytes in; records, a verdict and spans out.
//!
//! It knows no format. What a plan says is run by a [`Machine`] over an [`Input`], and a
//! [`Visitor`] is told of records and tolerated departures. No input makes it panic, and its
//! memory grows with what it has read, never with what a length claims.

pub mod input;
pub mod json;
mod machine;
pub mod places;
pub mod record;
pub mod report;
pub mod state;
pub mod text;
pub mod tree;
mod value;
pub mod verdict;
pub mod visitor;

pub use input::{GrowingInput, Input, SliceInput, StreamInput};
pub use machine::{Finished, Machine, Placed, Source, Word, least_length};
pub use value::Value;
pub use verdict::{Judgement, Note, Shown, Span, Verdict, Violation};
pub use visitor::{CarryMark, Cut, Mark, Refused, RowMark, VerdictOnly, Visitor, WholeTree};

use record::Record;
use report::RecordView;
use tracegauge_spec::plan::Plan;

/// Collects records.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// The records, in the order of the file.
    pub records: Vec<Record>,
}

impl Visitor for Records {
    const RECORDS: bool = true;
    const BEYOND: bool = true;

    fn record(&mut self, record: &RecordView<'_>) {
        self.records.push(record.to_record());
    }
}

/// The verdict over `bytes`.
pub fn judge(plan: &Plan, bytes: &[u8]) -> Verdict {
    Machine::new(plan, SliceInput::new(bytes), VerdictOnly)
        .run()
        .verdict
}

/// The verdict over `bytes` and the records before its fault, if it has one.
pub fn decode(plan: &Plan, bytes: &[u8]) -> (Verdict, Vec<Record>) {
    let finished = Machine::new(plan, SliceInput::new(bytes), Records::default()).run();
    (finished.verdict, finished.visitor.records)
}

/// The verdict over `bytes` and the tree up to its fault, if it has one.
pub fn decode_tree(plan: &Plan, bytes: &[u8]) -> (Verdict, tree::Tree) {
    let finished = Machine::new(plan, SliceInput::new(bytes), WholeTree).run();
    (finished.verdict, finished.tree)
}
