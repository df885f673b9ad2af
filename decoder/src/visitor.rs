//! Who is told what the decoder finds.

use tracegauge_spec::plan::OpId;

use crate::report::RecordView;
use crate::verdict::Note;

/// What an operation did, for coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It ran.
    Enter,
    /// Its condition did not hold.
    Skip,
    /// A repetition ended after so many elements.
    Count(u64),
    /// A rule was shown: its index in the plan.
    Shows(u32),
    /// A test was made and held: its index in the plan.
    Holds(u32),
}

/// Who is told what the decoder finds. What a visitor does not want costs nothing.
pub trait Visitor {
    /// It wants records.
    const RECORDS: bool = false;
    /// It wants the whole tree.
    const TREE: bool = false;
    /// It wants each tolerated departure with its path.
    const NOTES: bool = false;
    /// It wants to know what ran.
    const MARKS: bool = false;

    /// A record is complete.
    fn record(&mut self, _record: &RecordView<'_>) {}

    /// Something was tolerated.
    fn note(&mut self, _note: Note) {}

    /// An operation did something.
    fn mark(&mut self, _op: OpId, _mark: Mark) {}
}

/// Wants the verdict only.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerdictOnly;

impl Visitor for VerdictOnly {}

/// Wants the tree; the decoder keeps it.
#[derive(Clone, Copy, Debug, Default)]
pub struct WholeTree;

impl Visitor for WholeTree {
    const TREE: bool = true;
}
