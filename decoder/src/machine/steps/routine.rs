//! Runs routines, whose instructions replace steps.

use tracegauge_plan::formula::{NumberId, Operation, number};
use tracegauge_plan::routine::{Addition, Instruction, Routine, Source};
use tracegauge_plan::terms::{EnumId, VariableKind};
use tracegauge_plan::{ColumnRef, Integer, RefsId, Step};

use super::numbers::View;
use super::{Change, NAMELESS, Named};
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
        // Only what the loop itself needs stays in registers, so most of the work is in separate
        // functions.
        let mut memory = self.memory.take_numbers();
        let mut start = self.position;
        let mut rest = routine.instructions.iter();
        while let Some(instruction) = rest.next() {
            let numbers = memory.as_mut_slice();
            let goes_on = match instruction {
                Instruction::Skip(size) => {
                    start = self.position;
                    self.take(u64::from(*size)).is_some()
                }
                Instruction::Fixed(integer, place) => {
                    start = self.position;
                    self.read_fixed(*integer, &mut numbers[place.index()])
                }
                Instruction::Variable(kind, bits, place) => {
                    start = self.position;
                    self.read_variable(*kind, *bits, &mut numbers[place.index()])
                }
                Instruction::Note(place) => {
                    self.note_number(*place, numbers[place.index()]);
                    true
                }
                Instruction::Sum(addition) => {
                    let sum = sum(numbers, addition);
                    if let Some(sum) = sum {
                        let to = addition.to;
                        self.note_number(to, numbers[to.index()]);
                        numbers[to.index()] = sum;
                    }
                    sum.is_some()
                }
                Instruction::Limit(place, limit) => numbers[place.index()] <= *limit,
                Instruction::Store(place, constant) => {
                    numbers[place.index()] = *constant;
                    true
                }
                Instruction::Copy(to, from) => {
                    let number = numbers[from.index()];
                    let is_usable = is_plain_or_absent(number);
                    if is_usable {
                        numbers[to.index()] = number;
                    }
                    is_usable
                }
                Instruction::Maximum(to, one, other) => {
                    let (one, other) = (numbers[one.index()], numbers[other.index()]);
                    let are_plain = number::is_plain(one) && number::is_plain(other);
                    if are_plain {
                        numbers[to.index()] = one.max(other);
                    }
                    are_plain
                }
                Instruction::Minimum(to, one, other) => {
                    let (one, other) = (numbers[one.index()], numbers[other.index()]);
                    let are_plain = number::is_plain(one) && number::is_plain(other);
                    if are_plain {
                        numbers[to.index()] = one.min(other);
                    }
                    are_plain
                }
                Instruction::Choose(to, condition, then, otherwise) => {
                    let truth = number::truth(numbers[condition.index()]);
                    let chosen = if truth == Some(true) { then } else { otherwise };
                    numbers[to.index()] = numbers[chosen.index()];
                    truth.is_some()
                }
                Instruction::Else(to, first, second) => {
                    numbers[to.index()] = match numbers[first.index()] {
                        number::ABSENT => numbers[second.index()],
                        first => first,
                    };
                    true
                }
                Instruction::Operate(operation) => {
                    self.operate(operation, numbers);
                    true
                }
                Instruction::Unless(place, count) => {
                    let truth = number::truth(numbers[place.index()]);
                    if truth == Some(false) {
                        let after = rest.as_slice().get(*count as usize..);
                        rest = after.unwrap_or_default().iter();
                    }
                    truth.is_some()
                }
                Instruction::Least(this, bound) => {
                    let bound = numbers[bound.index()];
                    numbers[this.index()] >= bound && is_plain_or_absent(bound)
                }
                Instruction::Greatest(this, bound) => {
                    let bound = numbers[bound.index()];
                    let passes = number::is_plain(bound) && numbers[this.index()] <= bound;
                    passes || bound == number::ABSENT
                }
                Instruction::Equal(this, wanted) => {
                    numbers[this.index()] == numbers[wanted.index()]
                }
                Instruction::True(place) => number::truth(numbers[place.index()]) == Some(true),
                Instruction::False(place) => number::truth(numbers[place.index()]) == Some(false),
                Instruction::Member(set, place) => {
                    self.is_small_member(*set, numbers[place.index()])
                }
                Instruction::Among(known, place) => {
                    let number = numbers[place.index()];
                    (0..32).contains(&number) && known >> number & 1 != 0
                }
                Instruction::Reference(refs, place) => {
                    self.refer(*refs, numbers[place.index()], numbers)
                }
                Instruction::Column { key, column, value } => {
                    self.store_cell(numbers[key.index()], *column, numbers[value.index()])
                }
                Instruction::Leave => false,
            };
            if !goes_on {
                self.memory.put_numbers(memory);
                let index = routine.instructions.len() - rest.len() - 1;
                let next = self.leave::<SHOWN>(routine, (index, start), named, word)?;
                memory = self.memory.take_numbers();
                rest = routine.instructions.get(next..)?.iter();
            }
        }
        self.memory.put_numbers(memory);
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
                match steps {
                    [Step::Part(size, body, op)] => {
                        self.part_steps::<SHOWN>(*size, *body, *op, named)?;
                    }
                    steps => self.steps_after::<SHOWN>(steps, named, word)?,
                }
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

    /// Reads an integer that occupies a whole number of bytes. Returns `false` if its bytes are
    /// missing or it is not a plain number.
    #[inline(never)]
    fn read_fixed(&mut self, integer: Integer, to: &mut i64) -> bool {
        let before = self.position;
        let Some(bits) = self.whole(integer) else {
            return false;
        };
        let number = match integer.signed {
            true => number::of_signed(bits.cast_signed()),
            false => number::of_unsigned(bits),
        };
        if number == number::OTHER {
            self.position = before;
            return false;
        }
        *to = number;
        true
    }

    /// Reads a variable-length integer. Returns `false` if it is incomplete, may break a rule, or is
    /// not a plain number.
    #[inline(never)]
    fn read_variable(&mut self, kind: VariableKind, bits: u8, to: &mut i64) -> bool {
        let Some((bits, length)) = self.plain_variable(kind, bits) else {
            return false;
        };
        let number = match kind {
            VariableKind::Unsigned => number::of_unsigned(bits),
            VariableKind::ZigZag | VariableKind::Signed => number::of_signed(bits.cast_signed()),
        };
        if number == number::OTHER {
            return false;
        }
        *to = number;
        self.position += u64::from(length);
        true
    }

    /// Notes a number that is about to change.
    #[inline(always)]
    fn note_number(&mut self, place: NumberId, number: i64) {
        self.undone.push(match number {
            number::OTHER => Change::Value(place, self.memory.other(place)),
            plain => Change::Number(place, plain),
        });
    }

    /// Performs an operation of a formula.
    #[inline(never)]
    fn operate(&self, operation: &Operation, numbers: &mut [i64]) {
        let rows = View {
            others: self.memory.others(),
            tables: &self.state.tables,
            trail: &self.enclosing.trail,
        };
        operation.run(numbers, &rows);
    }

    /// Returns whether a number from 0 to 255 is a member of an enumeration.
    #[inline]
    fn is_small_member(&self, set: EnumId, number: i64) -> bool {
        u8::try_from(number).is_ok() && self.is_member(set, i128::from(number))
    }

    /// Finds the row with a key. Returns `false` if there is no such row.
    #[inline(never)]
    fn refer(&mut self, refs: RefsId, key: i64, numbers: &mut [i64]) -> bool {
        let refs = &self.plan.refs[refs];
        let row = u64::try_from(key).ok();
        let row = row.and_then(|key| self.state.tables[refs.table].find(key));
        let Some(row) = row else {
            return false;
        };
        if let Some(slot) = refs.row_slot {
            numbers[slot.index()] = number::OTHER;
            self.memory.set_other(slot, Value::Row(row));
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

/// Adds numbers. Returns `None` if an operand or the sum is not a plain number that is not negative.
#[inline(always)]
fn sum(numbers: &[i64], addition: &Addition) -> Option<i64> {
    let operand = |place: NumberId| match numbers[place.index()] {
        number::ABSENT => 0,
        number => number,
    };
    let (base, wire) = (operand(addition.base), operand(addition.wire));
    let then = operand(addition.then);
    if base < 0 || wire < 0 || then < 0 {
        return None;
    }
    let [base, wire, then] = [base, wire, then].map(i64::cast_unsigned);
    // Two numbers of 63 bits cannot exceed 64 bits.
    let (sum, is_over) = (base + wire).overflowing_add(then);
    let sum = match addition.bits {
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
