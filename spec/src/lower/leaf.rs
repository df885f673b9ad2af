//! Lowers the properties of a single value: its tests, references, meaning and hints, and how it is
//! computed from an earlier value.

use super::faults::FaultContext;
use super::field::Layers;
use super::place::Place;
use super::scope::{Inner, ScopeId};
use super::{Lowering, OpId};
use crate::expression::{BinaryOperator, Expr, ExprKind};
use crate::schema::{
    Carry, CarryMode, Constraint, ConstraintKind, EnumId, FaultKind, FieldSource, Generation,
    Meaning, Obedience, Plain, Refs, RuleId, RuleRef, Scalar, ScalarKind,
};
use tracegauge_plan::{
    CarryPlan, CheckKind, CheckPlan, Code, CodeId, Extent, HintPlan, Kind, PlainPlan, RefsPlan,
    RepeatPlan, TextPart, flags,
};

impl<'s> Lowering<'s> {
    /// Adds the properties of a number, after its operation has been added.
    pub(super) fn leaf(
        &mut self,
        op: OpId,
        layers: &Layers<'s>,
        scalar: &Scalar,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        self.meaning(op, layers, scope);
        self.this_op = Some(op);
        let mut checks = self.constraints(op, layers, scope, context);
        self.this_op = None;
        // The field's own rule is more specific than one that is mapped for a whole structure.
        let has_own = checks.iter().any(|check| {
            let is_ruled = check.rule.is_some() && check.condition.is_none();
            is_ruled && matches!(check.kind, CheckKind::InEnum(_))
        });
        if !has_own && let Some(check) = self.enum_check(op, context) {
            checks.insert(0, check);
        }
        if let (Some(set), Some(rule)) = (
            self.plan.infos[op.index()].presentation.flags,
            context.of(FaultKind::Flags),
        ) {
            checks.push(check(CheckKind::InFlags(set), Some(rule)));
        }
        if let Some(check) = self.code_check(op, layers, scope, context) {
            checks.push(check);
        }
        self.set_checks(op, checks);
        for (layer, field) in layers.fields.clone().into_iter().enumerate() {
            self.references(op, field.refs.as_ref(), scope, context);
            let greatest = greatest_of(scalar);
            self.carry(op, field.carry.as_ref(), greatest, scope, context);
            let shown = self.seen_by(op, layers, layer);
            self.decorate_seen(op, field, scope, (context, shown));
        }
    }

    /// Adds the properties of a string or byte string, after its operation has been added.
    pub(super) fn text_leaf(
        &mut self,
        op: OpId,
        layers: &Layers<'s>,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        self.meaning(op, layers, scope);
        self.this_op = Some(op);
        let mut checks = self.constraints(op, layers, scope, context);
        self.this_op = None;
        if let Some(rule) = context.of(FaultKind::Empty) {
            checks.push(check(CheckKind::NotEmpty, Some(rule)));
        }
        self.set_checks(op, checks);
        let mut fields = layers.fields.iter();
        let meaning = fields.find_map(|field| field.meaning.as_ref());
        self.inside_text(op, meaning, scope, context);
        for field in layers.fields.clone() {
            if let (Some(rule), Kind::Contents(_)) =
                (&field.contents_rule, &self.plan.ops[op.index()].kind)
            {
                let rule = context.resolve(rule);
                let checks = vec![check(CheckKind::NotEmpty, rule)];
                self.set_checks(op, checks);
            }
            // A string is carried as a whole, so it never exceeds a range.
            self.carry(op, field.carry.as_ref(), 0, scope, context);
            self.decorate(op, field, scope, context);
        }
    }

    fn meaning(&mut self, op: OpId, layers: &Layers<'s>, scope: ScopeId) {
        let fields = layers.fields.iter();
        let aliases = layers.aliases.iter();
        let meaning = fields.clone().find_map(|field| field.meaning.clone());
        let meaning = meaning.or_else(|| aliases.clone().find_map(|(_, a)| a.meaning.clone()));
        let enumeration = fields.clone().find_map(|field| field.enumeration);
        let flag_set = fields.clone().find_map(|field| field.flags);
        let shows = layers
            .aliases
            .iter()
            .find_map(|(_, alias)| alias.shows.as_ref());
        // An expression that is shown instead of a value, such as a lookup, may read the value as
        // `_`.
        let shows = shows.filter(|shows| !matches!(shows.kind, ExprKind::This));
        let shows = shows.map(|shows| {
            let slot = self.slot_of(op);
            let this = self.code(Code::Slot(slot));
            self.compile(shows, scope, Some(this))
        });
        let presentation = &mut self.plan.infos[op.index()].presentation;
        presentation.meaning = meaning.filter(|meaning| !is_inside(meaning));
        presentation.enumeration = enumeration;
        presentation.flags = flag_set;
        presentation.shows = shows;
    }

    /// Compiles the constraints of a field and of the aliases (named scalar types) that lead to its
    /// type.
    fn constraints(
        &mut self,
        op: OpId,
        layers: &Layers<'s>,
        scope: ScopeId,
        context: &FaultContext,
    ) -> Vec<CheckPlan> {
        let mut checks = Vec::new();
        let members = self.plan.infos[op.index()].presentation.enumeration;
        for (_, alias) in layers.aliases.iter().rev() {
            for constraint in &alias.constraints {
                self.constraint(constraint, scope, context, &mut checks, members);
            }
        }
        for (layer, field) in layers.fields.iter().enumerate().rev() {
            let shown = self.seen_by(op, layers, layer);
            for constraint in &field.constraints {
                match shown {
                    Some(shown) => {
                        self.constraint_of(shown, constraint, scope, context, &mut checks);
                    }
                    None => self.constraint(constraint, scope, context, &mut checks, members),
                }
            }
        }
        checks
    }

    /// Adds one constraint, unless its condition is false for this dialect.
    pub(super) fn constraint(
        &mut self,
        constraint: &Constraint,
        scope: ScopeId,
        context: &FaultContext,
        checks: &mut Vec<CheckPlan>,
        members: Option<EnumId>,
    ) {
        let condition = constraint.condition.as_ref();
        let condition = condition.map(|condition| self.compile(condition, scope, None));
        let condition = match condition.and_then(|condition| self.known_bool(condition)) {
            Some(false) => return,
            Some(true) => None,
            None => condition,
        };
        let rule = constraint
            .rule
            .as_ref()
            .and_then(|rule| context.resolve(rule));
        let kind = match &constraint.kind {
            ConstraintKind::Equal(expr) => CheckKind::Equal(self.wanted(expr, scope)),
            ConstraintKind::Min(expr) => CheckKind::Min(self.compile(expr, scope, None)),
            ConstraintKind::Max(expr) => CheckKind::Max(self.compile(expr, scope, None)),
            ConstraintKind::AnyOf(values) => {
                CheckKind::AnyOf(values.iter().map(|v| self.wanted(v, scope)).collect())
            }
            ConstraintKind::Predicate(expr) => CheckKind::Holds(self.predicate(expr, scope, None)),
            ConstraintKind::InEnum => match members {
                // Without a rule, `InEnum` accepts every value unless a fault is mapped, but this
                // constraint must not accept every value.
                Some(members) if rule.is_none() => CheckKind::AnyOf(self.member_codes(members)),
                Some(members) => CheckKind::InEnum(members),
                None => {
                    self.error(constraint.span, "`in-enum` requires a field with `enum`");
                    return;
                }
            },
        };
        checks.push(CheckPlan {
            kind,
            condition,
            rule,
            blame: None,
        });
    }

    /// Compiles the values of an enumeration's members.
    fn member_codes(&mut self, enumeration: EnumId) -> Vec<CodeId> {
        let members = &self.plan.enums[enumeration].members;
        let values: Vec<i128> = members.iter().map(|member| member.value).collect();
        let values = values.into_iter();
        values.map(|value| self.code(Code::Int(value))).collect()
    }

    /// Compiles the expected value that the value under test is compared with.
    fn wanted(&mut self, expr: &Expr, scope: ScopeId) -> tracegauge_plan::CodeId {
        let code = self.compile(expr, scope, None);
        let this = self.code(Code::This);
        let encoding = self.text_encoding(this);
        self.as_encoded(code, encoding)
    }

    /// Returns the test that a value is a member of its enumeration, if a rule requires the test.
    fn enum_check(&mut self, op: OpId, context: &FaultContext) -> Option<CheckPlan> {
        let index = self.plan.infos[op.index()].presentation.enumeration?;
        let rule = context.of(FaultKind::Enum);
        let members = &self.plan.enums[index].members;
        let some_broken = members.iter().any(|member| member.broken.is_some());
        (rule.is_some() || some_broken).then(|| check(CheckKind::InEnum(index), rule))
    }

    /// Returns the test that a type code belongs to its layout set, if a rule requires the test.
    fn code_check(
        &mut self,
        op: OpId,
        layers: &Layers<'s>,
        scope: ScopeId,
        context: &FaultContext,
    ) -> Option<CheckPlan> {
        let id = layers.fields.iter().find_map(|field| field.code_of)?;
        self.plan.infos[op.index()].code_of = Some(id);
        let rule = context.of(FaultKind::Code)?;
        let codes = self.codes_of(id, scope);
        let codes = codes
            .into_iter()
            .map(|code| self.code(Code::Int(code)))
            .collect();
        Some(check(CheckKind::AnyOf(codes), Some(rule)))
    }

    fn references(
        &mut self,
        op: OpId,
        refs: Option<&Refs>,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        let Some(refs) = refs else { return };
        let condition = refs
            .condition
            .as_ref()
            .map(|expr| self.compile(expr, scope, None));
        if condition.and_then(|condition| self.known_bool(condition)) == Some(false) {
            return;
        }
        let none = refs
            .none
            .as_ref()
            .map(|expr| self.compile(expr, scope, None));
        let resolve = |rule: &Option<RuleRef>| rule.as_ref().and_then(|r| context.resolve(r));
        let index = self.plan.refs.push(RefsPlan {
            table: refs.table,
            condition: condition.filter(|condition| self.known_bool(*condition).is_none()),
            none,
            dangling: resolve(&refs.dangling),
            later: resolve(&refs.later),
            row_slot: None,
        });
        self.plan.infos[op.index()].refs = Some(index);
        self.plan.ops[op.index()].flags |= flags::REFS;
    }

    fn carry(
        &mut self,
        op: OpId,
        carry: Option<&Carry>,
        greatest: i128,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        let Some(carry) = carry else { return };
        let slot = self.slot_of(op);
        let previous = carry.from.is_none().then_some(slot);
        if let (Some(slot), Some(repeat)) = (previous, self.repeats.last().copied())
            && let Kind::Repeat(index) = self.plan.ops[repeat.index()].kind
        {
            let initial = self.zero(op);
            let repeat: &mut RepeatPlan = &mut self.plan.repeats[index];
            repeat.carried.push((slot, initial));
        }
        let then = carry
            .then
            .as_ref()
            .map(|then| self.compile(then, scope, None));
        let plan = CarryPlan {
            add: carry.mode == CarryMode::Add,
            then,
            wraps: carry.wraps,
            overflow: carry
                .overflow
                .as_ref()
                .and_then(|rule| context.resolve(rule)),
            greatest,
            register: carry.from,
            moves: true,
            previous,
        };
        let index = self.plan.carries.push(plan);
        self.plan.infos[op.index()].carry = Some(index);
        self.plan.ops[op.index()].flags |= flags::CARRY;
    }

    /// Adds the properties that any field can have: exercised rules, hints, and ignored bytes.
    pub(super) fn decorate(
        &mut self,
        op: OpId,
        source: &'s FieldSource,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        self.decorate_seen(op, source, scope, (context, None));
    }

    /// Adds the same properties as [`Self::decorate`]. If the description replaces the value with
    /// the result of a lookup (`shows`), predicates refer to this result, not to the key.
    fn decorate_seen(
        &mut self,
        op: OpId,
        source: &'s FieldSource,
        scope: ScopeId,
        seen: (&FaultContext, Option<CodeId>),
    ) {
        if source.repeat.is_none() {
            self.obey_where(op, &source.obeys, scope, seen);
        }
        let hints = self.hints(op, &source.generation, scope);
        let known = &mut self.plan.infos[op.index()].hints;
        let unset = known.range.is_none() && known.moving.is_none() && known.construct.is_none();
        // The `plain` hint of a field can be combined with the other hints of its type.
        let plain = known.plain.take().or_else(|| hints.plain.clone());
        if unset && known.weights.is_empty() && known.integers.is_empty() && known.texts.is_empty()
        {
            *known = hints;
        }
        known.plain = plain;
        if let Some(rule) = &source.ignore {
            self.passed_over(op, rule, seen.0);
        }
    }

    /// Adds the rule that requires readers to ignore bytes. A number or a value of fixed size
    /// exercises the rule if any bit is set; any other value exercises it if the value is not
    /// empty.
    fn passed_over(&mut self, op: OpId, rule: &RuleRef, context: &FaultContext) {
        use BinaryOperator::NotEqual;
        self.plan.infos[op.index()].ignore = true;
        let Some(rule) = context.resolve(rule) else {
            return;
        };
        let this = self.code(Code::This);
        let when = match self.plan.ops[op.index()].kind {
            Kind::Integer(_) | Kind::Variable(..) | Kind::Bits { .. } => Some(this),
            Kind::Float { .. } => {
                let zero = self.code(Code::Float(0.0));
                Some(self.code(Code::Binary(NotEqual, this, zero)))
            }
            Kind::Bytes(Extent::Fixed(size)) | Kind::Text(Extent::Fixed(size), _) => {
                let zeros = usize::try_from(size).unwrap_or_default();
                let zeros = self.constant(&vec![0; zeros]);
                let zeros = self.code(Code::Text(zeros));
                Some(self.code(Code::Binary(NotEqual, this, zeros)))
            }
            Kind::Bytes(_) | Kind::Text(..) | Kind::Terminated(_) => {
                let size = self.code(Code::OfText(TextPart::Size, this, None));
                let zero = self.code(Code::Int(0));
                Some(self.code(Code::Binary(NotEqual, size, zero)))
            }
            _ => {
                let (start, end) = self.span_slots(op);
                let size = self.code(Code::Between(start, end));
                let zero = self.code(Code::Int(0));
                Some(self.code(Code::Binary(NotEqual, size, zero)))
            }
        };
        self.plan.infos[op.index()].obeys.push((rule, when));
        self.plan.ops[op.index()].flags |= flags::OBEYS;
    }

    /// Adds the rules that a record exercises.
    pub(super) fn obey(&mut self, op: OpId, obeys: &[Obedience], scope: ScopeId) {
        self.obey_in(op, obeys, scope, &FaultContext::default());
    }

    /// Adds the rules that an element exercises. `context` maps the faults of shared parts to
    /// rules.
    pub(super) fn obey_in(
        &mut self,
        op: OpId,
        obeys: &[Obedience],
        scope: ScopeId,
        context: &FaultContext,
    ) {
        self.obey_where(op, obeys, scope, (context, None));
    }

    fn obey_where(
        &mut self,
        op: OpId,
        obeys: &[Obedience],
        scope: ScopeId,
        (context, shown): (&FaultContext, Option<CodeId>),
    ) {
        for obedience in obeys {
            let Some(rule) = context.resolve(&obedience.rule) else {
                continue;
            };
            let when = match &obedience.when {
                None => None,
                Some(when) => {
                    self.this_place = self.place_of(op);
                    self.this_op = Some(op);
                    let when = self.compile(when, scope, shown);
                    (self.this_place, self.this_op) = (None, None);
                    match self.known_bool(when) {
                        Some(true) => None,
                        Some(false) => continue,
                        None => Some(when),
                    }
                }
            };
            self.plan.infos[op.index()].obeys.push((rule, when));
            self.plan.ops[op.index()].flags |= flags::OBEYS;
        }
    }

    /// Resolves `_` in a predicate on an operation. Returns `None` if `_` is the value under test.
    fn place_of(&self, op: OpId) -> Option<Place> {
        let inner = match self.plan.ops[op.index()].kind {
            Kind::Repeat(_) | Kind::Nested(_) => Inner::List,
            Kind::Layout(_) => Inner::Described,
            Kind::Structure | Kind::Switch(_) | Kind::Sized(_) => {
                let scope = self.scopes.iter().position(|scope| scope.op == Some(op));
                scope.map_or(Inner::Leaf, |scope| Inner::Structure(ScopeId(scope)))
            }
            _ => return None,
        };
        Some(Place::Field(op, inner))
    }

    fn hints(&mut self, op: OpId, generation: &Generation, scope: ScopeId) -> HintPlan {
        let mut hints = HintPlan::default();
        if let Some(construct) = &generation.construct {
            let code = self.compile(construct, scope, None);
            let kind = &self.plan.ops[op.index()].kind;
            if matches!(
                kind,
                Kind::Integer(_) | Kind::Variable(..) | Kind::Bits { .. }
            ) {
                hints.construct = Some(code);
            } else {
                self.error(
                    construct.span,
                    "`construct` is not supported yet for types that are not integers",
                );
            }
        }
        for (value, weight) in &generation.weights {
            if let Some(value) = self.hint_integer(op, value, scope) {
                hints.weights.push((value, *weight));
            }
        }
        for sample in &generation.samples {
            if let ExprKind::Text(text) = &sample.kind {
                hints.texts.push(text.clone());
            } else if let Some(value) = self.hint_integer(op, sample, scope) {
                hints.integers.push(value);
            }
        }
        if let Some((low, high)) = &generation.range {
            let ends = (
                self.hint_integer(op, low, scope),
                self.hint_integer(op, high, scope),
            );
            hints.range = ends.0.zip(ends.1);
            if hints.range.is_none() && ends.0.is_none() {
                let ends = (
                    self.compile(low, scope, None),
                    self.compile(high, scope, None),
                );
                hints.moving = Some(ends);
            }
        }
        hints.plain = generation
            .plain
            .as_ref()
            .and_then(|plain| self.plain(op, plain, scope));
        hints
    }

    /// Returns the values that typical writers write. The values are constants or are computed from
    /// values read earlier.
    fn plain(&mut self, op: OpId, plain: &Plain, scope: ScopeId) -> Option<PlainPlan> {
        match plain {
            Plain::Range(low, high) => {
                let ends = (
                    self.hint_integer(op, low, scope),
                    self.hint_integer(op, high, scope),
                );
                match ends {
                    (Some(low), Some(high)) => Some(PlainPlan::Range(low, high)),
                    _ => {
                        let low = self.compile(low, scope, None);
                        Some(PlainPlan::Moving(low, self.compile(high, scope, None)))
                    }
                }
            }
            Plain::Values(values) => {
                let text = |value: &Expr| match &value.kind {
                    ExprKind::Text(text) => Some(text.clone()),
                    _ => None,
                };
                let texts: Vec<String> = values.iter().filter_map(text).collect();
                if !texts.is_empty() {
                    return Some(PlainPlan::Texts(texts));
                }
                let integers: Vec<i128> = values
                    .iter()
                    .filter_map(|value| self.hint_integer(op, value, scope))
                    .collect();
                if let ([value], true) = (values.as_slice(), integers.is_empty()) {
                    let code = self.compile(value, scope, None);
                    return Some(PlainPlan::Moving(code, code));
                }
                (!integers.is_empty()).then_some(PlainPlan::Integers(integers))
            }
        }
    }

    /// Returns the value of a constant in a hint: a number, or the name of a member of the field's
    /// enumeration.
    fn hint_integer(&mut self, op: OpId, expr: &Expr, scope: ScopeId) -> Option<i128> {
        if let ExprKind::Name(name) = &expr.kind
            && let Some(index) = self.plan.infos[op.index()].presentation.enumeration
        {
            let members = &self.plan.enums[index].members;
            return members
                .iter()
                .find(|member| member.name == *name)
                .map(|member| member.value);
        }
        let code = self.compile(expr, scope, None);
        self.known_int(code)
    }
}

/// Returns whether the meaning is about the contents of a text field. The tests of the field also
/// test its contents.
fn is_inside(meaning: &Meaning) -> bool {
    matches!(meaning, Meaning::Json { .. } | Meaning::Signature(_))
}

/// Creates a test without a condition.
pub(super) fn check(kind: CheckKind, rule: Option<RuleId>) -> CheckPlan {
    CheckPlan {
        kind,
        condition: None,
        rule,
        blame: None,
    }
}

/// Returns the maximum value of a number with a declared width.
pub(super) fn greatest_of(scalar: &Scalar) -> i128 {
    let bits = match scalar.kind {
        ScalarKind::Unsigned(width) => u32::from(width) * 8,
        ScalarKind::Signed(width) => u32::from(width) * 8 - 1,
        ScalarKind::Bits(bits, _) => u32::from(bits),
        ScalarKind::Variable(crate::schema::VariableKind::Unsigned, bits) => u32::from(bits),
        ScalarKind::Variable(_, bits) => u32::from(bits) - 1,
        ScalarKind::Float(_) | ScalarKind::Guid(_) => 64,
    };
    (1_i128 << bits) - 1
}
