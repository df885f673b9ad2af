//! Who is told what the decoder finds.

use tracegauge_spec::plan::OpId;

use crate::input::Input;
use crate::machine::{Machine, Placed, Word};
use crate::report::RecordView;
use crate::tree::{NodeId, Tree};
use crate::verdict::{Note, Span};

/// What an operation did, for coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// It ran.
    Enter,
    /// Its condition did not hold.
    Skip,
    /// A repetition ended after so many elements.
    Count(u64),
    /// A rule was shown: its index in the plan, and the bytes that show it.
    Shows(u32, Span),
    /// It is inside a value of this operation: an element, or a field of it.
    Inside(OpId),
    /// A test was made and held: its index in the plan.
    Holds(u32),
    /// Something was done with the row that has this key in a table, by its index in the plan;
    /// without a key with all rows of it.
    Row(RowMark, u32, Option<u64>),
    /// All rows of all tables have ended, and what is carried is forgotten.
    Restart,
    /// A carried value was found, from the one before.
    Carried(CarryMark),
}

/// What was done with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowMark {
    /// It was defined; one that was there makes room for it.
    Defined,
    /// It was there when another came for its key.
    Again {
        /// The other has the same contents.
        same: bool,
    },
    /// A field named it.
    Named,
    /// It ended.
    Ended,
}

/// How a carried value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CarryMark {
    /// What it was carried from.
    pub from: i128,
    /// What it is.
    pub to: u64,
    /// It stands in the trace, and was not left out.
    pub there: bool,
    /// It was too great for its bits, and goes on from zero.
    pub wrapped: bool,
}

/// Where a director stops before a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The part around ends here, as far as readers are concerned.
    Part,
    /// Reading ends here.
    End,
}

/// Who is told what the decoder finds. What a visitor does not want costs nothing.
pub trait Visitor {
    /// It wants records.
    const RECORDS: bool = false;
    /// It wants records behind a place from which readers go different ways too, by the decoder's
    /// own reading. With [`Self::RECORDS`] only.
    const BEYOND: bool = false;
    /// It wants the whole tree.
    const TREE: bool = false;
    /// It wants the tree in parts, each element of a list as soon as nothing more is asked of
    /// it, so that no trace is too long to be shown. With [`Self::TREE`] only.
    const PARTS: bool = false;
    /// It wants to know where the values of records were read. With [`Self::TREE`] only.
    const SOURCES: bool = false;
    /// It wants each tolerated departure with its path.
    const NOTES: bool = false;
    /// It wants to know what ran.
    const MARKS: bool = false;
    /// It directs the machine: before a value is read it puts the bytes there. Generating,
    /// encoding and recording are the same walk over the plan as decoding, so what one
    /// writes the other reads.
    const DIRECTS: bool = false;
    /// It sets a limit to the operations that are run: a plan that is wrong on purpose may want
    /// more than any honest one.
    const LIMITED: bool = false;

    /// An operation is to be run. `true`: the limit is reached, and reading ends.
    fn spent(&mut self) -> bool {
        false
    }

    /// It wants to know that of the record that comes next.
    fn wants_sources(&self) -> bool {
        false
    }

    /// All records so far are owed even if the trace ends soon after.
    fn due(&mut self) {}

    /// A record is complete.
    fn record(&mut self, _record: &RecordView<'_>) {}

    /// The nodes of the tree from one on are complete, and are forgotten after this. `around`
    /// are the nodes that are open still, from the outside in.
    fn part(&mut self, _tree: &Tree, _around: &[NodeId], _from: NodeId) {}

    /// Something was tolerated.
    fn note(&mut self, _note: Note) {}

    /// An operation did something.
    fn mark(&mut self, _op: OpId, _mark: Mark) {}

    /// A director puts the bytes of the value that is read next.
    ///
    /// # Errors
    /// There is no value to put; the walk ends.
    fn put<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId) -> Result<(), Refused>
    where
        Self: Sized,
    {
        Ok(())
    }

    /// A director is told that a structure or repetition begins.
    fn begin<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId)
    where
        Self: Sized,
    {
    }

    /// Whether a director has put what is read next already, so that it is read as in decoding.
    fn replays<I: Input>(_machine: &Machine<'_, I, Self>) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// A director says whether a field is computed from the size of a part, so that the part
    /// may have any size.
    fn measures(&self, _op: OpId) -> bool {
        false
    }

    /// A director is told that a part begins, of so many bytes where that is known.
    fn begin_part<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId, _size: Option<u64>)
    where
        Self: Sized,
    {
    }

    /// A director puts what no field of a part claims; the part ends there.
    fn end_part<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId)
    where
        Self: Sized,
    {
    }

    /// A director says whether a part goes on with a field before which it may end.
    fn goes_on<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// A director passes over an instance that stands elsewhere: its bytes are those of fields.
    fn located<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId)
    where
        Self: Sized,
    {
    }

    /// A director says whether the stream ends here, which an expression asks.
    fn at_end<I: Input>(_machine: &mut Machine<'_, I, Self>) -> bool
    where
        Self: Sized,
    {
        true
    }

    /// A director says whether a field is put only later, so that it is tested only then.
    fn waits(&self, _op: OpId) -> bool {
        false
    }

    /// A director says how many bytes a part may have whose size is put only later.
    fn most<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId) -> Option<u64>
    where
        Self: Sized,
    {
        None
    }

    /// A director puts what stands after the root.
    fn end_trace<I: Input>(_machine: &mut Machine<'_, I, Self>)
    where
        Self: Sized,
    {
    }

    /// A director says whether a repetition up to the end has another element.
    fn another<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId, _number: u64) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// A director says whether a repetition breaks off before the element that ends it.
    fn breaks_off<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId, _number: u64) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// A director says how many bytes a field up to the end has.
    fn to_end<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId) -> u64
    where
        Self: Sized,
    {
        0
    }

    /// A director is told that a part is complete, which may be measured by a field before it.
    fn measured<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId, _size: u64, _count: u64)
    where
        Self: Sized,
    {
    }

    /// A director is told that the values of a layout begin, some of which hold others.
    fn begin_layout<I: Input>(_machine: &mut Machine<'_, I, Self>, _layout: OpId)
    where
        Self: Sized,
    {
    }

    /// A director is told that those values are complete.
    fn end_layout<I: Input>(_machine: &mut Machine<'_, I, Self>, _layout: OpId)
    where
        Self: Sized,
    {
    }

    /// A director is told that a number of elements is read next: of code units that are shown
    /// as text, with the bytes of each, or of others of so many bytes; and which number, if
    /// any, means that there is no list.
    fn counted<I: Input>(
        _machine: &mut Machine<'_, I, Self>,
        _count: OpId,
        _units: Option<(OpId, u64)>,
        _each: Option<u64>,
        _none: Option<i128>,
    ) where
        Self: Sized,
    {
    }

    /// Why a director put nothing, if not for want of something to put.
    fn cut(&mut self) -> Option<Cut> {
        None
    }

    /// A director puts what is left of a part that ends inside a value.
    fn cut_part<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId)
    where
        Self: Sized,
    {
    }

    /// A director puts what is left of a trace in which reading stops before its end.
    fn cut_trace<I: Input>(_machine: &mut Machine<'_, I, Self>)
    where
        Self: Sized,
    {
    }

    /// A director puts code units of so many bytes.
    fn put_units<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId, _size: u64)
    where
        Self: Sized,
    {
    }

    /// A director puts what stands behind the fields of a layout, where it does not place the
    /// values there one by one; `words`: some are located.
    fn put_area<I: Input>(_machine: &mut Machine<'_, I, Self>, _layout: OpId, _words: bool)
    where
        Self: Sized,
    {
    }

    /// A director says where a located value stands, and mends its word.
    fn place<I: Input>(_machine: &mut Machine<'_, I, Self>, _word: &Word) -> Option<Placed>
    where
        Self: Sized,
    {
        None
    }

    /// A director is told that all fields of a structure are there, before it is tested.
    fn complete<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId)
    where
        Self: Sized,
    {
    }
}

/// A director has no value to put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

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
