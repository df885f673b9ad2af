//! Edits of a description, each of which is a mistake that the author of a reader could make.

use serde_yaml::{Mapping, Value};

/// The sections that do not say how a trace is read.
const OUTSIDE: [&str; 8] = [
    "meta", "doc", "rules", "coverage", "faults", "gen", "detect", "dialects",
];

/// Keys whose removal changes the meaning of the rest, or nothing that a reader does.
const KEPT: [&str; 14] = [
    "id",
    "type",
    "doc",
    "seq",
    "says",
    "rule",
    "gen",
    "switch-on",
    "cases",
    "from",
    "row",
    "key",
    "table",
    "order",
];

/// Returns the edited descriptions, each with a name.
pub fn edits(description: &str) -> Vec<(String, String)> {
    let root: Value = serde_yaml::from_str(description).unwrap();
    let mut found: Vec<(String, Value)> = Vec::new();
    let Value::Mapping(sections) = &root else {
        return Vec::new();
    };
    for (section, value) in sections {
        let Some(name) = section.as_str() else {
            continue;
        };
        if OUTSIDE.contains(&name) {
            continue;
        }
        if let Value::Sequence(_) = value {
            for (edit, changed) in edited(value, name, &names(value)) {
                let mut whole = sections.clone();
                whole.insert(section.clone(), changed);
                found.push((edit, Value::Mapping(whole)));
            }
        }
        let Value::Mapping(parts) = value else {
            continue;
        };
        // Expressions refer mostly to fields of their own type.
        for (key, part) in parts {
            let path = format!("{name}.{}", label(key));
            for (edit, changed) in edited(part, &path, &names(part)) {
                let (mut whole, mut parts) = (sections.clone(), parts.clone());
                parts.insert(key.clone(), changed);
                whole.insert(section.clone(), Value::Mapping(parts));
                found.push((edit, Value::Mapping(whole)));
            }
        }
    }
    found.extend(at_one_use(sections));
    found
        .into_iter()
        .map(|(name, value)| (name, serde_yaml::to_string(&value).unwrap()))
        .collect()
}

fn label(key: &Value) -> String {
    match key {
        Value::String(text) => text.clone(),
        other => serde_yaml::to_string(other).unwrap().trim().to_owned(),
    }
}

/// Returns the names of all fields below a value.
fn names(value: &Value) -> Vec<String> {
    match value {
        Value::Mapping(map) => {
            let own = map.get("id").and_then(Value::as_str).map(str::to_owned);
            own.into_iter()
                .chain(map.values().flat_map(names))
                .collect()
        }
        Value::Sequence(list) => list.iter().flat_map(names).collect(),
        _ => Vec::new(),
    }
}

/// Returns all edits of a value, each with its path.
fn edited(value: &Value, path: &str, names: &[String]) -> Vec<(String, Value)> {
    match value {
        Value::Mapping(map) => in_mapping(map, path, names),
        Value::Sequence(list) => {
            let mut found = Vec::new();
            for (at, item) in list.iter().enumerate() {
                let label = item.get("id").and_then(Value::as_str);
                let label = label.map_or_else(|| at.to_string(), str::to_owned);
                for (name, changed) in edited(item, &format!("{path}.{label}"), names) {
                    let mut list = list.clone();
                    list[at] = changed;
                    found.push((name, Value::Sequence(list)));
                }
            }
            if path.ends_with("seq") {
                let rest = serde_yaml::from_str("{ id: left_over, size-eos: true }").unwrap();
                let mut list = list.clone();
                list.push(rest);
                found.push((format!("{path}: ignores the rest"), Value::Sequence(list)));
            }
            found
        }
        Value::Number(number) => {
            let Some(number) = number.as_i64() else {
                return Vec::new();
            };
            [number - 1, number + 1]
                .into_iter()
                .map(|other| (format!("{path}: {number} -> {other}"), other.into()))
                .collect()
        }
        Value::String(text) => expressions(text, names)
            .into_iter()
            .map(|other| (format!("{path}: {text} -> {other}"), other.into()))
            .collect(),
        _ => Vec::new(),
    }
}

fn in_mapping(map: &Mapping, path: &str, names: &[String]) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    for (key, value) in map {
        let label = label(key);
        if matches!(label.as_str(), "doc" | "rule" | "id" | "gen" | "says") {
            continue;
        }
        let below = format!("{path}.{label}");
        if !KEPT.contains(&label.as_str()) && path.contains('.') {
            let mut map = map.clone();
            map.remove(key);
            found.push((format!("{below}: removed"), Value::Mapping(map)));
        }
        for (name, changed) in edited(value, &below, names) {
            let mut map = map.clone();
            map.insert(key.clone(), changed);
            found.push((name, Value::Mapping(map)));
        }
    }
    found
}

/// Returns variations of an expression or of the name of a type.
fn expressions(text: &str, names: &[String]) -> Vec<String> {
    const SWAPS: [(&str, &str); 22] = [
        (" + ", " - "),
        (" - ", " + "),
        (" * ", " + "),
        (" <= ", " < "),
        (" < ", " <= "),
        (" >= ", " > "),
        (" > ", " >= "),
        (" == ", " != "),
        (" and ", " or "),
        (" or ", " and "),
        ("_parent.", ""),
        ("first", "last"),
        ("last", "first"),
        ("u1", "s1"),
        ("u2", "s2"),
        ("u4", "s4"),
        ("s4", "u4"),
        ("s8", "u8"),
        ("u8", "s8"),
        ("le", "be"),
        ("UTF-8", "ASCII"),
        ("ASCII", "UTF-8"),
    ];
    let mut found: Vec<String> = SWAPS
        .iter()
        .filter(|(old, _)| text.contains(old))
        .map(|(old, new)| text.replacen(old, new, 1))
        .collect();
    let bytes = text.as_bytes();
    let is_word = |at: usize| {
        bytes
            .get(at)
            .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while is_word(at) {
            at += 1;
        }
        let word = &text[start..at];
        if let Ok(number) = word.parse::<i64>() {
            for other in [number - 1, number + 1] {
                found.push(format!("{}{other}{}", &text[..start], &text[at..]));
            }
        } else if names.iter().any(|name| name == word) {
            for other in names.iter().filter(|name| *name != word) {
                found.push(format!("{}{other}{}", &text[..start], &text[at..]));
            }
        }
        at = at.max(start) + usize::from(at == start);
        while at < bytes.len() && !is_word(at) {
            at += 1;
        }
    }
    found.sort();
    found.dedup();
    found
}

/// Returns the edits of a type that only one of its uses sees.
fn at_one_use(sections: &Mapping) -> Vec<(String, Value)> {
    let Some(Value::Mapping(types)) = sections.get("types") else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (name, described) in types {
        let Some(name) = name.as_str() else { continue };
        let uses = uses(types, name);
        if uses.len() < 2 {
            continue;
        }
        for (edit, changed) in edited(described, &format!("types.{name}"), &names(described)) {
            for (number, changed_use) in uses.iter().enumerate() {
                let mut types = changed_use.clone();
                types.insert(format!("{name}_edited").into(), changed.clone());
                let mut whole = sections.clone();
                whole.insert("types".into(), Value::Mapping(types));
                found.push((format!("{edit} (use {number})"), Value::Mapping(whole)));
            }
        }
    }
    found
}

/// Returns the types with one use of a type renamed, for each use of the type.
fn uses(types: &Mapping, name: &str) -> Vec<Mapping> {
    let renamed = renamed(&Value::Mapping(types.clone()), name, false);
    renamed
        .into_iter()
        .filter_map(|value| match value {
            Value::Mapping(types) => Some(types),
            _ => None,
        })
        .collect()
}

fn renamed(value: &Value, name: &str, is_type: bool) -> Vec<Value> {
    match value {
        Value::String(text) if is_type && text == name => {
            vec![Value::String(format!("{name}_edited"))]
        }
        Value::Mapping(map) => {
            let mut found = Vec::new();
            for (key, value) in map {
                let inside = matches!(key.as_str(), Some("type" | "cases" | "is"))
                    || (is_type && !matches!(value, Value::Mapping(_)));
                for changed in renamed(value, name, inside) {
                    let mut map = map.clone();
                    map.insert(key.clone(), changed);
                    found.push(Value::Mapping(map));
                }
            }
            found
        }
        Value::Sequence(list) => {
            let mut found = Vec::new();
            for (at, item) in list.iter().enumerate() {
                for changed in renamed(item, name, false) {
                    let mut list = list.clone();
                    list[at] = changed;
                    found.push(Value::Sequence(list));
                }
            }
            found
        }
        _ => Vec::new(),
    }
}
