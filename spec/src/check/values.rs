//! Infers the possible values of the fields and instances of a structure.

use super::Checker;
use super::fold;
use super::kind::{Kind, Value};
use super::site::{Seen, Site};
use super::uses::UseId;
use super::widths::of_scalar;
use crate::expression::Expr;
use crate::schema::{
    Constraint, ConstraintKind, Field, FieldRole, FieldSource, Meaning, Position, ReaderDuty,
    RuleId, RuleRef, Scalar, ScalarKind, TypeBody, TypeRef,
};
use tracegauge_plan::evaluate::interval::Interval;

/// The maximum length of a chain of types, such as named scalars, each of which refers to the next.
const DEEPEST: usize = 40;

impl<'s> Checker<'s> {
    /// Returns the value of a field as seen by other fields: converted to its meaning, and as a
    /// list if the field is repeated.
    pub(super) fn field_value(&mut self, used: UseId, at: usize) -> Value {
        if let Some(known) = self.fields.get(&(used, at)) {
            return known.clone();
        }
        let described = self.type_of(used);
        let field = match &described.body {
            TypeBody::Structure(fields) => fields.get(at),
            TypeBody::Alias(field) => Some(&**field),
        };
        let Some(field) = field.filter(|_| self.depth < DEEPEST) else {
            return Value::UNKNOWN;
        };
        self.depth += 1;
        let value = self.outer_value(field, used, at);
        self.depth -= 1;
        self.fields.insert((used, at), value.clone());
        value
    }

    fn outer_value(&mut self, field: &'s Field, used: UseId, at: usize) -> Value {
        let source = match &field.role {
            FieldRole::Wire(source) => source,
            FieldRole::Check(_) => return Value::UNKNOWN,
            FieldRole::Align(_) => return Value::of(Kind::Bytes),
        };
        let element = self.element_value(source, used, at);
        let kind = match &source.repeat {
            Some(_) => Kind::List(Box::new(element.kind)),
            None => element.kind,
        };
        // A field with `carry` keeps the value of the previous element if it is not encoded, so it is
        // never absent, unless the earlier value is in a register.
        let keeps = source.carry.as_ref();
        let keeps = keeps.is_some_and(|carry| carry.from.is_none());
        let absent = !keeps && (source.condition.is_some() || source.optional_rest);
        let may_be_null = source.repeat.is_none() && element.absent;
        Value {
            kind,
            absent: absent || may_be_null,
        }
    }

    /// Returns the value of one element of a field, with its meaning applied.
    pub(super) fn element_value(
        &mut self,
        source: &'s FieldSource,
        used: UseId,
        at: usize,
    ) -> Value {
        let value = self.wire_value(source, used, at);
        let kind = match &source.meaning {
            Some(meaning) => meant(meaning, value.kind),
            None => value.kind,
        };
        Value {
            kind,
            absent: value.absent,
        }
    }

    /// Returns the value of one element of a field as seen by the field's own constraints.
    pub(super) fn wire_value(&mut self, source: &'s FieldSource, used: UseId, at: usize) -> Value {
        if source.layout.is_some() && !matches!(source.target, TypeRef::OfRow { .. }) {
            return Value::of(Kind::Described);
        }
        let element = source.repeat.is_some();
        let mut value = self.target_value(&source.target, used, at, element);
        if source.contents.is_some() {
            value = Value::of(Kind::Bytes);
        }
        if let Kind::Int(range) = value.kind {
            let narrowed = self.narrowed(range, &source.constraints);
            value.kind = Kind::Int(narrowed);
        }
        let range = match &value.kind {
            Kind::Int(range) | Kind::Enum(_, range) | Kind::Flags(_, range) => Some(*range),
            Kind::Bool => Some(Interval::new(0, 1)),
            _ => None,
        };
        value.kind = match (source.enumeration, source.flags, range) {
            (Some(id), _, range) => Kind::Enum(id, range.unwrap_or(Interval::ANY)),
            (None, Some(id), Some(range)) => Kind::Flags(id, range),
            _ => value.kind,
        };
        value
    }

    /// Returns the value of a type, before the constraints and the meaning of the field are
    /// applied.
    pub(super) fn target_value(
        &mut self,
        target: &'s TypeRef,
        used: UseId,
        at: usize,
        element: bool,
    ) -> Value {
        match target {
            TypeRef::Scalar(scalar) => Value::of(of_number(scalar)),
            TypeRef::Text => Value::of(Kind::Text),
            TypeRef::Bytes => Value::of(Kind::Bytes),
            TypeRef::Named { id, .. } => {
                let Some(described) = self.schema.types.get(id.index()) else {
                    return Value::UNKNOWN;
                };
                let Some(inner) = self.child(used, at, *id, element) else {
                    return Value::UNKNOWN;
                };
                match &described.body {
                    TypeBody::Alias(_) => self.alias_value(inner),
                    TypeBody::Structure(_) => Value {
                        kind: match &described.meaning {
                            Some(meaning) => meant(meaning, Kind::Structure(inner)),
                            None => Kind::Structure(inner),
                        },
                        absent: described.none.is_some(),
                    },
                }
            }
            TypeRef::Switch { cases, .. } => {
                let mut arms = Vec::new();
                for case in cases {
                    let arm = self.target_value(&case.target, used, at, element).kind;
                    if !arms.contains(&arm) {
                        arms.push(arm);
                    }
                }
                Value::of(match arms.len() {
                    1 => arms.remove(0),
                    0 => Kind::Unknown,
                    _ => Kind::Union(arms),
                })
            }
            TypeRef::OfRow { .. } => Value::of(Kind::Described),
        }
    }

    /// Returns the value of a named scalar as seen by other fields.
    fn alias_value(&mut self, used: UseId) -> Value {
        let described = self.type_of(used);
        let inner = self.field_value(used, 0);
        let Some(shows) = &described.shows else {
            return inner;
        };
        if self.depth > DEEPEST {
            return Value::UNKNOWN;
        }
        self.depth += 1;
        let site = Site::new(used, Seen::All).with(inner);
        let shown = self.quietly(|checker| checker.infer(shows, &site));
        self.depth -= 1;
        shown
    }

    /// Returns the part of the range whose values satisfy the constraints that every reader
    /// enforces.
    fn narrowed(&mut self, range: Interval, constraints: &'s [Constraint]) -> Interval {
        let mut narrowed = range;
        for constraint in constraints {
            narrowed = self
                .demanded(constraint)
                .and_then(|bound| narrowed.meet(bound))
                .unwrap_or(narrowed);
        }
        narrowed
    }

    /// Returns the range of values that readers accept under a constraint. Returns `None` if the
    /// constraint is conditional, if readers need not enforce the constraint, or if the constraint
    /// is not a comparison with constants.
    pub(super) fn demanded(&self, constraint: &Constraint) -> Option<Interval> {
        if constraint.condition.is_some() || !self.rejects(constraint.rule.as_ref()) {
            return None;
        }
        let constant = |expr: &Expr| fold::integer(expr, self.schema, None);
        match &constraint.kind {
            ConstraintKind::Equal(expr) => constant(expr).map(Interval::only),
            ConstraintKind::Min(expr) => {
                constant(expr).map(|least| Interval::new(least, i128::MAX))
            }
            ConstraintKind::Max(expr) => {
                constant(expr).map(|greatest| Interval::new(i128::MIN, greatest))
            }
            ConstraintKind::AnyOf(values) => {
                let values: Option<Vec<i128>> = values.iter().map(constant).collect();
                let ranges = values.into_iter().flatten().map(Interval::only);
                ranges.reduce(Interval::join)
            }
            ConstraintKind::InEnum | ConstraintKind::Predicate(_) => None,
        }
    }

    /// Returns `true` if readers always reject a value that violates the rule.
    fn rejects(&self, rule: Option<&RuleRef>) -> bool {
        match rule {
            None => true,
            Some(RuleRef::Rule(id)) => self.always_rejects(*id),
            Some(RuleRef::Fault(name)) => {
                let mapped = self.schema.faults.own.iter().find(|(own, ..)| own == name);
                matches!(mapped, Some((_, RuleRef::Rule(id), _)) if self.always_rejects(*id))
            }
        }
    }

    fn always_rejects(&self, id: RuleId) -> bool {
        let rule = self.schema.rule(id);
        rule.is_none_or(|rule| rule.reader.iter().all(|(_, d)| *d == ReaderDuty::Reject))
    }

    /// Returns the value of an instance.
    pub(super) fn instance(&mut self, used: UseId, at: usize) -> Value {
        if let Some(known) = self.instances.get(&(used, at)) {
            return known.clone();
        }
        if self.computing.contains(&(used, at)) || self.computing.len() > DEEPEST {
            return Value::UNKNOWN;
        }
        self.computing.push((used, at));
        let described = self.type_of(used);
        let value = match &described.instances[at].position {
            Position::Computed {
                value,
                condition,
                enumeration,
                ..
            } => {
                let site = Site::new(used, Seen::All);
                let found = self.quietly(|checker| checker.infer(value, &site));
                let found = found.or_absent(condition.is_some());
                match (enumeration, &found.kind) {
                    (Some(id), Kind::Int(range)) => Value {
                        kind: Kind::Enum(*id, *range),
                        absent: found.absent,
                    },
                    _ => found,
                }
            }
            Position::At { source, .. } => {
                let element = self.element_value(source, used, usize::MAX);
                let kind = match &source.repeat {
                    Some(_) => Kind::List(Box::new(element.kind)),
                    None => element.kind,
                };
                let absent = source.condition.is_some();
                Value { kind, absent }
            }
        };
        self.computing.pop();
        self.instances.insert((used, at), value.clone());
        value
    }
}

fn of_number(scalar: &Scalar) -> Kind {
    match scalar.kind {
        ScalarKind::Bits(1, _) => Kind::Bool,
        ScalarKind::Float(_) => Kind::Float,
        ScalarKind::Guid(_) => Kind::Guid,
        _ => of_scalar(scalar).map_or(Kind::Unknown, Kind::Int),
    }
}

/// Returns the kind of a value after its meaning has been applied.
fn meant(meaning: &Meaning, kind: Kind) -> Kind {
    match meaning {
        Meaning::Bool => Kind::Bool,
        Meaning::Signature(layout) => Kind::Signature(*layout),
        Meaning::Json { .. } => Kind::Text,
        Meaning::Time { .. }
        | Meaning::DateTime
        | Meaning::CodeUnit
        | Meaning::Map
        | Meaning::Pair { .. } => kind,
    }
}
