//! Lowers what structures that contain themselves need: values of the structure that a recursive call
//! reads, and the previous elements of lists whose elements contain the list.

use super::place::Place;
use super::scope::Inner;
use super::{CodeId, LowerError, Lowering, OpId, Resolved};
use crate::expression::Expr;
use tracegauge_plan::{Code, Kind, PreviousPlan, RepeatId};

impl Lowering<'_> {
    /// Resolves a part of the structure that `op` reads with a recursive call.
    pub(super) fn called(&mut self, op: OpId, inside: Place, expr: &Expr) -> Resolved<Place> {
        if matches!(inside, Place::Absent) {
            return Ok(inside);
        }
        let Some(call) = self.call_of(op) else {
            let message = "a value inside a recursive structure is not supported yet here";
            return Err(LowerError::new(expr.span, message));
        };
        Ok(Place::Called(call, Box::new(inside)))
    }

    /// Returns the recursive call that reads an operation, if one does.
    fn call_of(&self, op: OpId) -> Option<OpId> {
        let call = self.shown(op);
        matches!(self.plan.ops[call.index()].kind, Kind::Call(_)).then_some(call)
    }

    /// Compiles a value of the structure that a recursive call reads. The value is the one at the
    /// end of the call.
    pub(super) fn called_value(
        &mut self,
        call: OpId,
        inside: Place,
        expr: &Expr,
    ) -> Resolved<CodeId> {
        let value = match inside {
            Place::Field(op, Inner::List) => match self.length_slot(self.shown(op)) {
                Some(slot) => self.code(Code::Slot(slot)),
                None => self.absent(),
            },
            Place::Field(op, _) if !self.is_value(op) => {
                let message = "a structure inside a recursive structure is not supported yet here";
                return Err(LowerError::new(expr.span, message));
            }
            inside => self.value_of(inside, expr)?,
        };
        Ok(self.exported(call, value))
    }

    /// Compiles the value that an expression has at the end of the structure that a recursive call
    /// reads.
    fn exported(&mut self, call: OpId, value: CodeId) -> CodeId {
        let exports = &self.plan.infos[call.index()].exports;
        let known = exports.iter().find(|(known, _)| *known == value);
        let to = match known.map(|(_, to)| *to) {
            Some(to) => to,
            None => {
                let to = self.new_slot();
                self.plan.infos[call.index()].exports.push((value, to));
                to
            }
        };
        self.reset_slot_if_optional(call, to);
        self.code(Code::Slot(to))
    }

    /// Compiles an expression in the scope of a list element, given its value inside the element.
    pub(super) fn of_element(&mut self, element: OpId, inner: &Inner, value: CodeId) -> CodeId {
        match (inner, self.call_of(element)) {
            (Inner::Again(_), Some(call)) => self.exported(call, value),
            _ => value,
        }
    }

    /// Makes `_prev` and carried fields refer to the previous element of the innermost list in
    /// structures that contain lists of themselves. Their slots belong to the list around the
    /// outermost structure, so the lists inside use the same slots, and restore them when they end.
    pub(super) fn previous_in_recursion(&mut self) {
        let calls = (0..self.plan.ops.len()).map(OpId::from);
        let calls: Vec<(OpId, OpId)> = calls
            .filter_map(|call| match self.plan.ops[call.index()].kind {
                Kind::Call(target) => Some((call, target)),
                _ => None,
            })
            .collect();
        for (call, target) in calls {
            let inner = self.list_around(call).filter(|(list, _)| *list > target);
            let Some((_, inner)) = inner else { continue };
            let outer = self.list_around(target).map(|(_, outer)| outer);
            let mut known = self.carried_in(target, outer);
            if let Some(outer) = outer {
                let previous = self.plan.repeats[outer].previous.iter().cloned();
                known.extend(previous.filter(|known| self.reads_inside(known.value, target)));
            }
            for previous in known {
                let value = self.exported(call, previous.value);
                self.continue_previous(inner, PreviousPlan { value, ..previous });
            }
        }
    }

    /// Gives each carried field of a recursive structure a slot for its previous value, which the
    /// lists inside the structure can share. Returns the previous values that no list around the
    /// structure has.
    fn carried_in(&mut self, target: OpId, outer: Option<RepeatId>) -> Vec<PreviousPlan> {
        let mut found = Vec::new();
        for op in (target.0..self.plan.ops[target.index()].end).map(OpId) {
            let around = self.list_around(op).map(|(_, list)| list);
            let Some(carry) = self.plan.infos[op.index()].carry else {
                continue;
            };
            let Some(slot) = self.plan.carries[carry]
                .previous
                .filter(|_| around == outer)
            else {
                continue;
            };
            let own = self.plan.ops[op.index()].slot;
            let is_shared = slot != own;
            if is_shared && outer.is_some() {
                continue;
            }
            let slot = if is_shared { slot } else { self.new_slot() };
            self.plan.carries[carry].previous = Some(slot);
            let previous = PreviousPlan {
                slot,
                value: self.code(Code::Slot(own)),
                initial: self.zero(op),
                idle: false,
                formula: None,
            };
            match outer {
                Some(outer) => {
                    let outer = &mut self.plan.repeats[outer];
                    outer.carried.retain(|(carried, _)| *carried != own);
                    outer.previous.push(previous);
                }
                None => found.push(previous),
            }
        }
        found
    }

    /// Returns whether an expression reads a value of a structure.
    fn reads_inside(&self, code: CodeId, structure: OpId) -> bool {
        let inside =
            &self.plan.ops[structure.index()..self.plan.ops[structure.index()].end as usize];
        let mut reads = false;
        tracegauge_plan::each_code(&self.plan, code, &mut |code| {
            if let Code::Slot(slot) = code {
                reads |= inside.iter().any(|op| op.slot == *slot);
            }
        });
        reads
    }

    /// Returns the innermost list around an operation.
    fn list_around(&self, op: OpId) -> Option<(OpId, RepeatId)> {
        let mut at = self.plan.infos[op.index()].parent;
        while let Some(parent) = at {
            if let Kind::Repeat(index) = self.plan.ops[parent.index()].kind {
                return Some((parent, index));
            }
            at = self.plan.infos[parent.index()].parent;
        }
        None
    }

    /// Adds a value of the previous element to a list that shares its slot with an outer list.
    fn continue_previous(&mut self, list: RepeatId, previous: PreviousPlan) {
        let repeat = &mut self.plan.repeats[list];
        let known = repeat.previous.iter_mut();
        match known.into_iter().find(|known| known.slot == previous.slot) {
            Some(known) => {
                let either = Code::Else(known.value, previous.value);
                let value = self.code(either);
                let known = self.plan.repeats[list].previous.iter_mut();
                for known in known.filter(|known| known.slot == previous.slot) {
                    known.value = value;
                }
            }
            None => {
                repeat.restored.push(previous.slot);
                repeat.previous.push(previous);
            }
        }
    }
}
