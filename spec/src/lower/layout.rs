//! Lowers layouts, which read the fields that the trace itself describes.

use super::faults::FaultContext;
use super::inside::label_number;
use super::place::Place;
use super::scope::{Inner, ScopeId};
use super::{Lowering, NameId, OpId};
use crate::expression::{Expr, ExprKind};
use crate::schema::{
    CodeLabel, CodeLayout, FaultKind, FieldRole, FieldSource, Layout, LayoutCode, LayoutId,
    LayoutUse, Schema,
};
use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::{
    ColumnRef, Kind, LayoutCodePlan, LayoutPlan, LayoutSource, LayoutUseId, flags,
};

impl<'s> Lowering<'s> {
    /// Returns the numeric type codes that a layout set has in this dialect.
    pub(super) fn codes_of(&mut self, id: LayoutId, scope: ScopeId) -> Vec<i128> {
        let schema: &'s Schema = self.schema;
        let mut codes = Vec::new();
        for code in &schema.layouts[id.index()].codes {
            if let (CodeLabel::Number(number), true) = (&code.label, self.has_code(code, scope)) {
                codes.push(*number);
            }
        }
        codes
    }

    pub(super) fn has_code(&mut self, code: &LayoutCode, scope: ScopeId) -> bool {
        let condition = code
            .condition
            .as_ref()
            .map(|expr| self.compile(expr, scope, None));
        condition.and_then(|condition| self.known_bool(condition)) != Some(false)
    }

    /// Returns whether a type code in this layout set denotes a list, whose elements may be the
    /// code units of a string.
    fn has_lists(&mut self, set: &'s Layout, scope: ScopeId) -> bool {
        set.codes.iter().any(|code| {
            let list = matches!(
                code.layout,
                CodeLayout::List { .. } | CodeLayout::Located { .. }
            );
            list && self.has_code(code, scope)
        })
    }

    /// Returns the fault mappings for the part that a layout reads.
    pub(super) fn layout_part(&self, layout: &LayoutUse, context: &FaultContext) -> FaultContext {
        let (LayoutUse::Fields { layout, .. } | LayoutUse::Value { layout, .. }) = layout;
        context.enter_only(&self.schema.layouts[layout.index()].faults, FaultKind::Rest)
    }

    /// Adds a field whose values are read according to type codes.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn layout(
        &mut self,
        layout: &'s LayoutUse,
        source: &'s FieldSource,
        name: Option<NameId>,
        label: Option<NameId>,
        scope: ScopeId,
        context: &FaultContext,
        span: SourceSpan,
    ) -> (OpId, Inner) {
        let (id, from) = match layout {
            LayoutUse::Fields { layout, from } => (*layout, self.described(from, scope)),
            LayoutUse::Value { layout, code } => (
                *layout,
                Some(LayoutSource::Code(self.compile(code, scope, None))),
            ),
        };
        let Some(from) = from else {
            return self.nothing(name, context, span);
        };
        let schema: &'s Schema = self.schema;
        let set = &schema.layouts[id.index()];
        let context = context.enter(&set.faults);
        let faults = self.fault_rules(&context);
        let unknown = set.unknown.as_ref().and_then(|rule| context.resolve(rule));
        let name_path = self.path(set.entry.name.as_ref());
        let type_path = self.path(set.entry.described.as_ref());
        let mut code_path = type_path.clone();
        code_path.extend(self.path(set.code.as_ref()));
        let text = self.layout_text(id);
        let used = self.plan.layouts.push(LayoutPlan {
            layout: id,
            source: from,
            name_path,
            type_path,
            code_path,
            optional: None,
            codes: Vec::new(),
            unknown,
            text,
        });
        let op = self.open(Kind::Layout(used), name, label, faults, span);
        self.plan.ops[op.index()].flags |= flags::VISIBLE;
        if self.active_layouts.len() < 8 && !self.exhausted(span) {
            self.active_layouts.push((id, op));
            self.presence(set, used, scope, &context);
            let lists = self.has_lists(set, scope);
            for (at, code) in set.codes.iter().enumerate() {
                self.layout_code((at, code), (used, lists), scope, &context);
            }
            self.active_layouts.pop();
        } else {
            self.error(
                span,
                "layouts that contain themselves are not supported yet",
            );
        }
        self.close(op);
        self.obey_in(op, &source.obeys, scope, &context);
        (op, Inner::Described)
    }

    /// Converts `from`, the expression for the list of field descriptions, to the source that the
    /// layout reads.
    fn described(&mut self, from: &Expr, scope: ScopeId) -> Option<LayoutSource> {
        match self.placed(from, scope)? {
            Place::Row {
                source,
                table,
                path,
            } if !path.is_empty() => {
                let column = self.column(table, &path);
                Some(LayoutSource::Row(source, ColumnRef { table, column }))
            }
            _ => {
                self.error(
                    from.span,
                    "`from` must refer to a field of a table row; other expressions are not \
                     supported yet",
                );
                None
            }
        }
    }

    /// Converts a path expression to the names that lead from a field description to one of its
    /// parts.
    pub(super) fn path(&mut self, expr: Option<&Expr>) -> Vec<NameId> {
        match expr.map(|expr| (&expr.kind, expr.span)) {
            None => Vec::new(),
            Some((ExprKind::Name(name), _)) => vec![self.intern(name)],
            Some((ExprKind::Member { base, name }, _)) => {
                let mut path = self.path(Some(base));
                path.push(self.intern(name));
                path
            }
            Some((_, span)) => {
                self.error(
                    span,
                    "the path from a field description to its parts must consist of field names",
                );
                Vec::new()
            }
        }
    }

    /// Adds the presence byte that precedes an optional value.
    fn presence(
        &mut self,
        set: &'s Layout,
        used: LayoutUseId,
        scope: ScopeId,
        context: &FaultContext,
    ) {
        let Some(optional) = &set.optional else {
            return;
        };
        let condition = optional
            .condition
            .as_ref()
            .map(|expr| self.compile(expr, scope, None));
        if condition.and_then(|condition| self.known_bool(condition)) == Some(false) {
            return;
        }
        let FieldRole::Wire(source) = &optional.presence.role else {
            return;
        };
        let when = self.path(optional.when.as_ref());
        let name = self.intern("present");
        let span = optional.presence.span;
        let (op, _) = self.field(source, Some(name), Some(name), scope, context, span);
        // The decoder reads the value of this field, so the field needs a slot.
        self.slot_of(op);
        self.plan.layouts[used].optional = Some((when, op));
    }

    fn layout_code(
        &mut self,
        (at, code): (usize, &'s LayoutCode),
        (id, lists): (LayoutUseId, bool),
        scope: ScopeId,
        context: &FaultContext,
    ) {
        if !self.has_code(code, scope) {
            return;
        }
        let number = label_number(at, code);
        let context = context.enter(&code.faults);
        let used = &self.plan.layouts[id];
        let (op, units) = match &code.layout {
            CodeLayout::Plain(source) => {
                let label = self.intern(&code.name);
                let (op, _) = self.field(source, None, Some(label), scope, &context, code.span);
                let units = lists.then(|| self.units(code, &context));
                (op, units.flatten())
            }
            // The file describes what a container contains, but a field with a bare type code has
            // no such description.
            _ if matches!(used.source, LayoutSource::Code(_)) => return,
            _ => (self.nested_code(code, id, scope, &context), None),
        };
        self.obey_in(op, &code.obeys, scope, &context);
        self.plan.layouts[id].codes.push(LayoutCodePlan {
            code: number,
            name: code.name.clone(),
            op,
            size: None,
            units,
        });
    }
}
