//! Adding operations, and the slots that expressions ask of them.

use super::{CodeId, Lowering, NameId, OpId, Slot};
use crate::plan::{CheckId, CheckPlan, Code, Info, Kind, Op, flags};
use crate::source::SourceSpan;

impl Lowering<'_> {
    /// Adds an operation; what is added until [`Self::close`] is inside it.
    pub(super) fn open(
        &mut self,
        kind: Kind,
        name: Option<NameId>,
        label: Option<NameId>,
        faults: u32,
        span: SourceSpan,
    ) -> OpId {
        let id = OpId(u32::try_from(self.plan.ops.len()).unwrap_or(u32::MAX));
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
            presentation: crate::plan::Presentation::default(),
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
            hints: crate::plan::HintPlan::default(),
            code_of: None,
            describes: None,
            least: 0,
        });
        self.around.push(id);
        id
    }

    /// Ends the operation that was opened last.
    pub(super) fn close(&mut self, id: OpId) {
        self.around.pop();
        self.plan.ops[id.index()].end = u32::try_from(self.plan.ops.len()).unwrap_or(u32::MAX);
    }

    /// The slot of an operation's value.
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

    /// An expression for an operation's value.
    pub(super) fn slot_code(&mut self, op: OpId) -> CodeId {
        let slot = self.slot_of(op);
        self.code(Code::Slot(slot))
    }

    /// An expression for what everything outside an operation sees of it: what a look-up
    /// shows, where it is shown by one, else its value.
    pub(super) fn seen_code(&mut self, op: OpId) -> CodeId {
        let shown = self.shown(op);
        match self.plan.infos[shown.index()].presentation.shows {
            Some(shows) => {
                // Its key is forgotten with what it stands in.
                self.slot_of(op);
                shows
            }
            None => self.slot_code(op),
        }
    }

    /// The field that stands for a structure, and for what is around one element.
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

    /// The slots of an operation's start and end.
    pub(super) fn span_slots(&mut self, op: OpId) -> (Slot, Slot) {
        if let Some(slots) = self.plan.infos[op.index()].span_slots {
            return slots;
        }
        let slots = (self.new_slot(), self.new_slot());
        self.plan.infos[op.index()].span_slots = Some(slots);
        self.plan.ops[op.index()].flags |= flags::SPAN;
        slots
    }

    /// The slot of the number of elements of a repetition.
    pub(super) fn length_slot(&mut self, op: OpId) -> Option<Slot> {
        let index = match self.plan.ops[op.index()].kind {
            Kind::Repeat(index) => index,
            Kind::Nested(index) => return Some(self.nested_length(index)),
            _ => return None,
        };
        if self.plan.repeats[index as usize].length_slot.is_none() {
            let slot = self.new_slot();
            self.plan.repeats[index as usize].length_slot = Some(slot);
        }
        self.plan.repeats[index as usize].length_slot
    }

    /// A value in something that need not be there is forgotten before the next element, or
    /// an expression outside would see that of an earlier one.
    fn reset_if_optional(&mut self, op: OpId) {
        self.reset_slot_if_optional(op, self.plan.ops[op.index()].slot);
    }

    /// The same for another slot that belongs to an operation.
    pub(super) fn reset_slot_if_optional(&mut self, op: OpId, slot: Slot) {
        let mut at = op;
        // A carried field that is absent has the value of the element before, which must stay.
        let guarded = self.plan.ops[op.index()].flags & flags::GUARD != 0;
        let mut optional = guarded && self.plan.infos[op.index()].carry.is_none();
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

    /// The part may end before `op`, which stands in `parent`.
    fn may_end_before(&self, parent: OpId, op: OpId) -> bool {
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

    /// Adds tests to an operation. The tests of one operation stand together.
    pub(super) fn set_checks(&mut self, op: OpId, checks: Vec<CheckPlan>) {
        if checks.is_empty() {
            return;
        }
        let first = CheckId(u32::try_from(self.plan.checks.len()).unwrap_or(u32::MAX));
        let count = u16::try_from(checks.len()).unwrap_or(u16::MAX);
        self.plan.checks.extend(checks);
        self.plan.ops[op.index()].checks = (first, count);
        self.plan.ops[op.index()].flags |= flags::CHECKS;
    }
}
