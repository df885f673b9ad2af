//! Renders the records that a reader reports.

use super::constraint::shown;
use super::field::link;
use super::markdown::Page;
use super::written::written;
use crate::schema::{Member, MemberValue, Record, Schema};

/// Renders all kinds of records.
pub(super) fn all(page: &mut Page, schema: &Schema) {
    if schema.records.is_empty() {
        return;
    }
    page.heading(2, "Records");
    page.paragraph(
        "The records that a reader reports. A member without a value is omitted or `null`. \
         Integers beyond 2^53 are decimal strings; bytes and ill-formed text have the form \
         `{\"hex\": …}`. If a trace has a fault, a reader also reports the records that are \
         complete before the fault.",
    );
    for record in &schema.records {
        one(page, schema, record);
    }
}

fn one(page: &mut Page, schema: &Schema, record: &Record) {
    page.heading(3, &format!("Record {}", record.name));
    let from: Vec<_> = record.from.iter().map(|id| link(schema, *id)).collect();
    let mut says = vec![format!("One record for each {}", from.join(", "))];
    says.extend(
        record
            .condition
            .as_ref()
            .map(|condition| format!("where `{condition}`")),
    );
    if record.optional {
        says.push("which a reader need not report".to_owned());
    }
    if !record.order.also_by.is_empty() {
        says.push(format!(
            "in the order of the file or of `{}`",
            record.order.also_by.join("`, `")
        ));
    }
    page.paragraph(&format!("{}.", says.join(", ")));
    let shown = shown(schema, &record.obeys);
    if !shown.is_empty() {
        page.paragraph(&format!("Exercises {}.", shown.join(", ")));
    }
    let mut rows = Vec::new();
    for member in &record.members {
        members(&mut rows, (schema, record), "", member);
    }
    page.table(&["member", "value", "in JSON"], rows);
}

fn members(rows: &mut Vec<Vec<String>>, of: (&Schema, &Record), prefix: &str, member: &Member) {
    let (schema, record) = of;
    let name = format!("{prefix}{}", member.name);
    match &member.value {
        MemberValue::Expression(value) => {
            let form = written(schema, &record.from, value).unwrap_or_default();
            rows.push(vec![format!("`{name}`"), format!("`{value}`"), form]);
        }
        MemberValue::Object(inner) => {
            for member in inner {
                members(rows, of, &format!("{name}."), member);
            }
        }
    }
}
