//! Structures and their fields.

use super::faults::FaultContext;
use super::located::Waiting;
use super::scope::{Binding, Inner, ScopeId};
use super::{CodeId, Lowering, NameId, OpId};
use crate::expression::{Expr, ExprKind};
use crate::plan::{Code, Ending, Extent, Integer, Kind, flags};
use crate::schema::{
    BitOrder, Elements, Encoding, Endian, EndianChoice, FaultKind, Field, FieldRole, FieldSource,
    Scalar, ScalarKind, Schema, Size, Terminator, Type, TypeBody, TypeId, TypeRef,
};
use crate::source::SourceSpan;

/// A field with what the aliases between it and the wire add, outermost first.
pub(super) struct Layers<'s> {
    pub fields: Vec<&'s FieldSource>,
    pub aliases: Vec<(TypeId, &'s Type)>,
    pub target: &'s TypeRef,
}

impl<'s> Lowering<'s> {
    /// A use of a type as a structure. Returns its operation.
    pub(super) fn structure(
        &mut self,
        type_id: TypeId,
        scope: ScopeId,
        name: Option<NameId>,
        context: &FaultContext,
    ) -> (OpId, Inner) {
        let schema: &'s Schema = self.schema;
        let described = &schema.types[type_id.index()];
        let again = self
            .active
            .iter()
            .rev()
            .find(|(known, _)| *known == type_id)
            .copied();
        if let Some((_, target)) = again {
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
                    self.error(described.span, "a named value is no structure");
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

    /// The type is around this use already.
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
            let run = self.bit_run(&fields[index..], scope);
            let before = self.plan.ops.len();
            if run > 0 {
                let aligned = self.bits(&fields[index..index + run], shown, scope, context);
                self.unless_null(before, scope);
                index += run;
                if let Some(next) = fields
                    .get(index)
                    .filter(|next| !aligned && self.is_bits(next))
                {
                    let message = "bit fields that go on inside a byte, past 64 bits or into a \
                                   field with a condition or repetition, cannot be run yet";
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
            self.embed(&inner, scope);
        }
        self.bind(scope, label, Binding::Op { op, inner });
    }

    /// The fields of an embedded part belong to the structure around it.
    fn embed(&mut self, inner: &Inner, scope: ScopeId) {
        if let Inner::Structure(part) | Inner::Again(part) = inner {
            for (name, binding) in self.scopes[part.0].fields.clone() {
                self.scopes[scope.0].fields.entry(name).or_insert(binding);
            }
        }
    }

    /// A field with its repetition and size.
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

    /// One element of a field: with its size, if it has one and is no leaf.
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
            // Which bytes no field claims is a matter of the layout.
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
                    let found = lowering.switch(
                        rule.as_ref(),
                        on,
                        cases,
                        name,
                        label,
                        scope,
                        inside,
                        *span,
                    );
                    lowering.decorate(found.0, source, scope, inside);
                    lowering.of_aliases(found.0, &found.1, &layers, scope, inside);
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

    /// What an arm of a switch reads.
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
            } => self.switch(rule.as_ref(), on, cases, name, label, scope, context, *span),
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

    /// An operation that reads nothing, where an error has been said.
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

    /// A use of a type of the description.
    pub(super) fn named_type(
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

    /// An argument as the type sees it: what changes while the type is read is kept.
    fn argument(&mut self, code: CodeId, inner: ScopeId) -> CodeId {
        let mut changes = false;
        crate::plan::each_code(&self.plan, code, &mut |code| {
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

    /// Puts what arguments are when a type begins where the type can read it.
    fn keep_arguments(&mut self, scope: ScopeId, context: &FaultContext) {
        for (slot, code) in std::mem::take(&mut self.scopes[scope.0].kept) {
            let faults = self.fault_rules(context);
            let span = self.type_of(scope).span;
            let op = self.open(Kind::Bind(code), None, None, faults, span);
            self.plan.ops[op.index()].slot = slot;
            self.plan.ops[op.index()].flags |= flags::SLOT;
            self.close(op);
        }
    }

    /// A type whose byte order the data decide: one structure for each order.
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
        self.plan.switches[index as usize].required = true;
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

    /// Puts a part of so many bytes around what `inside` adds, where the field has a size.
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

    /// Follows aliases down to what is on the wire.
    pub(super) fn layers(&self, source: &'s FieldSource) -> Layers<'s> {
        self.layers_below(&source.target, vec![source])
    }

    fn layers_below(&self, target: &'s TypeRef, fields: Vec<&'s FieldSource>) -> Layers<'s> {
        let schema: &'s Schema = self.schema;
        let mut layers = Layers {
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

    /// A number.
    #[allow(clippy::too_many_arguments)]
    fn scalar(
        &mut self,
        layers: &Layers<'s>,
        scalar: &Scalar,
        name: Option<NameId>,
        label: Option<NameId>,
        scope: ScopeId,
        context: &FaultContext,
        span: SourceSpan,
    ) -> (OpId, Inner) {
        let context = layered(context, layers);
        let wire = layers
            .fields
            .iter()
            .find_map(|field| field.carry.as_ref()?.wire.clone());
        let kind = self.scalar_kind(wire.as_ref().unwrap_or(scalar), scope, span);
        let faults = self.fault_rules(&context);
        let op = self.open(kind, name, label, faults, span);
        self.plan.ops[op.index()].flags |= flags::VISIBLE;
        self.close(op);
        self.leaf(op, layers, scalar, scope, &context);
        (op, Inner::Leaf)
    }

    /// What reads a number.
    pub(super) fn scalar_kind(
        &mut self,
        scalar: &Scalar,
        scope: ScopeId,
        span: SourceSpan,
    ) -> Kind {
        let endian = scalar.endian.unwrap_or_else(|| self.endian(scope, span));
        let word = words_apart(scalar.words, endian);
        if word != 0 && !matches!(scalar.kind, ScalarKind::Unsigned(_) | ScalarKind::Signed(_)) {
            self.error(
                span,
                "a number in words that is no integer cannot be run yet",
            );
        }
        match scalar.kind {
            ScalarKind::Unsigned(width) => Kind::Integer(Integer {
                width,
                signed: false,
                endian,
                word,
            }),
            ScalarKind::Signed(width) => Kind::Integer(Integer {
                width,
                signed: true,
                endian,
                word,
            }),
            ScalarKind::Float(width) => Kind::Float { width, endian },
            ScalarKind::Variable(kind, bits) => Kind::Variable(kind, bits),
            ScalarKind::Guid(endian) => Kind::Guid(endian),
            ScalarKind::Bits(bits, order) => {
                let order = order.unwrap_or(self.bit_order(scope));
                if bits % 8 != 0 {
                    self.error(
                        span,
                        "a bit field with a condition or repetition that fills no whole bytes cannot be run yet",
                    );
                }
                let endian = match order {
                    BitOrder::Little => Endian::Little,
                    BitOrder::Big => Endian::Big,
                };
                Kind::Integer(Integer {
                    width: bits.div_ceil(8),
                    signed: false,
                    endian,
                    word: 0,
                })
            }
        }
    }

    /// The default byte order of a use of a type.
    fn endian(&mut self, scope: ScopeId, span: SourceSpan) -> Endian {
        let schema: &'s Schema = self.schema;
        let mut at = Some(scope);
        while let Some(scope) = at {
            let described = &schema.types[self.scopes[scope.0].type_id.index()];
            if let Some(order) = self.scopes[scope.0].order {
                return order;
            }
            if let Some(choice) = &described.endian {
                return self.chosen_endian(choice, scope, span);
            }
            at = self.scopes[scope.0].parent;
        }
        match &schema.meta.endian {
            Some(choice) => self.chosen_endian(choice, ScopeId(0), span),
            // A single byte has no order; the checker has asked for one elsewhere.
            None => Endian::Little,
        }
    }

    fn chosen_endian(&mut self, choice: &EndianChoice, scope: ScopeId, span: SourceSpan) -> Endian {
        let (on, cases) = match choice {
            EndianChoice::Fixed(endian) => return *endian,
            EndianChoice::Switch { on, cases } => (on, cases),
        };
        let on = self.compile(on, scope, None);
        for (label, endian) in cases {
            let Some(label) = label else { return *endian };
            let label = self.compile(label, scope, None);
            if self.known_int(on).is_some() && self.known_int(on) == self.known_int(label) {
                return *endian;
            }
        }
        self.error(
            span,
            "a byte order that is not known for a dialect cannot be run yet",
        );
        Endian::Little
    }

    pub(super) fn bit_order(&self, scope: ScopeId) -> BitOrder {
        let mut at = Some(scope);
        while let Some(scope) = at {
            if let Some(order) = self.type_of(scope).bit_endian {
                return order;
            }
            at = self.scope(scope).parent;
        }
        self.schema.meta.bit_endian
    }

    pub(super) fn encoding(&self, layers: &Layers<'s>, scope: ScopeId) -> Encoding {
        let own = layers.fields.iter().find_map(|field| field.encoding);
        let mut at = Some(scope);
        let mut outer = layers.aliases.iter().find_map(|(_, alias)| alias.encoding);
        while let (None, Some(scope)) = (outer, at) {
            outer = self.type_of(scope).encoding;
            at = self.scope(scope).parent;
        }
        own.or(outer)
            .or(self.schema.meta.encoding)
            .unwrap_or(Encoding::Utf8)
    }

    /// Text or bytes.
    fn text_or_bytes(
        &mut self,
        layers: &Layers<'s>,
        name: Option<NameId>,
        label: Option<NameId>,
        scope: ScopeId,
        context: &FaultContext,
        span: SourceSpan,
    ) -> (OpId, Inner) {
        let context = layered(context, layers);
        let is_text = matches!(layers.target, TypeRef::Text);
        let encoding = self.encoding(layers, scope);
        let size = layers.fields.iter().map(|field| &field.size);
        let mut size = size;
        let size = size.rfind(|size| !matches!(size, Size::Natural));
        let extent = size.and_then(|size| self.extent_of(size, scope));
        let contents = layers
            .fields
            .iter()
            .find_map(|field| field.contents.clone());
        let terminator = layers
            .fields
            .iter()
            .find_map(|field| field.terminator.clone());
        let pad = layers.fields.iter().find_map(|field| field.pad_right);
        let part = extent.filter(|_| contents.is_none() && (terminator.is_some() || pad.is_some()));
        let ending = |terminator: Option<&Terminator>| Ending {
            terminator: terminator.map(|end| end.byte),
            encoding: is_text.then_some(encoding),
            // In a part of a size the value may fill it, as in Kaitai.
            required: part.is_none() && terminator.is_some_and(|end| end.required),
            consume: terminator.is_none_or(|end| end.consume),
            include: terminator.is_some_and(|end| end.include),
            pad: pad.filter(|_| part.is_some()),
        };
        let kind = match (contents, extent, &terminator) {
            (Some(bytes), _, _) => Kind::Contents(self.constant(&bytes)),
            (None, _, _) if part.is_some() => Kind::Terminated(ending(terminator.as_ref())),
            (None, Some(extent), _) if is_text => Kind::Text(extent, encoding),
            (None, Some(extent), _) => Kind::Bytes(extent),
            (None, None, Some(end)) => Kind::Terminated(ending(Some(end))),
            (None, None, None) => {
                self.error(
                    span,
                    "text or bytes without a size, a terminator or contents",
                );
                Kind::Bytes(Extent::Fixed(0))
            }
        };
        let around = part.map(|extent| {
            // What follows the value in its part is nobody's, whatever holds of other parts.
            let faults = self.fault_rules(&context.without(FaultKind::Rest));
            let op = self.open(Kind::Sized(extent), name, label, faults, span);
            self.plan.ops[op.index()].flags |= flags::VISIBLE;
            op
        });
        let name = name.filter(|_| around.is_none());
        let faults = self.fault_rules(&context);
        let op = self.open(kind, name, label, faults, span);
        if layers.fields.iter().all(|field| field.contents.is_none()) {
            self.plan.ops[op.index()].flags |= flags::VISIBLE;
        }
        self.close(op);
        self.text_leaf(op, layers, scope, &context);
        if let Some(around) = around {
            self.close(around);
            return (around, Inner::Leaf);
        }
        (op, Inner::Leaf)
    }

    /// How many of the next fields are bit fields that are read together.
    fn bit_run(&self, fields: &'s [Field], scope: ScopeId) -> usize {
        let mut bits = 0_u32;
        let mut count = 0;
        for field in fields {
            let FieldRole::Wire(source) = &field.role else {
                break;
            };
            let layers = self.layers(source);
            let TypeRef::Scalar(Scalar {
                kind: ScalarKind::Bits(width, _),
                ..
            }) = *layers.target
            else {
                break;
            };
            if source.condition.is_some() || source.repeat.is_some() {
                break;
            }
            if bits + u32::from(width) > 64 {
                break;
            }
            bits += u32::from(width);
            count += 1;
            if bits.is_multiple_of(8) && count == 1 {
                // A whole number of bytes is an ordinary integer.
                return 0;
            }
            if bits.is_multiple_of(8) {
                return count;
            }
        }
        let _ = scope;
        if bits.is_multiple_of(8) { 0 } else { count }
    }

    fn is_bits(&self, field: &'s Field) -> bool {
        let FieldRole::Wire(source) = &field.role else {
            return false;
        };
        let target = self.layers(source).target;
        matches!(
            target,
            TypeRef::Scalar(Scalar {
                kind: ScalarKind::Bits(..),
                ..
            })
        )
    }

    /// Bit fields that are read together; whether they fill whole bytes.
    fn bits(
        &mut self,
        fields: &'s [Field],
        shown: Option<&str>,
        scope: ScopeId,
        context: &FaultContext,
    ) -> bool {
        let widths: Vec<(u8, BitOrder)> = fields
            .iter()
            .filter_map(|field| {
                let FieldRole::Wire(source) = &field.role else {
                    return None;
                };
                match self.layers(source).target {
                    TypeRef::Scalar(Scalar {
                        kind: ScalarKind::Bits(width, order),
                        ..
                    }) => Some((*width, order.unwrap_or(self.bit_order(scope)))),
                    _ => None,
                }
            })
            .collect();
        let total: u32 = widths.iter().map(|(width, _)| u32::from(*width)).sum();
        let bytes = u8::try_from(total.div_ceil(8)).unwrap_or(8);
        let order = widths.first().map_or(BitOrder::Big, |(_, order)| *order);
        let span = fields[0].span;
        let faults = self.fault_rules(context);
        let run = self.open(
            Kind::BitRun {
                width: bytes,
                order,
            },
            None,
            None,
            faults,
            span,
        );
        let mut used = 0_u8;
        for (field, (width, _)) in fields.iter().zip(widths) {
            let FieldRole::Wire(source) = &field.role else {
                continue;
            };
            let shift = match order {
                BitOrder::Little => used,
                BitOrder::Big => bytes * 8 - used - width,
            };
            used += width;
            let label = field
                .id
                .clone()
                .unwrap_or_else(|| format!("unnamed{shift}"));
            let name = (shown != Some(label.as_str())).then(|| self.intern(&label));
            let label_id = self.intern(&label);
            let layers = self.layers(source);
            let context = layered(&context.enter(&source.faults), &layers);
            let faults = self.fault_rules(&context);
            let kind = Kind::Bits { shift, width };
            let op = self.open(kind, name, Some(label_id), faults, field.span);
            self.plan.ops[op.index()].flags |= flags::VISIBLE;
            self.close(op);
            let scalar = Scalar {
                kind: ScalarKind::Bits(width, None),
                endian: None,
                words: None,
            };
            self.leaf(op, &layers, &scalar, scope, &context);
            self.bind(
                scope,
                &label,
                Binding::Op {
                    op,
                    inner: Inner::Leaf,
                },
            );
        }
        self.spare_bits(bytes * 8 - used, order, used, span);
        self.close(run);
        total.is_multiple_of(8)
    }

    /// The bits of the last byte that no field has: passed over, but kept in the tree.
    fn spare_bits(&mut self, width: u8, order: BitOrder, used: u8, span: SourceSpan) {
        if width == 0 {
            return;
        }
        let shift = match order {
            BitOrder::Little => used,
            BitOrder::Big => 0,
        };
        let kind = Kind::Bits { shift, width };
        let faults = self.fault_rules(&FaultContext::default());
        let op = self.open(kind, None, None, faults, span);
        self.close(op);
    }

    /// The count of elements as the plan has it.
    pub(super) fn count_of(
        &mut self,
        elements: &Elements,
        scope: ScopeId,
    ) -> Option<(crate::plan::Count, Option<CodeId>)> {
        Some(match elements {
            Elements::ToEnd => (crate::plan::Count::ToEnd, None),
            Elements::Count(expr) => {
                let code = self.compile(expr, scope, None);
                (crate::plan::Count::Computed(code), Some(code))
            }
            // Compiled once the element's fields are known.
            Elements::Until(_) => (crate::plan::Count::Until(CodeId::NONE), None),
        })
    }
}

/// Bytes of each word, where words and the bytes in them stand in different orders.
fn words_apart(words: Option<(u8, bool)>, endian: Endian) -> u8 {
    match (words, endian) {
        (Some((size, false)), Endian::Little) | (Some((size, true)), Endian::Big) => size,
        _ => 0,
    }
}

/// The name of the field that stands for a structure.
fn shown_name(described: &Type) -> Option<String> {
    match described.shows.as_ref().map(|shows| &shows.kind) {
        Some(ExprKind::Name(name)) if name != "_" => Some(name.clone()),
        _ => None,
    }
}

/// What holds inside a field that is reached through aliases.
fn layered(context: &FaultContext, layers: &Layers<'_>) -> FaultContext {
    let mut context = context.clone();
    for (_, alias) in &layers.aliases {
        context = context.enter(&alias.faults);
    }
    for field in layers.fields.iter().skip(1) {
        context = context.enter(&field.faults);
    }
    context
}
