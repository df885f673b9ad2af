//! Lowers instances (values outside the sequence of fields) that are read at a computed position.
//!
//! Kaitai reads an instance when it is first used. In a plan, each instance is read exactly once,
//! as soon as the fields that it refers to have been read. As a result, later fields can use the
//! instance, and an invalid instance is always detected.

use super::faults::FaultContext;
use super::place::Place;
use super::scope::{Binding, ScopeId};
use super::{Lowering, OpId};
use crate::expression::{Expr, ExprKind};
use crate::schema::{
    Elements, Field, FieldRole, FieldSource, Instance, Position, Size, Type, TypeBody, TypeId,
    TypeRef,
};
use tracegauge_plan::{Kind, LocationId, LocationPlan, StreamRef, flags};

/// Instances that have not been lowered yet.
pub(super) struct Waiting<'s> {
    instances: Vec<(&'s Instance, Vec<String>)>,
    early: Vec<(LocationId, &'s Expr)>,
}

impl<'s> Lowering<'s> {
    /// Returns the instances of a type that are read at a computed position, each with the names in
    /// its expressions.
    pub(super) fn waiting(&self, described: &'s Type) -> Waiting<'s> {
        let located = described
            .instances
            .iter()
            .filter(|instance| matches!(instance.position, Position::At { .. }));
        let instances = located.map(|instance| {
            let mut names = Vec::new();
            self.asked_by(instance, described, &mut names);
            (instance, names)
        });
        Waiting {
            instances: instances.collect(),
            early: Vec::new(),
        }
    }

    /// Lowers the instances that refer to none of the fields in `left`.
    pub(super) fn positions(
        &mut self,
        waiting: &mut Waiting<'s>,
        left: &'s [Field],
        scope: ScopeId,
        context: &FaultContext,
    ) {
        loop {
            let unread = |name: &String, own: &str| {
                let field = left.iter().any(|field| field.id.as_ref() == Some(name));
                let others = waiting.instances.iter();
                let instance = || others.clone().any(|(other, _)| other.id == *name);
                field || (name != own && instance())
            };
            let ready = waiting
                .instances
                .iter()
                .position(|(instance, names)| !names.iter().any(|name| unread(name, &instance.id)));
            // If instances refer to each other, lower the first one anyway, which reports the
            // unresolved name.
            let last = (left.is_empty() && !waiting.instances.is_empty()).then_some(0);
            let Some(at) = ready.or(last) else { return };
            let (instance, _) = waiting.instances.remove(at);
            self.locate(instance, waiting, scope, context);
        }
    }

    fn locate(
        &mut self,
        instance: &'s Instance,
        waiting: &mut Waiting<'s>,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        let Position::At {
            offset,
            io,
            same_as,
            source,
        } = &instance.position
        else {
            return;
        };
        let guard = source.condition.as_ref();
        let guard = guard.map(|guard| self.compile(guard, scope, None));
        if guard.and_then(|guard| self.known_bool(guard)) == Some(false) {
            self.bind(scope, &instance.id, Binding::Absent);
            return;
        }
        let stream = io.as_ref().map_or(StreamRef::Around(0), |io| {
            match self.place(io, scope, None) {
                Ok(Place::Stream(stream)) => stream,
                Err(error) => {
                    self.report(error);
                    StreamRef::Around(0)
                }
                Ok(_) => {
                    self.error(
                        io.span,
                        "this expression does not refer to a readable stream",
                    );
                    StreamRef::Around(0)
                }
            }
        });
        let offset = offset
            .as_ref()
            .map(|offset| self.compile(offset, scope, None));
        let index = self.plan.locations.push(LocationPlan {
            offset,
            stream,
            same_as: None,
        });
        waiting
            .early
            .extend(same_as.iter().map(|field| (index, field)));
        self.plan.whole |= self.in_file();
        let name = self.intern(&instance.id);
        let inside = context.enter(&source.faults);
        let faults = self.fault_rules(&inside);
        let op = self.open(
            Kind::At(index),
            Some(name),
            Some(name),
            faults,
            instance.span,
        );
        let (read, inner) = self.field(source, None, Some(name), scope, context, instance.span);
        self.close(op);
        if same_as.is_some() && self.has_effects(op) {
            self.error(
                instance.span,
                "`same-as` is not supported yet for a type that changes tables or registers or produces \
                 records, because they would be changed and produced twice",
            );
        }
        if let Some(guard) = guard.filter(|guard| self.known_bool(*guard).is_none()) {
            self.plan.ops[op.index()].guard = guard;
            self.plan.ops[op.index()].flags |= flags::GUARD;
        }
        self.bind(scope, &instance.id, Binding::Op { op: read, inner });
    }

    /// Returns whether an operation or one inside it changes tables or registers, or produces records.
    fn has_effects(&self, op: OpId) -> bool {
        (op.0..self.plan.ops[op.index()].end)
            .map(OpId)
            .any(|inside| {
                let info = &self.plan.infos[inside.index()];
                let effects = info.effects.map(|effects| &self.plan.effects[effects]);
                let changes = effects.is_some_and(|it| {
                    it.defines.is_some()
                        || it.removes.is_some()
                        || !it.clears.is_empty()
                        || !it.sets.is_empty()
                });
                let defines = match self.plan.ops[inside.index()].kind {
                    Kind::Repeat(list) => self.plan.repeats[list].defines.is_some(),
                    _ => false,
                };
                changes || defines || info.record.is_some()
            })
    }

    /// Returns whether the current operation reads directly from the file and not from a part.
    pub(super) fn in_file(&self) -> bool {
        !self.around.iter().any(|op| self.is_stream(*op))
    }

    pub(super) fn is_stream(&self, op: OpId) -> bool {
        matches!(self.plan.ops[op.index()].kind, Kind::Sized(_) | Kind::At(_))
    }

    /// Finds the fields that instances read early, before the sequence reaches them. Fields of
    /// outer structures are found later.
    pub(super) fn read_early(&mut self, waiting: &Waiting<'s>, scope: ScopeId) {
        for (index, field) in &waiting.early {
            if !self.reads_early(*index, field, scope) {
                self.early.push((*index, field, scope));
            }
        }
    }

    /// Finds the fields of outer structures that instances read early.
    pub(super) fn read_further_out(&mut self) {
        for (index, field, scope) in std::mem::take(&mut self.early) {
            self.reads_early(index, field, scope);
        }
    }

    fn reads_early(&mut self, index: LocationId, field: &Expr, scope: ScopeId) -> bool {
        let read = match self.place(field, scope, None) {
            Ok(Place::Field(op, _)) => op,
            Ok(Place::Picked(picked)) => match picked.at {
                Place::Field(op, _) => op,
                _ => return false,
            },
            _ => return false,
        };
        self.plan.locations[index].same_as = Some(self.shown(read));
        true
    }

    /// Collects every name that an instance refers to, directly or through computed instances.
    fn asked_by(&self, instance: &'s Instance, described: &'s Type, names: &mut Vec<String>) {
        match &instance.position {
            Position::At {
                offset, io, source, ..
            } => {
                let given = offset.iter().chain(io).chain(&source.condition);
                given.for_each(|expr| asked(expr, names));
                source_asks(source, names);
                self.asked_inside(&source.target, &mut Vec::new(), names);
            }
            Position::Computed {
                value, condition, ..
            } => {
                asked(value, names);
                condition.iter().for_each(|expr| asked(expr, names));
            }
        }
        let mut at = 0;
        while let Some(name) = names.get(at).cloned() {
            at += 1;
            let computed = described.instances.iter().find(|known| {
                known.id == name && matches!(known.position, Position::Computed { .. })
            });
            if let Some(Position::Computed {
                value, condition, ..
            }) = computed.map(|known| &known.position)
            {
                let mut more = Vec::new();
                asked(value, &mut more);
                condition.iter().for_each(|expr| asked(expr, &mut more));
                more.retain(|name| !names.contains(name));
                names.append(&mut more);
            }
        }
    }

    /// Collects the names of outer fields that a type and the types inside it refer to.
    fn asked_inside(&self, target: &'s TypeRef, seen: &mut Vec<TypeId>, names: &mut Vec<String>) {
        match target {
            TypeRef::Named { id, .. } if !seen.contains(id) => {
                seen.push(*id);
                let described = &self.schema.types[id.index()];
                let mut inside = Vec::new();
                let fields: &[Field] = match &described.body {
                    TypeBody::Structure(fields) => fields,
                    TypeBody::Alias(field) => std::slice::from_ref(field),
                };
                for field in fields {
                    if let FieldRole::Wire(source) = &field.role {
                        source
                            .condition
                            .iter()
                            .for_each(|expr| outward(expr, &mut inside));
                        exprs(source, &mut |expr| outward(expr, &mut inside));
                        self.asked_inside(&source.target, seen, names);
                    }
                }
                names.append(&mut inside);
            }
            TypeRef::Switch { cases, .. } => {
                for case in cases {
                    self.asked_inside(&case.target, seen, names);
                }
            }
            _ => {}
        }
    }
}

/// Calls `each` with the expressions of a field.
fn exprs(source: &FieldSource, each: &mut impl FnMut(&Expr)) {
    if let Size::Bytes(size) = &source.size {
        each(size);
    }
    if let Some(repeat) = &source.repeat
        && let Elements::Count(expr) | Elements::Until(expr) = &repeat.elements
    {
        each(expr);
    }
    match &source.target {
        TypeRef::Named { arguments, .. } => arguments.iter().for_each(each),
        TypeRef::Switch { on, .. } => each(on),
        _ => {}
    }
}

fn source_asks(source: &FieldSource, names: &mut Vec<String>) {
    exprs(source, &mut |expr| asked(expr, names));
}

/// Collects every name that occurs in an expression.
fn asked(expr: &Expr, names: &mut Vec<String>) {
    if let ExprKind::Name(name) | ExprKind::Member { name, .. } = &expr.kind
        && !names.contains(name)
    {
        names.push(name.clone());
    }
    expr.inside(&mut |inner| asked(inner, names));
}

/// Collects every name that an expression reads through `_parent` or `_root`.
fn outward(expr: &Expr, names: &mut Vec<String>) {
    if let ExprKind::Member { base, name } = &expr.kind
        && let ExprKind::Name(around) = &base.kind
        && matches!(around.as_str(), "_parent" | "_root")
    {
        names.push(name.clone());
    }
    expr.inside(&mut |inner| outward(inner, names));
}
