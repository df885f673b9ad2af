//! Renders a trace as a vector: YAML with a comment for each field, so that people can read and
//! store it.

use std::fmt::Write as _;

use tracegauge_decoder::record::write_record;
use tracegauge_plan::Plan;

use crate::case::{Expected, ExpectedVerdict};
use crate::dump::dump_unmarked;
use crate::expected::examine;

/// The number of bytes on a line that has no comment.
const ROW: usize = 16;

/// A trace with a name and a sentence that describes it.
#[derive(Clone, Copy, Debug)]
pub struct Named<'t> {
    /// The id of the vector.
    pub id: &'t str,
    /// The sentence that says what the vector tests.
    pub says: &'t str,
    /// The bytes of the trace.
    pub bytes: &'t [u8],
}

/// Returns the text of a vector file that contains `case`, preceded by its twin. Returns `None` if
/// the description names no rule for the fault, because a vector must name one.
pub fn case_text(plan: &Plan, case: Named<'_>, twin: Option<Named<'_>>) -> Option<String> {
    let mut text = format!("format: {}\nvectors:\n", quoted(&plan.format));
    if let Some(twin) = twin {
        vector(plan, twin, None, &mut text)?;
        text.push('\n');
    }
    vector(plan, case, twin.map(|twin| twin.id), &mut text)?;
    Some(text)
}

fn vector(plan: &Plan, named: Named<'_>, twin: Option<&str>, text: &mut String) -> Option<()> {
    let examined = examine(plan, named.bytes);
    let expected = examined.expected;
    let rules = match &expected.violation {
        Some(violation) => violation.rules.clone(),
        None => examined.shown,
    };
    let sections = sections(plan, &rules);
    let list = |words: &[String]| {
        let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        format!("[{}]", words.join(", "))
    };
    let _ = writeln!(text, "  - id: {}", quoted(named.id));
    let mut line = |words: &str| {
        text.push_str("    ");
        text.push_str(words);
        text.push('\n');
    };
    line(&format!("says: {}", quoted(named.says)));
    line(&format!("section: {}", list(&sections)));
    line(&format!("rules: {}", list(&rules)));
    line(&format!("expect: {}", expected.verdict));
    if expected.open {
        line("open: true");
    }
    if expected.verdict == ExpectedVerdict::Reject {
        let violation = expected.violation.as_ref()?;
        let rule = quoted(violation.rules.first()?);
        let (path, start, end) = (quoted(&violation.path), violation.start, violation.end);
        line(&format!(
            "violation: {{ rule: {rule}, path: {path}, start: {start}, end: {end} }}"
        ));
    }
    if let Some(twin) = twin {
        line(&format!("twin: {}", quoted(twin)));
    }
    if named.bytes.is_empty() {
        line("bytes: \"\"");
    } else {
        line("bytes: |");
        for row in commented(plan, named.bytes) {
            line(&format!("  {row}"));
        }
    }
    records(&expected, &mut line);
    Some(())
}

fn records(expected: &Expected, line: &mut dyn FnMut(&str)) {
    let records = expected.records.first().map_or(&[][..], Vec::as_slice);
    if records.is_empty() {
        return line("records: []");
    }
    line("records:");
    for record in records {
        let mut json = Vec::new();
        write_record(record, &mut json);
        let json = String::from_utf8_lossy(&json);
        line(&format!("  - {}", printable(json.trim_end())));
    }
}

/// Returns the sections of the specification that contain the rules.
fn sections(plan: &Plan, rules: &[String]) -> Vec<String> {
    let all = plan.description.rules.iter();
    let mut named: Vec<String> = all
        .filter(|rule| rules.contains(&rule.id))
        .flat_map(|rule| rule.sections.iter().cloned())
        .collect();
    named.dedup();
    named
}

/// Returns the bytes as lines of hex digits, each with a comment that names its fields.
fn commented(plan: &Plan, bytes: &[u8]) -> Vec<String> {
    let mut shown = Vec::new();
    // Writing to memory cannot fail.
    let _ = dump_unmarked(plan, bytes, &mut shown);
    let shown = String::from_utf8_lossy(&shown);
    let mut rows = Rows {
        bytes,
        written: 0,
        lines: Vec::new(),
    };
    for line in shown.lines() {
        rows.take(line);
    }
    rows.plain(bytes.len());
    rows.lines
}

struct Rows<'b> {
    bytes: &'b [u8],
    written: usize,
    lines: Vec<String>,
}

/// The columns of a dump line: the mark, the offset (`PLACE`), the hex digits (`DIGITS`), the
/// characters, and the description of the field (`WORDS`).
const PLACE: std::ops::Range<usize> = 2..10;
const DIGITS: std::ops::Range<usize> = 11..34;
const WORDS: usize = 45;

impl Rows<'_> {
    fn take(&mut self, line: &str) {
        let words = line.get(WORDS..).unwrap_or_default().trim();
        let words: String = words.chars().map(visible).collect();
        let place = line.get(PLACE).unwrap_or_default();
        let Ok(place) = usize::from_str_radix(place.trim(), 16) else {
            if !words.is_empty() && !line.starts_with("           …") {
                self.lines.push(format!("# {words}"));
            }
            return;
        };
        let end = line.len().min(DIGITS.end);
        let digits = line.get(DIGITS.start..end).unwrap_or_default();
        let count = digits.split_whitespace().count();
        // The dump may show the same bytes again in another interpretation.
        if count == 0 || place < self.written || place + count > self.bytes.len() {
            return;
        }
        self.plain(place);
        self.row(count, &words);
    }

    /// Writes the bytes up to `end`, which have no comment.
    fn plain(&mut self, end: usize) {
        while self.written < end {
            self.row((end - self.written).min(ROW), "");
        }
    }

    fn row(&mut self, count: usize, words: &str) {
        let mut line = String::new();
        let end = self.written + count;
        for byte in &self.bytes[self.written..end] {
            // Writing to a string cannot fail.
            let _ = write!(line, "{byte:02x} ");
        }
        self.written = end;
        if words.is_empty() {
            self.lines.push(line.trim_end().to_owned());
        } else {
            self.lines.push(format!("{line:<24}# {words}"));
        }
    }
}

/// Returns `text` as a quoted YAML string.
fn quoted(text: &str) -> String {
    let json = serde_json::Value::String(text.to_owned()).to_string();
    printable(&json)
}

/// Escapes the characters in a JSON string that YAML does not accept.
fn printable(json: &str) -> String {
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        let strange = matches!(
            c,
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
        );
        if strange {
            let _ = write!(shown, "\\u{:04x}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Replaces control characters, which could end the comment or affect a terminal.
fn visible(c: char) -> char {
    if c.is_control() {
        char::REPLACEMENT_CHARACTER
    } else {
        c
    }
}
