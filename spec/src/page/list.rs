//! Describes the constraints on the elements of a list, and the rows that the elements define.

use super::constraint::{constraint, with_rule};
use super::structure::definition;
use crate::schema::{Constraint, ConstraintKind, FieldSource, Schema, Unique};

/// Lists what a field with `repeat` requires of its elements together.
pub(super) fn elements(schema: &Schema, source: &FieldSource) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(repeat) = &source.repeat {
        parts.extend(repeat.unique.iter().map(|unique| differing(schema, unique)));
        if let Some(arrange) = &repeat.arrange {
            let at = |place: &str, held: &Constraint| {
                format!("the {place} element: {}", constraint(schema, held))
            };
            parts.extend(arrange.first.iter().map(|held| at("first", held)));
            parts.extend(arrange.once.iter().map(|(held, by)| {
                let ConstraintKind::Equal(value) = &held.kind else {
                    return String::new();
                };
                let what = format!("`{by}` is `{value}` in at most one element");
                with_rule(schema, what, held.rule.as_ref())
            }));
            parts.extend(arrange.last.iter().map(|held| at("last", held)));
        }
    }
    if let Some(define) = &source.defines
        && let Some(table) = schema.tables.get(define.table.index())
    {
        let text = definition(schema, &table.name, define);
        let text = text.replacen("Defines", "defines", 1);
        parts.push(text.trim_end_matches('.').to_owned());
    }
    parts
}

fn differing(schema: &Schema, unique: &Unique) -> String {
    let except: Vec<String> = unique.except.iter().map(|it| format!("`{it}`")).collect();
    let except = match except.is_empty() {
        true => String::new(),
        false => format!(", except where it is {}", except.join(" or ")),
    };
    let what = format!("`{}` differs between elements{except}", unique.by);
    with_rule(schema, what, unique.rule.as_ref())
}
