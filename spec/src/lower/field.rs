//! Lowers fields and uses of types.

use super::faults::FaultContext;
use super::scope::{Inner, ScopeId};
use super::{CodeId, Lowering, NameId, OpId};
use crate::expression::Expr;
use crate::schema::{
    Elements, Endian, EndianChoice, FieldRole, FieldSource, Schema, Size, Type, TypeBody, TypeId,
    TypeRef,
};
use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::{Code, Extent, Kind, flags};

/// A field together with the aliases (named scalar types) that lead to its type, outermost first.
pub(super) struct Layers<'s> {
    pub fields: Vec<&'s FieldSource>,
    pub aliases: Vec<(TypeId, &'s Type)>,
    pub target: &'s TypeRef,
    /// Whether the target type is a case of a switch.
    pub in_switch: bool,
}

impl<'s> Lowering<'s> {
    /// Adds a field with its repetition and size.
    pub(super) fn field(
        &mut self,
        source: &'s FieldSource,
        name: Option<NameId>,
        label: Option<NameId>,
        scope: ScopeId,
        context: &FaultContext,
        span: SourceSpan,
    ) -> (OpId, Inner) {
        if source.repeat.is_some() {
            return self.repetition(source, name, label, scope, context, span);
        }
        let context = context.enter(&source.faults);
        self.element(source, name, label, scope, &context, span)
    }

    /// Adds one element of a field. If the description states the size of the element and the
    /// element contains other operations, the element becomes a sized part.
    pub(super) fn element(
        &mut self,
        source: &'s FieldSource,
        name: Option<NameId>,
        label: Option<NameId>,
        scope: ScopeId,
        context: &FaultContext,
        span: SourceSpan,
    ) -> (OpId, Inner) {
        let layers = self.layers(source);
        if let TypeRef::OfRow { row, otherwise } = layers.target {
            return self.sized(
                source,
                name,
                label,
                scope,
                context,
                span,
                |lowering, name, inside| {
                    let named = (name, label);
                    let otherwise = otherwise.as_deref();
                    let found =
                        lowering.of_row(row, otherwise, Some(source), named, scope, inside, span);
                    if source.layout.is_none() {
                        lowering.decorate(found.0, source, scope, inside);
                    }
                    found
                },
            );
        }
        if let Some(layout) = &source.layout {
            // The rule for bytes that no field reads belongs to the layout.
            let part = self.layout_part(layout, context);
            return self.sized(
                source,
                name,
                label,
                scope,
                &part,
                span,
                |lowering, name, _| {
                    lowering.layout(layout, source, name, label, scope, context, span)
                },
            );
        }
        match layers.target {
            TypeRef::Scalar(scalar) => {
                self.scalar(&layers, scalar, name, label, scope, context, span)
            }
            TypeRef::Text | TypeRef::Bytes => {
                self.text_or_bytes(&layers, name, label, scope, context, span)
            }
            TypeRef::Named { id, arguments, .. } => self.sized(
                source,
                name,
                label,
                scope,
                context,
                span,
                |lowering, name, inside| {
                    let (op, inner) = lowering.named_type(*id, arguments, scope, name, inside);
                    lowering.plan.infos[op.index()].label = label;
                    lowering.decorate(op, source, scope, inside);
                    lowering.structure_checks(op, &inner, &layers, scope, inside);
                    (op, inner)
                },
            ),
            TypeRef::Switch {
                on,
                cases,
                span,
                rule,
            } => self.sized(
                source,
                name,
                label,
                scope,
                context,
                *span,
                |lowering, name, inside| {
                    let around = lowering.switch_source.replace(source);
                    let found = lowering.switch(
                        rule.as_ref(),
                        on,
                        cases,
                        name,
                        label,
                        scope,
                        inside,
                        (!matches!(source.size, Size::Natural), *span),
                    );
                    lowering.switch_source = around;
                    lowering.only_of_values(&layers.fields, *span);
                    lowering.decorate(found.0, source, scope, inside);
                    lowering.of_aliases(found.0, &layers, scope, inside);
                    found
                },
            ),
            TypeRef::OfRow { row, otherwise } => self.of_row(
                row,
                otherwise.as_deref(),
                None,
                (name, label),
                scope,
                context,
                span,
            ),
        }
    }

    /// Reports an error for properties of a switch field that would apply to the values of its
    /// cases.
    fn only_of_values(&mut self, fields: &[&'s FieldSource], span: SourceSpan) {
        for source in fields {
            let keys = [
                ("valid", !source.constraints.is_empty()),
                ("enum", source.enumeration.is_some()),
                ("flags", source.flags.is_some()),
                ("refs", source.refs.is_some()),
                ("carry", source.carry.is_some()),
            ];
            for (key, _) in keys.iter().filter(|(_, given)| *given) {
                let message = format!(
                    "`{key}` on a field with a switch is not supported yet; give each case its own \
                     type that has this key (`types: {{ name: {{ is: u1, {key}: … }} }}`)"
                );
                self.error(span, message);
            }
        }
    }

    /// Adds the contents of a switch arm.
    pub(super) fn target(
        &mut self,
        target: &'s TypeRef,
        name: Option<NameId>,
        label: Option<NameId>,
        scope: ScopeId,
        context: &FaultContext,
        span: SourceSpan,
    ) -> (OpId, Inner) {
        let layers = self.layers_below(target, Vec::new());
        match layers.target {
            TypeRef::Scalar(scalar) => {
                self.scalar(&layers, scalar, name, label, scope, context, span)
            }
            TypeRef::Text | TypeRef::Bytes => {
                self.text_or_bytes(&layers, name, label, scope, context, span)
            }
            TypeRef::Named { id, arguments, .. } => {
                let (op, inner) = self.named_type(*id, arguments, scope, name, context);
                self.plan.infos[op.index()].label = label;
                (op, inner)
            }
            TypeRef::Switch {
                on,
                cases,
                span,
                rule,
            } => self.switch(
                rule.as_ref(),
                on,
                cases,
                name,
                label,
                scope,
                context,
                (false, *span),
            ),
            TypeRef::OfRow { row, otherwise } => self.of_row(
                row,
                otherwise.as_deref(),
                None,
                (name, label),
                scope,
                context,
                span,
            ),
        }
    }

    /// Adds an operation that reads nothing, in place of an element that could not be lowered.
    pub(super) fn nothing(
        &mut self,
        name: Option<NameId>,
        context: &FaultContext,
        span: SourceSpan,
    ) -> (OpId, Inner) {
        let faults = self.fault_rules(context);
        let op = self.open(Kind::Check, name, name, faults, span);
        self.close(op);
        (op, Inner::Leaf)
    }

    /// Adds a use of a type from the description.
    pub(super) fn named_type(
        &mut self,
        id: TypeId,
        arguments: &'s [Expr],
        scope: ScopeId,
        name: Option<NameId>,
        context: &FaultContext,
    ) -> (OpId, Inner) {
        let around = self.switch_source.take();
        let found = self.use_of_type(id, arguments, scope, name, context);
        self.switch_source = around;
        found
    }

    fn use_of_type(
        &mut self,
        id: TypeId,
        arguments: &'s [Expr],
        scope: ScopeId,
        name: Option<NameId>,
        context: &FaultContext,
    ) -> (OpId, Inner) {
        let inner = self.new_scope(id, Some(scope));
        let schema: &'s Schema = self.schema;
        for (param, argument) in schema.types[id.index()].params.iter().zip(arguments) {
            let code = self.compile(argument, scope, None);
            let code = self.argument(code, inner);
            self.scopes[inner.0].params.insert(param.name.clone(), code);
        }
        if let Some(EndianChoice::Switch { on, cases }) = &schema.types[id.index()].endian {
            let on = self.compile(on, inner, None);
            if self.known_int(on).is_none() {
                return self.by_order(id, inner, (on, cases), name, context);
            }
        }
        self.structure(id, inner, name, context)
    }

    /// Prepares an argument for use inside a type. If the value of the argument can change while
    /// the type is read, the value at the start of the type is saved in a slot.
    fn argument(&mut self, code: CodeId, inner: ScopeId) -> CodeId {
        let mut changes = false;
        tracegauge_plan::each_code(&self.plan, code, &mut |code| {
            changes |= matches!(
                code,
                Code::Index(_) | Code::Stream(..) | Code::Register(_) | Code::This
            );
        });
        if !changes {
            return code;
        }
        let slot = self.new_slot();
        self.scopes[inner.0].kept.push((slot, code));
        self.code(Code::Slot(slot))
    }

    /// Adds operations that save the arguments from [`Self::argument`] at the start of a type.
    pub(super) fn keep_arguments(&mut self, scope: ScopeId, context: &FaultContext) {
        for (slot, code) in std::mem::take(&mut self.scopes[scope.0].kept) {
            let faults = self.fault_rules(context);
            let span = self.type_of(scope).span;
            let op = self.open(Kind::Bind(code), None, None, faults, span);
            self.plan.ops[op.index()].slot = slot;
            self.plan.ops[op.index()].flags |= flags::SLOT;
            self.close(op);
        }
    }

    /// Adds a type whose byte order depends on the data, as a switch with one structure for each
    /// byte order.
    fn by_order(
        &mut self,
        id: TypeId,
        scope: ScopeId,
        (on, cases): (CodeId, &'s [(Option<Expr>, Endian)]),
        name: Option<NameId>,
        context: &FaultContext,
    ) -> (OpId, Inner) {
        let faults = self.fault_rules(context);
        let span = self.schema.types[id.index()].span;
        let index = self.new_switch(on, None);
        self.plan.switches[index].required = true;
        let op = self.open(Kind::Switch(index), name, name, faults, span);
        self.plan.ops[op.index()].flags |= flags::VISIBLE;
        let encoding = self.text_encoding(on);
        let (mut inners, mut ops) = (Vec::new(), Vec::new());
        for order in [Endian::Little, Endian::Big] {
            let labels = || cases.iter().filter(|(_, endian)| *endian == order);
            if labels().next().is_none() {
                continue;
            }
            let arm_scope = self.new_scope(id, self.scope(scope).parent);
            self.scopes[arm_scope.0].params = self.scope(scope).params.clone();
            self.scopes[arm_scope.0].kept = self.scope(scope).kept.clone();
            self.scopes[arm_scope.0].order = Some(order);
            let (arm, inner) = self.structure(id, arm_scope, None, context);
            for (label, _) in labels() {
                self.label(index, label.as_ref(), arm, scope, encoding);
            }
            inners.push(inner);
            ops.push(arm);
        }
        self.close(op);
        self.finish_labels(index);
        (op, Inner::Arms(inners, ops))
    }

    /// If the description states the size of the field, puts the operations added by `inside` into
    /// a sized part.
    #[allow(clippy::too_many_arguments)]
    fn sized(
        &mut self,
        source: &'s FieldSource,
        name: Option<NameId>,
        label: Option<NameId>,
        scope: ScopeId,
        context: &FaultContext,
        span: SourceSpan,
        inside: impl FnOnce(&mut Self, Option<NameId>, &FaultContext) -> (OpId, Inner),
    ) -> (OpId, Inner) {
        let Some(extent) = self.extent_of(&source.size, scope) else {
            return inside(self, name, context);
        };
        let faults = self.fault_rules(context);
        let op = self.open(Kind::Sized(extent), name, label, faults, span);
        self.plan.ops[op.index()].flags |= flags::VISIBLE;
        let (_, inner) = inside(self, None, context);
        self.close(op);
        (op, inner)
    }

    pub(super) fn extent_of(&mut self, size: &Size, scope: ScopeId) -> Option<Extent> {
        match size {
            Size::Natural => None,
            Size::ToEnd => Some(Extent::ToEnd),
            Size::Bytes(expr) => {
                let code = self.compile(expr, scope, None);
                Some(
                    match self
                        .known_int(code)
                        .and_then(|size| u64::try_from(size).ok())
                    {
                        Some(size) => Extent::Fixed(size),
                        None => Extent::Computed(code),
                    },
                )
            }
        }
    }

    /// Follows aliases from a field down to the type that is read from the file.
    pub(super) fn layers(&self, source: &'s FieldSource) -> Layers<'s> {
        self.layers_below(&source.target, vec![source])
    }

    fn layers_below(&self, target: &'s TypeRef, fields: Vec<&'s FieldSource>) -> Layers<'s> {
        let schema: &'s Schema = self.schema;
        let mut layers = Layers {
            in_switch: fields.is_empty(),
            fields,
            aliases: Vec::new(),
            target,
        };
        for _ in 0..32 {
            let TypeRef::Named { id, .. } = layers.target else {
                break;
            };
            let described = &schema.types[id.index()];
            let TypeBody::Alias(alias) = &described.body else {
                break;
            };
            let FieldRole::Wire(inner) = &alias.role else {
                break;
            };
            layers.target = &inner.target;
            layers.aliases.push((*id, described));
            layers.fields.push(inner);
        }
        layers
    }

    /// Converts the element count of a repetition from its form in the schema to its form in the
    /// plan.
    pub(super) fn count_of(
        &mut self,
        elements: &Elements,
        scope: ScopeId,
    ) -> Option<(tracegauge_plan::Count, Option<CodeId>)> {
        Some(match elements {
            Elements::ToEnd => (tracegauge_plan::Count::ToEnd, None),
            Elements::Count(expr) => {
                let code = self.compile(expr, scope, None);
                (tracegauge_plan::Count::Computed(code), Some(code))
            }
            // The condition is compiled later, when the fields of the element are known.
            Elements::Until(_) => (tracegauge_plan::Count::Until(CodeId::NONE), None),
        })
    }
}

/// Returns the fault mappings that apply to a field that is reached through aliases.
pub(super) fn layered(context: &FaultContext, layers: &Layers<'_>) -> FaultContext {
    let mut context = context.clone();
    for (_, alias) in &layers.aliases {
        context = context.enter(&alias.faults);
    }
    for field in layers.fields.iter().skip(1) {
        context = context.enter(&field.faults);
    }
    context
}
