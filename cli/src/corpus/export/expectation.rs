//! Renders the expectation of an exported test in full, so that the test needs no further knowledge
//! of the format.

use serde_json::{Value as Json, json};
use tracegauge_plan::terms::Level;

use tracegauge_corpus::case::{Case, ExpectedVerdict, ExpectedViolation, FaultClass, State};
use tracegauge_corpus::rows::rows;
use tracegauge_corpus::sidecar;
use tracegauge_corpus::suite::{RuleEntry, Suite};

/// The number of bytes shown before and after a fault.
const AROUND: u64 = 8;
/// The maximum number of bytes shown for a fault.
const MOST: u64 = 16;
/// The maximum number of characters shown for a sentence or path.
const LONGEST: usize = 300;

/// A case together with the rule that it tests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'s> {
    pub(super) case: &'s Case,
    rule: Option<&'s RuleEntry>,
}

impl<'s> Subject<'s> {
    /// Creates the subject for a case. The subject's rule is the first rule that the case violates
    /// or, if it violates none, the first rule that it tests.
    pub(super) fn new(suite: &'s Suite, case: &'s Case) -> Self {
        let broken = case
            .expected
            .violation
            .iter()
            .flat_map(|found| &found.rules);
        let rule = broken.chain(&case.provenance.rules).next();
        let rule = rule.and_then(|id| {
            let mut rules = suite.rules.iter();
            rules.find(|rule| rule.id == *id && rule.format == case.format)
        });
        Self { case, rule }
    }

    /// Returns the severity of a failure: `must`, `should`, `strict` or `disputed`. The `run`
    /// command counts failures with severity `should` or `strict` only with `--strict`, and never
    /// counts failures of disputed cases.
    pub(super) fn level(&self) -> &'static str {
        match self.rule {
            _ if self.case.state == State::Disputed => "disputed",
            Some(rule) if rule.strict => "strict",
            Some(rule) if rule.level == Level::Should => "should",
            _ => "must",
        }
    }

    /// Returns the text of the JSON file that accompanies an exported plain file.
    pub(super) fn sidecar(&self) -> String {
        sidecar::text(self.case, self.level())
    }

    /// Returns the expectation that exported tests read.
    pub(super) fn expectation(&self) -> String {
        let case = self.case;
        let is_compared = case.expected.verdict != ExpectedVerdict::Reject;
        let head = json!({
            "case": case.id,
            "format": case.format,
            "level": self.level(),
            "allowed": allowed(case),
            "compared": is_compared,
            "open": case.expected.open,
            "length": case.bytes.len(),
            "crc32": format!("{:08x}", crc32(&case.bytes)),
            "about": self.about(),
        });
        let sets: Vec<String> = match is_compared {
            true => case.expected.records.iter().map(|set| rows(set)).collect(),
            false => Vec::new(),
        };
        let sets: Vec<String> = sets.iter().map(|set| format!("[\n{set}\n]")).collect();
        let head = format!("{head:#}");
        let head = head.trim_end_matches(['}', '\n']);
        format!("{head},\n  \"records\": [{}]\n}}\n", sets.join(",\n"))
    }

    /// Returns the lines that a failure message shows about the case.
    fn about(&self) -> Vec<String> {
        let mut about = Vec::new();
        if let Some(rule) = self.rule {
            about.push(format!(
                "rule      {} ({})",
                rule.id,
                rule.sections.join(", ")
            ));
            about.push(format!("          {}", rule.says));
        }
        about.push(format!("why       {}", cut(&self.case.provenance.why)));
        if let Some(found) = &self.case.expected.violation {
            about.push(format!("location  {}", location(found)));
            about.push(format!("bytes     {}", excerpt(&self.case.bytes, found)));
        }
        about
    }
}

/// Returns the outcomes that conform to the specification.
fn allowed(case: &Case) -> Json {
    let class = case.expected.violation.as_ref().map(|found| found.class);
    match (case.expected.verdict, class) {
        (ExpectedVerdict::Accept, _) => json!(["accept"]),
        (ExpectedVerdict::Either, _) => json!(["accept", "reject", "unsupported"]),
        // A reader need not support the version or feature of this trace and may report that it
        // does not.
        (ExpectedVerdict::Reject, Some(FaultClass::Unsupported)) => {
            json!(["reject", "unsupported"])
        }
        (ExpectedVerdict::Reject, _) => json!(["reject"]),
    }
}

fn location(found: &ExpectedViolation) -> String {
    let place = match found.end.saturating_sub(found.start) {
        0 => format!("before byte {}", found.start),
        1 => format!("byte {}", found.start),
        _ => format!("bytes {}..{}", found.start, found.end),
    };
    match found.path.as_str() {
        "" => place,
        path => format!("{}, {place}", cut(path)),
    }
}

/// Shortens a long string, such as the path of a deeply nested value, by removing its middle.
fn cut(text: &str) -> String {
    let count = text.chars().count();
    if count <= LONGEST {
        return text.to_owned();
    }
    let start: String = text.chars().take(LONGEST / 2).collect();
    let end: String = text.chars().skip(count - LONGEST / 2).collect();
    format!("{start} … {end}")
}

/// Returns the bytes around a fault, with the fault in brackets.
fn excerpt(bytes: &[u8], found: &ExpectedViolation) -> String {
    let length = bytes.len() as u64;
    let (start, end) = (found.start.min(length), found.end.min(length));
    let shown = end.min(start + MOST);
    let hex = |from: u64, to: u64| {
        let at = |position: u64| usize::try_from(position).unwrap_or(usize::MAX);
        let bytes = bytes.get(at(from)..at(to)).unwrap_or_default();
        let words: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        words.join(" ")
    };
    let first = start.saturating_sub(AROUND);
    let more = if shown < end { " …" } else { "" };
    let fault = format!("[{}{more}]", hex(start, shown));
    let parts = [
        format!("{first}:"),
        hex(first, start),
        fault,
        hex(end, length.min(end + AROUND)),
    ];
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    parts.join(" ").trim_end().to_owned()
}

/// Computes the CRC-32 checksum that zlib uses. The standard library of every target language
/// provides the same checksum, and tests use it to detect traces damaged by line-ending conversion.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
    !bytes
        .iter()
        .fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_zlib() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }

    #[test]
    fn a_fault_stands_in_brackets() {
        let bytes: Vec<u8> = (0..64).collect();
        let at = |start, end| {
            let found = ExpectedViolation {
                rules: Vec::new(),
                class: FaultClass::Malformed,
                path: "a.b".to_owned(),
                start,
                end,
            };
            format!("{} {}", location(&found), excerpt(&bytes, &found))
        };
        assert_eq!(
            at(1, 3),
            "a.b, bytes 1..3 0: 00 [01 02] 03 04 05 06 07 08 09 0a"
        );
        assert_eq!(
            at(64, 64),
            "a.b, before byte 64 56: 38 39 3a 3b 3c 3d 3e 3f []"
        );
        assert!(at(10, 40).contains("[0a 0b 0c 0d 0e 0f 10 11 12 13 14 15 16 17 18 19 …] 28 29"));
    }
}
