//! Runs steps, the fast path for valid input.
//!
//! A sequence of steps, called a program, gives up as soon as it encounters anything unusual, such
//! as a violation. The previous state is then restored. The operations, which handle every case,
//! then run instead.

mod carried;
mod elements;
mod judged;
mod numbers;
mod routine;
mod values;
mod word;

use std::rc::Rc;

use tracegauge_plan::formula::{Formula, NumberId};
use tracegauge_plan::terms::RuleId;
use tracegauge_plan::{
    Integer, LayoutSource, LayoutUseId, Op, OpId, RecordUseId, RowSource, Slot, Step, StepRange,
    SwitchId, TextSize, When, flags,
};

use super::Machine;
use crate::input::Input;
use crate::report::Item;
use crate::state::{Names, RowPrograms};
use crate::value::Value;
use crate::visitor::Visitor;
use tracegauge_plan::codec::load;
pub(crate) use word::WordPrograms;

/// The maximum number of bytes that a step reads at once. Longer values are left to the operations.
const MOST_BYTES: u64 = 1 << 20;
/// A change that steps made to any state other than the slots of ordinary fields.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    /// A slot or register, and its previous number.
    Number(NumberId, i64),
    /// A slot or register, whose previous value is not a number: the last of those stored
    /// separately, so that changes stay small.
    Value(NumberId),
    /// A rule was exercised.
    Shown(RuleId),
}

/// The names of the described fields to read, and the offset where the record stores these names.
#[derive(Clone, Copy)]
struct Named<'n> {
    names: Option<&'n Names>,
    base: u32,
}

const NAMELESS: Named<'static> = Named {
    names: None,
    base: 0,
};

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Runs the program of an operation. Returns `false` if there is no program or the program gave
    /// up. In either case, the state is unchanged.
    #[inline]
    pub(in crate::machine) fn fused(&mut self, id: OpId) -> bool {
        if self.kept.keeping > 0 {
            return false;
        }
        let programs = &self.plan.programs[id.index()];
        let range = if V::RECORDS {
            programs.recorded
        } else {
            programs.read
        };
        range.is_some_and(|range| self.read_steps(range))
    }

    /// Returns the program of an element.
    pub(in crate::machine) fn element_program(&self, element: OpId, op: &Op) -> Option<StepRange> {
        if !Self::PLAIN {
            return None;
        }
        let programs = &self.plan.programs[element.index()];
        let fused = op.flags & flags::FUSED != 0;
        let range = if V::RECORDS {
            programs.recorded
        } else {
            programs.read
        };
        range.filter(|_| fused && op.flags & flags::GUARD == 0)
    }

    /// Runs the program of an element. Returns `false` if the program gave up. The state is then
    /// unchanged.
    #[inline(always)]
    pub(in crate::machine) fn element_steps(&mut self, program: StepRange) -> bool {
        self.kept.keeping == 0 && self.tried(|machine| machine.element(program))
    }

    /// Runs the program of an element, which often consists of a switch and a word.
    #[inline(always)]
    fn element(&mut self, program: StepRange) -> Option<()> {
        let plan = self.plan;
        let range = match plan.steps[program.indexes()] {
            [Step::Switch(index, on)] => self.arm::<false>(index, on)?,
            _ => program,
        };
        let steps = &plan.steps[range.indexes()];
        let after_begin = match steps {
            [Step::Begin, rest @ ..] => rest,
            steps => steps,
        };
        match after_begin {
            [Step::Word(integer), Step::ByWord(id, count), covered @ ..]
                if covered.len() == *count as usize =>
            {
                if after_begin.len() < steps.len() {
                    self.recording.buffer.clear();
                }
                let start = self.position;
                let word = self.whole(*integer)?;
                self.by_word::<false>(*id, covered, (start, word), NAMELESS)
            }
            _ => self.steps::<false>(steps, NAMELESS),
        }
    }

    /// Runs a program that covers several siblings. Returns the index of the operation after
    /// these siblings.
    #[inline]
    pub(in crate::machine) fn run_steps(&mut self, first: OpId) -> Option<u32> {
        if self.kept.keeping > 0 {
            return None;
        }
        let (range, end) = self.plan.programs[first.index()].run?;
        self.read_steps(range).then_some(end)
    }

    #[inline]
    fn read_steps(&mut self, range: StepRange) -> bool {
        let plan = self.plan;
        self.tried(|machine| machine.steps::<false>(&plan.steps[range.indexes()], NAMELESS))
    }

    /// Runs the program of the fields that a row describes. Returns `false` if there is no program
    /// or the program gave up. In either case, the state is unchanged.
    #[inline]
    pub(in crate::machine) fn row_steps(&mut self, op: &Op, index: LayoutUseId) -> bool {
        if self.kept.keeping > 0 || (Self::captured(op) && op.flags & flags::DIRECT == 0) {
            return false;
        }
        let mark = self.recording.buffer.mark();
        let done = self.tried(|machine| machine.described_steps::<false>(op, index, None));
        if !done {
            self.recording.buffer.back_to(mark);
        }
        done
    }

    /// Runs steps, and restores the previous state if the steps give up.
    #[inline]
    fn tried(&mut self, steps: impl FnOnce(&mut Self) -> Option<()>) -> bool {
        let start = self.position;
        let done = steps(self).is_some();
        if !done {
            self.position = start;
            self.undo();
            self.unsettle();
        }
        self.undone.clear();
        self.undone_values.clear();
        done
    }

    /// Undoes the changes that steps made.
    #[cold]
    fn undo(&mut self) {
        while self.undo_one() {}
    }

    /// Undoes the last change. Returns `false` if there was none.
    fn undo_one(&mut self) -> bool {
        let Some(change) = self.undone.pop() else {
            return false;
        };
        match change {
            Change::Number(at, number) => self.memory.set_number(at, number),
            Change::Value(at) => {
                let value = self.undone_values.pop().unwrap_or(Value::Absent);
                self.memory.set_value(at, value);
            }
            Change::Shown(rule) => match &mut self.outcome.shown[rule] {
                Some(shown) if shown.count > 1 => shown.count -= 1,
                shown => {
                    *shown = None;
                    self.outcome.shown_order.pop();
                }
            },
        }
        true
    }

    /// Reads the fields that a row describes.
    #[inline]
    fn described_steps<const SHOWN: bool>(
        &mut self,
        op: &Op,
        index: LayoutUseId,
        key: Option<Formula>,
    ) -> Option<()> {
        let plan = self.plan;
        let LayoutSource::Row(source, column) = plan.layouts[index].source else {
            return None;
        };
        let table = column.table;
        let place = match (key, source) {
            (Some(key), _) => {
                let key = self.amount_of(key)?;
                self.state.tables[table].find(key)?
            }
            (None, RowSource::Slot(slot)) => self.memory.row(slot)?,
            (None, source) => self.row_place(source, Value::Absent)?,
        };
        let row = self.state.tables[table].row(place)?;
        let known = row.layouts.iter().position(|(known, _)| *known == index);
        let (known, row) = match known {
            Some(known) => (known, row),
            None => {
                let known = self.compiled(table, place, column.column, index)?;
                (known, self.state.tables[table].row(place)?)
            }
        };
        let programs = row.programs.get(known)?.as_ref()?;
        let shows = SHOWN || Self::captured(op);
        // A row often describes no fields.
        if !shows && programs.read.as_deref() == Some(&[]) {
            return Some(());
        }
        // The row may change while its program runs.
        let programs = Rc::clone(programs);
        if shows {
            return self.described_shown(op, &programs);
        }
        self.steps::<false>(programs.read.as_deref()?, NAMELESS)
    }

    fn described_shown(&mut self, op: &Op, programs: &RowPrograms) -> Option<()> {
        let steps = programs.shown.as_deref()?;
        let at = self.recording.buffer.open(Item::Pairs);
        let (base, _) = self.recording.buffer.bytes(&programs.names.text);
        let named = Named {
            names: Some(&programs.names),
            base,
        };
        self.steps::<true>(steps, named)?;
        self.recording.buffer.close(at, Item::Pairs);
        if Self::captured(op) {
            let first = u32::try_from(at).unwrap_or(u32::MAX);
            self.memory.set(op.slot, Value::Shown(first));
        }
        Some(())
    }

    /// Runs steps. Returns `None` if the steps give up.
    #[inline]
    fn steps<'s, const SHOWN: bool>(&mut self, steps: &'s [Step], named: Named<'_>) -> Option<()>
    where
        'p: 's,
    {
        self.steps_after::<SHOWN>(steps, named, (0, 0))
    }

    /// Runs steps after a word, given by its position and value.
    fn steps_after<'s, const SHOWN: bool>(
        &mut self,
        steps: &'s [Step],
        named: Named<'_>,
        word: (u64, u64),
    ) -> Option<()>
    where
        'p: 's,
    {
        let plan = self.plan;
        let mut rest = steps.iter();
        let mut word = word;
        while let Some(step) = rest.next() {
            match step {
                Step::Word(integer) => {
                    let start = self.position;
                    word = (start, self.whole(*integer)?);
                }
                Step::Bits(shift, width, leaf) => {
                    let mask = u64::MAX >> (64 - u32::from(*width));
                    self.value_read::<SHOWN>(leaf, word.0, word.1 >> shift & mask, false)?;
                }
                Step::ByWord(id, count) => {
                    let (covered, after) = rest.as_slice().split_at_checked(*count as usize)?;
                    self.by_word::<SHOWN>(*id, covered, word, named)?;
                    rest = after.iter();
                }
                Step::Carried(leaf) => self.carried_plainly(leaf)?,
                Step::Clear(slot) => self.memory.set(*slot, Value::Absent),
                Step::Over(condition, leaf) => {
                    if !self.asked(*condition, word.1) {
                        self.carried_plainly(leaf)?;
                        rest.next();
                    }
                }
                Step::Skip(size) => {
                    self.take(u64::from(*size))?;
                }
                Step::Integer(integer, leaf) => {
                    let start = self.position;
                    let bits = self.whole(*integer)?;
                    self.value_read::<SHOWN>(leaf, start, bits, integer.signed)?;
                }
                Step::Variable(kind, bits, leaf) => {
                    let start = self.position;
                    let (value, length) = self.plain_variable(*kind, *bits)?;
                    self.position += u64::from(length);
                    let signed = *kind != tracegauge_plan::terms::VariableKind::Unsigned;
                    self.value_read::<SHOWN>(leaf, start, value, signed)?;
                }
                Step::Prefixed(length, slot, encoding, leaf) => {
                    let size = self.count_read(*length, *slot)?;
                    self.text_read::<SHOWN>(leaf, *encoding, size)?;
                }
                Step::List(number) => self.list::<SHOWN>(*number, named)?,
                Step::Layout(index, op, key) => {
                    self.described_steps::<SHOWN>(plan.op(*op), *index, *key)?;
                }
                Step::Switch(index, on) => {
                    let arm = self.arm::<SHOWN>(*index, *on)?;
                    let arm = &plan.steps[arm.indexes()];
                    if rest.as_slice().is_empty() {
                        rest = arm.iter();
                    } else {
                        self.steps::<SHOWN>(arm, named)?;
                    }
                }
                Step::Begin => self.recording.buffer.clear(),
                Step::Ahead(slot, body) => {
                    self.read_ahead(*slot, *body)?;
                }
                Step::Record(record) => {
                    self.complete(*record)?;
                }
                Step::Text(size, encoding, leaf) => {
                    let size = self.size_of(*size)?;
                    self.text_read::<SHOWN>(leaf, *encoding, size)?;
                }
                Step::Units(count, slot, size, encoding, leaf) => {
                    let units = self.count_read(*count, *slot)?;
                    let size = units.checked_mul(u64::from(*size))?;
                    self.text_read::<SHOWN>(leaf, Some(*encoding), size)?;
                }
                Step::Terminated(ending, leaf) => self.ended_read::<SHOWN>(leaf, *ending)?,
                Step::Part(size, body, op) => {
                    self.part_steps::<SHOWN>(*size, *body, *op, named)?;
                }
                Step::Span(first, last, count) => {
                    let (inside, after) = rest.as_slice().split_at_checked(*count as usize)?;
                    let start = self.position;
                    self.steps::<SHOWN>(inside, named)?;
                    self.memory.set(*first, Value::Int(i128::from(start)));
                    self.memory
                        .set(*last, Value::Int(i128::from(self.position)));
                    rest = after.iter();
                }
                Step::Holds(effects, tests) => self.ends_well(*effects, *tests)?,
                Step::Assign(effects) => self.assign_all(*effects),
                Step::Each(counted, none, list, count) => {
                    let (body, after) = rest.as_slice().split_at_checked(*count as usize)?;
                    self.each::<SHOWN>((*counted, *none), *list, body, named)?;
                    rest = after.iter();
                }
                Step::Pairs(count) => {
                    let (inside, after) = rest.as_slice().split_at_checked(*count as usize)?;
                    let at = self.recording.buffer.open(Item::Pairs);
                    self.steps::<SHOWN>(inside, named)?;
                    self.recording.buffer.close(at, Item::Pairs);
                    rest = after.iter();
                }
                Step::If(condition, slot, count) => {
                    if !self.asked(*condition, word.1) {
                        if *slot != Slot::NONE {
                            self.memory.set(*slot, Value::Absent);
                        }
                        rest = rest.as_slice().get(*count as usize..)?.iter();
                    }
                }
                Step::Object(body) => {
                    let at = self.recording.buffer.open(Item::Object);
                    self.steps::<SHOWN>(&plan.steps[body.indexes()], named)?;
                    self.recording.buffer.close(at, Item::Object);
                }
                Step::Name(name) => self.recording.buffer.push(Item::Name(name.0)),
                Step::Code(layout, code) => self.recording.buffer.push(Item::Code(*layout, *code)),
                Step::FieldName(number) => {
                    let name = named.names?.item(*number, named.base);
                    self.recording.buffer.push(name);
                }
            }
        }
        Some(())
    }

    /// Reads a member of a record before the members that precede it.
    #[inline]
    fn read_ahead(&mut self, slot: Slot, body: StepRange) -> Option<()> {
        let plan = self.plan;
        let first = self.recording.buffer.next();
        match &plan.steps[body.indexes()] {
            [Step::Part(size, body, op)] => self.part_steps::<true>(*size, *body, *op, NAMELESS)?,
            body => self.steps::<true>(body, NAMELESS)?,
        }
        self.memory.set(slot, Value::Shown(first));
        Some(())
    }

    /// Completes a record.
    #[inline]
    fn complete(&mut self, record: RecordUseId) -> Option<()> {
        if V::RECORDS && (!self.outcome.open || self.visitor.beyond()) {
            self.record(record, true, None).ok()?;
        }
        Some(())
    }

    /// Returns whether a condition holds. `word` is the integer whose bits the condition may test.
    #[inline(always)]
    fn asked(&mut self, condition: When, word: u64) -> bool {
        match condition {
            When::Bit(shift) => word >> shift & 1 != 0,
            When::Holds(formula) => self.is_true(formula),
        }
    }

    /// Skips `count` bytes, which must be available, and returns their start.
    #[inline(always)]
    fn take(&mut self, count: u64) -> Option<u64> {
        let start = self.position;
        let end = start.checked_add(count)?;
        if end > self.limit || !self.input.ensure(start, end) {
            return None;
        }
        self.position = end;
        Some(start)
    }

    #[inline(always)]
    fn whole(&mut self, integer: Integer) -> Option<u64> {
        let start = self.take(u64::from(integer.width))?;
        Some(load(self.input.ahead(start), integer))
    }

    /// Reads a size or count.
    #[inline(always)]
    fn count_read(&mut self, integer: Integer, slot: Slot) -> Option<u64> {
        let bits = self.whole(integer)?;
        if integer.signed && bits.cast_signed() < 0 {
            return None;
        }
        if slot != Slot::NONE {
            let place = self.memory.layout().slot(slot);
            self.memory.set_unsigned(place, bits);
        }
        Some(bits)
    }

    /// Returns the program of the switch arm that a value selects.
    #[inline(always)]
    fn arm<const SHOWN: bool>(&mut self, index: SwitchId, on: Formula) -> Option<StepRange> {
        let plan = self.plan;
        let switch = &plan.switches[index];
        let small = usize::try_from(self.formula(on)).ok();
        let arm = match small.and_then(|value| switch.dense.get(value)) {
            Some(arm) => *arm,
            None => {
                let value = self.integer_of(on)?;
                let labelled = switch
                    .arms
                    .iter()
                    .find(|(values, _)| values.contains(&value));
                labelled.map(|(_, arm)| *arm).or(switch.default)?.0
            }
        };
        let programs = plan.programs.get(arm as usize)?;
        match (SHOWN, V::RECORDS) {
            (true, _) => programs.shown,
            (false, true) => programs.recorded,
            (false, false) => programs.read,
        }
    }

    #[inline(always)]
    fn size_of(&mut self, size: TextSize) -> Option<u64> {
        match size {
            TextSize::Fixed(size) => Some(u64::from(size)),
            TextSize::Computed(formula) => self.amount_of(formula),
        }
    }

    /// Runs steps on a part of the trace.
    #[inline]
    fn part_steps<const SHOWN: bool>(
        &mut self,
        size: TextSize,
        body: StepRange,
        op: OpId,
        named: Named<'_>,
    ) -> Option<()> {
        let plan = self.plan;
        let size = self.size_of(size)?;
        let start = self.position;
        let end = start.checked_add(size)?;
        if end > self.limit || !self.input.ensure(start, end) {
            return None;
        }
        let around = (self.limit, self.part_start);
        (self.limit, self.part_start) = (end, start);
        let done = match &plan.steps[body.indexes()] {
            [Step::Layout(index, op, key)] => {
                self.described_steps::<SHOWN>(plan.op(*op), *index, *key)
            }
            body => self.steps::<SHOWN>(body, named),
        };
        (self.limit, self.part_start) = around;
        done?;
        match self.position == end {
            true => Some(()),
            false => self.unclaimed(op, end),
        }
    }
}
