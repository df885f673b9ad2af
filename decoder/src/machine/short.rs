//! Handles structures that are cut short because the enclosing sized part ends inside a field, if
//! readers tolerate the early end.
//!
//! Everything that was read remains valid. Missing fields are absent, and the structures and lists
//! between the fault and the end of the part count as complete without these fields. Such
//! structures still produce records, define rows and set registers, because a tolerated fault must
//! not discard the enclosing element.

use tracegauge_plan::{Kind, Op, OpId, RepeatPlan, flags};

use super::{Flow, Machine, Stop};
use crate::input::Input;
use crate::tree::TreeMark;
use crate::value::Value;
use crate::visitor::Visitor;

impl<'p, I: Input, V: Visitor> Machine<'p, I, V> {
    /// Records that the enclosing sized part ends at `id`, or that the trace ends there if no part
    /// is open.
    #[cold]
    pub(super) fn ends_at(&mut self, id: OpId, in_part: bool) -> Stop {
        self.cut = id;
        if in_part { Stop::Part } else { Stop::End }
    }

    /// Handles a sibling operation that stopped early. `at` is the index of this operation, and
    /// `end` is the index after the last sibling. If the enclosing sized part ends, all operations
    /// that were not run become absent.
    #[cold]
    pub(super) fn siblings_stop(&mut self, at: u32, end: u32, stop: Stop) -> Stop {
        if stop != Stop::Part {
            return stop;
        }
        let plan = self.plan;
        let after = plan.ops[at as usize].end;
        // Everything before the fault in the same sibling was read.
        let inside = (at..after).contains(&self.cut.0);
        let first = if inside { self.cut.0 } else { after };
        for unread in first..end {
            self.without_value(OpId(unread));
        }
        // A computed value may depend only on values that are present, so it is computed anyway.
        let mut sibling = after;
        while sibling < end {
            let op = &plan.ops[sibling as usize];
            if let Kind::Bind(code) = &op.kind {
                let value = self.evaluate(*code, Value::Absent);
                self.memory.set(op.slot, value);
            }
            sibling = op.end;
        }
        stop
    }

    /// For an operation that was not run, marks the value and the byte range as absent.
    fn without_value(&mut self, id: OpId) {
        let plan = self.plan;
        let op = &plan.ops[id.index()];
        if op.flags & flags::SLOT != 0 {
            self.memory.set(op.slot, Value::Absent);
        }
        if op.flags & flags::SPAN != 0 {
            self.clear_span(id);
        }
        let refs = plan.info(id).refs;
        let row = refs.and_then(|index| plan.refs[index].row_slot);
        if let Some(slot) = row {
            self.memory.set(slot, Value::Absent);
        }
        if let Kind::Repeat(index) = op.kind {
            let repeat = &plan.repeats[index];
            let folds = repeat.folds.iter().map(|fold| fold.slot);
            for slot in repeat.length_slot.into_iter().chain(folds) {
                self.memory.set(slot, Value::Absent);
            }
        }
    }

    /// Ends a structure that began at `start` and is cut short. Its tests are skipped. A structure
    /// that has no bytes counts as absent.
    #[cold]
    pub(super) fn structure_short(&mut self, id: OpId, op: &'p Op, start: u64) -> Flow {
        if self.position <= start {
            return Ok(());
        }
        if Self::ends(op) {
            self.takes_effect(id, op, start)?;
            let plan = self.plan;
            let effects = plan.info(id).effects;
            let effects = effects.map(|index| &plan.effects[index]);
            // An absent value does not overwrite a register or column.
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

    /// Ends a list that is cut short inside element `number`, which began at `start`. `kept` is the
    /// tree mark at the start of that element. Returns the number of elements. The last element
    /// counts if at least one of its bytes is present.
    #[cold]
    pub(super) fn list_short(
        &mut self,
        id: OpId,
        repeat: &'p RepeatPlan,
        (start, number): (u64, u64),
        kept: TreeMark,
    ) -> Flow<u64> {
        if self.position <= start {
            self.kept.tree.back_to(kept);
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
