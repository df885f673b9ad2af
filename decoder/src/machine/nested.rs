//! Reads values whose type codes contain other types, and values that are stored elsewhere, which
//! are called *located values*.
//!
//! A located value is read in two steps. The field itself contains only a word with the position of
//! the value. After reading all fields of the layout (the fields that a row describes), the machine
//! reads the values that the words point to, in the order of the words. These *views* may overlap
//! each other and the fields, so no byte belongs exclusively to one view. The bytes from the last
//! field to the end of the furthest view belong to the layout as a whole and are stored unchanged.

use std::sync::Arc;

use tracegauge_plan::terms::{Continuation, FaultKind, LocatedFrom};
use tracegauge_plan::{Kind, LocatedPlan, NestedForm, NestedId, Op, OpId, RulePlan, flags};

use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::stack;
use crate::state::{CompiledLayout, DescribedField};
use crate::tree::{NodeId, Payload, View};
use crate::value::{Value, amount};
use crate::verdict::Span;
use crate::visitor::{Mark, Visitor};

/// The maximum number of times, on average, that located values may read each byte of a layout.
/// Without this limit, elements that contain each other's positions would cause an endless loop.
const VIEWS: u64 = 16;

/// A layout that is being read.
#[derive(Debug)]
pub(crate) struct Applied {
    /// The layout's operation.
    pub op: OpId,
    layout: Arc<CompiledLayout>,
    /// The index in `layout.fields` of the field or element whose value is being read.
    field: usize,
    /// The position where the values begin.
    start: u64,
    /// The length of the machine's `trail` when the layout began.
    pub trail: usize,
    /// The number of bytes that located values have read.
    viewed: u64,
}

/// A word: an integer in the trace that contains the position of a value stored elsewhere.
#[derive(Clone, Debug)]
pub struct Word {
    /// The operation of the located value.
    pub op: OpId,
    /// The plan for reading the word.
    pub plan: LocatedPlan,
    /// The value of the word.
    pub value: u64,
    /// The position of the word's first byte.
    pub start: u64,
    /// The position that offsets are relative to.
    pub base: u64,
    /// The node of the word, if the tree contains it.
    pub node: Option<NodeId>,
    /// The size of an element in bytes, if it is fixed.
    pub element: Option<u64>,
    /// The index, among the entries of the layout, of the entry that describes the type of the
    /// elements.
    pub described: usize,
    /// Whether the elements are code units that together form one string.
    pub text: bool,
    /// Whether the elements themselves contain the positions of other values.
    pub words: bool,
    /// The indexes of the elements that enclose the word, starting at the layout.
    trail: Vec<u64>,
}

/// The location where an emitter (a visitor that writes the trace) stores a value.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// The position of the first byte.
    pub start: u64,
    /// The number of bytes.
    pub size: u64,
    /// Whether the emitter still has to write the bytes.
    pub fresh: bool,
}

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Reads the fields that a row describes, if some of these fields contain other fields.
    pub(super) fn applied(&mut self, id: OpId, layout: Arc<CompiledLayout>) -> Flow {
        let trail = self.enclosing.trail.len().saturating_sub(1);
        let fields = 0..layout.roots;
        self.layouts.applied.push(Applied {
            op: id,
            layout,
            field: 0,
            start: self.position,
            trail,
            viewed: 0,
        });
        let words = std::mem::take(&mut self.layouts.words);
        // Offsets may be counted from the start of the layout, so all bytes from there on must be
        // kept.
        self.kept.holds += 1;
        let directs = V::DIRECTS && self.directs();
        if directs {
            V::begin_layout(self, id);
        }
        let flow = self.fields_of(id, fields, None);
        let flow = self.views(id, flow);
        if directs {
            V::end_layout(self, id);
        }
        self.kept.holds -= 1;
        self.layouts.words = words;
        self.layouts.applied.pop();
        flow
    }

    /// Reads the fields that a row describes, in order. The last index of the trail is the index of
    /// the field.
    fn fields_of(
        &mut self,
        layout: OpId,
        fields: std::ops::Range<usize>,
        holder: Option<OpId>,
    ) -> Flow {
        for (number, field) in fields.enumerate() {
            if let Some(last) = self.enclosing.trail.last_mut() {
                *last = number as u64;
            }
            self.inside(holder, field);
            self.described_value(layout, field)?;
        }
        Ok(())
    }

    /// Returns an entry of the layout that is being read.
    fn field_at(&self, field: usize) -> Option<DescribedField> {
        self.layouts
            .applied
            .last()?
            .layout
            .fields
            .get(field)
            .copied()
    }

    /// Reports to the visitor that the value of `field` is read inside a value of the operation
    /// `holder`. Coverage counts such combinations.
    #[inline]
    fn inside(&mut self, holder: Option<OpId>, field: usize) {
        if V::MARKS
            && let Some(holder) = holder
            && let Some(value) = self.field_at(field).and_then(|field| field.op)
        {
            self.visitor.mark(value, Mark::Inside(holder));
        }
    }

    fn described_value(&mut self, layout: OpId, at: usize) -> Flow {
        let plan = self.plan;
        let Some(field) = self.field_at(at) else {
            return Ok(());
        };
        if field.nothing {
            return Ok(());
        }
        if let Some(applied) = self.layouts.applied.last_mut() {
            applied.field = at;
        }
        match (field.op, field.optional) {
            (Some(value), false) => self.operation(value, &plan.ops[value.index()]),
            (None, _) => self.unknown_code(layout),
            (Some(value), true) => self.optional(layout, value),
        }
    }

    /// Reads a value whose type code contains other type codes.
    pub(super) fn nested(&mut self, id: OpId, op: &'p Op, index: NestedId) -> Flow {
        let Some(applied) = self.layouts.applied.last() else {
            return Ok(());
        };
        let (layout, field) = (applied.op, applied.field);
        let start = self.position;
        // A trace may describe types that nest more deeply than the thread's stack allows.
        let flow = stack::deeper(|| {
            self.node(id, op, |machine| {
                machine.enclosing.trail.push(0);
                let flow = machine.nested_value(id, op, index, (layout, field));
                machine.enclosing.trail.pop();
                flow
            })
        });
        flow?;
        self.after(id, op, start)
    }

    fn nested_value(
        &mut self,
        id: OpId,
        op: &'p Op,
        index: NestedId,
        (layout, field): (OpId, usize),
    ) -> Flow {
        let plan = self.plan;
        let nested = &plan.nested[index];
        let Some(applied) = self.layouts.applied.last() else {
            return Ok(());
        };
        let inside = applied.layout.inside(field);
        let count = match &nested.form {
            NestedForm::Fields => return self.fields_of(layout, inside, Some(id)),
            NestedForm::Located(located) => return self.word(id, *located, inside.start),
            NestedForm::Described(_) => self.field_at(field).map_or(0, |field| field.count.into()),
            NestedForm::Counted(count) => {
                let number = self.enclosing.trail.pop();
                self.planned_elements(*count, inside.start, nested.none);
                let flow = self.operation(*count, &plan.ops[count.index()]);
                self.enclosing.trail.extend(number);
                flow?;
                let slot = plan.ops[count.index()].slot;
                self.memory.slot(slot).integer().unwrap_or(0)
            }
        };
        if let Some(slot) = nested.length_slot {
            self.memory.set(slot, Value::Int(count));
        }
        if nested.none == Some(count) {
            return Ok(());
        }
        if count < 0 {
            self.of_list(|machine, _| machine.negative(id, op, count))?;
        }
        let count = amount(count).unwrap_or(0);
        self.values(id, layout, inside.start, Some(count))
    }

    /// Tells the emitter about the elements, so that the emitter can choose them together with
    /// their count.
    fn planned_elements(&mut self, count: OpId, element: usize, none: Option<i128>) {
        if V::DIRECTS && self.directs() {
            let units = self.units_of(element);
            let each = self.field_at(element).and_then(|field| field.size);
            V::counted(self, count, units, each, none);
        }
    }

    /// If the elements are code units, returns the operation that presents a list of them as a
    /// string, and the size of an element in bytes.
    fn units_of(&self, element: usize) -> Option<(OpId, u64)> {
        let field = self.field_at(element)?;
        let layout = self.layouts.applied.last()?.layout.layout;
        let code = self.plan.layouts[layout].codes.get(field.code as usize)?;
        code.units.zip(field.size)
    }

    /// Reads elements of a type that the trace describes: a given number of elements, or all
    /// elements up to the end of the current part.
    fn values(&mut self, id: OpId, layout: OpId, element: usize, count: Option<u64>) -> Flow {
        if let Some((units, size)) = self.units_of(element) {
            let size = count.map(|count| count.saturating_mul(size));
            if size != Some(0) {
                self.inside(Some(id), element);
            }
            return self.code_units(units, size);
        }
        if self.field_at(element).is_none_or(|field| field.nothing) {
            return Ok(());
        }
        let mut number = 0;
        while count.map_or(self.position < self.limit, |count| number < count) {
            if let Some(last) = self.enclosing.trail.last_mut() {
                *last = number;
            }
            let before = self.position;
            self.bounded()?;
            self.inside(Some(id), element);
            self.described_value(layout, element)?;
            if self.position == before && !self.free_element() {
                return self.endless_values(id);
            }
            number += 1;
        }
        Ok(())
    }

    #[cold]
    fn endless_values(&mut self, id: OpId) -> Flow {
        let span = Span {
            start: self.position,
            end: self.position,
        };
        self.of_list(|machine, _| {
            machine.breach(
                id,
                None,
                span,
                format_args!("too many elements that occupy no bytes"),
            )
        })
    }

    /// Reads code units that together form one string.
    fn code_units(&mut self, id: OpId, size: Option<u64>) -> Flow {
        let op = &self.plan.ops[id.index()];
        let Kind::Text(_, encoding) = op.kind else {
            return Ok(());
        };
        let size = size.unwrap_or_else(|| self.limit.saturating_sub(self.position));
        if V::MARKS {
            self.visitor.mark(id, Mark::Enter);
        }
        // The text is the whole list, not one of its elements.
        self.of_list(|machine, _| {
            if V::DIRECTS && machine.directs() {
                V::put_units(machine, id, size);
                if let Some(stop) = machine.stopped() {
                    return Err(stop);
                }
            }
            machine.want(id, op, size)?;
            machine.text_here(id, op, size, encoding)
        })
    }

    /// Reads the word of a located value, which contains the position of the value.
    fn word(&mut self, id: OpId, plan: LocatedPlan, element: usize) -> Flow {
        let start = self.position;
        let number = self.enclosing.trail.pop();
        let word = &self.plan.ops[plan.word.index()];
        let flow = self.operation(plan.word, word);
        let base = match plan.from {
            LocatedFrom::EndOfField => self.position,
            LocatedFrom::StartOfLayout => self
                .layouts
                .applied
                .last()
                .map_or(0, |applied| applied.start),
        };
        if flow.is_ok() {
            let value = self.memory.slot(word.slot).integer().unwrap_or(0);
            let last = u32::try_from(self.kept.tree.nodes.len()).unwrap_or(u32::MAX);
            let outer = self
                .layouts
                .applied
                .last()
                .map_or(0, |applied| applied.trail);
            self.layouts.words.push(Word {
                op: id,
                plan,
                value: u64::try_from(value).unwrap_or(0),
                start,
                base,
                node: self.kept(word).then(|| last.saturating_sub(1)),
                element: self.field_at(element).and_then(|field| field.size),
                described: element,
                words: self.field_at(element).is_some_and(|field| field.located),
                text: self.units_of(element).is_some(),
                trail: self
                    .enclosing
                    .trail
                    .get(outer..)
                    .unwrap_or_default()
                    .to_vec(),
            });
        }
        self.enclosing.trail.extend(number);
        flow
    }

    /// Reads the values that the words of a layout point to. If the enclosing sized part ended
    /// inside the fields, follows only the words that were read.
    fn views(&mut self, layout: OpId, flow: Flow) -> Flow {
        if self.layouts.words.is_empty() && !(V::DIRECTS && self.directs()) {
            return flow;
        }
        if !matches!(flow, Ok(()) | Err(Stop::Part)) {
            return flow;
        }
        if V::DIRECTS && self.directs() {
            V::put_area(self, layout, !self.layouts.words.is_empty());
        }
        let fields_end = self.position;
        let mut furthest = fields_end;
        let mut next = 0;
        while let Some(word) = self.layouts.words.get_mut(next) {
            let trail = std::mem::take(&mut word.trail);
            let word = word.clone();
            next += 1;
            let outer = self
                .layouts
                .applied
                .last()
                .map_or(0, |applied| applied.trail);
            let around = self.enclosing.trail.split_off(outer);
            self.enclosing.trail.extend_from_slice(&trail);
            let viewed = self.view(layout, &word);
            self.enclosing.trail.truncate(outer);
            self.enclosing.trail.extend(around);
            furthest = furthest.max(viewed?);
        }
        flow?;
        if furthest > fields_end {
            self.area(layout, fields_end, furthest);
        }
        Ok(())
    }

    /// Consumes the bytes that follow the fields of a layout but belong to the layout.
    fn area(&mut self, layout: OpId, start: u64, end: u64) {
        if V::TREE {
            let payload = self.kept.tree.keep(self.input.bytes(start, end));
            self.kept.tree.leaf(layout, Span { start, end }, payload, 0);
        }
        self.position = end;
    }

    /// Reads the value that a word points to, and returns the end position of the value.
    fn view(&mut self, layout: OpId, word: &Word) -> Flow<u64> {
        let placed = if V::DIRECTS && self.directs() {
            V::place(self, word)
        } else {
            None
        };
        let (view, start, size, fresh) = match placed {
            Some(placed) => (View::Shown, placed.start, placed.size, placed.fresh),
            None => {
                let (offset, size) = word.plan.split(word.value);
                let start = word.base.saturating_add(offset);
                let (view, size) = self.viewable(word, start, size)?;
                (view, start, size, false)
            }
        };
        let view = match view {
            View::Shown if !self.affordable(size, start.saturating_add(size)) => View::Unread,
            other => other,
        };
        let (start, end) = match view {
            View::Missing => (self.position, self.position),
            View::Shown | View::Unread => (start, start + size),
        };
        let kept = self.kept(&self.plan.ops[word.op.index()]);
        let node = kept.then(|| self.kept.tree.open(word.op, start));
        if let Some(node) = node {
            self.kept.tree.nodes[node as usize].payload = Payload::View(view);
        }
        let flow = match view {
            View::Shown => self.look(layout, word, (start, end), fresh),
            View::Missing | View::Unread => Ok(()),
        };
        if let Some(node) = node {
            self.kept.tree.close(node, end);
        }
        flow.map(|()| end)
    }

    /// Reads the elements of a located value, which occupy the bytes between two positions.
    fn look(&mut self, layout: OpId, word: &Word, (start, end): (u64, u64), fresh: bool) -> Flow {
        let around = (self.position, self.limit, self.part_start);
        (self.position, self.limit, self.part_start) = (start, end, start);
        self.enclosing.parts += 1;
        self.layouts.viewing += u32::from(!fresh);
        self.enclosing.trail.push(0);
        let count = match word.element {
            Some(0) => Some(0),
            Some(size) => Some((end - start) / size),
            None => None,
        };
        let flow = self.values(word.op, layout, word.described, count);
        self.enclosing.trail.pop();
        self.layouts.viewing -= u32::from(!fresh);
        self.enclosing.parts -= 1;
        (self.position, self.limit, self.part_start) = around;
        match flow {
            // A view that ends early does not affect the part around its word.
            Err(Stop::Part) => Ok(()),
            other => other,
        }
    }

    /// Returns how a record presents the value that a word points to, and how many of the value's
    /// bytes are shown. `View::Missing` means that the position in the word is outside the trace.
    fn viewable(&mut self, word: &Word, start: u64, size: u64) -> Flow<(View, u64)> {
        let end = start.saturating_add(size);
        let span = Span {
            start: word.start,
            end: word.start + self.word_width(word),
        };
        if end > self.limit || !self.input.ensure(self.position, end) {
            self.out_of_range(word, end, span)?;
            return Ok((View::Missing, size));
        }
        let whole = match word.element {
            None => true,
            Some(0) => size == 0,
            Some(element) => size.is_multiple_of(element),
        };
        if !whole {
            let element = word.element.unwrap_or(0);
            self.breach(
                word.op,
                word.plan.multiple,
                span,
                format_args!("{size} bytes, expected a multiple of {element}"),
            )?;
            let multiple = word.plan.multiple.map(|rule| &self.plan.rules[rule]);
            let whole = multiple.and_then(RulePlan::chosen) == Some(Continuation::Whole);
            return Ok(match size.checked_rem(element) {
                Some(rest) if whole => (View::Shown, size - rest),
                _ => (View::Missing, size),
            });
        }
        Ok((View::Shown, size))
    }

    /// Returns whether views may read `size` more bytes. If so, counts these bytes as read.
    fn affordable(&mut self, size: u64, end: u64) -> bool {
        let here = self.position.max(end);
        let Some(applied) = self.layouts.applied.last_mut() else {
            return false;
        };
        let most = (here - applied.start).saturating_mul(VIEWS);
        let viewed = applied.viewed.saturating_add(size);
        let affordable = viewed <= most;
        if affordable {
            applied.viewed = viewed;
        }
        affordable
    }

    fn word_width(&self, word: &Word) -> u64 {
        match self.plan.op(word.plan.word).kind {
            Kind::Integer(integer) => u64::from(integer.width),
            _ => 0,
        }
    }

    /// Reports a word that points to bytes that do not exist.
    #[cold]
    fn out_of_range(&mut self, word: &Word, end: u64, span: Span) -> Flow {
        let op = &self.plan.ops[word.op.index()];
        let rule = self.plan.faults[op.faults].of(FaultKind::Past);
        let kind = match (self.enclosing.parts > 0 && end > self.limit, rule) {
            (_, Some(_)) => FaultKind::Past,
            (true, None) => FaultKind::Short,
            (false, None) => FaultKind::Eof,
        };
        let there = self.input_end();
        self.fault_with(
            word.op,
            op,
            kind,
            span,
            format_args!("expected bytes up to byte {end}, but the data ends at byte {there}"),
        )
    }

    /// Begins a structure that describes a type. Returns the number of types described before this
    /// type.
    pub(super) fn describing(&mut self) -> usize {
        self.layouts.describing += 1;
        self.layouts.extents.len()
    }

    /// Ends a structure that describes a type, and tests the types inside it.
    pub(super) fn described_type(
        &mut self,
        id: OpId,
        start: u64,
        before: usize,
        flow: Flow,
    ) -> Flow {
        self.layouts.describing -= 1;
        let inside = self
            .layouts
            .extents
            .split_off(before.min(self.layouts.extents.len()));
        let fixed = flow.and_then(|()| self.fixed_type(id, start, &inside))?;
        // A type that is not inside another type is never tested for a fixed size.
        if self.layouts.describing > 0 {
            self.layouts.extents.push(fixed);
        }
        Ok(())
    }

    /// Returns whether the described type has a fixed size.
    fn fixed_type(&mut self, id: OpId, start: u64, inside: &[bool]) -> Flow<bool> {
        let plan = self.plan;
        let Some(index) = plan.info(id).describes else {
            return Ok(true);
        };
        let describes = &plan.describes[index];
        let code = self.memory.slot(plan.op(describes.code).slot).integer();
        let Some(code) = code.and_then(|code| describes.code(code)) else {
            return Ok(true);
        };
        let held = inside.iter().all(|fixed| *fixed);
        if let (false, Some(rule)) = (held, code.fixed) {
            let span = Span {
                start,
                end: self.position,
            };
            self.breach(
                id,
                rule,
                span,
                format_args!("the size of this type varies, expected a fixed-size type"),
            )?;
        }
        Ok(match code.extent {
            tracegauge_plan::CodeExtent::Fixed => true,
            tracegauge_plan::CodeExtent::Variable => false,
            tracegauge_plan::CodeExtent::Inherited => held,
        })
    }

    /// Returns whether the structure describes a type. If so, the types inside it may have to be
    /// tested.
    #[inline]
    pub(super) fn is_description(op: &Op) -> bool {
        op.flags & flags::DESCRIBES != 0
    }
}
