//! Renders text with a syntax of its own: JSON, and text that describes fields.

use super::constraint::{constraint, rule, with_rule};
use super::markdown::Page;
use crate::schema::{JsonKind, JsonMember, JsonSchema, LayoutText, RuleRef, Schema};

/// Renders the schemas of JSON inside the format.
pub(super) fn json(page: &mut Page, schema: &Schema) {
    if schema.json.is_empty() {
        return;
    }
    page.heading(2, "JSON");
    for described in &schema.json {
        page.heading(3, &format!("JSON {}", described.name));
        page.paragraph(&format!("{}.", value(schema, described)));
        let mut rows = Vec::new();
        for member in &described.members {
            members(&mut rows, schema, "", member);
        }
        page.table(&["member", "required", "value"], rows);
    }
}

fn members(rows: &mut Vec<Vec<String>>, schema: &Schema, prefix: &str, member: &JsonMember) {
    let name = format!("{prefix}{}", member.name);
    let needed = if member.needed { "yes" } else { "" };
    rows.push(vec![
        format!("`{name}`"),
        needed.to_owned(),
        value(schema, &member.value),
    ]);
    for inner in &member.value.members {
        members(rows, schema, &format!("{name}."), inner);
    }
}

/// Describes the values that a schema permits.
fn value(schema: &Schema, described: &JsonSchema) -> String {
    let kinds: Vec<&str> = described.kinds.iter().map(|kind| named(*kind)).collect();
    let kinds = match kinds.is_empty() {
        true => "any value".to_owned(),
        false => kinds.join(" or "),
    };
    let mut parts = vec![with_rule(schema, kinds, described.rule.as_ref())];
    if !described.one_of.is_empty() {
        let values: Vec<String> = described
            .one_of
            .iter()
            .map(|it| format!("`{it}`"))
            .collect();
        let values = format!("one of {}", values.join(", "));
        parts.push(with_rule(schema, values, described.one_of_rule.as_ref()));
    }
    if let Some(reference) = &described.other_members {
        parts.push(format!("other members: {}", rule(schema, reference)));
    }
    parts.join("; ")
}

fn named(kind: JsonKind) -> &'static str {
    match kind {
        JsonKind::Nothing => "null",
        JsonKind::Bool => "a boolean",
        JsonKind::Number => "a number",
        JsonKind::Text => "a string",
        JsonKind::List => "an array",
        JsonKind::Object => "an object",
    }
}

/// Describes the syntax of text that describes fields.
pub(super) fn layout(schema: &Schema, text: &LayoutText) -> Vec<String> {
    let mut says = vec![format!(
        "Fields are described by text: items of the form `{}`, separated by `{}`.",
        text.item, text.between
    )];
    let mut say = |what: &str, reference: &Option<RuleRef>| {
        says.extend(
            reference
                .iter()
                .map(|it| format!("{what}: {}.", rule(schema, it))),
        );
    };
    say("Blanks where writers put none", &text.blanks_rule);
    say("An item without a name", &text.name_missing);
    say("Text after the name", &text.rest);
    say("A name that occurs again", &text.unique_name);
    let names = text.name_constraints.iter();
    says.extend(names.map(|held| format!("A name: {}.", constraint(schema, held))));
    for (what, allowed) in [
        ("type codes", &text.code_characters),
        ("names", &text.name_characters),
    ] {
        says.extend(
            allowed
                .iter()
                .map(|it| format!("Characters of {what}: `{it}`.")),
        );
    }
    says
}
