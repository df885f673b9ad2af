//! Queries over lists, constraints on the order of list elements, and rows that list elements
//! define.

use super::faults::FaultContext;
use super::place::Place;
use super::scope::{Inner, ScopeId};
use super::{CodeId, LowerError, Lowering, OpId, Resolved, Slot};
use crate::expression::{BinaryOperator, Expr, ExprKind};
use crate::schema::{Arrange, ConstraintKind, Define};
use tracegauge_plan::{Code, FoldPlan, Kind, OncePlan, Pick, RepeatId, flags};

/// A selection of list elements, and the part of each element that is read.
#[derive(Clone, Debug)]
pub(super) struct Picked {
    /// The repetition that reads the list.
    pub repeat: OpId,
    /// The selection among the matching elements.
    pub which: Which,
    /// The condition that an element must satisfy.
    pub when: Option<CodeId>,
    /// If the condition fixes the value of one of the element's slots, that slot and its value.
    pub known: Option<(Slot, i128)>,
    /// The part of each selected element that is read.
    pub at: Place,
}

/// A selection among the elements that match a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// The first match.
    First,
    /// The last match.
    Last,
    /// All matches.
    All,
}

impl<'s> Lowering<'s> {
    /// Returns the repetition that reads the list `op`, or the list that represents `op`. Returns
    /// `None` if there is no list, or if its elements are unknown.
    pub(super) fn list_of(&self, op: OpId) -> Option<OpId> {
        let shown = self.shown(op);
        self.elements.contains_key(&shown).then_some(shown)
    }

    /// Resolves `list.first` and `list.last`.
    pub(super) fn list_member(&mut self, list: OpId, name: &str) -> Option<Place> {
        let which = match name {
            "first" => Which::First,
            "last" => Which::Last,
            _ => return None,
        };
        Some(self.picked(list, which, None, None))
    }

    /// Resolves `list.at(i)` and `list[i]`. The element is selected while the list is read, so the
    /// index must be known before reading starts.
    pub(super) fn list_at(&mut self, list: OpId, index: CodeId, expr: &Expr) -> Resolved<Place> {
        if !self.is_known_before(index, list) {
            let message = format!(
                "`{expr}` is not supported: an index must be a constant or be known before the \
                 list is read"
            );
            return Err(LowerError::new(expr.span, message));
        }
        let number = self.code(Code::Index(0));
        let when = self.code(Code::Binary(BinaryOperator::Equal, number, index));
        Ok(self.picked(list, Which::First, Some(when), None))
    }

    /// Returns whether the value of an expression is known before `list` is read and does not
    /// change afterwards.
    fn is_known_before(&self, code: CodeId, list: OpId) -> bool {
        let mut known = true;
        tracegauge_plan::each_code(&self.plan, code, &mut |code| match code {
            Code::Slot(slot) => {
                let slots = |op: OpId| {
                    let info = &self.plan.infos[op.index()];
                    let spans = info.span_slots.map(|(start, end)| [start, end]);
                    spans.is_some_and(|spans| spans.contains(slot))
                };
                let spans = (0..self.plan.ops.len()).map(|at| OpId(at as u32));
                let owner = self.slot_owner(*slot).or_else(|| {
                    let counted = self.plan.repeats.position(|repeat| {
                        repeat.length_slot == Some(*slot)
                            || repeat.folds.iter().any(|fold| fold.slot == *slot)
                    });
                    let mut ops = spans.clone();
                    ops.find(|op| match self.plan.ops[op.index()].kind {
                        Kind::Repeat(index) => counted == Some(index),
                        _ => slots(*op),
                    })
                });
                // A slot is set before the list is read if the operation that sets it precedes the
                // list. This includes the slots of arguments, which are saved before the type that
                // receives them is read.
                known &= owner.is_some_and(|owner| owner < list);
            }
            Code::Between(..)
            | Code::Index(_)
            | Code::Stream(..)
            | Code::Register(_)
            | Code::Column(..)
            | Code::This => known = false,
            _ => {}
        });
        known
    }

    /// Resolves a method call on a list.
    pub(super) fn list_method(
        &mut self,
        list: OpId,
        (name, arguments): (&str, &[Expr]),
        expr: &Expr,
        scope: ScopeId,
        this: Option<CodeId>,
    ) -> Resolved<Place> {
        match (name, arguments) {
            ("at", [index]) => {
                let index = self.compiled(index, scope, this)?;
                self.list_at(list, index, expr)
            }
            ("find" | "all", [field, wanted]) => {
                let (place, code) = self.element_field(list, field)?;
                let wanted = self.compiled(wanted, scope, this)?;
                let slot = match place {
                    Place::Field(op, Inner::Leaf) => Some(self.slot_of(op)),
                    _ => None,
                };
                let known = slot.zip(self.known_int(wanted));
                let when = self.code(Code::Binary(BinaryOperator::Equal, code, wanted));
                let which = match name {
                    "find" => Which::First,
                    _ => Which::All,
                };
                Ok(self.picked(list, which, Some(when), known))
            }
            ("min" | "max", [field]) => {
                let (place, value) = self.element_field(list, field)?;
                let pick = match name {
                    "min" => Pick::Least,
                    _ => Pick::Greatest,
                };
                let origin = self.origin_of_place(&place);
                Ok(Place::Value(self.answer(list, pick, None, value, origin)))
            }
            _ => {
                let message = format!("`{name}(…)` on a list is not supported yet");
                Err(LowerError::new(expr.span, message))
            }
        }
    }

    /// Resolves a bare name that refers to a field of the elements, such as `time` in
    /// `list.min(time)`.
    fn element_field(&mut self, list: OpId, field: &Expr) -> Resolved<(Place, CodeId)> {
        let ExprKind::Name(name) = &field.kind else {
            let message = "expected the name of a field";
            return Err(LowerError::new(field.span, message));
        };
        let element = self.element_place(list).unwrap_or(Place::Absent);
        let place = self.member(element, name, field)?;
        let code = self.value_of(place.clone(), field)?;
        Ok((place, code))
    }

    fn element_place(&self, list: OpId) -> Option<Place> {
        let (element, inner) = self.elements.get(&list)?;
        Some(Place::Field(*element, inner.clone()))
    }

    fn picked(
        &mut self,
        repeat: OpId,
        which: Which,
        when: Option<CodeId>,
        known: Option<(Slot, i128)>,
    ) -> Place {
        let at = self.element_place(repeat).unwrap_or(Place::Absent);
        Place::Picked(Box::new(Picked {
            repeat,
            which,
            when,
            known,
            at,
        }))
    }

    /// Resolves a member of selected elements, such as `list.last.time`.
    pub(super) fn picked_member(
        &mut self,
        picked: Picked,
        name: &str,
        expr: &Expr,
    ) -> Resolved<Place> {
        let is_element = matches!(&picked.at, Place::Field(op, _)
            if self.elements.get(&picked.repeat).is_some_and(|(element, _)| element == op));
        if picked.which == Which::All && is_element && matches!(name, "size" | "length") {
            let one = self.code(Code::Int(1));
            let count = self.answer(picked.repeat, Pick::Count, picked.when, one, None);
            return Ok(Place::Value(count));
        }
        let at = self.member(picked.at, name, expr)?;
        let at = self.narrowed(at, picked.known);
        Ok(Place::Picked(Box::new(Picked { at, ..picked })))
    }

    /// Narrows a switch to a single arm if the value of the field that selects the arm is known.
    fn narrowed(&self, at: Place, known: Option<(Slot, i128)>) -> Place {
        let (Place::Field(op, Inner::Arms(inners, ops)), Some((slot, value))) = (&at, known) else {
            return at;
        };
        let Kind::Switch(index) = self.plan.ops[self.shown(*op).index()].kind else {
            return at;
        };
        let switch = &self.plan.switches[index];
        if self.plan.codes[switch.on.index()] != Code::Slot(slot) {
            return at;
        }
        let labelled = switch.arms.iter().find(|(l, _)| l.contains(&value));
        let Some(arm) = labelled.map(|(_, arm)| *arm).or(switch.default) else {
            return Place::Absent;
        };
        match ops.iter().position(|op| *op == arm) {
            Some(number) => Place::Field(arm, inners[number].clone()),
            None => at,
        }
    }

    /// Compiles the value that a query reads from the selected elements.
    pub(super) fn picked_value(&mut self, picked: Picked, expr: &Expr) -> Resolved<CodeId> {
        if picked.which == Which::All {
            return self.picked_all(picked, expr);
        }
        let (value, origin) = match picked.at {
            Place::Field(op, inner) => {
                if !matches!(inner, Inner::Leaf) && !self.is_value(op) {
                    self.plan.ops[op.index()].flags |= flags::CAPTURE;
                    self.hold(picked.repeat);
                }
                (self.slot_code(op), Some(self.shown(op)))
            }
            place => {
                let origin = self.origin_of_place(&place);
                (self.value_of(place, expr)?, origin)
            }
        };
        Ok(match picked.which {
            Which::Last => self.answer(picked.repeat, Pick::Last, picked.when, value, origin),
            _ => {
                let seen = Pick::First(Slot::NONE);
                self.answer(picked.repeat, seen, picked.when, value, origin)
            }
        })
    }

    /// Returns the operation whose value an expression yields, if it is a field.
    fn origin_of_place(&self, place: &Place) -> Option<OpId> {
        match place {
            Place::Field(op, _) => Some(self.shown(*op)),
            Place::Called(_, inside) => self.origin_of_place(inside),
            _ => None,
        }
    }

    /// Keeps the elements of a list until the structure ends that contains both the list and the
    /// operation that is being lowered.
    fn hold(&mut self, list: OpId) {
        let around = self.around.iter().rev().copied();
        let mut around = around.filter(|op| *op < list);
        let both = around.find(|op| matches!(self.plan.ops[op.index()].kind, Kind::Structure));
        self.holding.extend(both);
    }

    /// Compiles a query that returns a field of all matching elements. The elements are stored as
    /// trees, and the field is looked up in each tree.
    fn picked_all(&mut self, picked: Picked, expr: &Expr) -> Resolved<CodeId> {
        let Some((element, _)) = self.elements.get(&picked.repeat).cloned() else {
            return Ok(self.absent());
        };
        let at = match picked.at {
            Place::Called(_, inside) => *inside,
            at => at,
        };
        let part = match at {
            Place::Field(op, _) => self.shown(op),
            Place::Absent => return Ok(self.absent()),
            _ => {
                let message = "`all` can only return a field of the elements";
                return Err(LowerError::new(expr.span, message));
            }
        };
        let composite = matches!(
            self.plan.ops[element.index()].kind,
            Kind::Structure | Kind::Switch(_) | Kind::Sized(_) | Kind::Call(_)
        );
        if !composite {
            let message = "the elements of this list have no fields";
            return Err(LowerError::new(expr.span, message));
        }
        if self.plan.ops[element.index()].slot == Slot::NONE {
            let slot = self.new_slot();
            self.plan.ops[element.index()].slot = slot;
        }
        self.hold(picked.repeat);
        let op = &mut self.plan.ops[element.index()];
        op.flags |= flags::CAPTURE | flags::SLOT;
        let slot = op.slot;
        let value = self.code(Code::Slot(slot));
        let pick = Pick::All(part);
        Ok(self.answer(picked.repeat, pick, picked.when, value, Some(part)))
    }

    /// Returns the slot with the result of a query. Identical queries share a slot.
    fn answer(
        &mut self,
        repeat: OpId,
        pick: Pick,
        when: Option<CodeId>,
        value: CodeId,
        origin: Option<OpId>,
    ) -> CodeId {
        let Kind::Repeat(index) = self.plan.ops[repeat.index()].kind else {
            return self.absent();
        };
        let known = self.plan.repeats[index].folds.iter();
        let known = known.clone().find(|fold| {
            let same_pick = match (fold.pick, pick) {
                (Pick::First(_), Pick::First(_)) => true,
                (a, b) => a == b,
            };
            let same_when = match (fold.when, when) {
                (None, None) => true,
                (Some(a), Some(b)) => self.plan.is_same_expression(a, b),
                _ => false,
            };
            same_pick && same_when && self.plan.is_same_expression(fold.value, value)
        });
        if let Some(slot) = known.map(|fold| fold.slot) {
            self.reset_slot_if_optional(repeat, slot);
            return self.code(Code::Slot(slot));
        }
        let slot = self.new_slot();
        let pick = match pick {
            Pick::First(_) => Pick::First(self.new_slot()),
            pick => pick,
        };
        self.plan.repeats[index].folds.push(FoldPlan {
            pick,
            when,
            value,
            slot,
            origin,
            formula: None,
        });
        self.reset_slot_if_optional(repeat, slot);
        self.code(Code::Slot(slot))
    }

    /// Adds the tests of the first and last element and of values that may occur only once.
    pub(super) fn arrange(
        &mut self,
        index: RepeatId,
        arrange: &'s Arrange,
        (element, inner): (OpId, &Inner),
        scope: ScopeId,
        context: &FaultContext,
    ) {
        if self.is_value(element) {
            self.slot_of(element);
        }
        self.this_place = Some(Place::Field(element, inner.clone()));
        let (mut first, mut last) = (Vec::new(), Vec::new());
        for constraint in &arrange.first {
            self.constraint(constraint, scope, context, &mut first, None);
        }
        for constraint in &arrange.last {
            self.constraint(constraint, scope, context, &mut last, None);
        }
        for (constraint, by) in &arrange.once {
            let ConstraintKind::Equal(equal) = &constraint.kind else {
                continue;
            };
            let plan = OncePlan {
                by: self.compile(by, scope, None),
                equal: self.compile(equal, scope, None),
                rule: constraint.rule.as_ref().and_then(|r| context.resolve(r)),
            };
            self.plan.repeats[index].once.push(plan);
        }
        self.this_place = None;
        let repeat = &mut self.plan.repeats[index];
        repeat.first = first;
        repeat.last = last;
    }

    /// Adds the rows that the elements of a list define.
    pub(super) fn define_elements(
        &mut self,
        index: RepeatId,
        define: &'s Define,
        (element, inner): (OpId, &Inner),
        scope: ScopeId,
        context: &FaultContext,
    ) {
        let Some(row) = self.element_scope(inner) else {
            let message = "rows must be structures; elements of other types are not supported yet";
            self.error(define.span, message);
            return;
        };
        let key = match (&define.first_key, &define.key) {
            (Some(first), _) => {
                let first = self.compile(first, scope, None);
                let number = self.code(Code::Index(0));
                Some(self.code(Code::Binary(BinaryOperator::Add, first, number)))
            }
            (None, Some(key)) => Some(self.compile(key, row, None)),
            (None, None) => None,
        };
        let condition = define
            .condition
            .as_ref()
            .map(|expr| self.compile_of_element(expr, scope, (element, inner)));
        let plan = self.define_plan(define, (key, condition), (row, element), context);
        self.plan.repeats[index].defines = Some(Box::new(plan));
    }
}
