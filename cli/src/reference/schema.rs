//! Renders JSON Schemas as pages with a table of members for each object.

use serde_json::Value as Json;
use tracegauge_spec::page::{Page, anchor};

/// The heading of a page.
pub(super) struct Heading {
    /// The title.
    pub(super) title: &'static str,
    /// The introduction.
    pub(super) about: &'static str,
}

/// Renders the page of the JSON Schema in `text`.
///
/// # Errors
/// Returns a message if `text` is not valid JSON.
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

/// Renders a definition: its description, followed by its members or the values that it accepts.
fn object(page: &mut Page, schema: &Json) {
    if let Some(about) = schema["description"].as_str() {
        page.paragraph(about);
    }
    let mut rows = Vec::new();
    members(schema, "", &mut rows);
    if rows.is_empty() {
        page.paragraph(&format!("{}.", kind(schema)));
    }
    page.table(&["member", "type", "description"], rows);
}

/// Adds a row for each member. Members of unnamed nested objects are shown by their paths.
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
            about.push("optional".to_owned());
        }
        about.extend(value["description"].as_str().map(str::to_owned));
        rows.push(vec![format!("`{path}`"), kind(value), about.join("; ")]);
        members(value, &format!("{path}."), rows);
        members(&value["items"], &format!("{path}[]."), rows);
    }
}

/// Returns the type of a value, in words.
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

/// Describes an object. A schema with `maxProperties: 1` describes an object with exactly one of
/// the listed members.
fn keyed(schema: &Json) -> String {
    let names = schema["properties"].as_object();
    if schema["maxProperties"] == 1 {
        let names = names.into_iter().flatten();
        return one_of(names.map(|(name, value)| {
            format!("`{{\"{name}\": …}}` with a value of type {}", kind(value))
        }));
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
