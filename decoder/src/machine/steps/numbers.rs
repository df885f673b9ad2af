//! Evaluates formulas on the memory of a machine.

use tracegauge_plan::formula::{Formula, NumberId, Rows, number};
use tracegauge_plan::terms::TableId;
use tracegauge_plan::{
    Arena, ColumnRef, EffectsId, Slot, StepTest, StepTestKind, StepTestsId, Target,
};

use super::Change;
use crate::input::Input;
use crate::machine::Machine;
use crate::state::{Cell, Table};
use crate::value::Value;
use crate::visitor::Visitor;

/// The rows that formulas read.
pub(super) struct View<'m> {
    pub(super) others: &'m [Value],
    pub(super) tables: &'m Arena<TableId, Table>,
    /// The index of each enclosing list element, outermost first.
    pub(super) trail: &'m [u64],
}

impl View<'_> {
    #[inline(always)]
    fn cell(&self, place: u32, column: ColumnRef) -> i64 {
        let row = self.tables[column.table].row(place);
        match row.and_then(|row| row.cells.get(column.column.index())) {
            None | Some(Cell::Absent) => number::ABSENT,
            Some(Cell::Int(integer)) => number::of(*integer),
            Some(Cell::Bool(truth)) => number::of_truth(*truth),
            Some(Cell::Float(_) | Cell::Bytes(_) | Cell::Tree(_)) => number::OTHER,
        }
    }
}

impl Rows for View<'_> {
    #[inline(always)]
    fn column(&self, key: u64, column: ColumnRef) -> i64 {
        match self.tables[column.table].find(key) {
            Some(place) => self.cell(place, column),
            None => number::ABSENT,
        }
    }

    #[inline(always)]
    fn row_column(&self, row: Slot, column: ColumnRef) -> i64 {
        match self.others.get(row.index()) {
            Some(Value::Row(place)) => self.cell(*place, column),
            _ => number::ABSENT,
        }
    }

    #[inline(always)]
    fn index(&self, level: u32) -> i64 {
        let at = self.trail.len().checked_sub(1 + level as usize);
        let index = at.and_then(|at| self.trail.get(at));
        index.map_or(number::ABSENT, |index| number::of_unsigned(*index))
    }
}

impl<I: Input, V: Visitor> Machine<'_, I, V> {
    /// Evaluates a formula.
    #[inline(always)]
    pub(crate) fn formula(&mut self, formula: Formula) -> i64 {
        if formula.first != formula.end {
            let operations = formula.first as usize..formula.end as usize;
            let (tables, trail) = (&self.state.tables, &self.enclosing.trail);
            let rows = |others| View {
                others,
                tables,
                trail,
            };
            self.memory.run(&self.plan.operations[operations], rows);
        }
        self.memory.number(formula.result)
    }

    /// Returns whether the expression of a formula is true.
    #[inline(always)]
    pub(crate) fn is_true(&mut self, formula: Formula) -> bool {
        let number = self.formula(formula);
        number::truth(number).unwrap_or_else(|| self.truth(formula.code))
    }

    /// Returns the integer that the expression of a formula yields, if any.
    #[inline(always)]
    pub(super) fn integer_of(&mut self, formula: Formula) -> Option<i128> {
        match self.formula(formula) {
            plain if number::is_plain(plain) => Some(i128::from(plain)),
            number::ABSENT => None,
            _ => self.exact_integer(formula),
        }
    }

    /// Returns the amount that the expression of a formula yields, if it is not negative.
    #[inline(always)]
    pub(crate) fn amount_of(&mut self, formula: Formula) -> Option<u64> {
        match self.formula(formula) {
            plain @ 0.. => Some(plain.cast_unsigned()),
            _ => u64::try_from(self.exact_integer(formula)?).ok(),
        }
    }

    #[cold]
    fn exact_integer(&mut self, formula: Formula) -> Option<i128> {
        self.evaluate(formula.code, Value::Absent).integer()
    }

    /// Returns whether a number passes all tests of a list. A number of which formulas cannot tell
    /// does not pass.
    #[inline(always)]
    pub(super) fn passes_all(&mut self, tests: StepTestsId, this: i64) -> bool {
        let place = self.memory.layout().this();
        self.memory.set_number(place, this);
        let mut tests = self.plan.step_tests[tests].tests.iter();
        tests.all(|test| self.passes_one(test, this))
    }

    #[inline(always)]
    fn passes_one(&mut self, test: &StepTest, this: i64) -> bool {
        if let Some(condition) = test.condition {
            match number::truth(self.formula(condition)) {
                Some(true) => {}
                Some(false) => return true,
                None => return false,
            }
        }
        match test.kind {
            StepTestKind::Least(bound) => {
                let bound = self.formula(bound);
                number::is_plain(bound) && number::is_plain(this) && this >= bound
                    || is_incomparable(this, bound)
            }
            StepTestKind::Greatest(bound) => {
                let bound = self.formula(bound);
                number::is_plain(bound) && number::is_plain(this) && this <= bound
                    || is_incomparable(this, bound)
            }
            StepTestKind::Equal(wanted) => {
                let wanted = self.formula(wanted);
                number::is_plain(wanted) && this == wanted
            }
            StepTestKind::Member(set) => {
                number::is_plain(this) && self.is_member(set, i128::from(this))
            }
            StepTestKind::Holds(formula) => number::truth(self.formula(formula)) == Some(true),
        }
    }

    /// Applies the assignments at the end of a structure.
    pub(super) fn assign_all(&mut self, effects: EffectsId) {
        let plan = self.plan;
        let sets = &plan.effects[effects].sets;
        for (assignment, set) in plan.assignments[effects].iter().zip(sets) {
            if let Some(condition) = assignment.condition {
                match number::truth(self.formula(condition)) {
                    Some(true) => {}
                    Some(false) => continue,
                    None => {
                        self.set(set);
                        continue;
                    }
                }
            }
            let value = self.formula(assignment.value);
            let is_assigned = match value {
                plain if number::is_plain(plain) => self.assign(assignment.target, plain),
                number::ABSENT => self.assign(assignment.target, value),
                _ => false,
            };
            if !is_assigned {
                self.set(set);
            }
        }
    }

    /// Assigns a plain number or no value. Returns `false` if the formula of the key has no number.
    #[inline(always)]
    fn assign(&mut self, target: Target, value: i64) -> bool {
        match target {
            Target::Register(register) => {
                self.memory.set_number(register, value);
                true
            }
            Target::Column(key, column) => {
                let key = self.formula(key);
                self.store_cell(key, column, value)
            }
        }
    }

    /// Replaces the number in a slot if the number of a formula is greater, or less. Returns `false`
    /// if one of the two is not a plain number.
    #[inline(always)]
    pub(in crate::machine) fn fold_numbers(
        &mut self,
        slot: Slot,
        formula: Formula,
        greatest: bool,
    ) -> bool {
        let new = self.formula(formula);
        let place = self.memory.layout().slot(slot);
        let known = self.memory.number(place);
        if !number::is_plain(known) || !number::is_plain(new) {
            return false;
        }
        if (greatest && new > known) || (!greatest && new < known) {
            self.memory.set_number(place, new);
        }
        true
    }

    /// Records the value at a place, which is not a number.
    #[cold]
    fn note_value(&mut self, at: NumberId) {
        self.undone_values.push(self.memory.value(at));
        self.undone.push(Change::Value(at));
    }

    /// Records the value at a place before a step changes it.
    #[inline(always)]
    pub(super) fn note_change(&mut self, at: NumberId) {
        let before = self.memory.number(at);
        if before == number::OTHER {
            self.note_value(at);
        } else {
            self.undone.push(Change::Number(at, before));
        }
    }
}

/// Returns whether a plain number is compared with no value, which it passes.
#[cold]
fn is_incomparable(this: i64, bound: i64) -> bool {
    number::is_plain(this) && bound == number::ABSENT
}
