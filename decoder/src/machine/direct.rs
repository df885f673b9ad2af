//! What a director is asked and may look at.

use tracegauge_spec::plan::{CodeId, Kind, Op, OpId, Plan, Slot};

use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::state::State;
use crate::tree::Tree;
use crate::value::Value;
use crate::visitor::Visitor;

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
            | Kind::Sized(_)
            | Kind::Check
            | Kind::Bits { .. } => Ok(()),
            _ => V::put(self, id).map_err(|_refused| Stop::End),
        }
    }

    /// A part whose size is known only once it is there.
    pub(super) fn directed_part(&mut self, id: OpId, op: &'p Op) -> Flow {
        let plan = self.plan;
        let start = self.position;
        self.holds += 1;
        let flow = self.node(id, op, |machine| {
            let around = machine.part_start;
            machine.part_start = start;
            machine.parts += 1;
            let inside = OpId(id.0 + 1);
            let flow = machine.operation(inside, &plan.ops[inside.index()]);
            machine.parts -= 1;
            machine.part_start = around;
            flow
        });
        self.holds -= 1;
        flow?;
        self.after(id, op, start)
    }

    /// The plan.
    pub fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// The next byte's position.
    pub fn position(&self) -> u64 {
        self.position
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
