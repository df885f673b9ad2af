//! Visits types, fields and layouts, records the rules that they refer to, and enqueues the types
//! that they contain.

use super::environment::EnvironmentId;
use super::{Around, Step, Walk, What};
use crate::schema::{
    Again, CodeCount, CodeLayout, Constraint, Define, FieldRole, FieldSource, JsonSchema,
    LayoutCode, LayoutId, LayoutUse, Meaning, Obedience, Position, Repeat, RuleRef, Size, TypeBody,
    TypeId, TypeRef,
};
use tracegauge_plan::source::SourceSpan;

impl<'c, 's> Walk<'c, 's> {
    pub(super) fn described(&mut self, id: TypeId, step: Step) {
        let schema = self.checker.schema;
        let Some(described) = schema.types.get(id.index()) else {
            return;
        };
        let environment = self.environments.enter(step.environment, &described.faults);
        let step = Step {
            environment,
            ..step
        };
        match &described.body {
            TypeBody::Structure(fields) => {
                for field in fields {
                    match &field.role {
                        FieldRole::Wire(source) => self.source(source, step, field.span),
                        FieldRole::Check(check) => {
                            self.rule(check.rule.as_ref(), environment, field.span);
                        }
                        FieldRole::Align(align) => {
                            let inner = self.environments.enter(environment, &align.faults);
                            self.rule(align.rule.as_ref(), inner, field.span);
                            self.obeys(&align.obeys, inner);
                            self.needs_bytes(step.around, inner, field.span);
                        }
                    }
                }
            }
            TypeBody::Alias(field) => {
                if let FieldRole::Wire(source) = &field.role {
                    self.source(source, step, field.span);
                }
            }
        }
        for instance in &described.instances {
            match &instance.position {
                Position::Computed { obeys, .. } => self.obeys(obeys, environment),
                Position::At { source, .. } => self.source(source, step, instance.span),
            }
        }
        self.constraints(&described.constraints, environment);
        self.obeys(&described.obeys, environment);
        self.meaning(described.meaning.as_ref(), environment, described.span);
        self.ignored(described.ignore.as_ref(), environment, described.span);
        self.effects(id, environment);
        if described.none.is_some() {
            self.optional(
                crate::schema::FaultKind::Absent,
                environment,
                described.span,
            );
        }
        if self.checker.graph.is_circular(id.index()) {
            self.optional(crate::schema::FaultKind::Depth, environment, described.span);
        }
    }

    fn effects(&mut self, id: TypeId, environment: EnvironmentId) {
        let schema = self.checker.schema;
        let described = &schema.types[id.index()];
        if let Some(define) = &described.defines {
            self.define(define, environment);
        }
        if let Some(remove) = &described.removes {
            self.rule(remove.dangling.as_ref(), environment, remove.span);
            self.rule(remove.rule.as_ref(), environment, remove.span);
        }
        for clear in &described.clears {
            self.rule(clear.rule.as_ref(), environment, clear.span);
        }
        for record in schema.records.iter().filter(|r| r.from.contains(&id)) {
            self.obeys(&record.obeys, environment);
        }
    }

    /// Visits a field and all elements inside the field.
    pub(super) fn source(&mut self, source: &'s FieldSource, step: Step, span: SourceSpan) {
        let environment = self.environments.enter(step.environment, &source.faults);
        let inside = Step {
            environment,
            around: self.around_inside(source, step.around),
            ..step
        };
        self.rule(source.contents_rule.as_ref(), environment, span);
        if let Some(value) = &source.value {
            self.rule(value.rule.as_ref(), environment, value.span);
        }
        self.constraints(&source.constraints, environment);
        if let Some(list) = &source.list_as
            && let Some(rule) = &list.rule
        {
            self.shows(rule, environment, span);
        }
        self.references(source, environment);
        self.ignored(source.ignore.as_ref(), environment, span);
        self.obeys(&source.obeys, environment);
        self.meaning(source.meaning.as_ref(), environment, span);
        if let Some(repeat) = &source.repeat {
            self.repeat(repeat, environment);
        }
        if let Some(define) = &source.defines {
            self.define(define, environment);
        }
        self.members(source, environment);
        self.occurrences(source, step, inside, span);
        self.leads_to(source, inside);
    }

    fn references(&mut self, source: &'s FieldSource, environment: EnvironmentId) {
        if let Some(carry) = &source.carry {
            self.rule(carry.overflow.as_ref(), environment, carry.span);
        }
        if let Some(refs) = &source.refs {
            self.rule(refs.dangling.as_ref(), environment, refs.span);
            if let Some(later) = &refs.later {
                self.shows(later, environment, refs.span);
            }
        }
    }

    fn repeat(&mut self, repeat: &'s Repeat, environment: EnvironmentId) {
        if let Some(least) = &repeat.at_least {
            self.rule(least.rule.as_ref(), environment, least.span);
        }
        if let Some(arrange) = &repeat.arrange {
            self.constraints(&arrange.first, environment);
            self.constraints(&arrange.last, environment);
            for (once, _) in &arrange.once {
                self.rule(once.rule.as_ref(), environment, once.span);
            }
        }
        for unique in &repeat.unique {
            self.rule(unique.rule.as_ref(), environment, unique.span);
        }
    }

    /// Records the rules of enumeration members that only some dialects have.
    fn members(&mut self, source: &FieldSource, environment: EnvironmentId) {
        let schema = self.checker.schema;
        let Some(id) = source.enumeration else { return };
        let members = schema.enums.get(id.index()).map(|e| e.members.as_slice());
        for member in members.unwrap_or_default() {
            self.rule(member.otherwise.as_ref(), environment, member.span);
        }
    }

    /// Enqueues the types and layouts that a field can contain.
    fn leads_to(&mut self, source: &'s FieldSource, step: Step) {
        let schema = self.checker.schema;
        let mut switches = vec![&source.target];
        while let Some(target) = switches.pop() {
            match target {
                TypeRef::Named { id, .. } => self.enqueue(Step {
                    what: What::Type(*id),
                    ..step
                }),
                TypeRef::Switch {
                    cases, rule, span, ..
                } => {
                    self.rule(rule.as_ref(), step.environment, *span);
                    switches.extend(cases.iter().map(|case| &case.target));
                }
                TypeRef::OfRow { row, otherwise } => {
                    for table in super::super::graph::tables_in(row, schema) {
                        for kind in &schema.tables[table.index()].kinds {
                            self.rule(kind.signature.as_ref(), step.environment, kind.span);
                            self.enqueue(Step {
                                what: What::Type(kind.target),
                                ..step
                            });
                        }
                    }
                    switches.extend(otherwise.as_deref());
                }
                TypeRef::Scalar(_) | TypeRef::Text | TypeRef::Bytes => {}
            }
        }
        if let Some(LayoutUse::Fields { layout, .. } | LayoutUse::Value { layout, .. }) =
            &source.layout
        {
            self.enqueue(Step {
                what: What::Layout(*layout),
                ..step
            });
        }
    }

    pub(super) fn layout(&mut self, id: LayoutId, step: Step) {
        let schema = self.checker.schema;
        let Some(layout) = schema.layouts.get(id.index()) else {
            return;
        };
        let environment = self.environments.enter(step.environment, &layout.faults);
        let step = Step {
            environment,
            ..step
        };
        match &layout.unknown {
            Some(rule) => self.enforces(rule, environment, layout.span),
            None => self
                .checker
                .missing_rule(layout.span, "an unknown type code in this layout"),
        }
        self.optional(crate::schema::FaultKind::Code, environment, layout.span);
        if let Some(optional) = &layout.optional
            && let FieldRole::Wire(source) = &optional.presence.role
        {
            self.source(source, step, optional.presence.span);
        }
        if let Some(text) = &layout.text {
            let rules = [
                &text.name_missing,
                &text.rest,
                &text.blanks_rule,
                &text.unique_name,
            ];
            for rule in rules.into_iter().flatten() {
                self.enforces(rule, environment, layout.span);
            }
            self.constraints(&text.name_constraints, environment);
        }
        for code in &layout.codes {
            self.layout_code(code, step);
        }
    }

    fn layout_code(&mut self, code: &'s LayoutCode, step: Step) {
        let environment = self.environments.enter(step.environment, &code.faults);
        let step = Step {
            environment,
            ..step
        };
        self.rule(code.rule.as_ref(), environment, code.span);
        self.rule(code.of_rule.as_ref(), environment, code.span);
        self.obeys(&code.obeys, environment);
        match &code.layout {
            CodeLayout::Plain(source) => self.source(source, step, code.span),
            CodeLayout::Fields(_) => {}
            CodeLayout::List { count, .. } => {
                self.optional(crate::schema::FaultKind::Empty, environment, code.span);
                if let CodeCount::Read(target) = count {
                    self.bare_target(target, step, code.span);
                }
            }
            CodeLayout::Located { at, .. } => {
                self.rule(at.multiple.as_ref(), environment, code.span);
                self.obeys(&at.obeys, environment);
                self.bare_target(&at.word, step, code.span);
                self.needed(crate::schema::FaultKind::Past, environment, code.span);
            }
        }
    }

    fn bare_target(&mut self, target: &'s TypeRef, step: Step, span: SourceSpan) {
        match target {
            TypeRef::Named { id, .. } => self.enqueue(Step {
                what: What::Type(*id),
                ..step
            }),
            _ => self.needs_bytes(step.around, step.environment, span),
        }
    }

    fn define(&mut self, define: &'s Define, environment: EnvironmentId) {
        if let Some(again) = &define.again {
            self.again(again, environment);
        }
        for (_, rule) in &define.unique {
            self.enforces(rule, environment, define.span);
        }
        let schema = self.checker.schema;
        let Some(table) = schema.tables.get(define.table.index()) else {
            return;
        };
        for again in table.initial.iter().filter_map(|row| row.again.as_ref()) {
            self.again(again, environment);
        }
    }

    fn again(&mut self, again: &Again, environment: EnvironmentId) {
        self.rule(again.same.as_ref(), environment, again.span);
        self.rule(again.other.as_ref(), environment, again.span);
        let alike = again.alike.as_ref().map(|(_, rule)| rule);
        self.rule(alike, environment, again.span);
    }

    fn meaning(
        &mut self,
        meaning: Option<&'s Meaning>,
        environment: EnvironmentId,
        span: SourceSpan,
    ) {
        match meaning {
            Some(Meaning::Json { schema, rule }) => {
                self.rule(rule.as_ref(), environment, span);
                self.optional(crate::schema::FaultKind::Depth, environment, span);
                let described = self.checker.schema;
                let json = schema.and_then(|id| described.json.get(id.index()));
                if let Some(json) = json {
                    self.json(json, environment);
                }
            }
            Some(Meaning::Signature(_)) => {
                self.optional(crate::schema::FaultKind::Code, environment, span);
            }
            _ => {}
        }
    }

    fn json(&mut self, json: &'s JsonSchema, environment: EnvironmentId) {
        let mut left = vec![json];
        while let Some(json) = left.pop() {
            self.rule(json.rule.as_ref(), environment, json.span);
            if json.one_of_rule.is_some() {
                self.rule(json.one_of_rule.as_ref(), environment, json.span);
            }
            self.rule(json.other_members.as_ref(), environment, json.span);
            left.extend(json.members.iter().map(|member| &member.value));
        }
    }

    fn constraints(&mut self, all: &'s [Constraint], environment: EnvironmentId) {
        for constraint in all {
            self.rule(constraint.rule.as_ref(), environment, constraint.span);
        }
    }

    fn obeys(&mut self, all: &[Obedience], environment: EnvironmentId) {
        for obedience in all {
            self.shows(&obedience.rule, environment, obedience.span);
        }
    }

    fn ignored(&mut self, rule: Option<&RuleRef>, environment: EnvironmentId, span: SourceSpan) {
        if let Some(rule) = rule {
            self.shows(rule, environment, span);
        }
    }

    fn rule(&mut self, rule: Option<&RuleRef>, environment: EnvironmentId, span: SourceSpan) {
        if let Some(rule) = rule {
            self.enforces(rule, environment, span);
        }
    }

    /// Visits the limits, the initial values of registers and the bytes after the root, none of
    /// which belong to an element.
    pub(super) fn shared(&mut self, environment: EnvironmentId) {
        let schema = self.checker.schema;
        for limit in &schema.limits {
            self.rule(limit.rule.as_ref(), environment, limit.span);
        }
        for register in &schema.registers {
            self.obeys(&register.obeys, environment);
        }
        let root = self.checker.extents.of_type(schema.root.index());
        let span = schema.types[schema.root.index()].span;
        match root.to_end {
            true => self.optional(crate::schema::FaultKind::Trailing, environment, span),
            false => self.tolerated(crate::schema::FaultKind::Trailing, environment, span),
        }
    }

    fn around_inside(&self, source: &FieldSource, around: Around) -> Around {
        let schema = self.checker.schema;
        match &source.size {
            Size::Natural => around,
            Size::ToEnd => match around {
                Around::File => Around::Part,
                other => other,
            },
            Size::Bytes(size) => {
                let TypeRef::Named { id, .. } = &source.target else {
                    return Around::Part;
                };
                let inner = self.checker.extents.of_type(id.index());
                let size = super::super::fold::integer(size, schema, None);
                let size = size.and_then(|size| u64::try_from(size).ok());
                match size.is_some() && size == inner.least && size == inner.greatest {
                    true => Around::Exact,
                    false => Around::Part,
                }
            }
        }
    }
}
