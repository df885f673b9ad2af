//! Stores the values that expressions read: the slots, which contain the values of fields, and the
//! registers.

use tracegauge_plan::formula::{Layout, NumberId, Operation, Rows, number};
use tracegauge_plan::terms::RegisterId;
use tracegauge_plan::{Plan, Slot};

use crate::value::Value;

/// The memory of a machine.
///
/// Most values are integers of at most 64 bits. They are stored as plain numbers, so that formulas
/// can use them. For any other value, the number says that the value is stored separately.
#[derive(Clone, Debug)]
pub struct Memory {
    layout: Layout,
    /// The numbers, in the order of the layout.
    numbers: Vec<i64>,
    /// For each slot and register, the value if its number is [`number::OTHER`].
    others: Vec<Value>,
}

impl Memory {
    /// Returns the memory before the first byte.
    pub fn new(plan: &Plan) -> Self {
        let layout = Layout::of(plan);
        let mut memory = Self {
            layout,
            numbers: layout.memory(&plan.numbers),
            others: vec![Value::Absent; layout.variables() as usize],
        };
        memory.reset_registers(plan);
        memory
    }

    /// Gives all registers their initial values.
    pub fn reset_registers(&mut self, plan: &Plan) {
        for (register, described) in plan.registers.entries() {
            self.set_register(register, described.initial);
        }
    }

    /// Returns the value in a slot.
    #[inline(always)]
    pub fn slot(&self, slot: Slot) -> Value {
        self.value(self.layout.slot(slot))
    }

    /// Sets the value in a slot.
    #[inline(always)]
    pub fn set(&mut self, slot: Slot, value: Value) {
        self.set_value(self.layout.slot(slot), value);
    }

    /// Returns the integer in a register, if any.
    #[inline]
    pub fn register(&self, register: RegisterId) -> Option<i128> {
        self.value(self.layout.register(register)).integer()
    }

    /// Sets the integer in a register.
    #[inline]
    pub fn set_register(&mut self, register: RegisterId, value: Option<i128>) {
        let value = value.map_or(Value::Absent, Value::Int);
        self.set_value(self.layout.register(register), value);
    }

    /// Returns the value of a slot or register.
    #[inline(always)]
    pub fn value(&self, at: NumberId) -> Value {
        match self.numbers[at.index()] {
            plain if number::is_plain(plain) => Value::Int(i128::from(plain)),
            number::ABSENT => Value::Absent,
            number::FALSE => Value::Bool(false),
            number::TRUE => Value::Bool(true),
            _ => self.others[at.index()],
        }
    }

    /// Sets the value of a slot or register.
    #[inline(always)]
    pub fn set_value(&mut self, at: NumberId, value: Value) {
        let number = match value {
            Value::Int(integer) => number::of(integer),
            Value::Absent => number::ABSENT,
            Value::Bool(truth) => number::of_truth(truth),
            _ => number::OTHER,
        };
        self.numbers[at.index()] = number;
        if number == number::OTHER {
            self.others[at.index()] = value;
        }
    }

    /// Returns the number at a place.
    #[inline(always)]
    pub fn number(&self, at: NumberId) -> i64 {
        self.numbers[at.index()]
    }

    /// Sets the number at a place.
    #[inline(always)]
    pub fn set_number(&mut self, at: NumberId, number: i64) {
        self.numbers[at.index()] = number;
    }

    /// Sets the unsigned integer at a place.
    #[inline(always)]
    pub fn set_unsigned(&mut self, at: NumberId, integer: u64) {
        let number = number::of_unsigned(integer);
        self.numbers[at.index()] = number;
        if number == number::OTHER {
            self.others[at.index()] = Value::Int(i128::from(integer));
        }
    }

    /// Returns the order of the numbers.
    #[inline(always)]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// Returns the values of slots and registers whose numbers say that the values are stored
    /// separately.
    #[inline(always)]
    pub fn others(&self) -> &[Value] {
        &self.others
    }

    /// Returns the row in a slot, if any.
    #[inline(always)]
    pub fn row(&self, slot: Slot) -> Option<u32> {
        let at = self.layout.slot(slot).index();
        match (self.numbers[at], &self.others[at]) {
            (number::OTHER, Value::Row(row)) => Some(*row),
            _ => None,
        }
    }

    /// Stores a row in a slot.
    #[inline(always)]
    pub fn set_row(&mut self, slot: Slot, row: u32) {
        let at = self.layout.slot(slot);
        self.numbers[at.index()] = number::OTHER;
        self.others[at.index()] = Value::Row(row);
    }

    /// Performs operations on the numbers. `rows` creates a view of the rows from the values that
    /// are not numbers.
    #[inline(always)]
    pub fn run<'m, R: Rows>(
        &'m mut self,
        operations: &[Operation],
        rows: impl FnOnce(&'m [Value]) -> R,
    ) {
        let rows = rows(&self.others);
        for operation in operations {
            operation.run(&mut self.numbers, &rows);
        }
    }

    /// Returns the slots whose values are not numbers.
    pub fn stored_separately(&mut self) -> impl Iterator<Item = (usize, &mut Value)> {
        let others = self.others.iter_mut().zip(&self.numbers).enumerate();
        others.filter_map(|(at, (value, known))| (*known == number::OTHER).then_some((at, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn memory() -> Memory {
        Memory::new(&Plan {
            slots: 2,
            ..Plan::default()
        })
    }

    quickcheck! {
        fn a_slot_contains_the_integer_that_was_stored(integer: i128, small: i64) -> bool {
            [integer, i128::from(small), i128::from(i64::MIN), i128::from(i64::MIN) + 3]
                .into_iter()
                .all(|integer| {
                    let mut memory = memory();
                    memory.set(Slot(1), Value::Int(integer));
                    memory.slot(Slot(1)) == Value::Int(integer)
                        && memory.slot(Slot(0)) == Value::Absent
                })
        }

        fn an_unsigned_integer_keeps_its_value(integer: u64) -> bool {
            let mut memory = memory();
            let at = memory.layout().slot(Slot(0));
            memory.set_unsigned(at, integer);
            memory.slot(Slot(0)) == Value::Int(i128::from(integer))
        }
    }

    #[test]
    fn slots_contain_values_of_every_kind() {
        let mut memory = memory();
        for value in [
            Value::Bool(true),
            Value::Bool(false),
            Value::Float(0.5),
            Value::Row(7),
            Value::Absent,
            Value::Int(0),
        ] {
            memory.set(Slot(0), value);
            assert_eq!(memory.slot(Slot(0)), value);
        }
    }
}
