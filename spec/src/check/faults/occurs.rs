//! Finds the faults that can occur while a field is read. For each fault, the visit looks up the
//! rule that the fault is mapped to, and records either that the rule is enforced at this field or
//! that the fault is not mapped.

use super::environment::EnvironmentId;
use super::{Around, Missing, Step, Walk};
use crate::check::field::scalar_of;
use crate::check::visit;
use crate::check::widths::of_scalar;
use crate::schema::{
    ConstraintKind, Elements, Encoding, FaultKind, FieldSource, LayoutId, LayoutUse, ScalarKind,
    Size, TypeRef,
};
use tracegauge_plan::source::SourceSpan;

impl<'c, 's> Walk<'c, 's> {
    /// Visits the faults of the field itself, but not those of the fields inside it.
    pub(super) fn occurrences(
        &mut self,
        source: &'s FieldSource,
        outer: Step,
        inside: Step,
        span: SourceSpan,
    ) {
        let environment = inside.environment;
        self.extent(source, outer, environment, span);
        match &source.target {
            TypeRef::Scalar(_) | TypeRef::Text | TypeRef::Bytes if source.layout.is_none() => {
                self.leaf(source, outer.around, environment, span);
            }
            TypeRef::Switch { .. } => self.scalar_arms(source, inside, span),
            _ if is_sized(source) => self.part(source, inside, span),
            _ => {}
        }
        self.coding(source, environment, span);
        self.members_and_bits(source, environment, span);
        if source.repeat.is_some() {
            self.optional(FaultKind::Missing, environment, span);
            self.optional(FaultKind::Empty, environment, span);
        }
        if source.code_of.is_some() {
            self.tolerated(FaultKind::Code, environment, span);
        }
        self.optional(FaultKind::Range, environment, span);
        if source.refs.as_ref().is_some_and(|refs| refs.none.is_some()) {
            self.optional(FaultKind::Absent, environment, span);
        }
    }

    /// Visits the faults that can occur in sizes and counts.
    fn extent(
        &mut self,
        source: &FieldSource,
        outer: Step,
        environment: EnvironmentId,
        span: SourceSpan,
    ) {
        let count = match source.repeat.as_ref().map(|repeat| &repeat.elements) {
            Some(Elements::Count(count)) => Some(count),
            _ => None,
        };
        let size = match &source.size {
            Size::Bytes(size) => Some(size),
            _ => None,
        };
        for expr in size.into_iter().chain(count) {
            if self.checker.negative.contains(&expr.span) {
                self.needed(FaultKind::Negative, environment, span);
            }
        }
        if size.is_some() {
            self.reaches_past(outer.around, environment, span);
        }
    }

    /// Visits the fault that occurs if a size extends past the end of the enclosing part.
    fn reaches_past(&mut self, around: Around, environment: EnvironmentId, span: SourceSpan) {
        match around {
            Around::File => self.needed(FaultKind::Eof, environment, span),
            Around::Exact => {}
            Around::Part => match self.environments.of(environment, FaultKind::Past) {
                Some(rule) => self.enforces(&rule, environment, span),
                None => self.needed(FaultKind::Short, environment, span),
            },
        }
    }

    /// Visits the faults that can occur in a number, string or byte string.
    fn leaf(
        &mut self,
        source: &FieldSource,
        around: Around,
        environment: EnvironmentId,
        span: SourceSpan,
    ) {
        let is_text = matches!(source.target, TypeRef::Text);
        if is_text || matches!(source.target, TypeRef::Bytes) {
            self.optional(FaultKind::Empty, environment, span);
        }
        match &source.terminator {
            Some(terminator) if !is_sized(source) => {
                if terminator.required {
                    self.needed(FaultKind::Terminator, environment, span);
                }
            }
            _ if is_sized(source) => {}
            _ => self.needs_bytes(around, environment, span),
        }
        if is_text && source.encoding != Some(Encoding::Latin1) {
            self.tolerated(FaultKind::Encoding, environment, span);
        }
        if is_text && source.encoding.is_some_and(Encoding::has_halves) {
            self.optional(FaultKind::Half, environment, span);
        }
    }

    /// Visits the faults that can occur in switch cases that are numbers or strings.
    fn scalar_arms(&mut self, source: &'s FieldSource, inside: Step, span: SourceSpan) {
        if is_sized(source) {
            self.part(source, inside, span);
        }
        let mut bytes = false;
        visit::targets(source, &mut |target| {
            bytes |= matches!(target, TypeRef::Scalar(_) | TypeRef::Text);
        });
        if bytes {
            self.needs_bytes(inside.around, inside.environment, span);
        }
    }

    /// Visits the faults of a part whose given size can exceed the size of its fields. Unclaimed
    /// bytes are a fault of the type or layout inside the part, so the mappings of that type or
    /// layout apply too.
    fn part(&mut self, source: &'s FieldSource, inside: Step, span: SourceSpan) {
        if inside.around == Around::Exact {
            return;
        }
        let schema = self.checker.schema;
        let environment = inside.environment;
        let layout = match &source.layout {
            Some(LayoutUse::Fields { layout, .. } | LayoutUse::Value { layout, .. }) => layout,
            None => &LayoutId(u32::MAX),
        };
        if let Some(layout) = schema.layouts.get(layout.index()) {
            let inner = self.environments.enter(environment, &layout.faults);
            self.tolerated(FaultKind::Rest, inner, span);
        }
        visit::targets(source, &mut |target| {
            let TypeRef::Named { id, .. } = target else {
                return;
            };
            if let Some(described) = schema.types.get(id.index())
                && !self.checker.extents.of_type(id.index()).to_end
            {
                let inner = self.environments.enter(environment, &described.faults);
                self.tolerated(FaultKind::Rest, inner, span);
            }
        });
    }

    /// Visits the faults that can occur in variable-length numbers.
    fn coding(&mut self, source: &FieldSource, environment: EnvironmentId, span: SourceSpan) {
        let TypeRef::Scalar(scalar) = &source.target else {
            return;
        };
        let wire = source.carry.as_ref().and_then(|carry| carry.wire.as_ref());
        let scalar = wire.unwrap_or(scalar);
        if matches!(scalar.kind, ScalarKind::Variable(..)) {
            self.optional(FaultKind::Overlong, environment, span);
            self.needed(FaultKind::Long, environment, span);
            self.needed(FaultKind::Wide, environment, span);
        }
    }

    /// Visits the faults for values outside an enumeration and for unnamed bits.
    fn members_and_bits(
        &mut self,
        source: &FieldSource,
        environment: EnvironmentId,
        span: SourceSpan,
    ) {
        let schema = self.checker.schema;
        let range = scalar_of(&source.target, schema).and_then(of_scalar);
        if let Some(described) = source
            .enumeration
            .and_then(|id| schema.enums.get(id.index()))
        {
            let count = described.members.len() as i128;
            let complete = range.is_some_and(|range| range.greatest - range.least < count);
            let constrained = (source.constraints.iter()).any(|constraint| match constraint.kind {
                ConstraintKind::InEnum | ConstraintKind::Equal(_) | ConstraintKind::AnyOf(_) => {
                    true
                }
                ConstraintKind::Min(_) | ConstraintKind::Max(_) | ConstraintKind::Predicate(_) => {
                    false
                }
            });
            match complete || constrained {
                true => self.optional(FaultKind::Enum, environment, span),
                false => self.tolerated(FaultKind::Enum, environment, span),
            }
        }
        if let Some(set) = source.flags.and_then(|id| schema.flags.get(id.index())) {
            let named = set.bits.iter().fold(0, |mask, bit| mask | bit.mask);
            let all = range.map(|range| range.greatest - range.least);
            match all == Some(i128::from(named)) {
                true => self.optional(FaultKind::Flags, environment, span),
                false => self.tolerated(FaultKind::Flags, environment, span),
            }
        }
    }

    /// Visits the fault that occurs if the input ends inside a field.
    pub(super) fn needs_bytes(
        &mut self,
        around: Around,
        environment: EnvironmentId,
        span: SourceSpan,
    ) {
        match around {
            Around::File => self.needed(FaultKind::Eof, environment, span),
            Around::Part => self.needed(FaultKind::Short, environment, span),
            Around::Exact => {}
        }
    }

    /// Visits a fault that must be mapped to a rule.
    pub(super) fn needed(&mut self, kind: FaultKind, environment: EnvironmentId, span: SourceSpan) {
        match self.environments.of(environment, kind) {
            Some(rule) => self.enforces(&rule, environment, span),
            None => self.missing(Missing::Needed(kind), span),
        }
    }

    /// Visits a fault that readers tolerate unless it is mapped to a rule. An unmapped fault of
    /// this kind is reported, because a complete description maps it to a rule.
    pub(super) fn tolerated(
        &mut self,
        kind: FaultKind,
        environment: EnvironmentId,
        span: SourceSpan,
    ) {
        match self.environments.of(environment, kind) {
            Some(rule) => self.enforces(&rule, environment, span),
            None => self.missing(Missing::Tolerated(kind), span),
        }
    }

    /// Visits a fault that has an effect only if it is mapped to a rule.
    pub(super) fn optional(
        &mut self,
        kind: FaultKind,
        environment: EnvironmentId,
        span: SourceSpan,
    ) {
        if let Some(rule) = self.environments.of(environment, kind) {
            self.enforces(&rule, environment, span);
        }
    }
}

/// Returns `true` if the field specifies its size in bytes.
fn is_sized(source: &FieldSource) -> bool {
    !matches!(source.size, Size::Natural)
}
