//! Reads sized parts, and values whose layout is defined by the trace itself.

use tracegauge_plan::terms::{FaultKind, TableId};
use tracegauge_plan::{ColumnRef, Extent, LayoutSource, LayoutUseId, Op, OpId, RowSource, flags};

use super::complaint::shortage;
use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::state::DescribedField;
use crate::tree::{Node, Payload};
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Reads a part whose size is given by `extent`. The operations inside the part cannot read
    /// past its end.
    pub(super) fn sized(&mut self, id: OpId, op: &'p Op, extent: Extent) -> Flow {
        if self.directs() {
            return self.directed_part(id, op, extent);
        }
        let size = self.extent(id, op, extent)?;
        let end = self.position.saturating_add(size);
        if end > self.limit || !self.input.ensure(self.position, end) {
            self.past(id, op, size)?;
        }
        let end = end.min(self.input_end());
        let start = self.position;
        self.begin_span(id, op, start);
        let plan = self.plan;
        self.node(id, op, |machine| {
            let around = (machine.limit, machine.part_start);
            (machine.limit, machine.part_start) = (end, start);
            machine.enclosing.outer.push((around.1, around.0));
            machine.enclosing.parts += 1;
            let inside = OpId(id.0 + 1);
            let first = machine.kept.tree.nodes.len();
            let flow = machine.operation(inside, &plan.ops[inside.index()]);
            let flow = match flow {
                Err(Stop::Part) => {
                    machine.pass_to_last_value(first, start);
                    machine.residue(id, end);
                    Ok(())
                }
                Ok(()) if machine.position < end => machine.rest(id, op, end),
                other => other,
            };
            machine.enclosing.parts -= 1;
            machine.enclosing.outer.pop();
            (machine.limit, machine.part_start) = around;
            flow
        })?;
        self.after(id, op, start)
    }

    /// Reports the unclaimed bytes of a sized part, which are the bytes that no field reads.
    #[cold]
    pub(super) fn rest(&mut self, id: OpId, op: &'p Op, end: u64) -> Flow {
        let span = Span {
            start: self.position,
            end,
        };
        self.fault_at(id, op, FaultKind::Rest, span)?;
        self.residue(id, end);
        Ok(())
    }

    /// Skips unclaimed bytes, and stores them in the tree.
    pub(super) fn residue(&mut self, id: OpId, end: u64) {
        let span = Span {
            start: self.position,
            end,
        };
        if V::TREE && span.end > span.start {
            let bytes = self.input.bytes(span.start, span.end);
            let payload = self.kept.tree.keep(bytes);
            self.kept.tree.leaf(id, span, payload, 0);
        }
        self.position = end;
    }

    /// Moves back to the end of the last value among the nodes from `first` on, or to `start` if
    /// there is no such value. The bytes after that value are unclaimed.
    pub(super) fn pass_to_last_value(&mut self, first: usize, start: u64) {
        let nodes = self.kept.tree.nodes.get(first..).unwrap_or_default();
        let is_view = |node: &Node| matches!(node.payload, Payload::View(_));
        // Values that the fields of the part only point to may be stored after these fields, so the
        // bytes there may be claimed.
        if !V::TREE || nodes.iter().any(is_view) {
            return;
        }
        let values = nodes
            .iter()
            .filter(|node| matches!(node.payload, Payload::Bits(_) | Payload::Bytes { .. }));
        let end = values.map(|node| node.span.end).max().unwrap_or(start);
        self.position = self.position.min(end);
    }

    /// Reports a size that extends past the end of the enclosing sized part or the input.
    #[cold]
    pub(super) fn past(&mut self, id: OpId, op: &'p Op, size: u64) -> Flow {
        let rule = self.plan.faults[op.faults].of(FaultKind::Past);
        let in_part = self.enclosing.parts > 0 && self.position.saturating_add(size) > self.limit;
        let kind = match (in_part, rule) {
            (true, Some(_)) => FaultKind::Past,
            (true, None) => FaultKind::Short,
            (false, _) => FaultKind::Eof,
        };
        let span = Span {
            start: self.position,
            end: self.input_end(),
        };
        let left = span.end - span.start;
        self.fault_with(id, op, kind, span, format_args!("{}", shortage(size, left)))?;
        Err(self.ends_at(id, in_part))
    }

    /// Reports a negative size or count.
    #[cold]
    pub(super) fn negative(&mut self, id: OpId, op: &'p Op, number: i128) -> Flow {
        let span = Span {
            start: self.position,
            end: self.position,
        };
        self.fault_with(
            id,
            op,
            FaultKind::Negative,
            span,
            format_args!("{number}, expected a size or count of at least 0"),
        )
    }

    /// Reads values whose types are specified by a row or by a type code in the trace.
    pub(super) fn layout(&mut self, id: OpId, op: &'p Op, index: LayoutUseId) -> Flow {
        let start = self.position;
        if Self::PLAIN && self.row_steps(op, index) {
            return self.after(id, op, start);
        }
        // The names of described fields depend on the nodes around them, so these nodes must not be
        // discarded before the layout ends.
        let held = u32::from(V::PARTS);
        self.kept.holds += held;
        let flow = self.described_by(id, op, index);
        self.kept.holds -= held;
        flow?;
        self.after(id, op, start)
    }

    /// Reads the values of a layout, depending on the source of its type codes.
    fn described_by(&mut self, id: OpId, op: &'p Op, index: LayoutUseId) -> Flow {
        match self.plan.layouts[index].source {
            LayoutSource::Row(row, column) => {
                let Some(place) = self.row_place(row, Value::Absent) else {
                    return self.no_layout(op);
                };
                let Some(compiled) = self.compiled(column.table, place, column.column, index)
                else {
                    return self.no_layout(op);
                };
                self.node(id, op, |machine| {
                    machine.keep_layout(column.table, place, compiled);
                    machine.described(id, column.table, place, compiled)
                })
            }
            LayoutSource::Code(code) => {
                let code = self.evaluate(code, Value::Absent).integer();
                self.node(id, op, |machine| {
                    machine.enclosing.trail.push(0);
                    let flow = machine.single(id, index, code);
                    machine.enclosing.trail.pop();
                    flow
                })
            }
        }
    }

    /// Handles a layout whose row does not exist: no bytes are read, and the value is absent.
    fn no_layout(&mut self, op: &'p Op) -> Flow {
        if op.flags & flags::SLOT != 0 {
            self.memory.set(op.slot, Value::Absent);
        }
        Ok(())
    }

    /// Attaches a row's layout to the node that was opened last, regardless of which operation
    /// reads the fields of the layout.
    pub(super) fn keep_described(
        &mut self,
        row: RowSource,
        column: ColumnRef,
        layout: LayoutUseId,
    ) {
        if self.kept.keeping == 0 {
            return;
        }
        if let Some(place) = self.row_place(row, Value::Absent)
            && let Some(compiled) = self.compiled(column.table, place, column.column, layout)
        {
            self.keep_layout(column.table, place, compiled);
        }
    }

    /// Attaches a compiled layout to the node that was opened last.
    fn keep_layout(&mut self, table: TableId, place: u32, compiled: usize) {
        if self.kept.keeping == 0 {
            return;
        }
        let row = self.state.tables[table].row(place);
        let Some((_, layout)) = row.and_then(|row| row.layouts.get(compiled)) else {
            return;
        };
        self.kept.tree.layouts.push(std::sync::Arc::clone(layout));
        let index = u32::try_from(self.kept.tree.layouts.len() - 1).unwrap_or(u32::MAX);
        if let Some(node) = self.kept.tree.nodes.last_mut() {
            node.payload = Payload::Layout(index);
        }
    }

    fn described(&mut self, id: OpId, table: TableId, place: u32, compiled: usize) -> Flow {
        let row = self.state.tables[table].row(place);
        let nests = row
            .and_then(|row| row.layouts.get(compiled))
            .filter(|(_, layout)| layout.nests());
        let nests = nests.map(|(_, layout)| std::sync::Arc::clone(layout));
        self.enclosing.trail.push(0);
        let flow = match nests {
            Some(layout) => self.applied(id, layout),
            None => self.described_values(id, table, place, compiled),
        };
        self.enclosing.trail.pop();
        flow
    }

    fn described_values(&mut self, id: OpId, table: TableId, place: u32, compiled: usize) -> Flow {
        let plan = self.plan;
        let mut number = 0;
        loop {
            let row = self.state.tables[table].row(place);
            let field: Option<DescribedField> =
                row.and_then(|row| row.layouts[compiled].1.fields.get(number).copied());
            let Some(field) = field else { break };
            match (field.op, field.optional) {
                (Some(value), false) => self.operation(value, &plan.ops[value.index()])?,
                (None, _) => self.unknown_code(id)?,
                (Some(value), true) => self.optional(id, value)?,
            }
            number += 1;
            if let Some(last) = self.enclosing.trail.last_mut() {
                *last = number as u64;
            }
        }
        Ok(())
    }

    /// Reads a value that follows a presence byte.
    pub(super) fn optional(&mut self, id: OpId, value: OpId) -> Flow {
        let plan = self.plan;
        let tracegauge_plan::Kind::Layout(index) = plan.op(id).kind else {
            return Ok(());
        };
        let Some((_, presence)) = &plan.layouts[index].optional else {
            return Ok(());
        };
        let described = &plan.ops[presence.index()];
        self.operation(*presence, described)?;
        if self.memory.slot(described.slot).truth() {
            return self.operation(value, &plan.ops[value.index()]);
        }
        Ok(())
    }

    /// Reads one value whose type code is stored in the trace.
    fn single(&mut self, id: OpId, index: LayoutUseId, code: Option<i128>) -> Flow {
        let plan = self.plan;
        let codes = &plan.layouts[index].codes;
        match codes.iter().find(|known| Some(known.code) == code) {
            Some(known) => self.operation(known.op, &plan.ops[known.op.index()]),
            None => self.unknown_code(id),
        }
    }

    /// Reports an undeclared type code. Neither the value nor the bytes after it in the sized part
    /// can be read.
    #[cold]
    pub(super) fn unknown_code(&mut self, id: OpId) -> Flow {
        let plan = self.plan;
        let tracegauge_plan::Kind::Layout(index) = plan.op(id).kind else {
            return Ok(());
        };
        let layout = &plan.layouts[index];
        let span = Span {
            start: self.position,
            end: self.position,
        };
        // The violation is at the element, not at the list.
        let nested = self
            .layouts
            .applied
            .last()
            .is_some_and(|applied| applied.op == id);
        let path = match plan.children(id).next().filter(|_| nested) {
            Some(value) => self.path(value),
            None => self.of_list(|machine, number| machine.element_path(id, number)),
        };
        self.breach_at(
            id,
            layout.unknown,
            span,
            Some(path),
            format_args!("an undeclared type code"),
        )?;
        Err(self.ends_at(id, self.enclosing.parts > 0))
    }
}
