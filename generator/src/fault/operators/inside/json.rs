//! Text that is invalid JSON, or JSON of the wrong shape.

use tracegauge_plan::terms::{JsonKind, RuleId};
use tracegauge_plan::{JsonPlan, JsonShape};

use super::InsideChange;

/// Names of cases, each with its invalid JSON.
const NOT_JSON: &[(&str, &str)] = &[
    ("json-nothing", " "),
    ("json-open-object", "{\"a\":1"),
    ("json-open-text", "\"a"),
    ("json-trailing-comma", "[1,]"),
    ("json-single-quotes", "'a'"),
    ("json-bare-name", "{a:1}"),
    ("json-word", "NaN"),
    ("json-leading-zero", "01"),
    ("json-two-values", "1 2"),
    ("json-control-character", "\"\u{1}\""),
    ("json-bad-escape", "\"\\x\""),
    ("json-closed-wrong", "[}"),
];

/// The name of the case with JSON that is nested too deeply.
const DEEP: &str = "json-deep";

/// The nesting depth of the JSON in the case [`DEEP`].
const DEPTH: usize = 5000;

/// A fault in JSON: the rule, a name that distinguishes the fault from others, and the faulty JSON.
type OfShape = (Option<RuleId>, String, String);

/// Returns the possible faults of a text field that contains JSON.
pub(super) fn changes(json: &JsonPlan) -> Vec<(Option<RuleId>, InsideChange)> {
    let mut changes = Vec::new();
    for (class, _) in NOT_JSON {
        changes.push((json.rule, InsideChange::NotJson(class)));
    }
    if json.depth.is_some() {
        changes.push((json.depth, InsideChange::NotJson(DEEP)));
    }
    if let Some(shape) = &json.shape {
        let faults = of_shape(shape).into_iter();
        changes.extend(faults.map(|(rule, what, _)| (rule, InsideChange::Shape(what))));
    }
    changes
}

/// Returns the invalid JSON of a case.
pub(super) fn text(class: &str) -> Option<String> {
    if class == DEEP {
        return Some(format!("{}{}", "[".repeat(DEPTH), "]".repeat(DEPTH)));
    }
    let (_, text) = NOT_JSON.iter().find(|(known, _)| *known == class)?;
    Some((*text).to_owned())
}

/// Returns JSON that matches a shape except for the named fault.
pub(super) fn of_shape_text(shape: &JsonShape, fault: &str) -> Option<String> {
    let mut faults = of_shape(shape).into_iter();
    faults.find_map(|(_, known, text)| (known == fault).then_some(text))
}

/// Returns JSON values that match a shape except for one fault in each value.
fn of_shape(shape: &JsonShape) -> Vec<OfShape> {
    const KINDS: [(JsonKind, &str, &str); 6] = [
        (JsonKind::Nothing, "null", "null"),
        (JsonKind::Bool, "bool", "true"),
        (JsonKind::Number, "number", "7"),
        (JsonKind::Text, "text", "\"\""),
        (JsonKind::List, "list", "[]"),
        (JsonKind::Object, "object", "{}"),
    ];
    let mut faults = Vec::new();
    for (kind, name, text) in KINDS {
        let other_kind = !shape.kinds.is_empty() && !shape.kinds.contains(&kind);
        let other_text = !shape.one_of.is_empty();
        let rule = if other_kind {
            shape.rule
        } else {
            shape.one_of_rule
        };
        if other_kind || other_text {
            faults.push((rule, name.to_owned(), text.to_owned()));
        }
    }
    for member in &shape.members {
        if member.needed {
            let what = format!("no-{}", member.name);
            let text = object(shape, &member.name, None);
            faults.push((member.shape.rule, what, text));
        }
        for (rule, what, text) in of_shape(&member.shape) {
            let what = format!("{}-{what}", member.name);
            faults.push((rule, what, object(shape, &member.name, Some(&text))));
        }
    }
    if shape.others.is_some() {
        let text = object(shape, "unheard-of", Some("[1]"));
        faults.push((shape.others, "other-member".to_owned(), text));
    }
    faults
}

/// Returns an object that has only the required members of a shape, except that one member has the
/// given value or is omitted.
fn object(shape: &JsonShape, changed: &str, value: Option<&str>) -> String {
    let needed = shape.members.iter().filter(|member| member.needed);
    let needed = needed.filter(|member| member.name != changed);
    let mut members: Vec<String> = needed
        .map(|member| format!("\"{}\":{}", member.name, least(&member.shape)))
        .collect();
    members.extend(value.map(|value| format!("\"{changed}\":{value}")));
    format!("{{{}}}", members.join(","))
}

fn least(shape: &JsonShape) -> String {
    match (shape.one_of.first(), shape.kinds.first()) {
        (Some(text), _) => format!("\"{text}\""),
        (None, Some(JsonKind::Object)) => object(shape, "", None),
        (None, Some(JsonKind::List)) => "[]".to_owned(),
        (None, Some(JsonKind::Text)) => "\"x\"".to_owned(),
        (None, Some(JsonKind::Bool)) => "true".to_owned(),
        (None, Some(JsonKind::Nothing)) => "null".to_owned(),
        (None, Some(JsonKind::Number) | None) => "0".to_owned(),
    }
}
