//! Resolves references to rows, computes carried values, and compiles the layouts that rows
//! describe. A carried value is computed from an earlier value.

use std::rc::Rc;
use std::sync::Arc;

use tracegauge_plan::terms::{ColumnId, TableId};
use tracegauge_plan::{CarryId, Kind, LayoutUseId, Op, OpId, RefsId, flags};

use super::leaf::widen;
use super::{Flow, Machine};
use crate::input::Input;
use crate::state::{Cell, Pending, RowPrograms, compile_layout, compile_text};
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::{CarryMark, Mark, RowMark, Visitor};

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Resolves a reference to a row.
    #[inline]
    pub(super) fn reference(&mut self, id: OpId, start: u64, key: u64) -> Flow {
        let plan = self.plan;
        let Some(index) = plan.info(id).refs else {
            return Ok(());
        };
        let refs = &plan.refs[index];
        let place = self.state.tables[refs.table].find(key);
        if let Some(slot) = refs.row_slot {
            self.memory
                .set(slot, place.map_or(Value::Absent, Value::Row));
        }
        if V::MARKS && place.is_some() {
            self.named(id, index, key);
        }
        if place.is_some() && refs.condition.is_none() {
            return Ok(());
        }
        self.unknown_row(id, start, key, place.is_some())
    }

    /// Reports a reference to a row to the visitor, unless the condition of the reference does not
    /// hold.
    fn named(&mut self, id: OpId, index: RefsId, key: u64) {
        if self.refers(id, index, key) {
            let table = self.plan.refs[index].table;
            self.visitor
                .mark(id, Mark::Row(RowMark::Named, table, Some(key)));
        }
    }

    /// Returns whether the condition of a reference holds, in which `_` is the value of the field.
    fn refers(&mut self, id: OpId, index: RefsId, key: u64) -> bool {
        let plan = self.plan;
        let signed = plan.op(id).kind.is_signed() && plan.info(id).carry.is_none();
        let value = Value::Int(widen(key, signed));
        let condition = plan.refs[index].condition;
        condition.is_none_or(|condition| self.evaluate(condition, value).truth())
    }

    #[cold]
    fn unknown_row(&mut self, id: OpId, start: u64, key: u64, found: bool) -> Flow {
        let plan = self.plan;
        let Some(index) = plan.info(id).refs else {
            return Ok(());
        };
        let refs = &plan.refs[index];
        if found || !self.refers(id, index, key) {
            return Ok(());
        }
        if let Some(none) = refs.none
            && self.evaluate(none, Value::Absent).integer().map(bits_of) == Some(key)
        {
            return Ok(());
        }
        let span = Span {
            start,
            end: self.position,
        };
        if let Some(later) = refs.later.filter(|_| self.can_come(refs.table, key, start)) {
            if !self.state.tables[refs.table].pending.contains_key(&key) {
                let path = self.path(id);
                let pending = Pending {
                    dangling: refs.dangling,
                    later,
                    span,
                    path,
                    op: id,
                };
                self.state.tables[refs.table].pending.insert(key, pending);
            }
            return Ok(());
        }
        let table = &plan.tables[refs.table].name;
        let named = match plan.op(id).kind {
            Kind::Integer(integer) if integer.signed => i128::from(key.cast_signed()),
            _ => i128::from(key),
        };
        self.breach(
            id,
            refs.dangling,
            span,
            format_args!("the table `{table}` has no row {named}"),
        )?;
        self.drop_value(id, start, refs.dangling);
        Ok(())
    }

    /// Records the start of an element that may become a row when the element ends.
    pub(super) fn row_begins(&mut self, id: OpId, start: u64) {
        let plan = self.plan;
        let effects = plan.info(id).effects;
        let defines = effects.and_then(|index| plan.effects[index].defines.as_ref());
        if let Some(define) = defines.filter(|define| define.key.is_none()) {
            self.enclosing.begun.push((define.table, start));
        }
    }

    /// Returns whether the trace can still define the row that a reference at `start` refers to.
    fn can_come(&self, table: TableId, key: u64, start: u64) -> bool {
        // While a trace is being written, its parts may still move.
        if V::DIRECTS || !self.plan.tables[table].in_order {
            return true;
        }
        // A negative number is not a position.
        let ahead = key >= start && i64::try_from(key).is_ok();
        ahead || self.enclosing.begun.contains(&(table, key))
    }

    /// Computes a value from the previous value and the difference stored in the trace, which may be
    /// negative.
    pub(super) fn carried(&mut self, id: OpId, start: u64, wire: u64) -> Flow<u64> {
        let plan = self.plan;
        let Some(index) = plan.info(id).carry else {
            return Ok(wire);
        };
        let carry = &plan.carries[index];
        let from = self.carry_base(index);
        let stored = widen(wire, plan.op(id).kind.is_signed());
        let mut value = if carry.add {
            from.saturating_add(stored)
        } else {
            stored
        };
        if let Some(then) = carry.then {
            value = value.saturating_add(self.evaluate(then, Value::Absent).integer().unwrap_or(0));
        }
        let wrapped = carry.wraps.is_some_and(|bits| value >> bits != 0);
        if let Some(bits) = carry.wraps {
            value &= (1_i128 << bits) - 1;
        } else if !(0..=carry.greatest).contains(&value) {
            let span = Span {
                start,
                end: self.position,
            };
            let message = match value {
                ..0 => format!("{value}, expected at least 0"),
                _ => format!("{value}, expected at most {}", carry.greatest),
            };
            self.breach(id, carry.overflow, span, format_args!("{message}"))?;
            value &= carry.greatest;
        }
        let to = u64::try_from(value).unwrap_or_default();
        if V::MARKS {
            let carried = CarryMark {
                from,
                to,
                there: true,
                wrapped,
            };
            self.visitor.mark(id, Mark::Carried(carried));
        }
        Ok(to)
    }

    /// Stores a carried value, so that the next value of the field can be computed from it. Call
    /// this function after evaluating the tests and rules of the field, because these may compare
    /// the new value with the previous value.
    pub(super) fn carried_on(&mut self, id: OpId, bits: u64) {
        let carry = self.plan.info(id).carry;
        let register = carry.and_then(|index| self.plan.carries[index].moved());
        if let Some(register) = register {
            self.memory.set_register(register, Some(i128::from(bits)));
        }
    }

    fn carry_base(&self, index: CarryId) -> i128 {
        let carry = &self.plan.carries[index];
        let from_register = carry
            .register
            .and_then(|register| self.memory.register(register));
        let from_slot = || match self.memory.slot(carry.previous?) {
            Value::Int(value) => Some(value),
            _ => None,
        };
        from_register.or_else(from_slot).unwrap_or(0)
    }

    /// Returns whether a field that is omitted from the trace takes the value of the previous
    /// element.
    pub(super) fn carries_on(&self, id: OpId) -> bool {
        let carry = self.plan.info(id).carry;
        carry.is_some_and(|index| self.plan.carries[index].previous.is_some())
    }

    pub(super) fn carried_over(&mut self, id: OpId, op: &'p Op) -> Flow {
        let plan = self.plan;
        let Some(index) = plan.info(id).carry else {
            return Ok(());
        };
        let carry = &plan.carries[index];
        let previous = carry.previous.map(|slot| self.memory.slot(slot));
        if let Some(value) =
            previous.filter(|value| !matches!(value, Value::Int(_) | Value::Absent))
        {
            // A value that is not an integer is carried unchanged.
            self.memory.set(op.slot, value);
            if op.flags & flags::CHECKS != 0 {
                self.checks(id, op, self.position, value)?;
            }
            return Ok(());
        }
        let from = self.carry_base(index);
        let mut value = from;
        if let Some(then) = carry.then {
            value = value.saturating_add(self.evaluate(then, Value::Absent).integer().unwrap_or(0));
        }
        if let Some(bits) = carry.wraps {
            value &= (1_i128 << bits) - 1;
        } else if value > carry.greatest {
            let span = Span {
                start: self.position,
                end: self.position,
            };
            let message = format_args!("{value}, expected at most {}", carry.greatest);
            self.breach(id, carry.overflow, span, message)?;
            value &= carry.greatest;
        }
        let bits = u64::try_from(value).unwrap_or_default();
        if V::MARKS {
            let carried = CarryMark {
                from,
                to: bits,
                there: false,
                wrapped: false,
            };
            self.visitor.mark(id, Mark::Carried(carried));
        }
        self.memory.set(op.slot, Value::Int(widen(bits, false)));
        let start = self.position;
        if op.flags & flags::CHECKS != 0 {
            self.checks(id, op, start, Value::Int(value))?;
        }
        if op.flags & flags::REFS != 0 {
            self.reference(id, start, bits)?;
        }
        Ok(())
    }

    /// Returns the index of a compiled layout among the layouts of a row.
    #[inline]
    pub(super) fn compiled(
        &mut self,
        table: TableId,
        place: u32,
        column: ColumnId,
        layout: LayoutUseId,
    ) -> Option<usize> {
        let row = self.state.tables[table].row(place)?;
        let mut known = row.layouts.iter();
        if let Some(found) = known.position(|(known, _)| *known == layout)
            && !row.layouts[found].1.looked_up
        {
            return Some(found);
        }
        self.compile_row(table, place, column, layout)
    }

    #[cold]
    fn compile_row(
        &mut self,
        table: TableId,
        place: u32,
        column: ColumnId,
        layout: LayoutUseId,
    ) -> Option<usize> {
        let plan = self.plan;
        let row = self.state.tables[table].row(place)?;
        let text = plan.layouts[layout].text.is_some();
        let compiled = match row.cells.get(column.index()) {
            Some(Cell::Tree(list)) => {
                let list = Arc::clone(list);
                compile_layout(plan, layout, &list, &mut |name| {
                    self.name_looked_up(&list, name)
                })
            }
            Some(Cell::Bytes(described)) if text => compile_text(plan, layout, described),
            // If the text is absent, the row describes no fields.
            Some(Cell::Absent) if text => compile_text(plan, layout, &[]),
            _ => return None,
        };
        // The programs of a row contain the names of its fields.
        let programs = (Self::PLAIN && !compiled.looked_up)
            .then(|| Rc::new(RowPrograms::new(plan, &compiled, V::RECORDS)));
        let row = self.state.tables[table].row_mut(place)?;
        let mut known = row.layouts.iter();
        if let Some(found) = known.position(|(known, _)| *known == layout) {
            row.layouts[found].1 = Arc::new(compiled);
            return Some(found);
        }
        row.layouts.push((layout, Arc::new(compiled)));
        row.programs.push(programs);
        Some(row.layouts.len() - 1)
    }
}

/// Converts a number to the bits of a field.
pub(crate) fn bits_of(value: i128) -> u64 {
    match u64::try_from(value) {
        Ok(bits) => bits,
        Err(_) => i64::try_from(value).unwrap_or_default().cast_unsigned(),
    }
}
