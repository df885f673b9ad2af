//! Type codes that a file declares.

use super::constraint::{faults, rule, shown};
use super::field::{row, type_name};
use super::markdown::Page;
use crate::schema::{
    CodeCount, CodeLabel, CodeLayout, Field, FieldRole, Layout, LayoutCode, Schema,
};

/// All layout sets.
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
    if let Some(unknown) = &layout.unknown {
        page.paragraph(&format!("Another code breaks {}.", rule(schema, unknown)));
    }
    let rows = layout.codes.iter().map(|code| code_row(schema, code));
    page.table(&["code", "name", "value", "rules"], rows.collect());
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

/// How a value of the code is read.
fn value(schema: &Schema, code: &LayoutCode) -> String {
    match &code.layout {
        CodeLayout::Plain(source) => {
            let field = Field {
                id: None,
                span: code.span,
                doc: None,
                role: FieldRole::Wire(source.clone()),
            };
            let parts = row(schema, &field)
                .into_iter()
                .filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join(", ")
        }
        CodeLayout::Fields(from) => format!("the fields that `{from}` describes"),
        CodeLayout::List { count, of } => {
            let count = match count {
                CodeCount::Read(target) => format!("a count ({})", type_name(schema, target)),
                CodeCount::Described(number) => format!("`{number}` elements"),
            };
            match of {
                Some(of) => format!("{count}, then elements of `{of}`"),
                None => count,
            }
        }
        CodeLayout::Located { at, of } => format!(
            "a word ({}) that says where elements of `{of}` stand",
            type_name(schema, &at.word)
        ),
    }
}
