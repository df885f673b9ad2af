//! Reads the tables of members in the documentation, and compares JSON with them.

#![allow(dead_code, reason = "each test binary uses its own part of this")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value as Json;

/// A page of the documentation.
pub struct Page(String);

impl Page {
    /// Reads a page, given its path in `docs`.
    pub fn read(name: &str) -> Self {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        Self(fs::read_to_string(docs.join(name)).expect("a page"))
    }

    /// Returns the text of the page.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns the lines between a heading and the next heading of any level.
    fn section(&self, heading: &str) -> impl Iterator<Item = &str> {
        let is_heading = |line: &str| line.starts_with('#');
        let is_wanted =
            move |line: &str| line.trim_start_matches('#').strip_prefix(' ') == Some(heading);
        let mut lines = self.0.lines().skip_while(move |line| !is_wanted(line));
        assert!(lines.next().is_some(), "there is no section {heading}");
        lines.take_while(move |line| !is_heading(line))
    }

    /// Returns the members in the tables of a section, each with a flag that says whether it is
    /// optional.
    fn members(&self, heading: &str) -> BTreeMap<&str, bool> {
        let rows = self.section(heading).filter(|line| line.starts_with("| `"));
        rows.flat_map(|row| {
            let (names, about) = row[1..].split_once('|').expect("a table with columns");
            let is_optional = about.contains("optional");
            names
                .split('`')
                .skip(1)
                .step_by(2)
                .map(move |name| (name, is_optional))
        })
        .collect()
    }

    /// Checks that the tables of these sections name every member of `values`, and that every
    /// member in the tables occurs in `values` unless it is optional. The values of the members in
    /// `opaque` are not examined.
    pub fn check(&self, headings: &[&str], values: &[Json], opaque: &[&str]) {
        assert!(!values.is_empty(), "nothing to compare with {headings:?}");
        let named: BTreeMap<&str, bool> = headings
            .iter()
            .flat_map(|heading| self.members(heading))
            .collect();
        let mut found = BTreeSet::new();
        for value in values {
            collect(value, "", opaque, &mut found);
        }
        let unnamed: Vec<&String> = found
            .iter()
            .filter(|name| !named.contains_key(name.as_str()))
            .collect();
        assert!(unnamed.is_empty(), "{headings:?} does not name {unnamed:?}");
        let unseen: Vec<&&str> = named
            .iter()
            .filter(|(name, is_optional)| !**is_optional && !found.contains(**name))
            .map(|(name, _)| name)
            .collect();
        assert!(
            unseen.is_empty(),
            "{headings:?} names {unseen:?}, which never occur"
        );
    }

    /// Returns the JSON values in the examples of the page, each with the number of its line.
    pub fn examples(&self) -> Vec<(usize, Result<Vec<Json>, serde_json::Error>)> {
        let mut examples = Vec::new();
        let mut lines = self.0.lines().enumerate();
        while let Some((number, line)) = lines.next() {
            if line == "```json" {
                let inside = lines.by_ref().map(|(_, line)| line);
                let text: Vec<&str> = inside.take_while(|line| *line != "```").collect();
                let text = text.join("\n");
                let values = serde_json::Deserializer::from_str(&text).into_iter();
                examples.push((number + 1, values.collect()));
            }
        }
        examples
    }
}

/// Collects the paths of the members of a value, in the notation of the tables.
fn collect(value: &Json, path: &str, opaque: &[&str], found: &mut BTreeSet<String>) {
    match value {
        Json::Object(members) => {
            for (name, value) in members {
                let path = if path.is_empty() {
                    name.clone()
                } else {
                    format!("{path}.{name}")
                };
                if !opaque.contains(&path.as_str()) {
                    collect(value, &path, opaque, found);
                }
                found.insert(path);
            }
        }
        Json::Array(items) => {
            for item in items {
                collect(item, &format!("{path}[]"), opaque, found);
            }
        }
        _ => {}
    }
}
