//! Renders the limits of a format and the state of a reader, which consists of tables and
//! registers.

use super::constraint::rule;
use super::field::link;
use super::markdown::Page;
use super::wire::kind;
use crate::schema::{LimitKind, LimitSubject, RegisterType, Schema, TableKey};

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
        ]
    });
    page.table(&["register", "type", "at the start"], rows.collect());
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
