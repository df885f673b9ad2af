//! Lowers values that a writer computes and a reader checks.

use super::faults::FaultContext;
use super::place::Place;
use super::scope::{Binding, Inner, ScopeId};
use super::{CodeId, Lowering, OpId};
use crate::expression::{BinaryOperator, Expr, ExprKind};
use crate::schema::{Constraint, ConstraintKind, Field, FieldRole, ReaderDuty};
use tracegauge_plan::{
    CheckKind, CheckPlan, Code, Count, Derived, Extent, Kind, Measure, Scale, flags,
};

/// A field's value, which is computed from a size or count.
struct Linear {
    of: OpId,
    measure: Measure,
    scale: Scale,
}

/// The maximum factor and divisor in a linear formula. Together with [`MOST_ADDED`], it guarantees that no
/// formula exceeds 128 bits for a size of at most 64 bits.
const MOST_FACTOR: i128 = 1 << 32;

/// The maximum absolute value of the number that a linear formula adds.
const MOST_ADDED: u128 = 1 << 64;

impl Linear {
    /// Returns whether the numbers are so small that the formula and its inverse can be computed
    /// without overflow. Other values are computed as ordinary expressions.
    fn is_moderate(&self) -> bool {
        let Scale {
            factor,
            add,
            divisor,
        } = self.scale;
        (1..=MOST_FACTOR).contains(&factor)
            && (1..=MOST_FACTOR).contains(&divisor)
            && add.unsigned_abs() <= MOST_ADDED
    }
}

/// A computed value that refers to a later field of an enclosing structure.
#[derive(Clone, Debug)]
pub(super) struct Deferred<'s> {
    written: OpId,
    value: &'s Constraint,
    scope: ScopeId,
    context: FaultContext,
}

impl<'s> Lowering<'s> {
    /// Lowers the deferred values of inner fields if the fields that they refer to are now known.
    pub(super) fn deferred_values(&mut self, scope: ScopeId, structure: OpId) {
        let inside = |lowering: &Self, mut at: ScopeId| {
            while let Some(parent) = lowering.scopes[at.0].parent {
                if parent == scope {
                    return true;
                }
                at = parent;
            }
            false
        };
        let all = std::mem::take(&mut self.deferred);
        let (mine, others): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|deferred| inside(self, deferred.scope));
        self.deferred = others;
        for deferred in mine {
            let Deferred {
                written,
                value,
                scope,
                context,
            } = deferred;
            self.written_value(written, value, scope, structure, &context);
            if self.plan.infos[written.index()].derived.is_some() {
                self.plan.infos[written.index()].derived_at = Some(structure);
                // Violations are reported at the field, which is not in the current structure, so
                // its position must be recorded.
                self.span_slots(written);
            }
        }
    }

    /// Lowers the values that a writer computes for a structure's fields. The values are lowered
    /// after all fields are known, because the values may refer to later fields.
    pub(super) fn written_values(
        &mut self,
        fields: &'s [Field],
        scope: ScopeId,
        op: OpId,
        context: &FaultContext,
    ) {
        for field in fields {
            let (Some(id), FieldRole::Wire(source)) = (&field.id, &field.role) else {
                continue;
            };
            let Some(Binding::Op { op: written, .. }) = self.scopes[scope.0].fields.get(id) else {
                continue;
            };
            let written = *written;
            if let Some(value) = &source.value {
                self.written_value(written, value, scope, op, context);
            }
        }
        self.inferred_inverses(fields, scope);
    }

    fn written_value(
        &mut self,
        written: OpId,
        value: &'s Constraint,
        scope: ScopeId,
        structure: OpId,
        context: &FaultContext,
    ) {
        let ConstraintKind::Equal(expr) = &value.kind else {
            return;
        };
        let written = self.shown(written);
        self.plan.ops[written.index()].flags &= !flags::VISIBLE;
        // A measured field that is complete before this field needs no special handling, because
        // its size can be computed.
        if let Some(linear) = self.linear(expr, scope)
            && linear.is_moderate()
            && value.condition.is_none()
            && !self.is_before(linear.of, written)
        {
            let governed = self.governs(written, &linear);
            self.plan.infos[written.index()].derived = Some(Derived::Measured {
                of: linear.of,
                measure: linear.measure,
                scale: linear.scale,
            });
            if governed {
                return;
            }
        }
        let code = self.compiled(expr, scope, None);
        let condition = value.condition.as_ref();
        let condition = condition.map(|expr| self.compiled(expr, scope, None));
        let (code, condition) = match (code, condition.transpose()) {
            (Ok(code), Ok(condition)) => (code, condition),
            (Err(_), _) | (_, Err(_)) if self.active.len() > 1 => {
                // The value may refer to a field of an enclosing structure that is not known yet.
                self.deferred.push(Deferred {
                    written,
                    value,
                    scope,
                    context: context.clone(),
                });
                return;
            }
            (Err(error), _) | (_, Err(error)) => return self.report(error),
        };
        // The value applies only if the structure is not null.
        let condition = match (condition, self.scope(scope).present) {
            (Some(own), Some(present)) => {
                Some(self.code(Code::Binary(BinaryOperator::And, present, own)))
            }
            (one, other) => one.or(other),
        };
        if self.plan.infos[written.index()].derived.is_none() {
            self.plan.infos[written.index()].derived = Some(Derived::Computed(code));
        }
        let rule = value.rule.as_ref().and_then(|rule| context.resolve(rule));
        // The test runs at the end of the structure, when all fields that the value refers to are
        // known.
        let this = self.slot_code(written);
        let condition = match self.is_optional_in(written, structure) {
            // A field that is not in the trace has no value to test.
            true => {
                let present = self.code(Code::IsPresent(this));
                Some(match condition {
                    Some(own) => self.code(Code::Binary(BinaryOperator::And, present, own)),
                    None => present,
                })
            }
            false => condition,
        };
        let equal = self.code(Code::Binary(BinaryOperator::Equal, this, code));
        let kind = CheckKind::Holds(equal);
        self.ending(structure).checks.push(CheckPlan {
            kind,
            condition,
            rule,
            blame: Some(written),
        });
    }

    /// Returns whether `structure` may end without the field `written`, which is inside it.
    fn is_optional_in(&self, written: OpId, structure: OpId) -> bool {
        let mut at = written;
        while at != structure {
            let Some(parent) = self.plan.infos[at.index()].parent else {
                return false;
            };
            let around = &self.plan.ops[parent.index()].kind;
            let selected = matches!(around, Kind::Switch(_) | Kind::Layout(_));
            let guarded = self.plan.ops[at.index()].flags & flags::GUARD != 0;
            if selected || guarded || self.may_end_before(parent, at) {
                return true;
            }
            at = parent;
        }
        false
    }

    /// Returns whether a writer completes `of` before writing `written`.
    fn is_before(&self, of: OpId, written: OpId) -> bool {
        !self.around.contains(&of) && self.plan.ops[of.index()].end <= written.0
    }

    /// Returns whether the computed field itself controls the size or count of the measured field.
    /// A computed field that controls the measured size or count needs no test.
    fn governs(&mut self, written: OpId, linear: &Linear) -> bool {
        let slot = self.plan.ops[written.index()].slot;
        let extent = match &self.plan.ops[linear.of.index()].kind {
            Kind::Sized(extent) | Kind::Bytes(extent) | Kind::Text(extent, _) => match extent {
                Extent::Computed(code) if linear.measure == Measure::Size => *code,
                _ => return false,
            },
            Kind::Repeat(index) if linear.measure == Measure::Count => {
                match self.plan.repeats[*index].count {
                    Count::Computed(code) => code,
                    _ => return false,
                }
            }
            _ => return false,
        };
        // The extent must be the inverse of the linear formula: size = divisor * written - add.
        match self.affine(extent) {
            Some((read, factor, add)) => {
                let add = add.checked_neg();
                let is_inverse = factor == linear.scale.divisor && add == Some(linear.scale.add);
                read == slot && linear.scale.factor == 1 && is_inverse
            }
            None => false,
        }
    }

    /// Decomposes an expression of the form `factor * slot + add`.
    fn affine(&self, code: CodeId) -> Option<(tracegauge_plan::Slot, i128, i128)> {
        match &self.plan.codes[code.index()] {
            Code::Slot(slot) => Some((*slot, 1, 0)),
            Code::Binary(BinaryOperator::Add, left, right) => {
                let (slot, factor, add) = self.affine(*left)?;
                Some((slot, factor, add.checked_add(self.known_int(*right)?)?))
            }
            Code::Binary(BinaryOperator::Subtract, left, right) => {
                let (slot, factor, add) = self.affine(*left)?;
                Some((slot, factor, add.checked_sub(self.known_int(*right)?)?))
            }
            Code::Binary(BinaryOperator::Multiply, left, right) => {
                let known = self.known_int(*right).map(|by| (*left, by));
                let (inner, by) = known.or_else(|| Some((*right, self.known_int(*left)?)))?;
                let (slot, factor, add) = self.affine(inner)?;
                Some((slot, factor.checked_mul(by)?, add.checked_mul(by)?))
            }
            _ => None,
        }
    }

    /// Decomposes an expression that a [`Scale`] can represent.
    fn linear(&mut self, expr: &Expr, scope: ScopeId) -> Option<Linear> {
        match &expr.kind {
            ExprKind::Member { base, name } => {
                let measure = match name.as_str() {
                    "_sizeof" => Measure::Size,
                    "size" | "length" => Measure::Count,
                    _ => return None,
                };
                let Ok(Place::Field(op, inner)) = self.place(base, scope, None) else {
                    return None;
                };
                let of = self.measured(op, &inner, measure)?;
                Some(Linear {
                    of,
                    measure,
                    scale: Scale::SAME,
                })
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let constants = (self.number(left, scope), self.number(right, scope));
                let (linear, constant, swapped) = match constants {
                    (None, Some(value)) => (self.linear(left, scope)?, value, false),
                    (Some(value), None) => (self.linear(right, scope)?, value, true),
                    _ => return None,
                };
                let mut scale = linear.scale;
                let Scale { add, divisor, .. } = scale;
                match operator {
                    BinaryOperator::Add => {
                        scale.add = add.checked_add(constant.checked_mul(divisor)?)?;
                    }
                    BinaryOperator::Subtract if !swapped => {
                        scale.add = add.checked_sub(constant.checked_mul(divisor)?)?;
                    }
                    BinaryOperator::Multiply if divisor == 1 => {
                        scale.factor = scale.factor.checked_mul(constant)?;
                        scale.add = add.checked_mul(constant)?;
                    }
                    BinaryOperator::Divide if !swapped && scale.factor == 1 => {
                        scale.divisor = divisor.checked_mul(constant)?;
                    }
                    _ => return None,
                }
                Some(Linear { scale, ..linear })
            }
            _ => None,
        }
    }

    /// Returns a number that does not depend on the trace: a literal, or the size of a field that
    /// does not exist at this use of the type.
    fn number(&mut self, expr: &Expr, scope: ScopeId) -> Option<i128> {
        match &expr.kind {
            ExprKind::Int(value) => Some(*value),
            ExprKind::Member { base, name } if name == "_sizeof" => {
                let place = self.place(base, scope, None);
                matches!(place, Ok(Place::Absent)).then_some(0)
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let (left, right) = (self.number(left, scope)?, self.number(right, scope)?);
                match operator {
                    BinaryOperator::Add => left.checked_add(right),
                    BinaryOperator::Subtract => left.checked_sub(right),
                    BinaryOperator::Multiply => left.checked_mul(right),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn measured(&self, op: OpId, inner: &Inner, measure: Measure) -> Option<OpId> {
        match (measure, inner) {
            (Measure::Count, Inner::List) => Some(op),
            (Measure::Count, _) => {
                let shown = self.shown(op);
                matches!(self.plan.ops[shown.index()].kind, Kind::Repeat(_)).then_some(shown)
            }
            (Measure::Size, _) => Some(op),
        }
    }

    /// Returns whether the measured field is inside another list, switch or instance. A field in
    /// another list, switch or instance need not occur exactly once for each occurrence of
    /// `written`.
    fn is_elsewhere(&self, written: OpId, of: OpId) -> bool {
        let mut at = self.plan.infos[of.index()].parent;
        while let Some(around) = at {
            let op = &self.plan.ops[around.index()];
            let open = self.around.contains(&around);
            if around < written && (open || written.0 < op.end) {
                return false;
            }
            if matches!(op.kind, Kind::Repeat(_) | Kind::Switch(_) | Kind::At(_)) {
                return true;
            }
            at = self.plan.infos[around.index()].parent;
        }
        false
    }

    /// Returns whether tests restrict the field to so few values that its value should be chosen
    /// before the field that it measures.
    fn is_bound(&self, written: OpId) -> bool {
        let (first, count) = self.plan.ops[written.index()].checks;
        let first = first.index();
        self.plan.checks[first..first + usize::from(count)]
            .iter()
            .any(|check| {
                let rule = check.rule.map(|rule| self.plan.rules[rule].duty);
                let binds = rule.is_none_or(|duty| duty == ReaderDuty::Reject);
                binds
                    && matches!(
                        check.kind,
                        CheckKind::Equal(_) | CheckKind::AnyOf(_) | CheckKind::Holds(_)
                    )
            })
    }

    /// Infers how lengths are computed for a Kaitai Struct description without extensions, which
    /// contains only `size: len` or `repeat-expr: n`. The writer computes the length from the field
    /// that follows.
    fn inferred_inverses(&mut self, fields: &'s [Field], scope: ScopeId) {
        for field in fields {
            let Some(Binding::Op { op, .. }) = field
                .id
                .as_ref()
                .and_then(|id| self.scopes[scope.0].fields.get(id))
            else {
                continue;
            };
            let op = *op;
            let (code, measure) = match &self.plan.ops[op.index()].kind {
                Kind::Sized(Extent::Computed(code))
                | Kind::Bytes(Extent::Computed(code))
                | Kind::Text(Extent::Computed(code), _) => (*code, Measure::Size),
                Kind::Repeat(index) => match self.plan.repeats[*index].count {
                    Count::Computed(code) => (code, Measure::Count),
                    _ => continue,
                },
                _ => continue,
            };
            let Some((slot, 1, add)) = self.affine(code) else {
                continue;
            };
            let written = (0..op.0).rev().map(OpId).find(|candidate| {
                self.plan.ops[candidate.index()].slot == slot
                    && self.plan.ops[candidate.index()].flags & flags::SLOT != 0
            });
            let Some(written) = written else { continue };
            if add.unsigned_abs() > MOST_ADDED
                || self.is_elsewhere(written, op)
                || self.is_bound(written)
                || self.asked_size.contains(&op)
            {
                continue;
            }
            let info = &mut self.plan.infos[written.index()];
            if info.derived.is_none() && info.carry.is_none() {
                info.derived = Some(Derived::Measured {
                    of: op,
                    measure,
                    scale: Scale {
                        add: -add,
                        ..Scale::SAME
                    },
                });
            }
        }
    }
}
