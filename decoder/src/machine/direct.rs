//! What a director is asked and may look at.

use tracegauge_spec::plan::{CodeId, Extent, Kind, Op, OpId, Plan, Slot};

use tracegauge_spec::schema::ReaderDuty;

use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::state::State;
use crate::tree::{Payload, Tree};
use crate::value::Value;
use crate::visitor::{Cut, Visitor};

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Asks the director for the bytes of a value, or tells it what begins.
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

    /// Why a director has put nothing.
    #[cold]
    fn put_nothing(&mut self, id: OpId) -> Stop {
        self.cut = id;
        self.stopped().unwrap_or(Stop::End)
    }

    /// Where a director has just stopped.
    pub(super) fn stopped(&mut self) -> Option<Stop> {
        let cut = self.visitor.cut()?;
        Some(match cut {
            Cut::Part if self.parts > 0 => Stop::Part,
            Cut::Part | Cut::End => Stop::End,
        })
    }

    /// Whether a director puts what is read next.
    #[inline]
    pub(super) fn directs(&self) -> bool {
        V::DIRECTS && self.viewing == 0 && !V::replays(self)
    }

    /// A part that is put: its size may be known only once it is there.
    pub(super) fn directed_part(&mut self, id: OpId, op: &'p Op, extent: Extent) -> Flow {
        let plan = self.plan;
        let start = self.position;
        let size = match extent {
            Extent::ToEnd => None,
            Extent::Computed(_) if self.visitor.measures(id) => None,
            Extent::Fixed(_) | Extent::Computed(_) => Some(self.extent(id, op, extent)?),
        };
        let most = if size.is_none() {
            V::most(self, id)
        } else {
            size
        };
        V::begin_part(self, id, size);
        self.bytes_held += 1;
        let flow = self.node(id, op, |machine| {
            let around = (machine.limit, machine.part_start);
            machine.part_start = start;
            machine.outer.push((around.1, around.0));
            if let Some(most) = most {
                machine.limit = machine.limit.min(start.saturating_add(most));
            }
            machine.parts += 1;
            let inside = OpId(id.0 + 1);
            let flow = match machine.operation(inside, &plan.ops[inside.index()]) {
                Ok(()) => machine.directed_rest(id, op),
                Err(Stop::Part) => machine.directed_cut(id),
                other => other,
            };
            machine.parts -= 1;
            machine.outer.pop();
            (machine.limit, machine.part_start) = around;
            flow
        });
        self.bytes_held -= 1;
        flow?;
        self.after(id, op, start)
    }

    /// Whether a value that has been put late holds what is tested of its field.
    pub fn holds(&mut self, id: OpId, value: Value) -> bool {
        let plan = self.plan;
        let (first, count) = plan.op(id).checks;
        let first = first.0 as usize;
        let checks = plan.checks.get(first..first + usize::from(count));
        checks.unwrap_or_default().iter().all(|check| {
            let duty = check.rule.map(|rule| plan.rules[rule as usize].duty);
            let tolerated = duty.is_some_and(|duty| duty != ReaderDuty::Reject);
            let unwanted = check.condition.is_some_and(|code| !self.truth(code));
            tolerated || unwanted || self.holds_check(&check.kind, value)
        })
    }

    /// What no field of a part claims.
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

    /// A part that ends inside a value: what is left of it belongs to no field.
    fn directed_cut(&mut self, id: OpId) -> Flow {
        V::cut_part(self, id);
        let end = self.input.seen();
        self.residue(id, end);
        Ok(())
    }

    /// Puts other bytes in the place of `length` bytes at `position`, which a director had put
    /// for want of something better; all that was read after them moves.
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
        for slot in &mut self.slots {
            if let Value::Bytes { start, .. } = slot {
                *start = moved(*start);
            }
        }
        for slots in self.plan.infos.iter().filter_map(|info| info.span_slots) {
            for slot in [slots.0, slots.1] {
                if let Value::Int(at) = &mut self.slots[slot.index()]
                    && let Ok(known) = u64::try_from(*at)
                {
                    *at = i128::from(moved(known));
                }
            }
        }
        let from_input = !V::TREE;
        for node in self.tree.nodes.iter_mut().rev() {
            // What is open around the place has no end yet.
            node.span.start = moved(node.span.start);
            node.span.end = moved(node.span.end);
            if let (true, Payload::Bytes { start, .. }) = (from_input, &mut node.payload) {
                *start = moved(*start);
            }
        }
    }

    /// The most bytes that the parts around have left; `None` where none has a known size.
    pub fn room(&self) -> Option<u64> {
        (self.limit != u64::MAX).then(|| self.limit.saturating_sub(self.position))
    }

    /// The plan.
    pub fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// The next byte's position.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Where the innermost part begins.
    pub fn part_start(&self) -> u64 {
        self.part_start
    }

    /// Tables and registers.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The tree so far.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The tree so far, to mend a value that is known only now.
    pub fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }

    /// The visitor.
    pub fn visitor(&self) -> &V {
        &self.visitor
    }

    /// The visitor, to change.
    pub fn visitor_mut(&mut self) -> &mut V {
        &mut self.visitor
    }

    /// The input.
    pub fn input(&self) -> &I {
        &self.input
    }

    /// The input, to add bytes to.
    pub fn input_mut(&mut self) -> &mut I {
        &mut self.input
    }

    /// The value of an expression here.
    pub fn value(&mut self, code: CodeId, this: Value) -> Value {
        self.evaluate(code, this)
    }

    /// What a slot holds.
    pub fn slot(&self, slot: Slot) -> Value {
        self.slots
            .get(slot.index())
            .copied()
            .unwrap_or(Value::Absent)
    }

    /// Changes what a slot holds.
    pub fn set_slot(&mut self, slot: Slot, value: Value) {
        if let Some(place) = self.slots.get_mut(slot.index()) {
            *place = value;
        }
    }

    /// Calls of structures that hold themselves, from the outside in.
    pub fn calls(&self) -> &[OpId] {
        &self.calls
    }

    /// How many types that are being described are around this.
    pub fn types_around(&self) -> usize {
        self.describing as usize
    }

    /// How many structures that hold themselves are around this.
    pub fn depth(&self) -> usize {
        self.calls.len()
    }

    /// Numbers of the elements that are being read, from the outside in.
    pub fn trail(&self) -> &[u64] {
        &self.trail
    }

    /// What an expression that is text or bytes has.
    pub fn bytes_of(&self, value: Value) -> Option<&[u8]> {
        self.text_of(value)
    }
}
