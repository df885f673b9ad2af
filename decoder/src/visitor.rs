//! The interface that the decoder uses to report its findings.

use tracegauge_plan::OpId;
use tracegauge_plan::terms::{RuleId, TableId};

use crate::input::Input;
use crate::machine::{Machine, Placed, Word};
use crate::observe::Observer;
use crate::verdict::Span;

/// An event at an operation, used for coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The operation ran.
    Enter,
    /// The operation was skipped because its condition did not hold.
    Skip,
    /// A repetition ended after this number of elements.
    Count(u64),
    /// A rule was exercised. The mark contains the id of the rule and the bytes that
    /// exercise the rule.
    Shows(RuleId, Span),
    /// The operation read an element or field inside a value of the given operation.
    Inside(OpId),
    /// A test passed. The number is the test's index in the plan.
    Holds(u32),
    /// A value equals the limit that a test sets. The number is the test's index in the plan.
    Reached(u32),
    /// A table row was defined, referred to or removed. The mark contains the id of the table and
    /// the row's key. If there is no key, the mark applies to all rows of the table.
    Row(RowMark, TableId, Option<u64>),
    /// All tables and registers were reset to their state at the start of the trace.
    Restart,
    /// A carried value was computed: a value that depends on the value of the same field in the
    /// previous element, or on the value of a register.
    Carried(CarryMark),
    /// A computed field has a wrong value. The mark contains the value that the field should have.
    Computes(i128),
}

/// A change to a table row, or a use of the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowMark {
    /// The row was defined. A row with the same key is replaced.
    Defined,
    /// The trace defined another row with the same key.
    Again {
        /// Whether both rows have the same contents.
        same: bool,
    },
    /// A field referred to the row.
    Named,
    /// The row was removed.
    Ended,
}

/// Describes how a carried value was computed from an earlier value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CarryMark {
    /// The previous value.
    pub from: i128,
    /// The new value.
    pub to: u64,
    /// Whether the field is present in the trace instead of omitted.
    pub there: bool,
    /// Whether the value exceeded its width and wrapped around.
    pub wrapped: bool,
}

/// The part of the trace that ends when an emitter stops instead of writing a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The enclosing sized part ends here.
    Part,
    /// Reading ends here.
    End,
}

/// Receives the decoder's findings. The decoder does no work for features that a visitor disables.
///
/// Decoding, generation, encoding and recording all run the plan in the same way. A visitor that
/// sets [`Self::DIRECTS`] is called an *emitter*: it writes the bytes of each value just before the
/// machine reads them.
pub trait Visitor: Observer {
    /// Whether the visitor receives records.
    const RECORDS: bool = false;
    /// Whether the machine builds the tree of the whole trace.
    const TREE: bool = false;
    /// Whether the visitor receives the tree in parts. The visitor then receives each element of a
    /// list as soon as the machine no longer needs it, so that a trace of any length can be
    /// displayed. The setting is ignored unless [`Self::TREE`] is set.
    const PARTS: bool = false;
    /// Whether the machine records where the values of records were read. The setting is ignored
    /// unless [`Self::TREE`] is set.
    const SOURCES: bool = false;
    /// Whether the visitor receives each tolerated deviation with its path.
    const NOTES: bool = false;
    /// Whether the visitor receives a [`Mark`] for each event at an operation.
    const MARKS: bool = false;
    /// Whether the visitor is an emitter, which writes the bytes of each value before the machine
    /// reads them. Generating, encoding and recording run the plan as decoding does, so the decoder
    /// can read everything that an emitter writes.
    const DIRECTS: bool = false;
    /// Whether the visitor limits the number of operations. A plan with a planted bug may run far
    /// more operations than the correct plan.
    const LIMITED: bool = false;

    /// Makes an emitter write the bytes of the value that is read next.
    ///
    /// # Errors
    /// Returns an error if the emitter has no value to write. The machine then stops.
    fn put<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId) -> Result<(), Refused>
    where
        Self: Sized,
    {
        Ok(())
    }

    /// Tells an emitter that a structure or repetition begins.
    fn begin<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId)
    where
        Self: Sized,
    {
    }

    /// Returns whether an emitter has already written the next value, so that the machine only
    /// reads it.
    fn replays<I: Input>(_machine: &Machine<'_, I, Self>) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Returns whether an emitter computes a field from the size of a sized part, so that the part
    /// may have any size.
    fn measures(&self, _op: OpId) -> bool {
        false
    }

    /// Returns whether an emitter chooses the size of a field or part or the length of a list,
    /// although the format computes it: it depends on where the stream ends, which is not known yet.
    fn chooses_size<I: Input>(_machine: &Machine<'_, I, Self>, _op: OpId) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Tells an emitter that a sized part begins. `_size` is the size of the part in bytes, if it
    /// is known.
    fn begin_part<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId, _size: Option<u64>)
    where
        Self: Sized,
    {
    }

    /// Makes an emitter write the unclaimed bytes at the end of a sized part, which no field reads.
    /// The part ends after these bytes.
    fn end_part<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId)
    where
        Self: Sized,
    {
    }

    /// Returns whether an emitter continues a sized part that may end before the next field.
    fn goes_on<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Makes an emitter skip a value that is stored elsewhere, because its bytes belong to other
    /// fields.
    fn located<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId)
    where
        Self: Sized,
    {
    }

    /// Lets an emitter choose where a value that is stored elsewhere begins, while the machine reads
    /// a trace that the emitter has already written. Returns whether the emitter writes the value
    /// there.
    fn locate<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Tells an emitter that a value that it chose to write is complete (see [`Self::locate`]).
    fn end_located<I: Input>(_machine: &mut Machine<'_, I, Self>)
    where
        Self: Sized,
    {
    }

    /// Returns whether an emitter ends the stream at the current position. Expressions can test
    /// whether the stream has ended.
    fn at_end<I: Input>(_machine: &mut Machine<'_, I, Self>) -> bool
    where
        Self: Sized,
    {
        true
    }

    /// Returns whether an emitter defers writing a field, so that the tests of the field must also
    /// wait.
    fn waits(&self, _op: OpId) -> bool {
        false
    }

    /// Returns the maximum size in bytes that an emitter allows for a sized part whose size field
    /// is filled in afterwards.
    fn most<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId) -> Option<u64>
    where
        Self: Sized,
    {
        None
    }

    /// Makes an emitter write the bytes after the root structure.
    fn end_trace<I: Input>(_machine: &mut Machine<'_, I, Self>)
    where
        Self: Sized,
    {
    }

    /// Returns whether an emitter adds another element to a repetition that extends to the end of
    /// the enclosing sized part.
    fn another<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId, _number: u64) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Returns whether an emitter ends a repetition early, before its terminating element.
    fn breaks_off<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId, _number: u64) -> bool
    where
        Self: Sized,
    {
        false
    }

    /// Returns how many bytes an emitter writes for a field that extends to the end of the
    /// enclosing sized part.
    fn to_end<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId) -> u64
    where
        Self: Sized,
    {
        0
    }

    /// Tells an emitter that a part of the trace is complete. An earlier field may contain the size
    /// or element count of the part.
    fn measured<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId, _size: u64, _count: u64)
    where
        Self: Sized,
    {
    }

    /// Tells an emitter that the values of a layout with nested fields begin. A layout consists of
    /// fields that the trace itself describes.
    fn begin_layout<I: Input>(_machine: &mut Machine<'_, I, Self>, _layout: OpId)
    where
        Self: Sized,
    {
    }

    /// Tells an emitter that the values of a layout with nested fields are complete.
    fn end_layout<I: Input>(_machine: &mut Machine<'_, I, Self>, _layout: OpId)
    where
        Self: Sized,
    {
    }

    /// Tells an emitter that an element count is read next. If the elements are code units that are
    /// presented as a string, `_units` contains their operation and the size of a unit in bytes.
    /// Otherwise, `_each` is the size of an element if this size is fixed. `_none` is the count
    /// that indicates the absence of a list, if any.
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

    /// Returns which part of the trace ends here, if the emitter wrote nothing because the
    /// enclosing sized part or the whole trace ends.
    fn cut(&mut self) -> Option<Cut> {
        None
    }

    /// Makes an emitter write the rest of a sized part that ends inside a value.
    fn cut_part<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId)
    where
        Self: Sized,
    {
    }

    /// Tells an emitter that reading stopped inside a sized part or a list that starts at `start`.
    /// `count` is the number of elements of the list, including the last one.
    fn interrupted<I: Input>(
        _machine: &mut Machine<'_, I, Self>,
        _op: OpId,
        _start: u64,
        _count: u64,
    ) where
        Self: Sized,
    {
    }

    /// Makes an emitter write the bytes that remain when reading stops before the end of the trace.
    fn cut_trace<I: Input>(_machine: &mut Machine<'_, I, Self>)
    where
        Self: Sized,
    {
    }

    /// Makes an emitter write `_size` bytes of code units.
    fn put_units<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId, _size: u64)
    where
        Self: Sized,
    {
    }

    /// Makes an emitter write the bytes after the fields of a layout, unless the emitter writes the
    /// located values (values that fields point to) there one by one. `_words` is true if the
    /// layout has located values.
    fn put_area<I: Input>(_machine: &mut Machine<'_, I, Self>, _layout: OpId, _words: bool)
    where
        Self: Sized,
    {
    }

    /// Returns where an emitter stores a located value, and corrects the integer that contains the
    /// position of the value.
    fn place<I: Input>(_machine: &mut Machine<'_, I, Self>, _word: &Word) -> Option<Placed>
    where
        Self: Sized,
    {
        None
    }

    /// Tells an emitter that all fields of a structure have been written. The structure is tested
    /// afterwards.
    fn complete<I: Input>(_machine: &mut Machine<'_, I, Self>, _op: OpId)
    where
        Self: Sized,
    {
    }
}

/// The error that an emitter returns if it has no value to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused;

/// A visitor that receives only the verdict.
#[derive(Clone, Copy, Debug, Default)]
pub struct VerdictOnly;

impl Observer for VerdictOnly {
    fn wants(&self, _rule: RuleId) -> bool {
        false
    }
}

impl Visitor for VerdictOnly {}

/// A visitor that makes the machine build the tree of the whole trace.
#[derive(Clone, Copy, Debug, Default)]
pub struct WholeTree;

impl Observer for WholeTree {}

impl Visitor for WholeTree {
    const TREE: bool = true;
}
