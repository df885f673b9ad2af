//! The machine's interface to emitters, which are visitors that write a trace while the machine
//! reads it.

use tracegauge_plan::{CodeId, Extent, Kind, Op, OpId, Plan, Slot};

use tracegauge_plan::terms::{ReaderDuty, RegisterId};

use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::state::State;
use crate::tree::{Payload, Tree};
use crate::value::Value;
use crate::visitor::{Cut, Visitor};

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Makes the emitter write the bytes of a value, or tells the emitter that a structure or list
    /// begins.
    #[inline]
    pub(super) fn directed(&mut self, id: OpId, op: &'p Op) -> Flow {
        match op.kind {
            Kind::Structure | Kind::Repeat(_) => {
                V::begin(self, id);
                Ok(())
            }
            Kind::Call(_)
            | Kind::Switch(_)
            | Kind::Layout(_)
            | Kind::Nested(_)
            | Kind::Sized(_)
            | Kind::Check
            | Kind::At(_)
            | Kind::Bind(_)
            | Kind::Bits { .. } => Ok(()),
            _ => V::put(self, id).map_err(|_refused| self.put_nothing(id)),
        }
    }

    /// Reads what the emitter wrote, and tells the emitter the size of a value that other fields
    /// measure. Operations that contain others do so themselves ([`Self::after`]).
    pub(super) fn written(&mut self, id: OpId, op: &'p Op) -> Flow {
        let start = self.position;
        self.by_kind(id, op)?;
        let is_value = matches!(
            op.kind,
            Kind::Integer(_)
                | Kind::Variable(..)
                | Kind::Float { .. }
                | Kind::Guid(_)
                | Kind::Text(..)
                | Kind::Bytes(_)
                | Kind::Terminated(_)
        );
        if is_value && self.visitor.measures(id) {
            self.measured(id, start, 0);
        }
        Ok(())
    }

    /// Returns what ends when the emitter writes no bytes for a value: only the enclosing sized
    /// part, or the whole trace.
    #[cold]
    fn put_nothing(&mut self, id: OpId) -> Stop {
        self.cut = id;
        self.stopped().unwrap_or(Stop::End)
    }

    /// Returns the kind of stop that the emitter has just requested, if any.
    pub(super) fn stopped(&mut self) -> Option<Stop> {
        let cut = self.visitor.cut()?;
        Some(match cut {
            Cut::Part if self.enclosing.parts > 0 => Stop::Part,
            Cut::Part | Cut::End => Stop::End,
        })
    }

    /// Returns whether the emitter writes the next bytes.
    #[inline]
    pub(super) fn directs(&self) -> bool {
        V::DIRECTS && self.layouts.viewing == 0 && !V::replays(self)
    }

    /// Runs a sized part that the emitter writes. The size may be unknown until the emitter has
    /// written the whole part.
    pub(super) fn directed_part(&mut self, id: OpId, op: &'p Op, extent: Extent) -> Flow {
        let plan = self.plan;
        let start = self.position;
        let size = match extent {
            Extent::ToEnd => None,
            Extent::Computed(_) if self.visitor.measures(id) || V::chooses_size(self, id) => None,
            Extent::Fixed(_) | Extent::Computed(_) => Some(self.extent(id, op, extent)?),
        };
        if let Some(size) = size
            && self.room().is_some_and(|room| size > room)
        {
            self.past(id, op, size)?;
        }
        let most = if size.is_none() {
            V::most(self, id)
        } else {
            size
        };
        self.begin_span(id, op, start);
        V::begin_part(self, id, size);
        self.kept.bytes_held += 1;
        let flow = self.node(id, op, |machine| {
            let around = (machine.limit, machine.part_start);
            machine.part_start = start;
            machine.enclosing.outer.push((around.1, around.0));
            if let Some(most) = most {
                machine.limit = machine.limit.min(start.saturating_add(most));
            }
            machine.enclosing.parts += 1;
            let inside = OpId(id.0 + 1);
            let flow = match machine.operation(inside, &plan.ops[inside.index()]) {
                Ok(()) => machine.directed_rest(id, op),
                Err(Stop::Part) => machine.directed_cut(id),
                other => other,
            };
            machine.enclosing.parts -= 1;
            machine.enclosing.outer.pop();
            (machine.limit, machine.part_start) = around;
            flow
        });
        self.kept.bytes_held -= 1;
        if flow == Err(Stop::End) {
            V::interrupted(self, id, start, 0);
        }
        flow?;
        self.after(id, op, start)
    }

    /// Returns whether `value`, which an emitter is about to write in place of a placeholder,
    /// satisfies the tests of the field `id`. Ignores tests whose failure does not require readers
    /// to reject the trace.
    pub fn holds(&mut self, id: OpId, value: Value) -> bool {
        let plan = self.plan;
        let (first, count) = plan.op(id).checks;
        let first = first.index();
        let checks = plan.checks.get(first..first + usize::from(count));
        checks.unwrap_or_default().iter().all(|check| {
            let duty = check.rule.map(|rule| plan.rules[rule].duty);
            let tolerated = duty.is_some_and(|duty| duty != ReaderDuty::Reject);
            let unwanted = check
                .condition
                .is_some_and(|code| !self.evaluate(code, value).truth());
            tolerated || unwanted || self.holds_check(&check.kind, value)
        })
    }

    /// Makes the emitter write the unclaimed bytes of a sized part (the bytes that no field reads),
    /// and then reads these bytes.
    fn directed_rest(&mut self, id: OpId, op: &'p Op) -> Flow {
        let start = self.position;
        V::end_part(self, id);
        let end = self.input.seen();
        if end > start {
            self.rest(id, op, end)
        } else {
            Ok(())
        }
    }

    /// Makes the emitter write the rest of a sized part that ends inside a value. No field reads
    /// these bytes.
    fn directed_cut(&mut self, id: OpId) -> Flow {
        V::cut_part(self, id);
        let end = self.input.seen();
        self.residue(id, end);
        Ok(())
    }

    /// Replaces `length` bytes at `position`, which an emitter wrote as a placeholder. If the
    /// replacement has a different length, all later positions shift.
    pub fn replace(&mut self, position: u64, length: u64, bytes: &[u8]) {
        if bytes.len() as u64 == length {
            return self.input.patch(position, bytes);
        }
        self.input.replace(position, length, bytes);
        let (after, grown) = (position + length, bytes.len() as u64);
        let moved = |at: u64| {
            if at >= after { at - length + grown } else { at }
        };
        self.position = moved(self.position);
        for (_, value) in self.memory.stored_separately() {
            if let Value::Bytes { start, .. } = value {
                *start = moved(*start);
            }
        }
        for slots in self.plan.infos.iter().filter_map(|info| info.span_slots) {
            for slot in [slots.0, slots.1] {
                if let Value::Int(at) = self.memory.slot(slot)
                    && let Ok(known) = u64::try_from(at)
                {
                    self.memory.set(slot, Value::Int(i128::from(moved(known))));
                }
            }
        }
        let from_input = !V::TREE;
        for node in self.kept.tree.nodes.iter_mut().rev() {
            // Nodes that are open around the placeholder get their final end when they are closed,
            // so it does not matter whether their end is moved here.
            node.span.start = moved(node.span.start);
            node.span.end = moved(node.span.end);
            if let (true, Payload::Bytes { start, .. }) = (from_input, &mut node.payload) {
                *start = moved(*start);
            }
        }
    }

    /// Returns the number of bytes left in the enclosing sized parts. Returns `None` if no
    /// enclosing part has a known size.
    pub fn room(&self) -> Option<u64> {
        (self.limit != u64::MAX).then(|| self.limit.saturating_sub(self.position))
    }

    /// Returns the plan.
    pub fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// Returns the position of the next byte.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Returns the start of the innermost sized part.
    pub fn part_start(&self) -> u64 {
        self.part_start
    }

    /// Returns the state that the trace has defined so far: tables and registers.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the tree built so far.
    pub fn tree(&self) -> &Tree {
        &self.kept.tree
    }

    /// Returns a mutable reference to the tree, so that a value can be corrected once it is known.
    pub fn tree_mut(&mut self) -> &mut Tree {
        &mut self.kept.tree
    }

    /// Returns the visitor.
    pub fn visitor(&self) -> &V {
        &self.visitor
    }

    /// Returns a mutable reference to the visitor.
    pub fn visitor_mut(&mut self) -> &mut V {
        &mut self.visitor
    }

    /// Returns the input.
    pub fn input(&self) -> &I {
        &self.input
    }

    /// Returns a mutable reference to the input, so that bytes can be added.
    pub fn input_mut(&mut self) -> &mut I {
        &mut self.input
    }

    /// Evaluates an expression at the current position.
    pub fn value(&mut self, code: CodeId, this: Value) -> Value {
        self.evaluate(code, this)
    }

    /// Returns the value in a slot. A slot stores the value of a field for use in expressions.
    pub fn slot(&self, slot: Slot) -> Value {
        match slot {
            Slot::NONE => Value::Absent,
            slot => self.memory.slot(slot),
        }
    }

    /// Sets the value in a slot.
    pub fn set_slot(&mut self, slot: Slot, value: Value) {
        if slot != Slot::NONE {
            self.memory.set(slot, value);
        }
    }

    /// Returns the integer in a register, if any.
    pub fn register(&self, register: RegisterId) -> Option<i128> {
        self.memory.register(register)
    }

    /// Returns the active calls of recursive structures, outermost first.
    pub fn calls(&self) -> &[OpId] {
        &self.enclosing.calls
    }

    /// Returns the nesting depth of the current type description.
    pub fn types_around(&self) -> usize {
        self.layouts.describing as usize
    }

    /// Returns the number of active calls of recursive structures.
    pub fn depth(&self) -> usize {
        self.enclosing.calls.len()
    }

    /// Returns the index of each enclosing list element, outermost first.
    pub fn trail(&self) -> &[u64] {
        &self.enclosing.trail
    }

    /// Returns the bytes of a text or bytes value.
    pub fn bytes_of(&self, value: Value) -> Option<&[u8]> {
        self.text_of(value)
    }
}
