//! Checks layout sets, which define how to read values whose types the trace itself declares with
//! type codes: where a layout set is used, and which fields it applies to.

use super::Checker;
use super::kind::{Kind, Value};
use super::site::{Seen, Site};
use super::uses::UseId;
use crate::diagnostic::{Code, Diagnostic};
use crate::expression::Expr;
use crate::schema::{
    CodeCount, CodeLabel, CodeLayout, FieldRole, Layout, LayoutCode, LayoutId, LayoutText,
    LayoutUse,
};

impl<'s> Checker<'s> {
    /// Checks a field that is read by a layout.
    pub(super) fn layout_use(&mut self, layout: &'s LayoutUse, site: &Site, at: usize) {
        let id = match layout {
            LayoutUse::Fields { layout, from } => {
                let value = self.infer(from, site);
                let value = self.plain(value);
                self.described_by(*layout, &value, from);
                *layout
            }
            LayoutUse::Value { layout, code } => {
                let value = self.infer(code, site);
                let kind = self.plain(value).kind;
                let fits = matches!(
                    kind,
                    Kind::Int(_)
                        | Kind::Enum(..)
                        | Kind::Text
                        | Kind::Signature(_)
                        | Kind::Unknown
                        | Kind::Described
                );
                if !fits {
                    let found = self.describe(&kind);
                    let message = format!("{found} cannot be a type code");
                    self.error(Code::WrongOperand, code.span, message);
                }
                *layout
            }
        };
        self.codes_of(id, site, at);
    }

    /// Checks the types of the type codes in the context where the layout is used.
    fn codes_of(&mut self, id: LayoutId, site: &Site, at: usize) {
        let schema = self.schema;
        let Some(layout) = schema.layouts.get(id.index()) else {
            return;
        };
        if !self
            .layouts_checked
            .insert((id.index(), site.used, UseId(u32::MAX)))
        {
            return;
        }
        let free = Site::new(site.used, Seen::Free);
        if let Some(optional) = &layout.optional {
            self.condition(optional.condition.as_ref(), &free);
            if let FieldRole::Wire(source) = &optional.presence.role {
                self.source_seen(source, site.used, at, optional.presence.span);
            }
        }
        for code in &layout.codes {
            self.condition(code.condition.as_ref(), &free);
            match &code.layout {
                CodeLayout::Plain(source) => {
                    self.source_seen(source, site.used, at, code.span);
                }
                CodeLayout::Located { at: located, .. } => {
                    self.obeys(&located.obeys, &free.with(Value::UNKNOWN));
                }
                CodeLayout::List { .. } | CodeLayout::Fields(_) => {}
            }
            self.rules_of_code(code, layout);
            let this = match code.layout {
                CodeLayout::List { .. } | CodeLayout::Located { .. } => {
                    Value::of(Kind::List(Box::new(Kind::Described)))
                }
                _ => Value::of(Kind::Described),
            };
            self.obeys(&code.obeys, &free.with(this));
        }
        if let Some(text) = &layout.text {
            let name = free.with(Value::of(Kind::Text));
            self.constraints(&text.name_constraints, &name, "this constraint");
            self.holes(layout, text);
        }
    }

    /// Checks that the template of an item has a placeholder for each path that the layout refers
    /// to.
    fn holes(&mut self, layout: &'s Layout, text: &LayoutText) {
        let counts = layout.codes.iter().filter_map(|code| match &code.layout {
            CodeLayout::List {
                count: CodeCount::Described(path),
                ..
            } => Some(path),
            _ => None,
        });
        let paths = layout.entry.name.iter().chain(&layout.code).chain(counts);
        for path in paths {
            if text.item.contains(&format!("{{{path}}}")) {
                continue;
            }
            let message = format!("the `item` template has no placeholder `{path}`");
            let help = format!("the `item` template is `{}`", text.item);
            self.push(Diagnostic::error(Code::UnknownName, path.span, message).help(help));
        }
    }

    fn rules_of_code(&mut self, code: &'s LayoutCode, layout: &'s Layout) {
        for of in &code.of_any {
            if !layout.codes.iter().any(|known| is_called(&known.label, of)) {
                let message = format!("`{}` has no code `{}`", layout.name, label(of));
                let help = "`of` must name type codes of the same layout set";
                self.push(Diagnostic::error(Code::UnknownName, code.span, message).help(help));
            }
        }
        if !self.described {
            return;
        }
        if !code.of_any.is_empty() && code.of_rule.is_none() {
            self.missing_rule(code.span, "elements whose type codes are not allowed");
        }
        if let CodeLayout::Located { at, .. } = &code.layout
            && at.multiple.is_none()
        {
            self.missing_rule(code.span, "a range that ends inside an element");
        }
        if code.of_fixed_size && code.rule.is_none() {
            self.missing_rule(code.span, "elements whose size is not fixed");
        }
    }

    /// Checks the list of field descriptions that a layout is applied to.
    fn described_by(&mut self, id: LayoutId, value: &Value, from: &Expr) {
        let element = match &value.kind {
            Kind::List(element) => (**element).clone(),
            Kind::Signature(layout) if *layout == id => return,
            Kind::Unknown | Kind::Described | Kind::Nothing => return,
            other => {
                let found = self.describe(other);
                let message = format!("expected a list of field descriptions, found {found}");
                let help =
                    "for text that describes fields, add `as: { signature: … }` to its field";
                let diagnostic = Diagnostic::error(Code::WrongOperand, from.span, message);
                return self.push(diagnostic.help(help));
            }
        };
        let elements = match element {
            Kind::Union(arms) => arms,
            other => vec![other],
        };
        for element in elements {
            if let Kind::Structure(used) = self.plain_element(element) {
                self.paths_of(id, used);
            }
        }
    }

    /// Returns the structure that the paths of a layout refer to: the structure that the `shows`
    /// expression of an element yields or, if there is no `shows` expression, the element itself.
    fn plain_element(&mut self, kind: Kind) -> Kind {
        match &kind {
            Kind::Structure(used) if self.type_of(*used).shows.is_some() => {
                match self.shown(*used).kind {
                    inner @ Kind::Structure(_) => inner,
                    _ => kind,
                }
            }
            _ => kind,
        }
    }

    /// Checks the paths of a layout set in the scope of `element`, which describes a field.
    fn paths_of(&mut self, id: LayoutId, element: UseId) {
        let schema = self.schema;
        let Some(layout) = schema.layouts.get(id.index()) else {
            return;
        };
        if !self
            .layouts_checked
            .insert((id.index(), UseId(u32::MAX), element))
        {
            return;
        }
        let inside = Site::new(element, Seen::All);
        if let Some(name) = &layout.entry.name {
            self.infer(name, &inside);
        }
        let when = layout.optional.as_ref().and_then(|o| o.when.as_ref());
        if let Some(when) = when {
            self.expect_bool(when, &inside, "the condition of the presence field");
        }
        let described = match &layout.entry.described {
            Some(path) => match self.infer(path, &inside).kind {
                Kind::Structure(used) => used,
                _ => return,
            },
            None => element,
        };
        let inside = Site::new(described, Seen::All);
        if let Some(code) = &layout.code {
            self.infer(code, &inside);
        }
        for code in &layout.codes {
            self.paths_of_code(code, &inside);
        }
    }

    fn paths_of_code(&mut self, code: &'s LayoutCode, inside: &Site) {
        if let Some(none) = &code.none_count {
            self.expect_int(none, inside, "the count that represents null");
        }
        match &code.layout {
            CodeLayout::Plain(_) => {}
            CodeLayout::Fields(path) => {
                let value = self.infer(path, inside);
                let kind = self.plain(value).kind;
                if !matches!(kind, Kind::List(_) | Kind::Unknown | Kind::Described) {
                    let found = self.describe(&kind);
                    let message = format!("expected a list of field descriptions, found {found}");
                    self.error(Code::WrongOperand, path.span, message);
                }
            }
            CodeLayout::List { count, of } => {
                if let CodeCount::Described(path) = count {
                    self.expect_int(path, inside, "a number of elements");
                }
                if let Some(of) = of {
                    self.infer(of, inside);
                }
            }
            CodeLayout::Located { of, .. } => {
                self.infer(of, inside);
            }
        }
    }
}

fn is_called(known: &CodeLabel, wanted: &CodeLabel) -> bool {
    match (known, wanted) {
        (CodeLabel::Number(a), CodeLabel::Number(b)) => a == b,
        (CodeLabel::Text { text, also }, CodeLabel::Text { text: wanted, .. }) => {
            text == wanted || also.contains(wanted)
        }
        _ => false,
    }
}

fn label(code: &CodeLabel) -> String {
    match code {
        CodeLabel::Number(number) => number.to_string(),
        CodeLabel::Text { text, .. } => text.clone(),
    }
}
