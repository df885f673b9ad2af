//! Structures cut short: the part around them ends inside a field, and readers tolerate it.
//!
//! What was read stands. Fields that are not there have no value, and the structures and lists
//! between the fault and the end of the part are complete without them: they are records, define
//! rows and set registers as others do. A tolerated fault must not lose the element around it.

use tracegauge_spec::plan::{Kind, Op, OpId, RepeatPlan, flags};

use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::tree::TreeMark;
use crate::value::Value;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// The part around ends at `id`; without one, so does the trace.
    #[cold]
    pub(super) fn ends_at(&mut self, id: OpId, in_part: bool) -> Stop {
        self.cut = id;
        if in_part { Stop::Part } else { Stop::End }
    }

    /// The walk over siblings up to `end` has stopped in the one at `at`. Where that is because the
    /// part ends, what has not been read has no value.
    #[cold]
    pub(super) fn siblings_stop(&mut self, at: u32, end: u32, stop: Stop) -> Stop {
        if stop != Stop::Part {
            return stop;
        }
        let plan = self.plan;
        let after = plan.ops[at as usize].end;
        // Whatever is in front of the fault in the same sibling has been read.
        let inside = (at..after).contains(&self.cut.0);
        let first = if inside { self.cut.0 } else { after };
        for unread in first..end {
            self.without_value(OpId(unread));
        }
        // Values that follow from others may follow from those that are there.
        let mut sibling = after;
        while sibling < end {
            let op = &plan.ops[sibling as usize];
            if let Kind::Bind(code) = &op.kind {
                self.slots[op.slot.index()] = self.evaluate(*code, Value::Absent);
            }
            sibling = op.end;
        }
        stop
    }

    /// An operation that has not been run has no value and no bytes.
    fn without_value(&mut self, id: OpId) {
        let plan = self.plan;
        let op = &plan.ops[id.index()];
        if op.flags & flags::SLOT != 0 {
            self.slots[op.slot.index()] = Value::Absent;
        }
        if op.flags & flags::SPAN != 0 {
            self.set_span(id, self.position);
        }
        let refs = plan.info(id).refs;
        let row = refs.and_then(|index| plan.refs[index as usize].row_slot);
        if let Some(slot) = row {
            self.slots[slot.index()] = Value::Absent;
        }
        if let Kind::Repeat(index) = op.kind {
            let repeat = &plan.repeats[index as usize];
            let folds = repeat.folds.iter().map(|fold| fold.slot);
            for slot in repeat.length_slot.into_iter().chain(folds) {
                self.slots[slot.index()] = Value::Absent;
            }
        }
    }

    /// A structure that began at `start` is cut short. Nothing is asked of its values; one of
    /// which there is no byte is none.
    #[cold]
    pub(super) fn structure_short(&mut self, id: OpId, op: &'p Op, start: u64) -> Flow {
        if self.position <= start {
            return Ok(());
        }
        if Self::ends(op) {
            self.takes_effect(id, op, start)?;
            let plan = self.plan;
            let effects = plan.info(id).effects;
            let effects = effects.map(|index| &plan.effects[index as usize]);
            // A value that is not there takes the place of none.
            for set in effects.iter().flat_map(|effects| &effects.sets) {
                if self.evaluate(set.value, Value::Absent) != Value::Absent {
                    self.set(set);
                }
            }
            self.now_due(effects);
        }
        if op.flags & flags::SPAN != 0 {
            self.set_span(id, start);
        }
        Ok(())
    }

    /// A list is cut short inside its element number `number`, which began at `start`, when the tree
    /// was at `kept`. Returns how many elements it has: the last is one of them if some of it is
    /// there.
    #[cold]
    pub(super) fn list_short(
        &mut self,
        id: OpId,
        repeat: &'p RepeatPlan,
        (start, number): (u64, u64),
        kept: TreeMark,
    ) -> Flow<u64> {
        if self.position <= start {
            self.tree.back_to(kept);
            return Ok(number);
        }
        if let Some(define) = &repeat.defines {
            self.define(OpId(id.0 + 1), define, start)?;
        }
        for fold in &repeat.folds {
            self.fold(fold);
        }
        Ok(number + 1)
    }
}
