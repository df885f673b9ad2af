//! Values of type codes that hold others, and values that stand elsewhere.
//!
//! A located value is read in two steps. Where it stands in its place there is only the word
//! that says where; once all fields of the layout are there, what the words name is looked at,
//! in the order of the words. Such views may overlap each other and the fields, so they claim
//! no bytes: the bytes from the last field to the end of the furthest view belong to the layout
//! as a whole, and are kept as they are.

use std::sync::Arc;

use tracegauge_spec::plan::{Kind, LocatedPlan, NestedForm, Op, OpId, RulePlan, flags};
use tracegauge_spec::schema::{Continuation, FaultKind, LocatedFrom};

use super::{Flow, Machine, STACK_LEFT, STACK_MORE, Stop};
use crate::input::Input;
use crate::state::{CompiledLayout, DescribedField};
use crate::tree::{NodeId, Payload, View};
use crate::value::Value;
use crate::verdict::Span;
use crate::visitor::{Mark, Visitor};

/// How often the bytes of a layout are looked at by its located values, on average, before no
/// more of them are followed. Words that name each other's elements could go on for ever.
const VIEWS: u64 = 16;

/// A layout that is being applied.
#[derive(Debug)]
pub(crate) struct Applied {
    /// The operation.
    pub op: OpId,
    layout: Arc<CompiledLayout>,
    /// The field whose value is read next.
    field: usize,
    /// Where the values begin.
    start: u64,
    /// How many numbers the trail had before.
    pub trail: usize,
    /// Bytes that located values have looked at.
    viewed: u64,
}

/// A word that says where a value stands.
#[derive(Clone, Debug)]
pub struct Word {
    /// The operation of the located value.
    pub op: OpId,
    /// How the word is read.
    pub plan: LocatedPlan,
    /// What it says.
    pub value: u64,
    /// Its first byte.
    pub start: u64,
    /// What offsets count from.
    pub base: u64,
    /// The node of the word, where it is kept.
    pub node: Option<NodeId>,
    /// The number of bytes of an element, where it is always the same.
    pub element: Option<u64>,
    /// The described type of its elements, as a number that is the same for the same type.
    pub described: usize,
    /// Its elements are code units, shown as one text.
    pub text: bool,
    /// They hold words in turn.
    pub words: bool,
    /// Numbers from the layout inward.
    trail: Vec<u64>,
}

/// Where a director has put a value.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// First byte.
    pub start: u64,
    /// Bytes.
    pub size: u64,
    /// They are to be put.
    pub fresh: bool,
}

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// The described fields of a row, some of which hold others.
    pub(super) fn applied(&mut self, id: OpId, layout: Arc<CompiledLayout>) -> Flow {
        let trail = self.trail.len().saturating_sub(1);
        let fields = 0..layout.roots;
        self.applied.push(Applied {
            op: id,
            layout,
            field: 0,
            start: self.position,
            trail,
            viewed: 0,
        });
        let words = std::mem::take(&mut self.words);
        // Offsets may count from the start.
        self.holds += 1;
        let directs = V::DIRECTS && self.directs();
        if directs {
            V::begin_layout(self, id);
        }
        let flow = self.fields_of(id, fields, None);
        let flow = self.views(id, flow);
        if directs {
            V::end_layout(self, id);
        }
        self.holds -= 1;
        self.words = words;
        self.applied.pop();
        flow
    }

    /// Described fields, one after the other; the trail ends with their number.
    fn fields_of(
        &mut self,
        layout: OpId,
        fields: std::ops::Range<usize>,
        holder: Option<OpId>,
    ) -> Flow {
        for (number, field) in fields.enumerate() {
            if let Some(last) = self.trail.last_mut() {
                *last = number as u64;
            }
            self.inside(holder, field);
            self.described_value(layout, field)?;
        }
        Ok(())
    }

    /// The field or element at a position of the layout that is applied.
    fn field_at(&self, field: usize) -> Option<DescribedField> {
        self.applied.last()?.layout.fields.get(field).copied()
    }

    /// A value is inside one that holds it.
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
        if let Some(applied) = self.applied.last_mut() {
            applied.field = at;
        }
        match (field.op, field.optional) {
            (Some(value), false) => self.operation(value, &plan.ops[value.index()]),
            (None, _) => self.unknown_code(layout),
            (Some(value), true) => self.optional(layout, value),
        }
    }

    /// A value of a code that holds others.
    pub(super) fn nested(&mut self, id: OpId, op: &'p Op, index: u32) -> Flow {
        let Some(applied) = self.applied.last() else {
            return Ok(());
        };
        let (layout, field) = (applied.op, applied.field);
        let start = self.position;
        // What a file describes may be nested deeper than the thread's stack.
        let flow = stacker::maybe_grow(STACK_LEFT, STACK_MORE, || {
            self.node(id, op, |machine| {
                machine.trail.push(0);
                let flow = machine.nested_value(id, op, index, (layout, field));
                machine.trail.pop();
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
        index: u32,
        (layout, field): (OpId, usize),
    ) -> Flow {
        let plan = self.plan;
        let nested = &plan.nested[index as usize];
        let Some(applied) = self.applied.last() else {
            return Ok(());
        };
        let inside = applied.layout.inside(field);
        let count = match &nested.form {
            NestedForm::Fields => return self.fields_of(layout, inside, Some(id)),
            NestedForm::Located(located) => return self.word(id, *located, inside.start),
            NestedForm::Described(_) => self.field_at(field).map_or(0, |field| field.count.into()),
            NestedForm::Counted(count) => {
                let number = self.trail.pop();
                self.planned_elements(*count, inside.start, nested.none);
                let flow = self.operation(*count, &plan.ops[count.index()]);
                self.trail.extend(number);
                flow?;
                let slot = plan.ops[count.index()].slot;
                self.slots[slot.index()].integer().unwrap_or(0)
            }
        };
        if let Some(slot) = nested.length_slot {
            self.slots[slot.index()] = Value::Int(count);
        }
        if nested.none == Some(count) {
            return Ok(());
        }
        if count < 0 {
            self.of_list(|machine, _| machine.negative(id, op, count))?;
        }
        let count = u64::try_from(count).unwrap_or(0);
        self.values(id, layout, inside.start, Some(count))
    }

    /// A director may want to choose what is counted together with its number.
    fn planned_elements(&mut self, count: OpId, element: usize, none: Option<i128>) {
        if V::DIRECTS && self.directs() {
            let units = self.units_of(element);
            let each = self.field_at(element).and_then(|field| field.size);
            V::counted(self, count, units, each, none);
        }
    }

    /// The operation that shows a list of such elements as text, and the bytes of each.
    fn units_of(&self, element: usize) -> Option<(OpId, u64)> {
        let field = self.field_at(element)?;
        let layout = self.applied.last()?.layout.layout;
        let code = self.plan.layouts[layout as usize]
            .codes
            .get(field.code as usize)?;
        code.units.zip(field.size)
    }

    /// Elements of a described type: so many, or up to the end of what is read.
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
            if let Some(last) = self.trail.last_mut() {
                *last = number;
            }
            let before = self.position;
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
            machine.breach(id, None, span, || {
                "a count of elements that take no bytes".to_owned()
            })
        })
    }

    /// Code units that are shown as one text.
    fn code_units(&mut self, id: OpId, size: Option<u64>) -> Flow {
        let op = &self.plan.ops[id.index()];
        let Kind::Text(_, encoding) = op.kind else {
            return Ok(());
        };
        let size = size.unwrap_or_else(|| self.limit.saturating_sub(self.position));
        if V::MARKS {
            self.visitor.mark(id, Mark::Enter);
        }
        // The text is the whole list, not an element.
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

    /// The word of a located value.
    fn word(&mut self, id: OpId, plan: LocatedPlan, element: usize) -> Flow {
        let start = self.position;
        let number = self.trail.pop();
        let word = &self.plan.ops[plan.word.index()];
        let flow = self.operation(plan.word, word);
        let base = match plan.from {
            LocatedFrom::EndOfField => self.position,
            LocatedFrom::StartOfLayout => self.applied.last().map_or(0, |applied| applied.start),
        };
        if flow.is_ok() {
            let value = self.slots[word.slot.index()].integer().unwrap_or(0);
            let last = u32::try_from(self.tree.nodes.len()).unwrap_or(u32::MAX);
            let outer = self.applied.last().map_or(0, |applied| applied.trail);
            self.words.push(Word {
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
                trail: self.trail.get(outer..).unwrap_or_default().to_vec(),
            });
        }
        self.trail.extend(number);
        flow
    }

    /// What the words of a layout name, once its fields are there; or as many of them as there
    /// are.
    fn views(&mut self, layout: OpId, flow: Flow) -> Flow {
        if self.words.is_empty() && !(V::DIRECTS && self.directs()) {
            return flow;
        }
        if !matches!(flow, Ok(()) | Err(Stop::Part)) {
            return flow;
        }
        if V::DIRECTS && self.directs() {
            V::put_area(self, layout, !self.words.is_empty());
        }
        let fields_end = self.position;
        let mut furthest = fields_end;
        let mut next = 0;
        while let Some(word) = self.words.get_mut(next) {
            let trail = std::mem::take(&mut word.trail);
            let word = word.clone();
            next += 1;
            let outer = self.applied.last().map_or(0, |applied| applied.trail);
            let around = self.trail.split_off(outer);
            self.trail.extend_from_slice(&trail);
            let viewed = self.view(layout, &word);
            self.trail.truncate(outer);
            self.trail.extend(around);
            furthest = furthest.max(viewed?);
        }
        flow?;
        if furthest > fields_end {
            self.area(layout, fields_end, furthest);
        }
        Ok(())
    }

    /// Bytes that belong to a layout behind its fields.
    fn area(&mut self, layout: OpId, start: u64, end: u64) {
        if V::TREE {
            let payload = self.tree.keep(self.input.bytes(start, end));
            self.tree.leaf(layout, Span { start, end }, payload, 0);
        }
        self.position = end;
    }

    /// What one word names. Returns where it ends.
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
        let node = kept.then(|| self.tree.open(word.op, start));
        if let Some(node) = node {
            self.tree.nodes[node as usize].payload = Payload::View(view);
        }
        let flow = match view {
            View::Shown => self.look(layout, word, (start, end), fresh),
            View::Missing | View::Unread => Ok(()),
        };
        if let Some(node) = node {
            self.tree.close(node, end);
        }
        flow.map(|()| end)
    }

    /// Reads the elements between two positions.
    fn look(&mut self, layout: OpId, word: &Word, (start, end): (u64, u64), fresh: bool) -> Flow {
        let around = (self.position, self.limit, self.part_start);
        (self.position, self.limit, self.part_start) = (start, end, start);
        self.parts += 1;
        self.viewing += u32::from(!fresh);
        self.trail.push(0);
        let count = match word.element {
            Some(0) => Some(0),
            Some(size) => Some((end - start) / size),
            None => None,
        };
        let flow = self.values(word.op, layout, word.described, count);
        self.trail.pop();
        self.viewing -= u32::from(!fresh);
        self.parts -= 1;
        (self.position, self.limit, self.part_start) = around;
        match flow {
            // What is missing is missing in the view only.
            Err(Stop::Part) => Ok(()),
            other => other,
        }
    }

    /// Whether there is such a place, how it is to be shown, and how many bytes of it.
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
            self.breach(word.op, word.plan.multiple, span, || {
                format!("{size} bytes, where each element has {element}")
            })?;
            let multiple = word
                .plan
                .multiple
                .map(|rule| &self.plan.rules[rule as usize]);
            let whole = multiple.and_then(RulePlan::chosen) == Some(Continuation::Whole);
            return Ok(match size.checked_rem(element) {
                Some(rest) if whole => (View::Shown, size - rest),
                _ => (View::Missing, size),
            });
        }
        Ok((View::Shown, size))
    }

    /// Whether located values may show so many bytes more.
    fn affordable(&mut self, size: u64, end: u64) -> bool {
        let here = self.position.max(end);
        let Some(applied) = self.applied.last_mut() else {
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

    /// A word names bytes that are not there.
    #[cold]
    fn out_of_range(&mut self, word: &Word, end: u64, span: Span) -> Flow {
        let op = &self.plan.ops[word.op.index()];
        let rule = self.plan.faults[op.faults as usize].of(FaultKind::Past);
        let kind = match (self.parts > 0 && end > self.limit, rule) {
            (_, Some(_)) => FaultKind::Past,
            (true, None) => FaultKind::Short,
            (false, None) => FaultKind::Eof,
        };
        let there = self.input_end();
        self.fault_with(word.op, op, kind, span, || {
            format!("bytes up to {end} are wanted, they end at {there}")
        })
    }

    /// A structure that describes a type begins: how many types have been described before.
    pub(super) fn describing(&mut self) -> usize {
        self.describing += 1;
        self.extents.len()
    }

    /// A structure that describes a type has ended: what its code asks of the types in it.
    pub(super) fn described_type(
        &mut self,
        id: OpId,
        start: u64,
        before: usize,
        flow: Flow,
    ) -> Flow {
        self.describing -= 1;
        let inside = self.extents.split_off(before.min(self.extents.len()));
        let fixed = flow.and_then(|()| self.fixed_type(id, start, &inside))?;
        // Of a type that is in no other nobody asks.
        if self.describing > 0 {
            self.extents.push(fixed);
        }
        Ok(())
    }

    /// Whether the type that has been described has a fixed size.
    fn fixed_type(&mut self, id: OpId, start: u64, inside: &[bool]) -> Flow<bool> {
        let plan = self.plan;
        let Some(index) = plan.info(id).describes else {
            return Ok(true);
        };
        let describes = &plan.describes[index as usize];
        let code = self.slots[plan.ops[describes.code.index()].slot.index()].integer();
        let Some(code) = code.and_then(|code| describes.code(code)) else {
            return Ok(true);
        };
        let held = inside.iter().all(|fixed| *fixed);
        if let (false, Some(rule)) = (held, code.fixed) {
            let span = Span {
                start,
                end: self.position,
            };
            self.breach(id, rule, span, || {
                "a type that has no fixed size, where one is wanted".to_owned()
            })?;
        }
        Ok(match code.extent {
            tracegauge_spec::plan::CodeExtent::Fixed => true,
            tracegauge_spec::plan::CodeExtent::Variable => false,
            tracegauge_spec::plan::CodeExtent::Inherited => held,
        })
    }

    /// The structure describes a type, and something may be asked of the types in it.
    #[inline]
    pub(super) fn is_description(op: &Op) -> bool {
        op.flags & flags::DESCRIBES != 0
    }
}
