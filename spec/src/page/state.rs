//! Renders the limits of a format and the state of a reader, which consists of tables and
//! registers.

use super::constraint::{rule, shown};
use super::field::link;
use super::markdown::Page;
use super::structure::repeated;
use super::wire::kind;
use crate::schema::{LimitKind, LimitSubject, RegisterType, Schema, Table, TableKey};

/// Renders tables, registers and limits.
pub(super) fn all(page: &mut Page, schema: &Schema) {
    tables(page, schema);
    registers(page, schema);
    limits(page, schema);
}

fn tables(page: &mut Page, schema: &Schema) {
    if schema.tables.is_empty() {
        return;
    }
    page.heading(2, "Tables");
    let rows = schema.tables.iter().map(|table| {
        let key = match &table.key {
            TableKey::Scalar(scalar) => kind(scalar),
            TableKey::Offset => "position in the file".to_owned(),
        };
        let columns: Vec<_> = table
            .columns
            .iter()
            .map(|column| format!("`{}`", column.name))
            .collect();
        let initial = match table.initial.len() {
            0 => String::new(),
            rows => rows.to_string(),
        };
        vec![
            format!("`{}`", table.name),
            key,
            link(schema, table.row),
            columns.join(", "),
            initial,
        ]
    });
    page.table(
        &[
            "table",
            "key",
            "row",
            "columns that change",
            "rows before the file",
        ],
        rows.collect(),
    );
    let tables = schema.tables.iter();
    let more = tables.flat_map(|table| {
        initial(schema, table)
            .into_iter()
            .chain(kinds(schema, table))
    });
    let more: Vec<String> = more.collect();
    if !more.is_empty() {
        page.list(&more);
    }
}

/// Describes the rows that a table has before the file.
fn initial(schema: &Schema, table: &Table) -> Vec<String> {
    let rows = table.initial.iter().map(|row| {
        let fields = row
            .fields
            .iter()
            .map(|(field, value)| format!("`{field}` is `{value}`"));
        let fields = fields.collect::<Vec<_>>().join(", ");
        let again = row
            .again
            .as_ref()
            .map(|again| format!("; if the file defines it, too, {}", repeated(schema, again)));
        format!(
            "Before the file, `{}` has a row: {fields}{}.",
            table.name,
            again.unwrap_or_default()
        )
    });
    rows.collect()
}

/// Describes the rows that select a type of the description for the elements that refer to them.
fn kinds(schema: &Schema, table: &Table) -> Vec<String> {
    let kinds = table.kinds.iter().map(|kind| {
        let matches = kind.matches.iter();
        let matches = matches.map(|(field, value)| format!("`{field}` is `{value}`"));
        let mut text = format!(
            "If {}, a row of `{}` describes the fields of {}",
            matches.collect::<Vec<_>>().join(" and "),
            table.name,
            link(schema, kind.target)
        );
        if let Some(reference) = &kind.signature {
            text = format!("{text} (otherwise {})", rule(schema, reference));
        }
        if kind.reader_only {
            text = format!("{text}; readers do not report its elements");
        }
        format!("{text}.")
    });
    kinds.collect()
}

fn registers(page: &mut Page, schema: &Schema) {
    if schema.registers.is_empty() {
        return;
    }
    page.heading(2, "State");
    let rows = schema.registers.iter().map(|register| {
        let kind = match &register.kind {
            RegisterType::Scalar(scalar) => kind(scalar),
            RegisterType::Int => "integer".to_owned(),
            RegisterType::Row(table) => schema
                .tables
                .get(table.index())
                .map_or_else(String::new, |table| format!("row of `{}`", table.name)),
        };
        let initial = register.initial.as_ref().map(|value| format!("`{value}`"));
        vec![
            format!("`{}`", register.name),
            kind,
            initial.unwrap_or_default(),
            shown(schema, &register.obeys).join(", "),
        ]
    });
    page.table(
        &["register", "type", "at the start", "exercises"],
        rows.collect(),
    );
}

fn limits(page: &mut Page, schema: &Schema) {
    if schema.limits.is_empty() {
        return;
    }
    page.heading(2, "Limits");
    let rows = schema.limits.iter().map(|limit| {
        let of = match &limit.of {
            LimitSubject::File => "the file".to_owned(),
            LimitSubject::Type(id) => link(schema, *id),
            LimitSubject::Path(path) => format!("`{path}`"),
            LimitSubject::Register(id) => {
                let register = schema.registers.get(id.index());
                register.map_or_else(String::new, |register| format!("`{}`", register.name))
            }
        };
        let kind = match limit.kind {
            LimitKind::Depth => "depth",
            LimitKind::Size => "bytes",
            LimitKind::Value => "value",
        };
        let number = |value: Option<u64>| value.map(|value| value.to_string()).unwrap_or_default();
        let reference = limit.rule.as_ref().map(|reference| rule(schema, reference));
        vec![
            of,
            kind.to_owned(),
            number(limit.promised),
            number(limit.enforced),
            reference.unwrap_or_default(),
        ]
    });
    page.table(
        &[
            "of",
            "measure",
            "readers must accept up to",
            "the reference decoder stops at",
            "rule",
        ],
        rows.collect(),
    );
}
