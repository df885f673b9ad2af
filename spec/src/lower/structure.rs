//! Lowers structures and the fields in them.

use super::faults::FaultContext;
use super::located::Waiting;
use super::scope::{Binding, Inner, ScopeId};
use super::{Lowering, NameId, OpId};
use crate::expression::ExprKind;
use crate::schema::{
    Field, FieldRole, FieldSource, LimitKind, LimitSubject, Schema, Type, TypeBody, TypeId,
};
use tracegauge_plan::{Kind, flags};

impl<'s> Lowering<'s> {
    /// Adds a use of a type as a structure and returns its operation.
    pub(super) fn structure(
        &mut self,
        type_id: TypeId,
        scope: ScopeId,
        name: Option<NameId>,
        context: &FaultContext,
    ) -> (OpId, Inner) {
        let schema: &'s Schema = self.schema;
        let described = &schema.types[type_id.index()];
        if let Some(target) = self.recursive(type_id) {
            return self.recursion(target, name, context, described);
        }
        let context = context.enter(&described.faults);
        let faults = self.fault_rules(&context);
        let op = self.open(Kind::Structure, name, name, faults, described.span);
        let type_name = self.intern(&described.name);
        self.plan.infos[op.index()].type_name = Some(type_name);
        self.plan.infos[op.index()].presentation.meaning = described.meaning.clone();
        self.plan.ops[op.index()].flags |= flags::VISIBLE;
        self.scopes[scope.0].op = Some(op);
        if !self.exhausted(described.span) {
            self.active.push((type_id, op));
            let shown = shown_name(described);
            if shown.is_some() {
                self.plan.infos[op.index()].presentation.transparent = true;
            }
            match &described.body {
                TypeBody::Structure(fields) => {
                    self.keep_arguments(scope, &context);
                    let mut waiting = self.waiting(described);
                    self.fields(
                        described,
                        fields,
                        shown.as_deref(),
                        scope,
                        &context,
                        &mut waiting,
                    );
                    self.read_early(&waiting, scope);
                    self.written_values(fields, scope, op, &context);
                    self.deferred_values(scope, op);
                }
                TypeBody::Alias(_) => {
                    self.error(
                        described.span,
                        "a type defined with `is` is not a structure",
                    );
                }
            }
            self.effects(described, scope, op, &context);
            self.record(type_id, scope, op);
            self.active.pop();
        }
        self.close(op);
        self.describes(op);
        (op, Inner::Structure(scope))
    }

    /// Returns the enclosing use of a type that a use of the same type calls recursively. If another
    /// type in between has an exact limit of the nesting depth, that type is called instead, so that
    /// its own levels are counted and not those of this type.
    fn recursive(&self, type_id: TypeId) -> Option<OpId> {
        let known = |(known, _): &(TypeId, OpId)| *known == type_id;
        let at = self.active.iter().rposition(known)?;
        let inside = &self.active[at..];
        let has_limit = |(known, _): &(TypeId, OpId)| self.has_exact_depth(*known);
        let is_called = self.has_exact_depth(type_id) || !inside.iter().any(has_limit);
        is_called.then_some(inside[0].1)
    }

    /// Returns whether readers must accept and reject the same nesting depths of a type. Other
    /// limits leave readers a choice that is larger than the difference between two types of a
    /// cycle.
    fn has_exact_depth(&self, type_id: TypeId) -> bool {
        let mut limits = self.schema.limits.iter();
        limits.any(|limit| {
            limit.kind == LimitKind::Depth
                && limit.promised.is_some()
                && limit.promised == limit.enforced
                && matches!(&limit.of, LimitSubject::Type(of) if *of == type_id)
        })
    }

    /// Adds a recursive call for a use of a type inside the type itself.
    fn recursion(
        &mut self,
        target: OpId,
        name: Option<NameId>,
        context: &FaultContext,
        described: &'s Type,
    ) -> (OpId, Inner) {
        let faults = self.fault_rules(context);
        let op = self.open(Kind::Call(target), name, name, faults, described.span);
        self.plan.ops[op.index()].flags |= flags::VISIBLE;
        self.close(op);
        let scope = self
            .scopes
            .iter()
            .position(|scope| scope.op == Some(target))
            .map(ScopeId);
        (op, scope.map_or(Inner::Described, Inner::Again))
    }

    fn fields(
        &mut self,
        described: &'s Type,
        fields: &'s [Field],
        shown: Option<&str>,
        scope: ScopeId,
        context: &FaultContext,
        waiting: &mut Waiting<'s>,
    ) {
        let mut index = 0;
        loop {
            self.positions(waiting, &fields[index..], scope, context);
            if index >= fields.len() {
                return;
            }
            let run = self.bit_run(&fields[index..]);
            let before = self.plan.ops.len();
            if run > 0 {
                let aligned = self.bits(&fields[index..index + run], shown, scope, context);
                self.unless_null(before, scope);
                index += run;
                if let Some(next) = fields
                    .get(index)
                    .filter(|next| !aligned && self.is_bits(next))
                {
                    let message = "this bit field starts in the middle of a byte, which is not \
                        supported yet if the field has a condition or repetition, or if it \
                        extends a run of bit fields past 64 bits";
                    self.error(next.span, message);
                }
                continue;
            }
            let field = &fields[index];
            let label = field
                .id
                .clone()
                .unwrap_or_else(|| format!("unnamed{index}"));
            match &field.role {
                FieldRole::Wire(source) => {
                    self.wire_field(field, source, &label, shown, scope, context);
                }
                FieldRole::Check(check) => self.check_field(field, check, scope, context),
                FieldRole::Align(align) => self.align_field(field, align, &label, scope, context),
            }
            self.unless_null(before, scope);
            self.null_after(described, &label, scope);
            index += 1;
        }
    }

    fn wire_field(
        &mut self,
        field: &'s Field,
        source: &'s FieldSource,
        label: &str,
        shown: Option<&str>,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        let guard = source
            .condition
            .as_ref()
            .map(|guard| self.compile(guard, scope, None));
        if guard.and_then(|guard| self.known_bool(guard)) == Some(false) {
            self.bind(scope, label, Binding::Absent);
            return;
        }
        let nameless = shown == Some(label) || source.embed;
        let name = (!nameless).then(|| self.intern(label));
        let label_id = self.intern(label);
        let (op, inner) = self.field(source, name, Some(label_id), scope, context, field.span);
        if let Some(guard) = guard.filter(|guard| self.known_bool(*guard).is_none()) {
            self.plan.ops[op.index()].guard = guard;
            self.plan.ops[op.index()].flags |= flags::GUARD;
        }
        if source.optional_rest {
            self.plan.ops[op.index()].flags |= flags::OPTIONAL_REST;
        }
        if source.embed {
            self.plan.infos[op.index()].presentation.embedded = true;
            self.embed(&inner, scope);
        }
        self.bind(scope, label, Binding::Op { op, inner });
    }

    /// Makes the fields of an embedded part accessible as fields of the enclosing structure.
    fn embed(&mut self, inner: &Inner, scope: ScopeId) {
        if let Inner::Structure(part) | Inner::Again(part) = inner {
            for (name, binding) in self.scopes[part.0].fields.clone() {
                self.scopes[scope.0].fields.entry(name).or_insert(binding);
            }
        }
    }
}

/// Returns the name of the field that represents a structure in expressions and records (`shows`).
pub(super) fn shown_name(described: &Type) -> Option<String> {
    match described.shows.as_ref().map(|shows| &shows.kind) {
        Some(ExprKind::Name(name)) => Some(name.clone()),
        _ => None,
    }
}
