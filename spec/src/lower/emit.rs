//! Adds operations to the plan, and the slots that make their values available to expressions.

use super::{CodeId, Lowering, NameId, OpId, Slot};
use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::terms::Meaning;
use tracegauge_plan::{CheckId, CheckPlan, Code, FaultTableId, Info, Kind, Op, flags};

impl Lowering<'_> {
    /// Adds an operation. Operations added before the matching [`Self::close`] are inside the new
    /// operation.
    pub(super) fn open(
        &mut self,
        kind: Kind,
        name: Option<NameId>,
        label: Option<NameId>,
        faults: FaultTableId,
        span: SourceSpan,
    ) -> OpId {
        let id = OpId::from(self.plan.ops.len());
        self.plan.ops.push(Op {
            kind,
            end: id.0 + 1,
            flags: 0,
            guard: CodeId::NONE,
            slot: Slot::NONE,
            checks: (CheckId(0), 0),
            faults,
        });
        self.plan.infos.push(Info {
            name,
            label,
            parent: self.around.last().copied(),
            type_name: None,
            span,
            presentation: tracegauge_plan::Presentation::default(),
            derived: None,
            derived_at: None,
            exports: Vec::new(),
            refs: None,
            carry: None,
            effects: None,
            record: None,
            span_slots: None,
            obeys: Vec::new(),
            ignore: false,
            resets: Vec::new(),
            saves: Vec::new(),
            depth: None,
            null: None,
            hints: tracegauge_plan::HintPlan::default(),
            code_of: None,
            describes: None,
            least: 0,
        });
        self.around.push(id);
        id
    }

    /// Closes an operation, which must be the innermost open operation.
    pub(super) fn close(&mut self, id: OpId) {
        self.around.pop();
        self.plan.ops[id.index()].end = u32::try_from(self.plan.ops.len()).unwrap_or(u32::MAX);
    }

    /// Returns the slot that stores the value of an operation, allocating it on first use.
    pub(super) fn slot_of(&mut self, op: OpId) -> Slot {
        let op = self.shown(op);
        if self.plan.ops[op.index()].slot == Slot::NONE {
            let slot = self.new_slot();
            self.plan.ops[op.index()].slot = slot;
            self.plan.ops[op.index()].flags |= flags::SLOT;
        }
        self.reset_if_optional(op);
        self.plan.ops[op.index()].slot
    }

    /// Compiles an expression that reads the value of an operation.
    pub(super) fn slot_code(&mut self, op: OpId) -> CodeId {
        let slot = self.slot_of(op);
        self.code(Code::Slot(slot))
    }

    /// Compiles an expression for the value of an operation as seen by other fields. If the
    /// description replaces the value with the result of a lookup (`shows`), the expression yields
    /// that result. A number that stands for a truth value (`as: bool`) is a Boolean.
    pub(super) fn seen_code(&mut self, op: OpId) -> CodeId {
        let shown = self.shown(op);
        match self.plan.infos[shown.index()].presentation.shows {
            Some(shows) => {
                // Allocate the slot of the key, so that the slot is reset along with the enclosing
                // structure.
                self.slot_of(op);
                shows
            }
            None => {
                let value = self.slot_code(op);
                let meaning = &self.plan.infos[shown.index()].presentation.meaning;
                match meaning {
                    // Any number but zero stands for true.
                    Some(Meaning::Bool) => self.fold(Code::HasBits(value, u64::MAX)),
                    _ => value,
                }
            }
        }
    }

    /// Returns the operation that supplies the value of `op` in expressions: the contents if `op`
    /// is a sized part or an instance, or the field that stands for a structure (`shows`).
    pub(super) fn shown(&self, op: OpId) -> OpId {
        let mut op = op;
        loop {
            let inside = match self.plan.ops[op.index()].kind {
                Kind::Sized(_) | Kind::At(_) => self.plan.children(op).next(),
                Kind::Structure if self.plan.infos[op.index()].presentation.transparent => self
                    .plan
                    .children(op)
                    .find(|child| self.plan.infos[child.index()].name.is_none()),
                _ => None,
            };
            match inside {
                Some(inner) => op = inner,
                None => return op,
            }
        }
    }

    /// Returns the slots that store the start and end positions of an operation, allocating them on
    /// first use.
    pub(super) fn span_slots(&mut self, op: OpId) -> (Slot, Slot) {
        if let Some(slots) = self.plan.infos[op.index()].span_slots {
            return slots;
        }
        let slots = (self.new_slot(), self.new_slot());
        self.plan.infos[op.index()].span_slots = Some(slots);
        self.plan.ops[op.index()].flags |= flags::SPAN;
        slots
    }

    /// Returns the slot that stores the length of a list, allocating it on first use, or `None` if
    /// the operation is not a list.
    pub(super) fn length_slot(&mut self, op: OpId) -> Option<Slot> {
        let index = match self.plan.ops[op.index()].kind {
            Kind::Repeat(index) => index,
            Kind::Nested(index) => return Some(self.nested_length(index)),
            _ => return None,
        };
        if self.plan.repeats[index].length_slot.is_none() {
            let slot = self.new_slot();
            self.plan.repeats[index].length_slot = Some(slot);
        }
        self.plan.repeats[index].length_slot
    }

    /// Resets the slot of an optional value before each element. Without the reset, an expression
    /// outside the element would see the value of an earlier element.
    fn reset_if_optional(&mut self, op: OpId) {
        self.reset_slot_if_optional(op, self.plan.ops[op.index()].slot);
    }

    /// Resets `slot`, which belongs to `op`, before each element if `op` is optional.
    pub(super) fn reset_slot_if_optional(&mut self, op: OpId, slot: Slot) {
        let mut at = op;
        // A carried field that is absent keeps the value of the previous element, so it must not be
        // reset.
        let guarded = self.plan.ops[op.index()].flags & flags::GUARD != 0;
        let carry = self.plan.infos[op.index()].carry;
        let carry = carry.map(|carry| &self.plan.carries[carry]);
        let keeps = carry.is_some_and(|carry| carry.previous.is_some());
        let mut optional = guarded && !keeps;
        while let Some(parent) = self.plan.infos[at.index()].parent {
            let parent_op = &self.plan.ops[parent.index()];
            let reading = self.around.contains(&parent);
            optional = optional || self.may_end_before(parent, at);
            match parent_op.kind {
                Kind::Repeat(_) => {
                    let resets = &mut self.plan.infos[parent.index()].resets;
                    if optional && !resets.contains(&slot) {
                        resets.push(slot);
                    }
                    return;
                }
                Kind::Switch(_) | Kind::Layout(_) => optional = optional || !reading,
                _ => optional = optional || parent_op.flags & flags::GUARD != 0,
            }
            at = parent;
        }
    }

    /// Returns whether the enclosing part may end before `op`, an operation inside `parent`,
    /// because of a field with `optional: rest`.
    pub(super) fn may_end_before(&self, parent: OpId, op: OpId) -> bool {
        let mut at = parent.0 + 1;
        while at <= op.0 {
            let sibling = &self.plan.ops[at as usize];
            if sibling.flags & flags::OPTIONAL_REST != 0 {
                return true;
            }
            at = sibling.end.max(at + 1);
        }
        false
    }

    /// Adds tests to an operation. The tests of an operation are contiguous.
    pub(super) fn set_checks(&mut self, op: OpId, checks: Vec<CheckPlan>) {
        if checks.is_empty() {
            return;
        }
        let first = CheckId::from(self.plan.checks.len());
        let count = u16::try_from(checks.len()).unwrap_or(u16::MAX);
        self.plan.checks.extend(checks);
        self.plan.ops[op.index()].checks = (first, count);
        self.plan.ops[op.index()].flags |= flags::CHECKS;
    }
}
