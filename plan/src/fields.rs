//! Finds the field whose value is read by an expression. A slot alone does not identify a field,
//! because all uses of a type share the same slots.

use super::{Code, CodeId, Count, Extent, Kind, Op, OpId, Plan, Slot, each_code, flags};

impl Plan {
    /// Returns the field inside `id` whose value is read by the expression `code`, if the
    /// expression consists only of a slot.
    pub fn field_of(&self, id: OpId, code: CodeId) -> Option<OpId> {
        let Code::Slot(slot) = self.codes[code.index()] else {
            return None;
        };
        let mut inside = (id.0..self.op(id).end).map(OpId);
        inside.find(|inside| self.is_kept_in(*inside, slot))
    }

    /// Returns the fields inside `id` that can provide the value of the expression `code`. These are
    /// the field that the expression consists of, or the alternatives if this field is a switch, and
    /// the same for each operand that the expression chooses from.
    pub fn sources_of(&self, id: OpId, code: CodeId) -> Vec<OpId> {
        match self.codes[code.index()] {
            Code::Else(left, right) | Code::Conditional(_, left, right) => {
                let mut sources = self.sources_of(id, left);
                sources.extend(self.sources_of(id, right));
                sources
            }
            _ => {
                let mut sources = Vec::new();
                let mut open: Vec<OpId> = self.field_of(id, code).into_iter().collect();
                while let Some(field) = open.pop() {
                    match self.op(field).kind {
                        Kind::Switch(_) => open.extend(self.children(field)),
                        _ => sources.push(field),
                    }
                }
                sources
            }
        }
    }

    /// Returns the last field that stores its value in `slot` and precedes the operation.
    pub fn field_before(&self, slot: Slot, id: OpId) -> Option<OpId> {
        let mut before = (0..id.0).rev().map(OpId);
        before.find(|before| self.is_kept_in(*before, slot))
    }

    /// Returns the field that stores its value in `slot` and is closest to the operation, before or
    /// after it.
    pub fn field_beside(&self, slot: Slot, id: OpId) -> Option<OpId> {
        let all = (0..u32::MAX).map(OpId).take(self.ops.len());
        let known = all.filter(|known| self.is_kept_in(*known, slot));
        known.min_by_key(|known| known.0.abs_diff(id.0))
    }

    /// Returns the slots that control the sizes of parts and the lengths of lists.
    pub fn sizes(&self) -> Vec<Slot> {
        let mut slots = Vec::new();
        for code in self.ops.iter().filter_map(|op| self.measure(op)) {
            each_code(self, code, &mut |code| {
                if let Code::Slot(slot) = code {
                    slots.push(*slot);
                }
            });
        }
        slots.sort_unstable_by_key(|slot| slot.0);
        slots.dedup();
        slots
    }

    /// Returns the operation that reads the value in a slot, if one does.
    pub fn origin(&self, slot: Slot) -> Option<OpId> {
        self.origins.get(slot.index()).copied().flatten()
    }

    /// Returns the expression that an operation computes its size or its number of elements from.
    pub fn measure(&self, op: &Op) -> Option<CodeId> {
        match op.kind {
            Kind::Sized(Extent::Computed(code))
            | Kind::Bytes(Extent::Computed(code))
            | Kind::Text(Extent::Computed(code), _) => Some(code),
            Kind::Repeat(repeat) => match self.repeats[repeat].count {
                Count::Computed(code) => Some(code),
                Count::Until(_) | Count::ToEnd => None,
            },
            _ => None,
        }
    }

    /// Returns the operation whose value represents `op` in a record: the contents of a sized part or
    /// of a recursive call, or the field that represents a structure.
    pub fn presented(&self, op: OpId) -> OpId {
        let mut at = op;
        loop {
            let inside = match self.op(at).kind {
                Kind::Sized(_) => self.children(at).next(),
                Kind::Call(target) => Some(target),
                Kind::Structure if self.info(at).presentation.transparent => {
                    self.children(at).find(|child| {
                        let info = self.info(*child);
                        info.name.is_none() && info.label.is_some()
                    })
                }
                _ => None,
            };
            match inside {
                Some(inside) if inside != op => at = inside,
                _ => return at,
            }
        }
    }

    /// Returns whether the operation stores its value in the slot.
    fn is_kept_in(&self, id: OpId, slot: Slot) -> bool {
        let op = self.op(id);
        op.slot == slot && op.flags & flags::SLOT != 0
    }
}
