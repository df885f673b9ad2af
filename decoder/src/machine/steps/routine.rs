//! Runs routines, whose instructions replace steps.

use tracegauge_plan::codec::unfold;
use tracegauge_plan::formula::{NumberId, Operation, Rows as _, number};
use tracegauge_plan::routine::{Addition, Instruction, Routine, Source};
use tracegauge_plan::terms::{EnumId, VariableKind};
use tracegauge_plan::{ColumnRef, Integer, RefsId, Slot};

use super::numbers::View;
use super::{NAMELESS, Named};
use crate::input::Input;
use crate::machine::Machine;
use crate::state::Cell;
use crate::value::Value;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Does the work after an element of a list.
    #[inline]
    pub(in crate::machine) fn finish_element(&mut self, work: &Routine) {
        if !work.instructions.is_empty() {
            // Only steps can give up, and this work has none.
            let _ = self.routine::<false>(work, NAMELESS, (0, 0));
        }
    }

    /// Runs a routine after a word, given by its position and value. Returns `None` if the steps
    /// give up.
    pub(super) fn routine<const SHOWN: bool>(
        &mut self,
        routine: &Routine,
        named: Named<'_>,
        word: (u64, u64),
    ) -> Option<()> {
        let mut start = self.position;
        let mut rest = routine.instructions.iter();
        while let Some(instruction) = rest.next() {
            let goes_on = match instruction {
                Instruction::Skip(size) => {
                    start = self.position;
                    self.take(u64::from(*size)).is_some()
                }
                Instruction::Fixed(integer, place) => {
                    start = self.position;
                    let read = self.read_fixed(*integer);
                    self.store(*place, read)
                }
                Instruction::Variable(kind, bits, place) => {
                    start = self.position;
                    let read = self.read_variable(*kind, *bits);
                    self.store(*place, read)
                }
                Instruction::Replace(kind, bits, place) => {
                    start = self.position;
                    let read = self.read_variable(*kind, *bits);
                    self.store_noted(*place, read)
                }
                Instruction::Advance(bits, addition) => {
                    start = self.position;
                    let read = self.read_variable(VariableKind::Unsigned, *bits);
                    let sum = read.and_then(|wire| self.sum_of(addition, wire));
                    self.store_noted(addition.to, sum)
                }
                Instruction::Note(place) => {
                    self.note_change(*place);
                    true
                }
                Instruction::Sum(addition) => {
                    let sum = self.sum_of(addition, self.memory.number(addition.wire));
                    self.store_noted(addition.to, sum)
                }
                Instruction::Limit(place, limit) => self.memory.number(*place) <= *limit,
                Instruction::Store(place, constant) => {
                    self.memory.set_number(*place, *constant);
                    true
                }
                Instruction::Copy(to, from) => {
                    let number = Some(self.memory.number(*from));
                    self.store(*to, number.filter(|number| is_plain_or_absent(*number)))
                }
                Instruction::Maximum(to, one, other) => {
                    let both = self.both_plain(*one, *other);
                    self.store(*to, both.map(|(one, other)| one.max(other)))
                }
                Instruction::Minimum(to, one, other) => {
                    let both = self.both_plain(*one, *other);
                    self.store(*to, both.map(|(one, other)| one.min(other)))
                }
                Instruction::Choose(to, condition, then, otherwise) => {
                    let chosen = self.chosen_number(*condition, *then, *otherwise);
                    self.store(*to, chosen)
                }
                Instruction::Select(to, condition, then, otherwise) => {
                    let chosen = self.chosen_number(*condition, *then, *otherwise);
                    self.store(*to, chosen.filter(|number| is_plain_or_absent(*number)))
                }
                Instruction::Else(to, first, second) => {
                    let number = match self.memory.number(*first) {
                        number::ABSENT => self.memory.number(*second),
                        first => first,
                    };
                    self.memory.set_number(*to, number);
                    true
                }
                Instruction::RowColumn(to, row, column) => {
                    let number = self.row_number(*row, *column);
                    self.memory.set_number(*to, number);
                    true
                }
                Instruction::Operate(operation) => {
                    self.operate(operation);
                    true
                }
                Instruction::Unless(place, count) => {
                    let truth = number::truth(self.memory.number(*place));
                    if truth == Some(false) {
                        let after = rest.as_slice().get(*count as usize..);
                        rest = after.unwrap_or_default().iter();
                    }
                    truth.is_some()
                }
                Instruction::Least(this, bound) => {
                    let bound = self.memory.number(*bound);
                    self.memory.number(*this) >= bound && is_plain_or_absent(bound)
                }
                Instruction::Greatest(this, bound) => {
                    let bound = self.memory.number(*bound);
                    let passes = number::is_plain(bound) && self.memory.number(*this) <= bound;
                    passes || bound == number::ABSENT
                }
                Instruction::Equal(this, wanted) => {
                    self.memory.number(*this) == self.memory.number(*wanted)
                }
                Instruction::Differ(one, other) => {
                    let both = self.both_plain(*one, *other);
                    both.is_some_and(|(one, other)| one != other)
                }
                Instruction::True(place) => self.truth_at(*place) == Some(true),
                Instruction::False(place) => self.truth_at(*place) == Some(false),
                Instruction::Member(set, place) => {
                    self.is_small_member(*set, self.memory.number(*place))
                }
                Instruction::Among(known, place) => {
                    let number = self.memory.number(*place);
                    (0..32).contains(&number) && known >> number & 1 != 0
                }
                Instruction::Reference(refs, place) => {
                    self.refer(*refs, self.memory.number(*place))
                }
                Instruction::Column { key, column, value } => {
                    let (key, value) = (self.memory.number(*key), self.memory.number(*value));
                    self.store_cell(key, *column, value)
                }
                Instruction::Part(size, body, op) => {
                    self.part_steps::<SHOWN>(*size, *body, *op, named)?;
                    true
                }
                Instruction::Ahead(slot, body) => {
                    self.read_ahead(*slot, *body)?;
                    true
                }
                Instruction::Record(record) => {
                    self.complete(*record)?;
                    true
                }
                Instruction::Leave => false,
            };
            if !goes_on {
                let index = routine.instructions.len() - rest.len() - 1;
                let next = self.leave::<SHOWN>(routine, (index, start), named, word)?;
                rest = routine.instructions.get(next..)?.iter();
            }
        }
        Some(())
    }

    /// Does the work of an instruction in another way, given the index of the instruction and the
    /// position before the last value that instructions read. Returns the index of the instruction
    /// that follows.
    fn leave<const SHOWN: bool>(
        &mut self,
        routine: &Routine,
        (index, start): (usize, u64),
        named: Named<'_>,
        word: (u64, u64),
    ) -> Option<usize> {
        let plan = self.plan;
        let origin = routine.origins.get(index)?;
        for _ in 0..origin.notes {
            self.undo_one();
        }
        if origin.reads {
            self.position = start;
        }
        match origin.source {
            Source::Steps(first, count) => {
                let steps = routine.steps.get(first as usize..)?.get(..count as usize)?;
                self.steps_after::<SHOWN>(steps, named, word)?;
            }
            Source::Set(effects, index) => {
                self.set(plan.effects[effects].sets.get(index as usize)?);
            }
            Source::Fold(repeat, index) => {
                self.fold(plan.repeats[repeat].folds.get(index as usize)?);
            }
            Source::Previous(repeat, index) => {
                let previous = plan.repeats[repeat].previous.get(index as usize)?;
                let value = self.evaluate(previous.value, Value::Absent);
                self.memory.set(previous.slot, value);
            }
        }
        Some(origin.next as usize)
    }

    /// Stores a number. Returns `false` if there is none.
    #[inline(always)]
    fn store(&mut self, place: NumberId, number: Option<i64>) -> bool {
        if let Some(number) = number {
            self.memory.set_number(place, number);
        }
        number.is_some()
    }

    /// Stores a number and notes the number that it replaces. Returns `false` if there is none.
    #[inline(always)]
    fn store_noted(&mut self, place: NumberId, number: Option<i64>) -> bool {
        if let Some(number) = number {
            self.note_change(place);
            self.memory.set_number(place, number);
        }
        number.is_some()
    }

    /// Reads an integer that occupies a whole number of bytes. Returns `None` if its bytes are
    /// missing or it is not a plain number.
    #[inline(always)]
    fn read_fixed(&mut self, integer: Integer) -> Option<i64> {
        let before = self.position;
        let bits = self.whole(integer)?;
        let number = match integer.signed {
            true => number::of_signed(bits.cast_signed()),
            false => number::of_unsigned(bits),
        };
        if number == number::OTHER {
            self.position = before;
            return None;
        }
        Some(number)
    }

    /// Reads a variable-length integer. Returns `None` if it is incomplete, may break a rule, or is
    /// not a plain number.
    #[inline(always)]
    fn read_variable(&mut self, kind: VariableKind, bits: u8) -> Option<i64> {
        match self.input.ahead(self.position).first() {
            Some(byte @ ..0x80) if self.position < self.limit => {
                self.position += 1;
                Some(unfold(kind, u64::from(*byte), 7).cast_signed())
            }
            _ => self.read_long_variable(kind, bits),
        }
    }

    #[inline(never)]
    fn read_long_variable(&mut self, kind: VariableKind, bits: u8) -> Option<i64> {
        let (bits, length) = self.plain_variable(kind, bits)?;
        let number = match kind {
            VariableKind::Unsigned => number::of_unsigned(bits),
            VariableKind::ZigZag | VariableKind::Signed => number::of_signed(bits.cast_signed()),
        };
        if number == number::OTHER {
            return None;
        }
        self.position += u64::from(length);
        Some(number)
    }

    /// Adds numbers, one of which was read.
    #[inline(always)]
    fn sum_of(&self, addition: &Addition, wire: i64) -> Option<i64> {
        let (base, then) = (addition.base, addition.then);
        let others = [base, then].map(|place| self.memory.number(place));
        sum(others, wire, addition.bits)
    }

    /// Returns two numbers if both are plain.
    #[inline(always)]
    fn both_plain(&self, one: NumberId, other: NumberId) -> Option<(i64, i64)> {
        let (one, other) = (self.memory.number(one), self.memory.number(other));
        (number::is_plain(one) && number::is_plain(other)).then_some((one, other))
    }

    /// Returns the second number if the first is true, or the third if it is false.
    #[inline(always)]
    fn chosen_number(
        &self,
        condition: NumberId,
        then: NumberId,
        otherwise: NumberId,
    ) -> Option<i64> {
        let chosen = if self.truth_at(condition)? {
            then
        } else {
            otherwise
        };
        Some(self.memory.number(chosen))
    }

    #[inline(always)]
    fn truth_at(&self, place: NumberId) -> Option<bool> {
        number::truth(self.memory.number(place))
    }

    /// Returns a column of the row that a reference field stored in a slot.
    #[inline(always)]
    fn row_number(&self, row: Slot, column: ColumnRef) -> i64 {
        // A slot that contains a row contains no number.
        if self.memory.number(self.memory.layout().slot(row)) != number::OTHER {
            return number::ABSENT;
        }
        let rows = View {
            others: self.memory.others(),
            tables: &self.state.tables,
            trail: &self.enclosing.trail,
        };
        rows.row_column(row, column)
    }

    /// Performs an operation of a formula.
    #[inline(never)]
    fn operate(&mut self, operation: &Operation) {
        let (tables, trail) = (&self.state.tables, &self.enclosing.trail);
        let rows = |others| View {
            others,
            tables,
            trail,
        };
        self.memory.run(std::slice::from_ref(operation), rows);
    }

    /// Returns whether a number from 0 to 255 is a member of an enumeration.
    #[inline]
    fn is_small_member(&self, set: EnumId, number: i64) -> bool {
        u8::try_from(number).is_ok() && self.is_member(set, i128::from(number))
    }

    /// Finds the row with a key. Returns `false` if there is no such row.
    #[inline(never)]
    fn refer(&mut self, refs: RefsId, key: i64) -> bool {
        let refs = &self.plan.refs[refs];
        let row = u64::try_from(key).ok();
        let row = row.and_then(|key| self.state.tables[refs.table].find(key));
        let Some(row) = row else {
            return false;
        };
        if let Some(slot) = refs.row_slot {
            self.memory.set_row(slot, row);
        }
        true
    }

    /// Stores a number in a column of the row with a key, if there is such a row. Returns `false` if
    /// the key or the number is neither plain nor absent.
    #[inline(never)]
    pub(super) fn store_cell(&mut self, key: i64, column: ColumnRef, value: i64) -> bool {
        if !is_plain_or_absent(key) || !is_plain_or_absent(value) {
            return false;
        }
        let table = &mut self.state.tables[column.table];
        let place = u64::try_from(key).ok().and_then(|key| table.find(key));
        let row = place.and_then(|place| table.row_mut(place));
        match row.and_then(|row| row.cells.get_mut(column.column.index())) {
            None => {}
            Some(cell) if value == number::ABSENT => *cell = Cell::Absent,
            // A number replaces a number without dropping the old value.
            Some(Cell::Int(known)) => *known = i128::from(value),
            Some(cell) => *cell = Cell::Int(i128::from(value)),
        }
        true
    }
}

/// Adds numbers. An absent number counts as 0. Returns `None` if a number or the sum is not a plain
/// number that is not negative. If the sum wraps around, `bits` of it remain.
#[inline(always)]
fn sum([base, then]: [i64; 2], wire: i64, bits: u8) -> Option<i64> {
    let operand = |number| if number == number::ABSENT { 0 } else { number };
    let (base, wire, then) = (operand(base), operand(wire), operand(then));
    if base | wire | then < 0 {
        return None;
    }
    let [base, wire, then] = [base, wire, then].map(i64::cast_unsigned);
    // Two numbers of 63 bits cannot exceed 64 bits.
    let (sum, is_over) = (base + wire).overflowing_add(then);
    let sum = match bits {
        0 if is_over => return None,
        0 => sum,
        bits => sum & (u64::MAX >> (64 - u32::from(bits))),
    };
    i64::try_from(sum).ok()
}

/// Returns whether a number stands for itself or for no value.
#[inline(always)]
fn is_plain_or_absent(number: i64) -> bool {
    number::is_plain(number) || number == number::ABSENT
}
