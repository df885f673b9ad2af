//! Lowers the contents of text fields, which can be JSON or descriptions of fields, and null
//! values.

use super::faults::FaultContext;
use super::leaf::check;
use super::scope::{Binding, ScopeId};
use super::{CodeId, Lowering, OpId};
use crate::expression::BinaryOperator;
use crate::schema::{
    CodeLabel, CodeLayout, Encoding, FaultKind, JsonSchema, Layout, LayoutCode, LayoutId,
    LayoutText, Meaning, RuleRef, Schema, Type,
};
use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::{
    ByteSet, CheckKind, Code, JsonMemberPlan, JsonPlan, JsonShape, Kind, SignaturePlan, TextCode,
    TextId, TextPlan, flags,
};

/// The placeholder in a textual type code that stands for the code of the element type.
const HELD: &str = "{of}";

impl<'s> Lowering<'s> {
    /// If `field` decides whether the structure is null, makes the rest of the structure
    /// conditional.
    pub(super) fn null_after(&mut self, described: &'s Type, field: &str, scope: ScopeId) {
        let Some((name, value)) = &described.none else {
            return;
        };
        if name != field {
            return;
        }
        let Some(Binding::Op { op, .. }) = self.scope(scope).fields.get(name) else {
            return;
        };
        let op = *op;
        let says = self.slot_code(op);
        let null = self.compile(value, scope, None);
        if let Some(literal) = self.known_int(null) {
            let shown = self.shown(op);
            self.plan.infos[shown.index()].null = Some(literal);
            if let Some(structure) = self.scopes[scope.0].op {
                self.plan.infos[structure.index()].presentation.nullable = true;
            }
        }
        let present = Code::Binary(BinaryOperator::NotEqual, says, null);
        self.scopes[scope.0].present = Some(self.fold(present));
    }

    /// Makes the operation at index `first` conditional on the structure not being null.
    pub(super) fn unless_null(&mut self, first: usize, scope: ScopeId) {
        let Some(present) = self.scope(scope).present else {
            return;
        };
        if first >= self.plan.ops.len() {
            return;
        }
        let guard = match self.plan.ops[first].guard {
            CodeId::NONE => present,
            own => self.fold(Code::Binary(BinaryOperator::And, present, own)),
        };
        self.plan.ops[first].guard = guard;
        self.plan.ops[first].flags |= flags::GUARD;
    }

    /// Adds a test for null, if a rule covers null values.
    pub(super) fn null_fault(&mut self, structure: OpId, scope: ScopeId, context: &FaultContext) {
        let present = self.scope(scope).present;
        if let (Some(present), Some(rule)) = (present, context.of(FaultKind::Absent)) {
            let mut test = check(CheckKind::Holds(present), Some(rule));
            test.blame = None;
            self.ending(structure).checks.push(test);
        }
    }

    /// Adds the test for the contents of a text field to the tests of the field.
    pub(super) fn inside_text(
        &mut self,
        op: OpId,
        meaning: Option<&'s Meaning>,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        if !matches!(meaning, Some(Meaning::Json { .. } | Meaning::Signature(_))) {
            return;
        }
        let text = self.shown(op);
        let span = self.plan.infos[op.index()].span;
        let encoding = match self.plan.ops[text.index()].kind {
            Kind::Text(_, encoding) => Some(encoding),
            Kind::Terminated(ending) => ending.encoding,
            _ => None,
        };
        let Some(encoding) = encoding else {
            self.error(span, "JSON and field descriptions must be stored as text");
            return;
        };
        let kind = match meaning {
            Some(Meaning::Json { schema, rule }) => {
                let rule = rule.as_ref().and_then(|rule| context.resolve(rule));
                let described: &'s Schema = self.schema;
                let shape = schema.map(|id| shape(&described.json[id.index()], context));
                let id = self.plan.json.push(JsonPlan {
                    encoding,
                    rule,
                    depth: context.of(FaultKind::Depth),
                    shape,
                });
                CheckKind::Json(id)
            }
            Some(Meaning::Signature(layout)) => {
                if !matches!(
                    encoding,
                    Encoding::Ascii | Encoding::Utf8 | Encoding::Latin1
                ) {
                    self.error(
                        span,
                        "field descriptions in text of this encoding are not supported yet",
                    );
                }
                let Some(plan) = self.signature(*layout, scope, context) else {
                    self.error(span, "the type codes of this layout set are not strings");
                    return;
                };
                CheckKind::Signature(self.plan.signatures.push(plan))
            }
            _ => return,
        };
        self.plan.infos[text.index()].presentation.meaning = meaning.cloned();
        let (first, count) = self.plan.ops[text.index()].checks;
        let first = first.index();
        let mut checks = self.plan.checks[first..first + usize::from(count)].to_vec();
        checks.push(check(kind, None));
        self.set_checks(text, checks);
    }

    fn signature(
        &mut self,
        id: LayoutId,
        scope: ScopeId,
        context: &FaultContext,
    ) -> Option<SignaturePlan> {
        let text = self.layout_text(id)?;
        let schema: &'s Schema = self.schema;
        let set = &schema.layouts[id.index()];
        let described = set.text.as_ref()?;
        let resolve = |rule: &Option<RuleRef>| rule.as_ref().and_then(|rule| context.resolve(rule));
        let mut names = Vec::new();
        for constraint in &described.name_constraints {
            self.constraint(constraint, scope, context, &mut names, None);
        }
        let holds = set.codes.iter().enumerate();
        let holds = holds.filter(|(_, code)| !code.of_any.is_empty());
        Some(SignaturePlan {
            text,
            code: context
                .of(FaultKind::Code)
                .or_else(|| resolve(&set.unknown)),
            missing: resolve(&described.name_missing),
            rest: resolve(&described.rest),
            blanks: resolve(&described.blanks_rule),
            unique: resolve(&described.unique_name),
            names,
            holds: holds
                .map(|(number, code)| (label_number(number, code), resolve(&code.of_rule)))
                .collect(),
        })
    }

    /// Returns the syntax of text that describes the fields of a layout set, as an index into the
    /// plan's `texts`.
    pub(super) fn layout_text(&mut self, id: LayoutId) -> Option<TextId> {
        let known = self.plan.texts.position(|text| text.layout == id);
        if known.is_some() {
            return known;
        }
        let schema: &'s Schema = self.schema;
        let set = &schema.layouts[id.index()];
        let text = set.text.as_ref()?;
        let scope = self.root_scope();
        let mut codes = Vec::new();
        for (at, code) in set.codes.iter().enumerate() {
            if self.has_code(code, scope) {
                codes.push(text_code(set, at, code));
            }
        }
        let plan = self.text_plan(id, text, codes, set.span)?;
        Some(self.plan.texts.push(plan))
    }

    fn text_plan(
        &mut self,
        id: LayoutId,
        text: &LayoutText,
        codes: Vec<TextCode>,
        span: SourceSpan,
    ) -> Option<TextPlan> {
        let holes = (text.item.find("{code}"), text.item.find("{name}"));
        let (Some(code), Some(name)) = holes else {
            self.error(
                span,
                "the `item` template must contain both `{code}` and `{name}`",
            );
            return None;
        };
        let (first, second) = (code.min(name), code.max(name));
        let hole = "{code}".len();
        let part = |from: usize, to: usize| text.item.as_bytes()[from..to].to_vec();
        let around = [
            part(0, first),
            part(first + hole, second),
            part(second + hole, text.item.len()),
        ];
        if text.between.is_empty() || around[1].is_empty() {
            let message = "field descriptions without a separator (`between`), or without text \
                between the placeholders of `item`, are not supported yet";
            self.error(span, message);
            return None;
        }
        let bytes = |ranges: &Option<String>| {
            let ranges = ranges.as_deref();
            ranges.map_or(ByteSet::ALL, ByteSet::of_ranges)
        };
        Some(TextPlan {
            layout: id,
            code_first: code < name,
            around,
            between: text.between.clone().into_bytes(),
            blanks: text.blanks_any,
            blank_after: text.blank_after_between,
            code_bytes: bytes(&text.code_characters),
            name_bytes: bytes(&text.name_characters),
            codes,
        })
    }

    /// Adds the meaning of a switch field, and the rules of the aliases (named scalar types) that
    /// lead to its type.
    pub(super) fn of_aliases(
        &mut self,
        op: OpId,
        layers: &super::field::Layers<'s>,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        let fields = layers.fields.iter();
        let meaning = fields.clone().find_map(|field| field.meaning.as_ref());
        for (_, alias) in &layers.aliases {
            self.obey_in(op, &alias.obeys, scope, context);
        }
        self.inside_text(op, meaning, scope, context);
    }
}

/// Returns the number that identifies a type code in the plan.
pub(super) fn label_number(at: usize, code: &LayoutCode) -> i128 {
    match code.label {
        CodeLabel::Number(number) => number,
        CodeLabel::Text { .. } => at as i128,
    }
}

fn text_code(set: &Layout, at: usize, code: &LayoutCode) -> TextCode {
    let holds = !matches!(code.layout, CodeLayout::Plain(_));
    let spelling = |text: &str| match text.split_once(HELD) {
        Some((before, behind)) if holds => {
            (before.as_bytes().to_vec(), Some(behind.as_bytes().to_vec()))
        }
        _ => (text.as_bytes().to_vec(), None),
    };
    let spellings = match &code.label {
        CodeLabel::Number(number) => vec![spelling(&number.to_string())],
        CodeLabel::Text { text, also } => {
            let all = std::iter::once(text).chain(also);
            all.map(|text| spelling(text)).collect()
        }
    };
    let held = code.of_any.iter().filter_map(|wanted| {
        let mut codes = set.codes.iter().enumerate();
        codes.find_map(|(at, code)| is_label(code, wanted).then(|| label_number(at, code)))
    });
    TextCode {
        code: label_number(at, code),
        name: code.name.clone(),
        spellings,
        holds: held.collect(),
    }
}

fn is_label(code: &LayoutCode, wanted: &CodeLabel) -> bool {
    match (&code.label, wanted) {
        (CodeLabel::Number(a), CodeLabel::Number(b)) => a == b,
        (CodeLabel::Text { text, also }, CodeLabel::Text { text: wanted, .. }) => {
            text == wanted || also.contains(wanted)
        }
        _ => false,
    }
}

fn shape(schema: &JsonSchema, context: &FaultContext) -> JsonShape {
    let resolve = |rule: Option<&RuleRef>| rule.and_then(|rule| context.resolve(rule));
    JsonShape {
        kinds: schema.kinds.clone(),
        one_of: schema.one_of.clone(),
        one_of_rule: resolve(schema.one_of_rule.as_ref().or(schema.rule.as_ref())),
        members: schema
            .members
            .iter()
            .map(|member| JsonMemberPlan {
                name: member.name.clone(),
                needed: member.needed,
                shape: shape(&member.value, context),
            })
            .collect(),
        rule: resolve(schema.rule.as_ref()),
        others: resolve(schema.other_members.as_ref()),
    }
}
