//! Constraints, faults and rules that are shown, in a cell.

use crate::schema::{Constraint, ConstraintKind, FaultMap, Obedience, RuleRef, Schema};

/// The name of a rule, or of the fault kind that a format maps to one.
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

/// The name of a rule in a link.
pub(super) fn anchor(rule: &str) -> String {
    rule.to_lowercase()
}

fn with_rule(schema: &Schema, what: String, reference: Option<&RuleRef>) -> String {
    match reference {
        Some(reference) => format!("{what} ({})", rule(schema, reference)),
        None => what,
    }
}

/// What must hold, in words and with its rule.
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

/// Which rule each fault breaks.
pub(super) fn faults(schema: &Schema, map: &FaultMap) -> Vec<String> {
    let kinds = map.kinds.iter();
    kinds
        .map(|(kind, reference, _)| format!("{}: {}", kind.name(), rule(schema, reference)))
        .collect()
}

/// Rules that an element shows.
pub(super) fn shown(schema: &Schema, obeys: &[Obedience]) -> Vec<String> {
    let shown = |obedience: &Obedience| {
        let name = rule(schema, &obedience.rule);
        match &obedience.when {
            Some(when) => format!("{name} where `{when}`"),
            None => name,
        }
    };
    obeys.iter().map(shown).collect()
}
