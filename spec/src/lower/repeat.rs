//! Lowers repetitions, padding, and tests between fields.

use super::faults::FaultContext;
use super::leaf::check;
use super::place::Place;
use super::scope::{Binding, Inner, ScopeId};
use super::{CodeId, Lowering, NameId, OpId};
use crate::schema::{Elements, FaultKind, FieldSource, Unique};
use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::{CheckKind, CheckPlan, Count, Kind, RepeatPlan, UniquePlan, flags};

impl<'s> Lowering<'s> {
    /// Adds a field that is repeated.
    pub(super) fn repetition(
        &mut self,
        source: &'s FieldSource,
        name: Option<NameId>,
        label: Option<NameId>,
        scope: ScopeId,
        context: &FaultContext,
        span: SourceSpan,
    ) -> (OpId, Inner) {
        let Some(repeat) = &source.repeat else {
            return self.nothing(name, context, span);
        };
        let outer = context.enter(&source.faults);
        let count = self
            .count_of(&repeat.elements, scope)
            .map_or(Count::ToEnd, |(count, _)| count);
        let faults = self.fault_rules(&outer);
        let at_least = repeat.at_least.as_ref().map(|least| {
            (
                least.count,
                least.rule.as_ref().and_then(|rule| outer.resolve(rule)),
            )
        });
        let index = self.plan.repeats.push(RepeatPlan {
            count,
            length_slot: None,
            at_least,
            first: Vec::new(),
            once: Vec::new(),
            last: Vec::new(),
            unique: Vec::new(),
            carried: Vec::new(),
            restored: Vec::new(),
            defines: None,
            folds: Vec::new(),
            previous: Vec::new(),
        });
        let op = self.open(Kind::Repeat(index), name, label, faults, span);
        self.plan.ops[op.index()].flags |= flags::VISIBLE;
        self.repeats.push(op);
        // In a recursive type, an element may refer to the list that contains it by name.
        if let Some(label) = label {
            let label = self.plan.name(label).to_owned();
            let inner = Inner::List;
            self.bind(scope, &label, Binding::Op { op, inner });
        }
        let inside = context.enter_elements(&source.faults);
        let (element, inner) = self.element(source, None, None, scope, &inside, span);
        // The rules that the field exercises apply to the list as a whole.
        self.obey_in(op, &source.obeys, scope, context);
        self.plan.infos[op.index()].presentation.meaning = source.meaning.clone();
        self.elements.insert(op, (element, inner.clone()));
        if let Elements::Until(until) = &repeat.elements {
            let code = self.compile_of_element(until, scope, (element, &inner));
            self.plan.repeats[index].count = Count::Until(code);
        }
        let unique = repeat.unique.iter().collect::<Vec<_>>();
        for unique in unique {
            let plan = self.unique(unique, &inner, element, scope, &outer);
            self.plan.repeats[index].unique.push(plan);
        }
        if let Some(arrange) = &repeat.arrange {
            self.arrange(index, arrange, (element, &inner), scope, &outer);
        }
        if let Some(define) = &source.defines {
            self.define_elements(index, define, (element, &inner), scope, &outer);
        }
        self.previous_values(op);
        self.repeats.pop();
        let mut checks = Vec::new();
        if let Some(rule) = outer.of(FaultKind::Empty)
            && source
                .faults
                .kinds
                .iter()
                .any(|(kind, _, _)| *kind == FaultKind::Empty)
        {
            checks.push(check(CheckKind::NotEmpty, Some(rule)));
        }
        self.close(op);
        self.set_checks(op, checks);
        (op, Inner::List)
    }

    pub(super) fn element_scope(&self, inner: &Inner) -> Option<ScopeId> {
        match inner {
            Inner::Structure(scope) | Inner::Again(scope) => Some(*scope),
            _ => None,
        }
    }

    /// Compiles an expression over an element. Names refer to the enclosing structure, and `_` to
    /// the element.
    pub(super) fn compile_of_element(
        &mut self,
        expr: &crate::expression::Expr,
        scope: ScopeId,
        (op, inner): (OpId, &Inner),
    ) -> CodeId {
        let has_members = match inner {
            Inner::Structure(_) | Inner::Again(_) => true,
            Inner::Arms(arms, ops) => !self.has_value_arm(arms, ops),
            Inner::Leaf | Inner::List | Inner::Described => false,
        };
        match has_members {
            true => {
                let around = self.this_place.replace(Place::Field(op, inner.clone()));
                let code = self.compile(expr, scope, None);
                self.this_place = around;
                code
            }
            false => {
                let this = self.slot_code(op);
                self.compile(expr, scope, Some(this))
            }
        }
    }

    fn unique(
        &mut self,
        unique: &Unique,
        inner: &Inner,
        element: OpId,
        scope: ScopeId,
        context: &FaultContext,
    ) -> UniquePlan {
        let by = match self.element_scope(inner) {
            Some(scope) => {
                let by = self.compile(&unique.by, scope, None);
                self.of_element(element, inner, by)
            }
            None => {
                let this = self.slot_code(element);
                self.compile(&unique.by, scope, Some(this))
            }
        };
        let except = unique
            .except
            .iter()
            .map(|key| self.compile(key, scope, None))
            .collect();
        let rule = unique.rule.as_ref().and_then(|rule| context.resolve(rule));
        UniquePlan {
            by,
            column: None,
            except,
            rule,
        }
    }

    /// Adds a test that is an item of a sequence.
    pub(super) fn check_field(
        &mut self,
        field: &'s crate::schema::Field,
        check: &'s crate::schema::Check,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        let condition = check
            .condition
            .as_ref()
            .map(|expr| self.compile(expr, scope, None));
        if condition.and_then(|condition| self.known_bool(condition)) == Some(false) {
            return;
        }
        let holds = self.predicate(&check.test, scope, None);
        let rule = check.rule.as_ref().and_then(|rule| context.resolve(rule));
        let blame = check
            .at
            .as_ref()
            .and_then(|at| match self.placed(at, scope) {
                Some(Place::Field(op, _)) => Some(self.shown(op)),
                _ => None,
            });
        let faults = self.fault_rules(context);
        let op = self.open(Kind::Check, None, None, faults, field.span);
        self.close(op);
        // If the field to report is in another structure, its position must be recorded.
        if let Some(blamed) = blame
            && self.plan.infos[blamed.index()].parent != self.plan.infos[op.index()].parent
        {
            self.span_slots(blamed);
        }
        let plan = CheckPlan {
            kind: CheckKind::Holds(holds),
            condition,
            rule,
            blame,
        };
        self.set_checks(op, vec![plan]);
    }

    /// Adds padding.
    pub(super) fn align_field(
        &mut self,
        field: &'s crate::schema::Field,
        align: &'s crate::schema::Align,
        label: &str,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        let condition = align
            .condition
            .as_ref()
            .map(|expr| self.compile(expr, scope, None));
        if condition.and_then(|condition| self.known_bool(condition)) == Some(false) {
            return;
        }
        let name = self.intern(label);
        let context = context.enter(&align.faults);
        let faults = self.fault_rules(&context);
        let kind = Kind::Align {
            to: align.to,
            from_file: align.from_file,
            fill: align.fill,
        };
        let op = self.open(kind, Some(name), Some(name), faults, field.span);
        self.close(op);
        if let Some(guard) = condition.filter(|guard| self.known_bool(*guard).is_none()) {
            self.plan.ops[op.index()].guard = guard;
            self.plan.ops[op.index()].flags |= flags::GUARD;
        }
        let rule = align.rule.as_ref().and_then(|rule| context.resolve(rule));
        if rule.is_some() {
            self.set_checks(op, vec![check(CheckKind::NotEmpty, rule)]);
        }
        self.obey_in(op, &align.obeys, scope, &context);
        let binding = super::scope::Binding::Op {
            op,
            inner: Inner::Leaf,
        };
        self.bind(scope, label, binding);
    }
}
