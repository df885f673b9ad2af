//! Lowers `_prev`, the previous element of a repetition.

use super::place::Place;
use super::scope::{Inner, ScopeId};
use super::{CodeId, LowerError, Lowering, OpId, Resolved, Slot};
use crate::expression::Expr;
use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::{Code, Kind, PreviousPlan, flags};

/// A reference to a value of the previous element. The referenced field may not have been lowered
/// yet.
#[derive(Clone, Debug)]
pub(super) struct Awaited {
    repeat: OpId,
    scope: ScopeId,
    path: String,
    slot: Slot,
    span: SourceSpan,
    /// Whether the value is a member of a record.
    is_member: bool,
}

impl<'s> Lowering<'s> {
    /// Resolves `_prev`.
    pub(super) fn previous_place(&mut self, scope: ScopeId, expr: &Expr) -> Resolved<Place> {
        let around = &self.repeats[..self.lists_around(scope)];
        let Some(repeat) = around.last().copied() else {
            let message = "`_prev` requires an enclosing repetition";
            return Err(LowerError::new(expr.span, message));
        };
        Ok(Place::Previous {
            repeat,
            scope,
            path: String::new(),
        })
    }

    /// Compiles the value of the previous element at a path.
    pub(super) fn previous_value(
        &mut self,
        repeat: OpId,
        scope: ScopeId,
        path: String,
        span: SourceSpan,
    ) -> CodeId {
        let known = self
            .previous
            .iter()
            .find(|known| known.repeat == repeat && known.scope == scope && known.path == path);
        let slot = match known.map(|known| known.slot) {
            Some(slot) => slot,
            None => {
                let slot = self.new_slot();
                self.previous.push(Awaited {
                    repeat,
                    scope,
                    path,
                    slot,
                    span,
                    is_member: false,
                });
                slot
            }
        };
        self.code(Code::Slot(slot))
    }

    /// Notes that a record has the value of the previous element in `code` as a member.
    pub(super) fn previous_is_member(&mut self, code: CodeId) {
        let Code::Slot(slot) = self.plan.codes[code.index()] else {
            return;
        };
        if let Some(known) = self.previous.iter_mut().find(|known| known.slot == slot) {
            known.is_member = true;
        }
    }

    /// Resolves references to values of the previous element, after the element has been lowered.
    pub(super) fn previous_values(&mut self, repeat: OpId) {
        let mine = |known: &Awaited| known.repeat == repeat;
        let awaited: Vec<Awaited> = self.previous.iter().filter(|a| mine(a)).cloned().collect();
        self.previous.retain(|known| !mine(known));
        for awaited in awaited {
            let place = match self.awaited_place(&awaited) {
                Ok(place) => place,
                Err(error) => {
                    self.report(error);
                    continue;
                }
            };
            if awaited.is_member
                && let Place::Field(op, inner) = &place
                && !matches!(inner, Inner::Leaf | Inner::Arms(..))
                && !self.is_value(*op)
            {
                let message = "a structure or list of the previous element in a record is not \
                               supported yet";
                self.report(LowerError::new(awaited.span, message));
            }
            let expr = super::effects::path_expression(&awaited.path, awaited.span);
            let initial = self.zero_of(&place, repeat);
            let value = self.value_or_absent(place, &expr);
            let initial = match initial {
                Some(initial) => initial,
                None if self.may_be_absent(value) => self.absent(),
                None => self.code(Code::Int(0)),
            };
            let initial = match self.plan.codes[value.index()] {
                Code::HasBits(_, mask) => self.fold(Code::HasBits(initial, mask)),
                _ => initial,
            };
            if let Kind::Repeat(index) = self.plan.ops[repeat.index()].kind {
                let plan = PreviousPlan {
                    slot: awaited.slot,
                    value,
                    initial,
                    idle: false,
                    formula: None,
                };
                self.plan.repeats[index].previous.push(plan);
            }
        }
        // A value that only the previous value of another value reads would never be stored.
        let mut left = self.previous.iter().filter(|known| mine(known));
        if let Some(span) = left.next().map(|known| known.span) {
            let message =
                "`_prev` in an instance that is read through `_prev` is not supported yet";
            self.report(LowerError::new(span, message));
        }
    }

    /// Resolves the field of the previous element, starting from the outermost structure inside the
    /// element.
    fn awaited_place(&mut self, awaited: &Awaited) -> Resolved<Place> {
        let message = format!("the element has no field `{}`", awaited.path);
        let mut reason = LowerError::new(awaited.span, message);
        if awaited.path.is_empty() {
            let element = self.elements.get(&awaited.repeat).cloned();
            let (element, inner) = element.ok_or(reason)?;
            return Ok(Place::Field(element, inner));
        }
        let mut scopes = Vec::new();
        let mut at = Some(awaited.scope);
        while let Some(scope) = at {
            if self.scopes[scope.0]
                .op
                .is_none_or(|op| op <= awaited.repeat)
            {
                break;
            }
            scopes.push(scope);
            at = self.scopes[scope.0].parent;
        }
        let expr = super::effects::path_expression(&awaited.path, awaited.span);
        for scope in scopes.into_iter().rev() {
            match self.place(&expr, scope, None) {
                Ok(place) => return Ok(place),
                Err(error) => reason = error,
            }
        }
        Err(reason)
    }

    /// Returns the value that a field has before the first element is read. Returns `None` if
    /// `place` is not a field.
    fn zero_of(&mut self, place: &Place, repeat: OpId) -> Option<CodeId> {
        let Place::Field(op, _) = place else {
            return None;
        };
        let shown = self.shown(*op);
        let carry = self.plan.infos[shown.index()].carry;
        if let Some(carry) = carry {
            let register = self.plan.carries[carry].register;
            return Some(match register {
                Some(register) => self.code(Code::Register(register)),
                None => self.zero(shown),
            });
        }
        let mut at = shown;
        while at != repeat {
            if self.plan.ops[at.index()].flags & flags::GUARD != 0 {
                return Some(self.absent());
            }
            match self.plan.infos[at.index()].parent {
                Some(parent) => at = parent,
                None => break,
            }
        }
        Some(self.zero(shown))
    }

    /// Returns the default value of a field: zero, or an empty string.
    pub(super) fn zero(&mut self, op: OpId) -> CodeId {
        let zero = match self.plan.ops[op.index()].kind {
            Kind::Integer(_) | Kind::Variable(..) | Kind::Bits { .. } => Code::Int(0),
            Kind::Float { .. } => Code::Float(0.0),
            Kind::Text(..) | Kind::Bytes(_) | Kind::Terminated { .. } => {
                Code::Text(self.constant(&[]))
            }
            Kind::Guid(_) => Code::Text(self.constant(&[0; 16])),
            _ => Code::Absent,
        };
        self.code(zero)
    }

    /// Returns whether a computed value can be absent.
    fn may_be_absent(&self, value: CodeId) -> bool {
        let mut absent = false;
        tracegauge_plan::each_code(&self.plan, value, &mut |code| {
            absent |= match code {
                Code::Absent | Code::Column(..) => true,
                Code::Slot(slot) => self
                    .plan
                    .ops
                    .iter()
                    .all(|op| op.slot != *slot || op.flags & flags::GUARD != 0),
                _ => false,
            };
        });
        absent
    }
}
