//! A finding as a vector of the corpus: YAML with commented bytes, to be read and put there.

use std::fmt::Write as _;

use tracegauge_corpus::case::{Expected, ExpectedVerdict};
use tracegauge_corpus::dump::dump;
use tracegauge_corpus::expected::examine;
use tracegauge_decoder::record::write_record;
use tracegauge_spec::plan::Plan;

use crate::commands::escaped;

/// Bytes on a line that has no comment.
const ROW: usize = 16;

/// Bytes with a name and a sentence.
#[derive(Clone, Copy, Debug)]
pub struct Named<'t> {
    /// The id that the vector gets.
    pub id: &'t str,
    /// What it shows.
    pub says: &'t str,
    /// The trace.
    pub bytes: &'t [u8],
}

/// The text of a file of vectors with `case`, and before it its twin. Nothing where the
/// description names no rule for the fault: a vector must.
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

/// The sections that rules come from.
fn sections(plan: &Plan, rules: &[String]) -> Vec<String> {
    let all = plan.schema.rules.iter();
    let mut named: Vec<String> = all
        .filter(|rule| rules.contains(&rule.id))
        .flat_map(|rule| rule.sections.iter().cloned())
        .collect();
    named.dedup();
    named
}

/// The bytes as hex digits, each line with the fields that it is.
fn commented(plan: &Plan, bytes: &[u8]) -> Vec<String> {
    let mut shown = Vec::new();
    // Writing to memory does not fail.
    let _ = dump(plan, bytes, &mut shown);
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

/// Where the columns of a line of a dump are: mark, place, digits, letters, words.
const PLACE: std::ops::Range<usize> = 2..10;
const DIGITS: std::ops::Range<usize> = 11..34;
const WORDS: usize = 45;

impl Rows<'_> {
    fn take(&mut self, line: &str) {
        let words = line.get(WORDS..).unwrap_or_default().trim();
        let words = escaped(words, |_| false);
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
        // What is shown again, in another light, is there already.
        if count == 0 || place < self.written || place + count > self.bytes.len() {
            return;
        }
        self.plain(place);
        self.row(count, &words);
    }

    /// What nothing is said of, up to `end`.
    fn plain(&mut self, end: usize) {
        while self.written < end {
            self.row((end - self.written).min(ROW), "");
        }
    }

    fn row(&mut self, count: usize, words: &str) {
        let mut line = String::new();
        let end = self.written + count;
        for byte in &self.bytes[self.written..end] {
            // Writing to a text does not fail.
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

/// A text as YAML reads it back.
fn quoted(text: &str) -> String {
    let json = serde_json::Value::String(text.to_owned()).to_string();
    printable(&json)
}

/// JSON in which what YAML takes for no text is escaped.
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
