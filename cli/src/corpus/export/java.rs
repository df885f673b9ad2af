//! Generates tests for JUnit 5. Each format becomes a class, and each rule or kind of valid case
//! becomes a method, because Maven selects tests by method and not by the names of dynamic tests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::files::ExportedCase;
use super::python::{camel, quoted, word};

/// Returns the path and the text of the test file for a format.
pub(super) fn tests(format: &str, cases: &[ExportedCase<'_>]) -> (String, String) {
    let class = format!("{}Test", camel(format));
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for one in cases {
        let group = group(&one.case.id);
        let name = method(&word(group.trim_start_matches(format)));
        groups.entry(name).or_default().insert(quoted(group));
    }
    let mut text = format!(
        "// Written by tracegauge corpus export; changes will be overwritten.\n\
         package tracegauge;\n\n\
         import java.util.stream.Stream;\n\
         import org.junit.jupiter.api.DynamicTest;\n\
         import org.junit.jupiter.api.TestFactory;\n\n\
         /** The cases of {format}. */\nclass {class} {{\n"
    );
    for (name, groups) in &groups {
        let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
        let _ = write!(
            text,
            "    @TestFactory\n    Stream<DynamicTest> {name}() {{\n        return Cases.of({}, {});\n    }}\n\n",
            quoted(format),
            groups.join(", "),
        );
    }
    text.truncate(text.trim_end().len());
    text += "\n}\n";
    (format!("src/test/java/tracegauge/{class}.java"), text)
}

/// Returns the first three parts of a case's identity, which name its format, its source and its
/// rule or kind.
pub(super) fn group(id: &str) -> &str {
    let mut slashes = id.match_indices('/').map(|(at, _)| at);
    let end = slashes.nth(2).unwrap_or(id.len());
    &id[..end]
}

/// Converts a name to a valid Java method name.
fn method(name: &str) -> String {
    let name = name.trim_start_matches('_');
    match name.chars().next() {
        Some(first) if !first.is_ascii_digit() => name.to_owned(),
        _ => format!("cases_{name}"),
    }
}
