//! Finds mistakes in individual lines.

use serde_json::{Map, Value as Json};
use tracegauge_protocol::{Answer, Breach, Closing, Line, parse_line};

use super::finding::{Findings, Mistake};
use super::talk::Heard;

/// The lines of an answer that could be parsed.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// The records.
    pub(super) records: Vec<Map<String, Json>>,
    /// The answer in the closing line.
    pub(super) closing: Option<Answer>,
    /// Whether any line violates the protocol.
    pub(super) is_broken: bool,
}

/// Reads the lines of an answer to `case`, and adds a finding for each mistake. `given` holds the
/// request and the trace, which some adapters echo.
pub(super) fn read(heard: &Heard, case: &str, given: &[&[u8]], findings: &mut Findings) -> Lines {
    let mut lines = Lines::default();
    for line in &heard.lines {
        if repeats(line, given) {
            findings.note(Mistake::EchoesInput, Some(case), lossy(line));
            lines.is_broken = true;
            continue;
        }
        match parse_line(line) {
            Ok(Line::Blank) => {}
            Ok(_) if lines.closing.is_some() => {
                findings.note(Mistake::AfterClosing, Some(case), lossy(line));
                lines.is_broken = true;
            }
            Ok(Line::Record(record)) => lines.records.push(record),
            Ok(Line::Closing(Closing(answer))) => lines.closing = Some(answer),
            Err(breach) => {
                note_breach(&breach, line, case, findings);
                lines.is_broken = true;
            }
        }
    }
    lines
}

fn note_breach(breach: &Breach, line: &[u8], case: &str, findings: &mut Findings) {
    let (mistake, saw) = match breach {
        Breach::NotJson(_, why) => not_json(line, why),
        Breach::Neither(_) => (
            Mistake::UnknownLine,
            format!("the line has neither `record` nor `end`: {}", lossy(line)),
        ),
        Breach::Kind(_) => (Mistake::BadRecord, lossy(line)),
        Breach::Twice(_, name) => (
            Mistake::BadJson,
            format!("the member `{name}` occurs twice: {}", lossy(line)),
        ),
        Breach::Excessive(_, limit) => (
            Mistake::BadJson,
            format!("the line is too large ({limit}): {}", lossy(line)),
        ),
        Breach::Closing(_, why) => (Mistake::BadClosing, format!("{why}: {}", lossy(line))),
        // These protocol violations involve several lines and do not occur here.
        Breach::AfterClosing(_) | Breach::Pieces { .. } => (Mistake::AfterClosing, lossy(line)),
    };
    findings.note(mistake, Some(case), saw);
}

/// Returns the mistake in a line that is not JSON.
pub(super) fn not_json(line: &[u8], why: &str) -> (Mistake, String) {
    let is_object = line.trim_ascii_start().starts_with(b"{");
    if is_object && std::str::from_utf8(line).is_err() {
        (Mistake::BadUtf8, lossy(line))
    } else if is_object {
        (Mistake::BadJson, format!("{why}: {}", lossy(line)))
    } else {
        (Mistake::Noise, lossy(line))
    }
}

/// Returns true if a line echoes the input of the adapter: a request, or the first line of a trace.
pub(super) fn repeats(line: &[u8], given: &[&[u8]]) -> bool {
    let line = line.trim_ascii();
    given.iter().any(|given| {
        let first = given
            .split(|byte| *byte == b'\n')
            .next()
            .unwrap_or_default();
        !line.is_empty() && line == first.trim_ascii()
    })
}

/// Returns a line as text for messages.
pub(super) fn lossy(line: &[u8]) -> String {
    String::from_utf8_lossy(line).into_owned()
}
