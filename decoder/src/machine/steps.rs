//! Running steps: the fast way through what is right.
//!
//! A program gives up at the first oddity, whatever it is, and leaves everything as it was;
//! then the operations are run, which know what to make of it.

use tracegauge_spec::plan::{
    CheckKind, Code, CodeId, Counted, Elements, Ending, Integer, Kind, LayoutSource, Leaf,
    ListShow, Op, OpId, Plan, Show, Slot, Step, StepRange, Tests, TextSize, When, flags,
};
use tracegauge_spec::schema::{Continuation, Encoding, Endian, ReaderDuty};

use super::Machine;
use super::leaf::widen;
use super::primitive::load;
use super::row::bits_of;
use crate::input::Input;
use crate::report::{Item, guid, write_text};
use crate::state::{Names, RowPrograms};
use crate::text;
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::Visitor;

/// Longer lists are left to the operations, which read them element by element.
const MOST_ELEMENTS: u64 = 1 << 16;
/// Longer runs of bytes are left to the operations too.
const MOST_BYTES: u64 = 1 << 20;
/// So many elements are compared with each other; more are left to the operations.
const FEW: usize = 8;

/// Two numbers up to this can be added.
const PLAIN: i128 = u64::MAX as i128 / 2;

/// What steps have changed besides slots.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Change {
    /// A register, with its value before.
    Register(u32, Option<i128>),
    /// The value of a field that the next element carries on from, as it was before.
    Slot(Slot, Value),
    /// A rule was shown.
    Shown(u32),
}

/// The names of the described fields that are read, and where their texts lie in the record.
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
    /// Runs the program of an operation; `false` where nothing has been done.
    #[inline]
    pub(super) fn fused(&mut self, id: OpId) -> bool {
        if self.keeping > 0 {
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

    /// The program of an element.
    pub(super) fn element_program(&self, element: OpId, op: &Op) -> Option<StepRange> {
        let programs = &self.plan.programs[element.index()];
        let fused = Self::PLAIN && op.flags & flags::FUSED != 0;
        let range = if V::RECORDS {
            programs.recorded
        } else {
            programs.read
        };
        range.filter(|_| fused && op.flags & flags::GUARD == 0)
    }

    /// Runs the program of an element; `false` where nothing has been done.
    #[inline(always)]
    pub(super) fn element_steps(&mut self, program: StepRange) -> bool {
        self.keeping == 0 && self.read_steps(program)
    }

    /// Runs a program over siblings, and says where to go on.
    #[inline]
    pub(super) fn run_steps(&mut self, first: OpId) -> Option<u32> {
        if self.keeping > 0 {
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

    /// Runs the program of the fields that a row describes; `false` where nothing has been
    /// done.
    #[inline]
    pub(super) fn row_steps(&mut self, op: &Op, index: u32) -> bool {
        if self.keeping > 0 || (Self::captured(op) && op.flags & flags::DIRECT == 0) {
            return false;
        }
        let mark = self.records.mark();
        let done = self.tried(|machine| machine.described_steps::<false>(op, index));
        if !done {
            self.records.back_to(mark);
        }
        done
    }

    /// Goes back where steps give up.
    #[inline]
    fn tried(&mut self, steps: impl FnOnce(&mut Self) -> Option<()>) -> bool {
        let start = self.position;
        let done = steps(self).is_some();
        if !done {
            self.position = start;
            self.undo();
        }
        self.undone.clear();
        done
    }

    /// Takes back what steps have changed.
    #[cold]
    fn undo(&mut self) {
        while let Some(change) = self.undone.pop() {
            match change {
                Change::Register(register, value) => {
                    self.state.registers[register as usize] = value;
                }
                Change::Slot(slot, value) => self.slots[slot.index()] = value,
                Change::Shown(rule) => match &mut self.shown[rule as usize] {
                    Some(shown) if shown.count > 1 => shown.count -= 1,
                    shown => {
                        *shown = None;
                        self.shown_order.pop();
                    }
                },
            }
        }
    }

    /// A rule is broken that every reader tolerates; `None` where there is more to it.
    #[cold]
    fn tolerated(&mut self, id: OpId, rule: Option<u32>, start: u64) -> Option<()> {
        let rule = rule?;
        let described = &self.plan.rules[rule as usize];
        let tolerated = matches!(described.duty, ReaderDuty::Accept | ReaderDuty::None);
        let goes_on = !described
            .continues
            .iter()
            .any(|how| matches!(how, Continuation::Open | Continuation::Stop));
        (tolerated && goes_on).then_some(())?;
        let span = Span {
            start,
            end: self.position,
        };
        self.show(id, rule, span);
        self.undone.push(Change::Shown(rule));
        Some(())
    }

    /// The fields that a row describes.
    #[inline]
    fn described_steps<const SHOWN: bool>(&mut self, op: &Op, index: u32) -> Option<()> {
        let plan = self.plan;
        let LayoutSource::Row(source, column) = plan.layouts[index as usize].source else {
            return None;
        };
        let table = column.table as usize;
        let place = self.row_place(source, Value::Absent)?;
        // Taken out while it runs: the steps need the machine.
        let row = self.state.tables[table].row_mut(place)?;
        let known = row.layouts.iter().position(|(known, _)| *known == index);
        let (compiled, programs) = match known {
            Some(known) => (known, row.programs.get_mut(known)?.take()?),
            None => {
                let new = self.compiled(column.table, place, column.column, index)?;
                let row = self.state.tables[table].row_mut(place)?;
                (new, row.programs.get_mut(new)?.take()?)
            }
        };
        let done = if SHOWN || Self::captured(op) {
            self.described_shown(op, &programs)
        } else {
            let steps = programs.read.as_deref();
            steps.and_then(|steps| self.steps::<false>(steps, NAMELESS))
        };
        if let Some(row) = self.state.tables[table].row_mut(place)
            && let Some(empty) = row.programs.get_mut(compiled)
        {
            *empty = Some(programs);
        }
        done
    }

    fn described_shown(&mut self, op: &Op, programs: &RowPrograms) -> Option<()> {
        let steps = programs.shown.as_deref()?;
        let at = self.records.open(Item::Pairs);
        let (base, _) = self.records.bytes(&programs.names.text);
        let named = Named {
            names: Some(&programs.names),
            base,
        };
        self.steps::<true>(steps, named)?;
        self.records.close(at, Item::Pairs);
        if Self::captured(op) {
            let first = u32::try_from(at).unwrap_or(u32::MAX);
            self.slots[op.slot.index()] = Value::Shown(first);
        }
        Some(())
    }

    /// Runs steps; `None` where they give up.
    fn steps<'s, const SHOWN: bool>(&mut self, steps: &'s [Step], named: Named<'_>) -> Option<()>
    where
        'p: 's,
    {
        let plan = self.plan;
        let mut rest = steps.iter();
        let mut word = (0, 0);
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
                    let signed = *kind != tracegauge_spec::schema::VariableKind::Unsigned;
                    self.value_read::<SHOWN>(leaf, start, value, signed)?;
                }
                Step::Prefixed(length, slot, encoding, leaf) => {
                    let size = self.count_read(*length, *slot)?;
                    self.text_read::<SHOWN>(leaf, *encoding, size)?;
                }
                Step::List(number) => self.list::<SHOWN>(*number, named)?,
                Step::Layout(index, op) => {
                    self.described_steps::<SHOWN>(plan.op(*op), *index)?;
                }
                Step::Switch(index) => {
                    let arm = self.arm::<SHOWN>(*index)?;
                    if rest.as_slice().is_empty() {
                        rest = arm.iter();
                    } else {
                        self.steps::<SHOWN>(arm, named)?;
                    }
                }
                Step::Begin => self.records.clear(),
                Step::Ahead(slot, body) => {
                    let first = self.records.next();
                    self.steps::<true>(&plan.steps[body.indexes()], NAMELESS)?;
                    self.slots[slot.index()] = Value::Shown(first);
                }
                Step::Record(record) => {
                    if !self.open {
                        self.record(*record, true, None);
                    }
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
                Step::Part(size, body) => {
                    let size = self.size_of(*size)?;
                    self.part::<SHOWN>(size, &plan.steps[body.indexes()], named)?;
                }
                Step::Span(first, last, count) => {
                    let (inside, after) = rest.as_slice().split_at_checked(*count as usize)?;
                    let start = self.position;
                    self.steps::<SHOWN>(inside, named)?;
                    self.slots[first.index()] = Value::Int(i128::from(start));
                    self.slots[last.index()] = Value::Int(i128::from(self.position));
                    rest = after.iter();
                }
                Step::Holds(effects) => self.ends_well(*effects)?,
                Step::Sets(effects) => {
                    for set in &plan.effects[*effects as usize].sets {
                        self.set(set);
                    }
                }
                Step::Each(counted, none, list, count) => {
                    let (body, after) = rest.as_slice().split_at_checked(*count as usize)?;
                    self.each::<SHOWN>((*counted, *none), *list, body, named)?;
                    rest = after.iter();
                }
                Step::Pairs(count) => {
                    let (inside, after) = rest.as_slice().split_at_checked(*count as usize)?;
                    let at = self.records.open(Item::Pairs);
                    self.steps::<SHOWN>(inside, named)?;
                    self.records.close(at, Item::Pairs);
                    rest = after.iter();
                }
                Step::If(condition, slot, count) => {
                    if !self.asked(*condition, word.1) {
                        if *slot != Slot::NONE {
                            self.slots[slot.index()] = Value::Absent;
                        }
                        rest = rest.as_slice().get(*count as usize..)?.iter();
                    }
                }
                Step::Object(body) => {
                    let at = self.records.open(Item::Object);
                    self.steps::<SHOWN>(&plan.steps[body.indexes()], named)?;
                    self.records.close(at, Item::Object);
                }
                Step::Name(name) => self.records.push(Item::Name(name.0)),
                Step::Code(layout, code) => self.records.push(Item::Code(*layout, *code)),
                Step::FieldName(number) => {
                    let name = named.names?.item(*number, named.base);
                    self.records.push(name);
                }
            }
        }
        Some(())
    }

    /// A condition holds; `word` is the integer of which bits are taken.
    #[inline(always)]
    fn asked(&mut self, condition: When, word: u64) -> bool {
        match condition {
            When::Bit(shift) => word >> shift & 1 != 0,
            When::Holds(code) => self.truth(code),
        }
    }

    /// Passes over bytes that are there, and says where they begin.
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

    /// A length or count.
    #[inline(always)]
    fn count_read(&mut self, integer: Integer, slot: Slot) -> Option<u64> {
        let bits = self.whole(integer)?;
        if integer.signed && bits.cast_signed() < 0 {
            return None;
        }
        if slot != Slot::NONE {
            self.slots[slot.index()] = Value::Int(i128::from(bits));
        }
        Some(bits)
    }

    /// The arm that a value selects.
    #[inline(always)]
    fn arm<const SHOWN: bool>(&mut self, index: u32) -> Option<&'p [Step]> {
        let plan = self.plan;
        let switch = &plan.switches[index as usize];
        let Value::Int(value) = self.evaluate(switch.on, Value::Absent) else {
            return None;
        };
        let arm = match usize::try_from(value)
            .ok()
            .and_then(|v| switch.dense.get(v))
        {
            Some(arm) => *arm,
            None => {
                let labelled = switch
                    .arms
                    .iter()
                    .find(|(values, _)| values.contains(&value));
                labelled.map(|(_, arm)| *arm).or(switch.default)?.0
            }
        };
        let programs = plan.programs.get(arm as usize)?;
        let range = match (SHOWN, V::RECORDS) {
            (true, _) => programs.shown,
            (false, true) => programs.recorded,
            (false, false) => programs.read,
        };
        Some(&plan.steps[range?.indexes()])
    }

    /// A number is there.
    #[inline(always)]
    fn value_read<const SHOWN: bool>(
        &mut self,
        leaf: &Leaf,
        start: u64,
        bits: u64,
        signed: bool,
    ) -> Option<()> {
        let (mut bits, mut signed) = (bits, signed);
        if let Some(index) = leaf.carry {
            bits = self.plain_carry(index, bits)?;
            signed = false;
        }
        let value = Value::Int(widen(bits, signed));
        if leaf.slot != Slot::NONE {
            if leaf.carry.is_some() {
                let before = self.slots[leaf.slot.index()];
                self.undone.push(Change::Slot(leaf.slot, before));
            }
            self.slots[leaf.slot.index()] = value;
        }
        let row = self.tested_plainly(leaf, start, value, bits)?;
        if leaf.tests == Tests::Any && self.plan.op(leaf.op).flags & flags::SHOWS != 0 {
            self.shows(leaf.op, start, value)?;
        }
        if let Some(index) = leaf.carry {
            self.carry_on(index, bits);
        }
        if SHOWN {
            match leaf.show {
                Show::Mute => {}
                Show::Unsigned => self.records.push(Item::Unsigned(bits)),
                Show::Row => self.row_item(leaf, row, bits),
                Show::Presented => {
                    let mut records = std::mem::take(&mut self.records);
                    self.present_bits(leaf.op, bits, &mut records);
                    self.records = records;
                }
                show => self.records.push(number_item(show, bits)),
            }
        }
        Some(())
    }

    /// Text or bytes.
    #[inline]
    fn text_read<const SHOWN: bool>(
        &mut self,
        leaf: &Leaf,
        encoding: Option<Encoding>,
        size: u64,
    ) -> Option<()> {
        if size > MOST_BYTES {
            return None;
        }
        let start = self.take(size)?;
        self.text_value::<SHOWN>(leaf, encoding, start, size)
    }

    /// Text or bytes up to a terminator that is there.
    fn ended_read<const SHOWN: bool>(&mut self, leaf: &Leaf, ending: Ending) -> Option<()> {
        let (start, unit) = (self.position, ending.unit());
        let byte = ending.terminator?;
        let length = self.find_terminator((start, self.limit), byte, unit, ending.encoding)?;
        let size = if ending.include {
            length + unit
        } else {
            length
        };
        if size > MOST_BYTES {
            return None;
        }
        self.position = start + length + if ending.consume { unit } else { 0 };
        self.text_value::<SHOWN>(leaf, ending.encoding, start, size)
    }

    /// Text or bytes that have been passed over.
    #[inline]
    fn text_value<const SHOWN: bool>(
        &mut self,
        leaf: &Leaf,
        encoding: Option<Encoding>,
        start: u64,
        size: u64,
    ) -> Option<()> {
        let bytes = self.input.bytes(start, start + size);
        if let Some(encoding) = encoding
            && !text::well_formed(bytes, encoding)
        {
            return None;
        }
        if SHOWN && leaf.show != Show::Mute {
            match (leaf.show, encoding) {
                (Show::Guid, _) => {
                    let endian = match self.plan.op(leaf.op).kind {
                        Kind::Guid(endian) => endian,
                        _ => Endian::Little,
                    };
                    let (start, end) = self.records.bytes(guid(bytes, endian).as_bytes());
                    self.records.push(Item::Guid { start, end });
                }
                (_, Some(Encoding::Utf8)) => {
                    let (start, end) = self.records.bytes(bytes);
                    self.records.push(Item::Text { start, end });
                }
                (_, encoding) => write_text(bytes, encoding, &mut self.records),
            }
        }
        let value = Value::Bytes {
            start,
            length: size,
        };
        if leaf.slot != Slot::NONE {
            self.slots[leaf.slot.index()] = value;
        }
        if leaf.tests != Tests::None {
            self.passes(leaf.op, start, value, 0)?;
            if self.plan.op(leaf.op).flags & flags::SHOWS != 0 {
                self.shows(leaf.op, start, value)?;
            }
        }
        Some(())
    }

    /// Every test of a value holds, and what it names is there.
    fn passes(&mut self, id: OpId, start: u64, value: Value, bits: u64) -> Option<()> {
        let plan = self.plan;
        for check in plan.tests_of(id) {
            let unwanted = check
                .condition
                .is_some_and(|condition| !self.truth(condition));
            let holds = unwanted
                || match check.kind {
                    CheckKind::InEnum(set) => value
                        .integer()
                        .is_none_or(|number| self.is_member(set, number)),
                    _ => self.holds_check(&check.kind, value),
                };
            if !holds {
                // A member of an enumeration may have a rule of its own.
                let plain = !matches!(check.kind, CheckKind::InEnum(_));
                plain.then_some(())?;
                self.tolerated(id, check.rule, start)?;
            }
        }
        match plan.info(id).refs {
            Some(refs) => self.names_row(refs, bits).map(|_| ()),
            None => Some(()),
        }
    }

    /// Shows the row that a value names.
    fn row_item(&mut self, leaf: &Leaf, row: Option<u32>, bits: u64) {
        let plan = self.plan;
        let shows = plan.info(leaf.op).presentation.shows;
        let code = shows.map(|code| &plan.codes[code.index()]);
        let Some(Code::Column(_, column)) = code else {
            return self.records.push(Item::Missing);
        };
        match self.cell_value(column.table, row, column.column) {
            Value::Absent if self.names_none(leaf.op, bits) => self.records.push(Item::Absent),
            Value::Absent => self.records.push(Item::Missing),
            value => {
                let columns = &plan.tables[column.table as usize].columns;
                let origin = columns.get(column.column as usize);
                let origin = origin.and_then(|column| column.origin);
                let mut records = std::mem::take(&mut self.records);
                self.present(value, origin, &mut records);
                self.records = records;
            }
        }
    }

    /// What is asked of a number holds. The row that it names, if that is all.
    #[inline(always)]
    fn tested_plainly(
        &mut self,
        leaf: &Leaf,
        start: u64,
        value: Value,
        bits: u64,
    ) -> Option<Option<u32>> {
        match leaf.tests {
            Tests::None => {}
            Tests::Member(set) => {
                if !self.is_member(set, value.integer()?) {
                    return None;
                }
            }
            Tests::Among(known) => {
                if bits >= 32 || known >> bits & 1 == 0 {
                    let first = plan_check(self.plan, leaf.op)?;
                    self.tolerated(leaf.op, first, start)?;
                }
            }
            Tests::Reference(refs) => return self.names_row(refs, bits),
            Tests::Any => self.passes(leaf.op, start, value, bits)?,
        }
        Some(None)
    }

    /// The row that a value names is there, or the value says that there is none.
    #[inline(always)]
    fn names_row(&mut self, refs: u32, key: u64) -> Option<Option<u32>> {
        let refs = &self.plan.refs[refs as usize];
        let place = self.state.tables[refs.table as usize].find(key);
        if let Some(slot) = refs.row_slot {
            self.slots[slot.index()] = place.map_or(Value::Absent, Value::Row);
        }
        if place.is_none() {
            let none = self.evaluate(refs.none?, Value::Absent).integer()?;
            (bits_of(none) == key).then_some(())?;
        }
        Some(place)
    }

    /// Rules that a value shows and that make a difference.
    fn shows(&mut self, id: OpId, start: u64, value: Value) -> Option<()> {
        let plan = self.plan;
        for (rule, when) in &plan.info(id).obeys {
            let described = &plan.rules[*rule as usize];
            let either = described.duty == ReaderDuty::Either;
            let matters = either || !described.frees.is_empty();
            if !matters || when.is_some_and(|when| !self.evaluate(when, value).truth()) {
                continue;
            }
            if either && when.is_some() {
                return None;
            }
            let span = Span {
                start,
                end: self.position,
            };
            self.show(id, *rule, span);
            self.undone.push(Change::Shown(*rule));
        }
        Some(())
    }

    /// The tests at the end of a structure hold.
    fn ends_well(&mut self, effects: u32) -> Option<()> {
        let plan = self.plan;
        for check in &plan.effects[effects as usize].checks {
            let unwanted = check
                .condition
                .is_some_and(|condition| !self.truth(condition));
            (unwanted || self.holds_check(&check.kind, Value::Absent)).then_some(())?;
        }
        Some(())
    }

    #[inline(always)]
    fn size_of(&mut self, size: TextSize) -> Option<u64> {
        match size {
            TextSize::Fixed(size) => Some(u64::from(size)),
            TextSize::Computed(code) => {
                let size = self.evaluate(code, Value::Absent).integer()?;
                u64::try_from(size).ok()
            }
        }
    }

    /// Steps that take all of so many bytes.
    #[inline]
    fn part<'s, const SHOWN: bool>(
        &mut self,
        size: u64,
        body: &'s [Step],
        named: Named<'_>,
    ) -> Option<()>
    where
        'p: 's,
    {
        let start = self.position;
        let end = start.checked_add(size)?;
        if end > self.limit || !self.input.ensure(start, end) {
            return None;
        }
        let around = (self.limit, self.part_start);
        (self.limit, self.part_start) = (end, start);
        let done = self.steps::<SHOWN>(body, named);
        (self.limit, self.part_start) = around;
        done?;
        (self.position == end).then_some(())
    }

    #[inline(always)]
    fn is_member(&self, set: u32, number: i128) -> bool {
        let members = &self.plan.enums[set as usize];
        match u8::try_from(number) {
            Ok(small) => members.small[usize::from(small / 64)] >> (small % 64) & 1 != 0,
            Err(_) => members
                .members
                .iter()
                .any(|member| member.value == number && member.broken.is_none()),
        }
    }

    /// The value of a field that has on the wire what it differs by, where it is in range.
    #[inline]
    fn plain_carry(&mut self, index: u32, wire: u64) -> Option<u64> {
        let carry = &self.plan.carries[index as usize];
        let before = match (carry.register, carry.previous) {
            (Some(register), _) => self.state.registers[register as usize].unwrap_or(0),
            (None, Some(slot)) => match self.slots[slot.index()] {
                Value::Int(value) => value,
                _ => 0,
            },
            (None, None) => 0,
        };
        if let (true, None, None, 0..=PLAIN) = (carry.add, carry.then, carry.wraps, before)
            && wire <= u64::MAX / 2
            && carry.greatest >= i128::from(u64::MAX)
        {
            return Some(u64::try_from(before).unwrap_or_default() + wire);
        }
        let mut value = i128::from(wire);
        if carry.add {
            value += before;
        }
        if let Some(then) = carry.then {
            value = value.saturating_add(self.evaluate(then, Value::Absent).integer().unwrap_or(0));
        }
        match carry.wraps {
            Some(bits) => value &= (1_i128 << bits) - 1,
            None if value > carry.greatest => return None,
            None => {}
        }
        u64::try_from(value).ok()
    }

    /// The register that a value is carried from moves on to it.
    #[inline]
    fn carry_on(&mut self, index: u32, bits: u64) {
        if let Some(register) = self.plan.carries[index as usize].register {
            let before = self.state.registers[register as usize];
            self.undone.push(Change::Register(register, before));
            self.state.registers[register as usize] = Some(i128::from(bits));
        }
    }

    /// A field that is absent from the wire has the value of the previous element.
    #[inline]
    fn carried_plainly(&mut self, leaf: &Leaf) -> Option<()> {
        let carry = &self.plan.carries[leaf.carry? as usize];
        let before = self.slots[leaf.slot.index()];
        let mut value = match before {
            Value::Int(value) => value,
            _ => 0,
        };
        if let Some(then) = carry.then {
            value = value.saturating_add(self.evaluate(then, Value::Absent).integer().unwrap_or(0));
        }
        if let Some(bits) = carry.wraps {
            value &= (1_i128 << bits) - 1;
        }
        if carry.then.is_some() || before != Value::Int(value) {
            self.undone.push(Change::Slot(leaf.slot, before));
            self.slots[leaf.slot.index()] = Value::Int(value);
        }
        if leaf.tests != Tests::None {
            let bits = u64::try_from(value).ok()?;
            self.tested_plainly(leaf, self.position, Value::Int(value), bits)?;
        }
        Some(())
    }

    /// Elements of a described type.
    fn each<'s, const SHOWN: bool>(
        &mut self,
        (counted, none): (Counted, Option<i32>),
        list: ListShow,
        body: &'s [Step],
        named: Named<'_>,
    ) -> Option<()>
    where
        'p: 's,
    {
        let count = self.count_of(counted)?;
        let shown = SHOWN && list != ListShow::Mute;
        if none.is_some_and(|none| i128::from(none) == i128::from(count)) {
            if shown {
                self.records.push(Item::Absent);
            }
            return Some(());
        }
        if count > MOST_ELEMENTS {
            return None;
        }
        let opened = shown.then(|| self.records.open(Item::List));
        match body {
            [Step::Skip(size)] => {
                let length = count * u64::from(*size);
                (length <= MOST_BYTES).then_some(())?;
                self.take(length)?;
            }
            [Step::Integer(integer, leaf)] if shown && leaf.is_plain() => {
                let length = count * u64::from(integer.width);
                (length <= MOST_BYTES).then_some(())?;
                let start = self.take(length)?;
                self.numbers(start, length, *integer, leaf);
            }
            _ => {
                for _ in 0..count {
                    let before = self.position;
                    self.steps::<SHOWN>(body, named)?;
                    // The operations know how many elements without bytes are too many.
                    (self.position > before).then_some(())?;
                }
            }
        }
        if let Some(at) = opened {
            self.records.close(at, Item::List);
        }
        Some(())
    }

    /// A number of elements.
    #[inline]
    fn count_of(&mut self, counted: Counted) -> Option<u64> {
        match counted {
            Counted::By(code) => {
                let count = self.evaluate(code, Value::Absent).integer().unwrap_or(0);
                u64::try_from(count).ok()
            }
            Counted::Before(integer, slot) => self.count_read(integer, slot),
            Counted::Fixed(count) => Some(u64::from(count)),
        }
    }

    /// Elements.
    fn list<const SHOWN: bool>(&mut self, number: u32, named: Named<'_>) -> Option<()> {
        let plan = self.plan;
        let elements = &plan.lists[number as usize];
        let count = self.count_of(elements.count)?;
        if count > MOST_ELEMENTS {
            return None;
        }
        let kind = match elements.list {
            ListShow::Pairs => Item::Pairs as fn(u32) -> Item,
            ListShow::List | ListShow::Mute => Item::List,
        };
        let shown = SHOWN && elements.list != ListShow::Mute;
        let opened = shown.then(|| self.records.open(kind));
        let body = &plan.steps[elements.body.indexes()];
        if elements.size > 0 {
            let size = u64::from(elements.size);
            let length = count * size;
            if length > MOST_BYTES {
                return None;
            }
            let start = self.take(length)?;
            if shown && let [Step::Integer(integer, leaf)] = body {
                self.numbers(start, length, *integer, leaf);
            }
        } else if let Some(by) = elements.unique {
            self.differing::<SHOWN>(elements, named, count, by)?;
        } else {
            for _ in 0..count {
                self.steps::<SHOWN>(body, named)?;
            }
        }
        if let Some(at) = opened {
            self.records.close(at, kind);
        }
        Some(())
    }

    /// Shows numbers of one width that stand one after the other.
    fn numbers(&mut self, start: u64, length: u64, integer: Integer, leaf: &Leaf) {
        let width = usize::from(integer.width);
        if leaf.show == Show::Presented {
            let mut records = std::mem::take(&mut self.records);
            let mut at = start;
            while at < start + length {
                let bits = load(self.input.ahead(at), integer);
                self.present_bits(leaf.op, bits, &mut records);
                at += width as u64;
            }
            self.records = records;
            return;
        }
        let bytes = self.input.bytes(start, start + length);
        let items = &mut self.records.items;
        if leaf.show == Show::Unsigned && width == 8 && integer.endian == Endian::Little {
            let (chunks, _) = bytes.as_chunks::<8>();
            items.extend(
                chunks
                    .iter()
                    .map(|c| Item::Unsigned(u64::from_le_bytes(*c))),
            );
            return;
        }
        let chunks = bytes.chunks_exact(width);
        items.extend(chunks.map(|chunk| number_item(leaf.show, load(chunk, integer))));
    }

    /// Elements that differ in a key, few of them.
    fn differing<const SHOWN: bool>(
        &mut self,
        elements: &Elements,
        named: Named<'_>,
        count: u64,
        by: CodeId,
    ) -> Option<()> {
        let plan = self.plan;
        let body = &plan.steps[elements.body.indexes()];
        let rule = match plan.op(elements.op).kind {
            Kind::Repeat(repeat) => plan.repeats[repeat as usize].unique.first()?.rule,
            _ => None,
        };
        let mut keys = [Value::Absent; FEW];
        for number in 0..usize::try_from(count).ok()? {
            let start = self.position;
            self.steps::<SHOWN>(body, named)?;
            let key = self.evaluate(by, Value::Absent);
            let comparable = key.integer().is_some() || self.text_of(key).is_some();
            let (known, rest) = keys.split_at_mut_checked(number)?;
            comparable.then_some(())?;
            if known.iter().any(|known| self.equal(*known, key)) {
                self.tolerated(elements.op, rule, start)?;
            }
            *rest.first_mut()? = key;
        }
        Some(())
    }
}

/// The rule of an operation's only test.
fn plan_check(plan: &Plan, op: OpId) -> Option<Option<u32>> {
    let first = plan.op(op).checks.0.0 as usize;
    plan.checks.get(first).map(|check| check.rule)
}

/// A number as a record shows it.
#[inline]
fn number_item(show: Show, bits: u64) -> Item {
    match show {
        Show::Signed if bits.cast_signed() < 0 => Item::Signed(bits.cast_signed()),
        Show::Bool => Item::Bool(bits != 0),
        Show::Float32 => Item::F32(u32::try_from(bits).unwrap_or_default()),
        Show::Float64 => Item::F64(bits),
        _ => Item::Unsigned(bits),
    }
}
