//! Restricts a description to one dialect, so that a page omits everything specific to other
//! dialects.

use std::sync::Arc;

use crate::check::fold;
use crate::expression::{BinaryOperator, Expr, ExprKind};
use crate::schema::{
    Constraint, Dialect, Field, FieldRole, FieldSource, Instance, Position, Schema, Type, TypeBody,
    TypeRef,
};

/// Returns the part of `schema` that belongs to the dialect `id`, or `None` if there is no such
/// dialect.
///
/// Fields, instances, constraints, switch cases, type codes and enumeration members whose
/// conditions never hold in the dialect are removed, and conditions that always hold are omitted.
/// The indexes of types, rules and tables do not change.
pub(super) fn only(schema: &Schema, id: &str) -> Option<Schema> {
    let dialect = schema.dialects.iter().find(|dialect| dialect.id == id)?;
    let known = Known { schema, dialect };
    let mut own = schema.clone();
    own.dialects.retain(|dialect| dialect.id == id);
    for described in &mut own.types {
        known.restrict_type(described);
    }
    for enumeration in &mut own.enums {
        let members = &mut enumeration.members;
        members.retain_mut(|member| known.holds(&mut member.condition));
    }
    for layout in &mut own.layouts {
        layout
            .codes
            .retain_mut(|code| known.holds(&mut code.condition));
        if let Some(optional) = &mut layout.optional
            && !known.holds(&mut optional.condition)
        {
            layout.optional = None;
        }
    }
    for rule in Arc::make_mut(&mut own.rules) {
        let plain = rule.is_plain(id);
        rule.reader = vec![(String::new(), rule.duty(id))];
        rule.plain = Some(plain);
    }
    Some(own)
}

/// The constants of a dialect.
struct Known<'s> {
    schema: &'s Schema,
    dialect: &'s Dialect,
}

impl Known<'_> {
    /// Simplifies a condition, and returns whether it can hold.
    fn holds(&self, condition: &mut Option<Expr>) -> bool {
        let Some(found) = condition else { return true };
        match self.truth(found) {
            Some(truth) => {
                *condition = None;
                truth
            }
            None => {
                *found = self.without_constants(found);
                true
            }
        }
    }

    fn truth(&self, condition: &Expr) -> Option<bool> {
        fold::truth(condition, self.schema, Some(self.dialect))
    }

    /// Removes the operands of `and` that always hold.
    fn without_constants(&self, condition: &Expr) -> Expr {
        let mut simple = condition.clone();
        if let ExprKind::Binary {
            operator: BinaryOperator::And,
            left,
            right,
        } = &condition.kind
        {
            if self.truth(left) == Some(true) {
                return self.without_constants(right);
            }
            if self.truth(right) == Some(true) {
                return self.without_constants(left);
            }
            simple.kind = ExprKind::Binary {
                operator: BinaryOperator::And,
                left: Box::new(self.without_constants(left)),
                right: Box::new(self.without_constants(right)),
            };
        }
        simple
    }

    fn restrict_type(&self, described: &mut Type) {
        match &mut described.body {
            TypeBody::Structure(fields) => fields.retain_mut(|field| self.has(field)),
            TypeBody::Alias(field) => {
                self.has(field);
            }
        }
        let instances = &mut described.instances;
        instances.retain_mut(|instance| self.has_instance(instance));
        self.restrict_all(&mut described.constraints);
    }

    /// Restricts a field to the dialect, and returns whether the dialect has the field.
    fn has(&self, field: &mut Field) -> bool {
        match &mut field.role {
            FieldRole::Wire(source) => self.has_source(source),
            FieldRole::Check(check) => self.holds(&mut check.condition),
            FieldRole::Align(align) => self.holds(&mut align.condition),
        }
    }

    fn has_instance(&self, instance: &mut Instance) -> bool {
        match &mut instance.position {
            Position::Computed { condition, .. } => self.holds(condition),
            Position::At { source, .. } => self.has_source(source),
        }
    }

    fn has_source(&self, source: &mut FieldSource) -> bool {
        self.restrict_all(&mut source.constraints);
        self.restrict_target(&mut source.target);
        self.holds(&mut source.condition)
    }

    fn restrict_all(&self, constraints: &mut Vec<Constraint>) {
        constraints.retain_mut(|constraint| self.holds(&mut constraint.condition));
    }

    fn restrict_target(&self, target: &mut TypeRef) {
        if let TypeRef::Switch { cases, .. } = target {
            cases.retain_mut(|case| self.holds(&mut case.condition));
            for case in cases {
                self.restrict_target(&mut case.target);
            }
        }
    }
}
