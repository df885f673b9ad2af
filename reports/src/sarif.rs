//! Writes the mistakes in text files, such as descriptions, in SARIF 2.1.0, the format that code
//! scanning services read.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde_json::{Value, json};
use tracegauge_results::text::visible;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The finding deserves attention.
    Warning,
    /// The finding must be fixed.
    Error,
}

/// A range of characters in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path of the file, as the user specified it.
    pub file: String,
    /// The line of the first character, counted from 1.
    pub line: usize,
    /// The column of the first character, counted from 1.
    pub column: usize,
    /// The line where the range ends.
    pub end_line: usize,
    /// The column after the last character.
    pub end_column: usize,
}

/// A mistake in a text file, which code scanning services call a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The stable name of the kind of mistake.
    pub code: String,
    /// The severity.
    pub severity: Severity,
    /// A message that describes the mistake and how to fix it.
    pub message: String,
    /// The location of the mistake.
    pub place: Place,
    /// Other locations that explain the finding, each with a short message.
    pub related: Vec<(Place, String)>,
}

/// Writes `findings` to `out` as a SARIF run of tracegauge `version`.
///
/// # Errors
/// Returns an error if `out` cannot be written to.
pub fn render(findings: &[Finding], version: &str, out: &mut dyn Write) -> io::Result<()> {
    let codes: BTreeSet<&str> = findings
        .iter()
        .map(|finding| finding.code.as_str())
        .collect();
    let rules: Vec<Value> = codes.iter().map(|code| json!({ "id": code })).collect();
    let results: Vec<Value> = findings
        .iter()
        .map(|finding| result(finding, &codes))
        .collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "tracegauge", "version": version, "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    out.write_all(b"\n")
}

fn result(finding: &Finding, codes: &BTreeSet<&str>) -> Value {
    let index = codes.iter().position(|code| *code == finding.code);
    let mut result = json!({
        "ruleId": finding.code,
        "ruleIndex": index,
        "level": match finding.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        },
        "message": { "text": visible(&finding.message) },
        "locations": [location(&finding.place, None)],
    });
    if !finding.related.is_empty() {
        let related = finding.related.iter();
        let related: Vec<Value> = related
            .map(|(place, word)| location(place, Some(word)))
            .collect();
        result["relatedLocations"] = Value::Array(related);
    }
    result
}

fn location(place: &Place, word: Option<&String>) -> Value {
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&place.file) },
            "region": {
                "startLine": place.line,
                "startColumn": place.column,
                "endLine": place.end_line,
                "endColumn": place.end_column,
            },
        },
    });
    if let Some(word) = word {
        location["message"] = json!({ "text": visible(word) });
    }
    location
}

/// Converts a path to a URI, relative to the checked-out tree if the path is relative.
fn uri(path: &str) -> String {
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    let mut uri = scheme.to_owned();
    for byte in path.strip_prefix("./").unwrap_or(path).bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' | b'@' => {
                uri.push(char::from(byte));
            }
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
