//! Generates Markdown documentation from a description.

mod constraint;
mod dialect;
mod field;
mod keys;
mod layout;
mod ledger;
mod list;
mod markdown;
mod record;
mod rule;
mod state;
mod structure;
mod text;
mod wire;
mod written;

pub use keys::keys;
pub use ledger::{Conduct, ledger};
pub use markdown::{Page, anchor};

use crate::schema::Schema;

/// Returns the page of a format, with its dialects, structures, type codes, tables, records and
/// rules.
pub fn page(schema: &Schema) -> String {
    let ids = &schema.dialects;
    let ids: Vec<_> = ids.iter().map(|it| format!("`{}`", it.id)).collect();
    let covered = format!(
        "This page covers all dialects of the format: {}.",
        ids.join(", ")
    );
    whole(schema, (ids.len() > 1).then_some(covered))
}

/// Returns the page of one dialect of a format, without anything specific to other dialects.
/// Returns `None` if the format has no dialect `id`.
pub fn dialect_page(schema: &Schema, id: &str) -> Option<String> {
    let own = dialect::only(schema, id)?;
    let others = schema.dialects.iter().filter(|it| it.id != id);
    let others: Vec<_> = others.map(|it| format!("`{}`", it.id)).collect();
    let covered = format!(
        "This page covers only the dialect `{id}`. The format also has {}.",
        others.join(", ")
    );
    Some(whole(&own, (!others.is_empty()).then_some(covered)))
}

fn whole(schema: &Schema, covered: Option<String>) -> String {
    let mut page = Page::default();
    opening(&mut page, schema, covered);
    structure::all(&mut page, schema);
    structure::enumerations(&mut page, schema);
    layout::all(&mut page, schema);
    text::json(&mut page, schema);
    state::all(&mut page, schema);
    record::all(&mut page, schema);
    rule::all(&mut page, schema);
    rule::untestable(&mut page, schema);
    page.finish()
}

/// Returns a page with the rules of a format and the sentences of its specification that no file
/// can test.
pub fn rules(schema: &Schema) -> String {
    let mut page = Page::default();
    let title = schema.meta.title.as_deref().unwrap_or(&schema.meta.id);
    page.heading(1, &format!("Rules of {title}"));
    let mut about = format!("The rules of `{}`", schema.meta.id);
    if let Some(document) = &schema.meta.document {
        about = format!("{about}, by the sections of “{document}”");
    }
    page.paragraph(&format!("{about}."));
    rule::all(&mut page, schema);
    rule::untestable(&mut page, schema);
    page.finish()
}

/// Renders the title, the name of the specification, and how the dialect is detected from the
/// content of a file.
fn opening(page: &mut Page, schema: &Schema, covered: Option<String>) {
    let meta = &schema.meta;
    page.heading(1, meta.title.as_deref().unwrap_or(&meta.id));
    let mut facts = vec![format!("Described as `{}`", meta.id)];
    if let Some(document) = &meta.document {
        facts.push(format!("based on “{document}”"));
    }
    page.paragraph(&format!("{}.", facts.join(", ")));
    if let Some(covered) = covered {
        page.paragraph(&covered);
    }
    if !meta.file_extensions.is_empty() {
        let extensions: Vec<_> = meta
            .file_extensions
            .iter()
            .map(|e| format!("`.{e}`"))
            .collect();
        page.paragraph(&format!("File extensions: {}.", extensions.join(", ")));
    }
    if let Some(doc) = schema
        .types
        .get(schema.root.index())
        .and_then(|root| root.doc.as_deref())
    {
        page.paragraph(doc);
    }
    dialects(page, schema);
}

fn dialects(page: &mut Page, schema: &Schema) {
    if schema.dialects.len() < 2 && schema.dialects.iter().all(|d| d.detect.is_empty()) {
        return;
    }
    page.heading(2, "Dialects");
    let rows = schema.dialects.iter().map(|dialect| {
        let bound = dialect.bindings.iter();
        let bound: Vec<_> = bound
            .map(|(name, value)| format!("`{name}` = `{value}`"))
            .collect();
        let mut signs: Vec<_> = dialect
            .detect
            .bytes
            .iter()
            .map(|(at, bytes)| format!("`{}` at {at}", markdown::hex(bytes)))
            .collect();
        if let Some((_, field)) = &dialect.detect.field {
            signs.push(format!("`{field}` matches the parameter"));
        }
        let name = match dialect.default {
            true => format!("`{}` (default)", dialect.id),
            false => format!("`{}`", dialect.id),
        };
        vec![name, bound.join(", "), signs.join(", ")]
    });
    page.table(&["dialect", "parameters", "detected by"], rows.collect());
}
