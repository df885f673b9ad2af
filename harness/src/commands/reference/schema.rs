//! Pages of JSON Schemas: a table of members for each object.

use serde_json::Value as Json;
use tracegauge_spec::page::{Page, anchor};

/// How a page begins.
pub(super) struct Heading {
    /// Its title.
    pub(super) title: &'static str,
    /// What it is about.
    pub(super) about: &'static str,
}

/// The page of the schema that is written in `text`.
///
/// # Errors
/// It is no JSON, in words.
pub(super) fn page(text: &str, heading: &Heading) -> Result<String, String> {
    let schema: Json = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut page = Page::default();
    page.heading(1, heading.title);
    page.paragraph(heading.about);
    object(&mut page, &schema);
    let definitions = schema["$defs"].as_object();
    for (name, definition) in definitions.into_iter().flatten() {
        page.heading(2, name);
        object(&mut page, definition);
    }
    Ok(page.finish())
}

/// What a definition is: its description, then its members or the values that it takes.
fn object(page: &mut Page, schema: &Json) {
    if let Some(about) = schema["description"].as_str() {
        page.paragraph(about);
    }
    let mut rows = Vec::new();
    members(schema, "", &mut rows);
    if rows.is_empty() {
        page.paragraph(&format!("{}.", kind(schema)));
    }
    page.table(&["member", "is", "about"], rows);
}

/// Objects that have no name of their own are shown by paths.
fn members(schema: &Json, path: &str, rows: &mut Vec<Vec<String>>) {
    let Some(properties) = schema["properties"].as_object() else {
        return;
    };
    let required = schema["required"].as_array();
    let required: Vec<&str> = required
        .into_iter()
        .flatten()
        .filter_map(Json::as_str)
        .collect();
    for (name, value) in properties {
        let path = format!("{path}{name}");
        let mut about = Vec::new();
        if !required.contains(&name.as_str()) {
            about.push("may be left out".to_owned());
        }
        about.extend(value["description"].as_str().map(str::to_owned));
        rows.push(vec![format!("`{path}`"), kind(value), about.join("; ")]);
        members(value, &format!("{path}."), rows);
        members(&value["items"], &format!("{path}[]."), rows);
    }
}

/// What a value is, in words.
fn kind(schema: &Json) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches("#/$defs/");
        return format!("[{name}](#{})", anchor(name));
    }
    if !schema["const"].is_null() {
        return format!("`{}`", schema["const"]);
    }
    if let Some(values) = schema["enum"].as_array() {
        return one_of(values.iter().map(|value| format!("`{value}`")));
    }
    if let Some(kinds) = schema["oneOf"].as_array() {
        return one_of(kinds.iter().map(kind));
    }
    if let Some(kinds) = schema["type"].as_array() {
        return one_of(kinds.iter().filter_map(Json::as_str).map(str::to_owned));
    }
    match schema["type"].as_str() {
        Some("array") if schema["items"]["properties"].is_object() => "array of objects".to_owned(),
        Some("array") => format!("array of {}", kind(&schema["items"])),
        Some("object") => keyed(schema),
        Some(name) => name.to_owned(),
        None => "any JSON value".to_owned(),
    }
}

/// An object: with one of its members where it says that it has one only.
fn keyed(schema: &Json) -> String {
    let names = schema["properties"].as_object();
    if schema["maxProperties"] == 1 {
        let names = names.into_iter().flatten();
        return one_of(
            names.map(|(name, value)| format!("`{{\"{name}\": …}}` with a {}", kind(value))),
        );
    }
    match &schema["additionalProperties"] {
        Json::Object(_) if names.is_none() => {
            format!("object of {}", kind(&schema["additionalProperties"]))
        }
        _ => "object".to_owned(),
    }
}

fn one_of(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(" or ")
}
