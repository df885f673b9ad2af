//! Renders constraints, faults and exercised rules as table cells.

use crate::expression::ExprKind;
use crate::schema::{Constraint, ConstraintKind, FaultMap, Obedience, RuleRef, Schema};

/// Returns a link to a rule. A fault of a shared part is rendered as a link to the rule that the
/// format maps it to or, if there is no mapping, as the name of the fault.
pub(super) fn rule(schema: &Schema, reference: &RuleRef) -> String {
    match reference {
        RuleRef::Rule(id) => schema.rule(*id).map_or_else(String::new, |rule| {
            format!("[{0}](#rule-{1})", rule.id, anchor(&rule.id))
        }),
        RuleRef::Fault(name) => schema
            .faults
            .own
            .iter()
            .find(|(own, _, _)| own == name)
            .filter(|(_, mapped, _)| mapped != reference)
            .map_or_else(
                || format!("`{name}`"),
                |(_, mapped, _)| rule(schema, mapped),
            ),
    }
}

/// Returns the anchor of a rule for use in links.
pub(super) fn anchor(rule: &str) -> String {
    rule.to_lowercase()
}

/// Appends a link to a rule, if there is one.
pub(super) fn with_rule(schema: &Schema, what: String, reference: Option<&RuleRef>) -> String {
    match reference {
        Some(reference) => format!("{what} ({})", rule(schema, reference)),
        None => what,
    }
}

/// Describes a constraint in words, with its rule.
pub(super) fn constraint(schema: &Schema, constraint: &Constraint) -> String {
    let what = match &constraint.kind {
        ConstraintKind::Equal(value) => format!("is `{value}`"),
        ConstraintKind::Min(least) => format!("at least `{least}`"),
        ConstraintKind::Max(most) => format!("at most `{most}`"),
        ConstraintKind::AnyOf(values) => {
            let values: Vec<_> = values.iter().map(|value| format!("`{value}`")).collect();
            format!("one of {}", values.join(", "))
        }
        ConstraintKind::InEnum => "a declared member".to_owned(),
        ConstraintKind::Predicate(test) => format!("`{test}`"),
    };
    let what = match &constraint.condition {
        Some(condition) => format!("{what} where `{condition}`"),
        None => what,
    };
    with_rule(schema, what, constraint.rule.as_ref())
}

/// Lists the fault kinds with the rules that they violate.
pub(super) fn faults(schema: &Schema, map: &FaultMap) -> Vec<String> {
    let kinds = map.kinds.iter();
    kinds
        .map(|(kind, reference, _)| format!("{}: {}", fault(kind.name()), rule(schema, reference)))
        .collect()
}

/// Describes a fault kind in words.
fn fault(kind: &str) -> &str {
    match kind {
        "eof" => "the file ends too early",
        "missing" => "the last element is missing",
        "trailing" => "bytes after the end",
        "past" => "a size that extends past the end of the enclosing part",
        "short" => "a part that ends inside a field",
        "rest" => "bytes after the last field of the part",
        "negative" => "a size or count below zero",
        "range" => "a number out of range",
        "encoding" => "ill-formed text",
        "half" => "an unpaired surrogate",
        "terminator" => "no terminator",
        "enum" => "a value that is not listed",
        "flags" => "a bit that is not listed",
        "code" => "a code that is not listed",
        "absent" => "null",
        "empty" => "no elements",
        "overlong" => "more bytes than the number needs",
        "long" => "more bytes than the width allows",
        "wide" => "a value that exceeds the width",
        "depth" => "nested too deeply",
        other => other,
    }
}

/// Lists the rules that an element exercises.
pub(super) fn shown(schema: &Schema, obeys: &[Obedience]) -> Vec<String> {
    let shown = |obedience: &Obedience| {
        let name = rule(schema, &obedience.rule);
        match &obedience.when {
            Some(when) if !matches!(when.kind, ExprKind::Bool(true)) => {
                format!("{name} where `{when}`")
            }
            _ => name,
        }
    };
    obeys.iter().map(shown).collect()
}
