//! Renders layout sets, which define the type codes of values whose types are declared in the trace
//! itself.

use super::constraint::{faults, rule, shown};
use super::field::wire;
use super::markdown::Page;
use super::wire::{Scope, type_name};
use crate::schema::{
    CodeCount, CodeLabel, CodeLayout, FieldRole, Layout, LayoutCode, LayoutOptional, Schema,
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
    let label = match &code.label {
        CodeLabel::Number(number) => number.to_string(),
        CodeLabel::Text { text, also } => {
            let texts = std::iter::once(text).chain(also);
            texts
                .map(|text| format!("`{text}`"))
                .collect::<Vec<_>>()
                .join(", ")
        }
    };
    let mut rules: Vec<_> = code
        .rule
        .iter()
        .map(|reference| rule(schema, reference))
        .collect();
    rules.extend(faults(schema, &code.faults));
    rules.extend(shown(schema, &code.obeys));
    if let Some(condition) = &code.condition {
        rules.push(format!("only where `{condition}`"));
    }
    vec![
        label,
        format!("`{}`", code.name),
        value(schema, code),
        rules.join("; "),
    ]
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
        CodeLayout::Located { at, of } => format!(
            "a word ({}) that contains the location of the elements of `{of}`",
            type_name(scope, &at.word)
        ),
    }
}
