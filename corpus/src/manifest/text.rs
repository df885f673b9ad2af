//! Reads and writes manifests as YAML with one line per case.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;

use super::{Entry, Manifest};
use crate::words::{StateWord, VerdictWord};

const HEAD: &str = "\
# The generated cases of this format, written by `tracegauge corpus build`. Edit only `state`
# (draft, active, disputed, retired) and `reason` by hand.
";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    format: String,
    #[serde(default)]
    cases: BTreeMap<String, WrittenEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenEntry {
    v: u32,
    #[serde(default)]
    state: StateWord,
    reason: Option<String>,
    expect: VerdictWord,
    #[serde(default)]
    open: bool,
    #[serde(default)]
    rules: Vec<String>,
    at: Option<(String, u64, u64)>,
    by: Option<String>,
    twin: Option<String>,
    #[serde(default)]
    departs: Vec<String>,
    bytes: usize,
    blake3: String,
    records: Vec<usize>,
    due: Option<usize>,
    answer: String,
}

pub(super) fn parse(bytes: &[u8]) -> Result<Manifest, serde_yaml::Error> {
    let written: Written = serde_yaml::from_slice(bytes)?;
    let entries = written.cases.into_iter().map(|(id, entry)| {
        let entry = Entry {
            version: entry.v,
            state: entry.state.0,
            reason: entry.reason,
            expect: entry.expect.0,
            open: entry.open,
            rules: entry.rules,
            fault: entry.at,
            operator: entry.by,
            twin: entry.twin,
            departures: entry.departs,
            bytes: entry.bytes,
            hash: entry.blake3,
            records: entry.records,
            due: entry.due,
            answer: entry.answer,
        };
        (id, entry)
    });
    Ok(Manifest {
        format: written.format,
        entries: entries.collect(),
    })
}

pub(super) fn render(manifest: &Manifest) -> String {
    let mut text = String::from(HEAD);
    let _ = writeln!(text, "format: {}", quoted(&manifest.format));
    if manifest.entries.is_empty() {
        text.push_str("cases: {}\n");
        return text;
    }
    text.push_str("cases:\n");
    for (id, entry) in &manifest.entries {
        let _ = writeln!(text, "  {}: {{ {} }}", quoted(id), line(entry));
    }
    text
}

fn line(entry: &Entry) -> String {
    let mut parts = vec![format!("v: {}", entry.version)];
    if entry.state != crate::case::State::Active {
        parts.push(format!("state: {}", entry.state));
    }
    if let Some(reason) = &entry.reason {
        parts.push(format!("reason: {}", quoted(reason)));
    }
    parts.push(format!("expect: {}", entry.expect));
    if entry.open {
        parts.push("open: true".to_owned());
    }
    if !entry.rules.is_empty() {
        let rules: Vec<String> = entry.rules.iter().map(|rule| quoted(rule)).collect();
        parts.push(format!("rules: [{}]", rules.join(", ")));
    }
    if let Some((path, start, end)) = &entry.fault {
        parts.push(format!("at: [{}, {start}, {end}]", quoted(path)));
    }
    if let Some(operator) = &entry.operator {
        parts.push(format!("by: {}", quoted(operator)));
    }
    if let Some(twin) = &entry.twin {
        parts.push(format!("twin: {}", quoted(twin)));
    }
    if !entry.departures.is_empty() {
        let departures: Vec<String> = entry.departures.iter().map(|it| quoted(it)).collect();
        parts.push(format!("departs: [{}]", departures.join(", ")));
    }
    let records: Vec<String> = entry.records.iter().map(ToString::to_string).collect();
    parts.push(format!("bytes: {}", entry.bytes));
    // Without quotes, YAML would read a hash that consists of digits and at most one `e` as a
    // number.
    parts.push(format!("blake3: \"{}\"", entry.hash));
    parts.push(format!("records: [{}]", records.join(", ")));
    if let Some(due) = entry.due {
        parts.push(format!("due: {due}"));
    }
    parts.push(format!("answer: \"{}\"", entry.answer));
    parts.join(", ")
}

/// Returns `text` as a YAML scalar, which is quoted unless every parser would read the plain scalar
/// as a string.
fn quoted(text: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '/' | '.' | '@');
    let is_plain = text.contains('/') || text.contains('-');
    if is_plain && text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(bare) {
        text.to_owned()
    } else {
        serde_json::to_string(text).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::{ExpectedVerdict, State};

    fn entry() -> Entry {
        Entry {
            version: 2,
            state: State::Disputed,
            reason: Some("the document: \"maybe\"".to_owned()),
            expect: ExpectedVerdict::Reject,
            open: false,
            rules: vec!["MAGIC".to_owned(), "NO".to_owned()],
            fault: Some(("frames[3].body".to_owned(), 1, 2)),
            operator: Some("bit-flipped".to_owned()),
            twin: Some("f-v1/valid/least".to_owned()),
            departures: Vec::new(),
            bytes: 12,
            hash: "12345678901234567890123456789012".to_owned(),
            records: vec![3, 2],
            due: Some(1),
            answer: "1e345678901234567890123456789012".to_owned(),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let plain = Entry {
            state: State::Active,
            reason: None,
            rules: Vec::new(),
            fault: None,
            operator: None,
            twin: None,
            departures: Vec::new(),
            open: true,
            expect: ExpectedVerdict::Either,
            ..entry()
        };
        let entries = BTreeMap::from([
            (
                "f-v1/malformed/MAGIC/bit-flipped/a[0].b".to_owned(),
                entry(),
            ),
            ("f-v1/valid/least".to_owned(), plain),
        ]);
        let manifest = Manifest {
            format: "f-v1".to_owned(),
            entries,
        };
        let text = render(&manifest);
        assert_eq!(parse(text.as_bytes()).unwrap(), manifest);
        assert_eq!(text.lines().count(), 2 + 2 + 2);
    }

    #[test]
    fn an_empty_manifest_is_read_again() {
        let manifest = Manifest {
            format: "null".to_owned(),
            entries: BTreeMap::new(),
        };
        assert_eq!(parse(render(&manifest).as_bytes()).unwrap(), manifest);
    }
}
