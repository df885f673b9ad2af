//! Renders layout sets, which define the type codes of values whose types are declared in the trace
//! itself.

use super::constraint::{faults, rule, shown, with_rule};
use super::field::wire;
use super::markdown::Page;
use super::text;
use super::wire::{Scope, type_name};
use crate::expression::Expr;
use crate::schema::{
    CodeCount, CodeLabel, CodeLayout, FieldRole, Layout, LayoutCode, LayoutOptional, Located,
    LocatedFrom, Schema,
};

/// Renders all layout sets.
pub(super) fn all(page: &mut Page, schema: &Schema) {
    if schema.layouts.is_empty() {
        return;
    }
    page.heading(2, "Type codes");
    for layout in &schema.layouts {
        one(page, schema, layout);
    }
}

fn one(page: &mut Page, schema: &Schema, layout: &Layout) {
    page.heading(3, &format!("Layout {}", layout.name));
    let mut says = Vec::new();
    if let Some(name) = &layout.entry.name {
        says.push(format!(
            "In a field description, `{name}` is the name of the field."
        ));
    }
    if let Some(code) = &layout.code {
        says.push(format!(
            "In a field description, `{code}` is the type code of the field."
        ));
    }
    says.extend(layout.optional.as_ref().map(|it| optional(schema, it)));
    if let Some(unknown) = &layout.unknown {
        let named = rule(schema, unknown);
        says.push(format!(
            "A value whose type code is not listed violates {named}."
        ));
    }
    says.extend(layout.text.iter().flat_map(|it| text::layout(schema, it)));
    let faults = faults(schema, &layout.faults);
    if !faults.is_empty() {
        says.push(format!("In any value: {}.", faults.join("; ")));
    }
    if !says.is_empty() {
        page.paragraph(&says.join(" "));
    }
    let rows = layout.codes.iter().map(|code| code_row(schema, code));
    page.table(&["code", "name", "value", "rules"], rows.collect());
}

/// Describes the presence byte that precedes an optional value.
fn optional(schema: &Schema, optional: &LayoutOptional) -> String {
    let scope = Scope::bare(schema);
    let presence = match &optional.presence.role {
        FieldRole::Wire(source) => wire(scope, source).into_iter().filter(|it| !it.is_empty()),
        FieldRole::Check(_) | FieldRole::Align(_) => return String::new(),
    };
    let presence = presence.collect::<Vec<_>>().join("; ");
    let conditions = [&optional.condition, &optional.when];
    let conditions = conditions.into_iter().flatten().map(|it| format!("`{it}`"));
    let conditions = conditions.collect::<Vec<_>>().join(" and ");
    format!(
        "If {conditions}, a presence field ({presence}) precedes the value, and the value follows \
         only if that field is not zero."
    )
}

fn code_row(schema: &Schema, code: &LayoutCode) -> Vec<String> {
    let mut rules: Vec<_> = code
        .rule
        .iter()
        .map(|reference| rule(schema, reference))
        .collect();
    if !code.of_any.is_empty() {
        let allowed: Vec<String> = code.of_any.iter().map(label).collect();
        let allowed = format!("elements are of type {}", allowed.join(", "));
        rules.push(with_rule(schema, allowed, code.of_rule.as_ref()));
    }
    if code.of_fixed_size {
        rules.push("the elements have a fixed size".to_owned());
    }
    rules.extend(
        code.none_count
            .as_ref()
            .map(|none| format!("a count of `{none}` means null")),
    );
    rules.extend(faults(schema, &code.faults));
    rules.extend(shown(schema, &code.obeys));
    if let Some(condition) = &code.condition {
        rules.push(format!("only where `{condition}`"));
    }
    vec![
        label(&code.label),
        format!("`{}`", code.name),
        value(schema, code),
        rules.join("; "),
    ]
}

/// Renders a type code as it appears in the file.
fn label(label: &CodeLabel) -> String {
    match label {
        CodeLabel::Number(number) => number.to_string(),
        CodeLabel::Text { text, also } => {
            let texts = std::iter::once(text).chain(also);
            let texts = texts.map(|text| format!("`{text}`"));
            texts.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Describes how a value with this code is read.
fn value(schema: &Schema, code: &LayoutCode) -> String {
    let scope = Scope::bare(schema);
    match &code.layout {
        CodeLayout::Plain(source) => {
            let cells = wire(scope, source).into_iter();
            let cells = cells.filter(|cell| !cell.is_empty());
            cells.collect::<Vec<_>>().join("; ")
        }
        CodeLayout::Fields(from) => format!("the fields that `{from}` describes"),
        CodeLayout::List { count, of } => {
            let count = match count {
                CodeCount::Read(target) => format!("a count ({})", type_name(scope, target)),
                CodeCount::Described(number) => format!("`{number}` elements"),
            };
            match of {
                Some(of) => format!("{count}, then elements of `{of}`"),
                None => count,
            }
        }
        CodeLayout::Located { at, of } => located(scope, at, of),
    }
}

/// Describes a value whose elements are stored elsewhere.
fn located(scope: Scope<'_>, at: &Located, of: &Expr) -> String {
    let schema = scope.schema;
    let bits = |(shift, width): (u8, u8)| format!("bits {shift} to {}", shift + width - 1);
    let from = match at.from {
        LocatedFrom::EndOfField => "the end of the word",
        LocatedFrom::StartOfLayout => "the start of the first value",
    };
    let mut parts = vec![format!(
        "a word ({}) that locates the elements of `{of}`: {} are their offset from {from}, and {} \
         their size in bytes",
        type_name(scope, &at.word),
        bits(at.offset),
        bits(at.size)
    )];
    let multiple = at.multiple.as_ref();
    parts.extend(multiple.map(|it| {
        format!(
            "a size that is not a multiple of the element size: {}",
            rule(schema, it)
        )
    }));
    let shown = shown(schema, &at.obeys);
    if !shown.is_empty() {
        parts.push(format!("exercises {}", shown.join(", ")));
    }
    parts.join("; ")
}
