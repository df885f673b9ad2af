//! Collects the details of a failure that help to fix it.

use tracegauge_corpus::case::{Case, ExpectedVerdict, ExpectedViolation};
use tracegauge_protocol::reader_file::yaml_text;
use tracegauge_protocol::{Answer, Breach, Breakdown, Death, Rejection, class_name};
use tracegauge_results::text::byte_range;
use tracegauge_results::{
    Detail, Difference, Differences, Excerpt, Fault, LookAt, Outcome, RecordFault,
};

use super::Response;
use super::resemblance::resemblance;
use crate::compare::NO_MEMBER;

pub(super) fn detail(case: &Case, response: &Response, outcome: Outcome) -> Detail {
    let violation = case.expected.violation.as_ref();
    let difference = difference(response, outcome);
    Detail {
        why: case.provenance.why.clone(),
        expected: in_words(case),
        actual: response.answer.to_string(),
        hint: hint(case, &response.answer, outcome).or_else(|| {
            let difference = difference.as_ref()?;
            left_out(difference).or_else(|| resemblance(&difference.expected, &difference.actual))
        }),
        difference,
        differences: differences(response, outcome),
        fault: violation.map(|violation| Fault {
            path: violation.path.clone(),
            start: violation.start,
            end: violation.end,
            about: Vec::new(),
        }),
        excerpt: violation.map(|violation| excerpt(case, violation.start, violation.end)),
        look_at: match &response.answer {
            Answer::Reject(Rejection {
                offset: Some(offset),
                ..
            }) if violation.is_none() => Some(LookAt {
                rule: None,
                near: Vec::new(),
                offset: *offset,
                length: 1,
                excerpt: excerpt(case, *offset, offset.saturating_add(1)),
            }),
            _ => None,
        },
        crash: match &response.answer {
            Answer::Broke(Breakdown::Crash(_, crash)) => crash.as_deref().cloned(),
            _ => None,
        },
        stderr: (!response.stderr.trim().is_empty()).then(|| response.stderr.clone()),
    }
}

/// Returns the bytes around `start..end` of the trace of a case.
fn excerpt(case: &Case, start: u64, end: u64) -> Excerpt {
    let position = case.trace().position(start);
    let length = end.saturating_sub(start);
    let mut excerpt = Excerpt::around(&case.bytes, position, position.saturating_add(length));
    excerpt.offset += start.saturating_sub(position);
    excerpt
}

/// Returns advice about a member that the reader does not report.
fn left_out(difference: &Difference) -> Option<String> {
    let is_left_out = difference.actual == NO_MEMBER;
    is_left_out.then(|| {
        "if the reader cannot report a member, list the member under `omits` in the reader file; \
         if the reader only leaves it out when it is empty, zero or false, list it as `{member: …, \
         when: empty}`"
            .to_owned()
    })
}

/// Returns the first difference in the records, if the outcome is wrong records or if the
/// difference shows how far the reader got before a wrong rejection.
pub(super) fn difference(response: &Response, outcome: Outcome) -> Option<Difference> {
    let seen = response.seen.as_ref()?;
    match outcome {
        Outcome::WrongRecords => seen.whole.clone(),
        // A reader that reports no records until it has read the whole trace does not reveal how
        // far it got.
        Outcome::WrongReject if seen.reported > 0 => seen.whole.clone(),
        _ => None,
    }
}

/// Returns all differences in the records, or `None` if `difference` returns `None`. Records that
/// are missing because of a wrong rejection do not count as additional differences.
fn differences(response: &Response, outcome: Outcome) -> Option<Differences> {
    difference(response, outcome)?;
    let mut all = response.seen.as_ref()?.differences.clone()?;
    if outcome == Outcome::WrongReject {
        let before = all.list.len();
        all.list.retain(|it| it.fault != RecordFault::MissingTail);
        all.is_complete = false;
        all.count -= (before - all.list.len()).min(all.count);
    }
    (!all.list.is_empty()).then_some(all)
}

/// Describes the expected answer to a case in words.
pub fn in_words(case: &Case) -> String {
    match (case.expected.verdict, &case.expected.violation) {
        (ExpectedVerdict::Accept, _) => "accept".to_owned(),
        (ExpectedVerdict::Either, _) => "accept or reject".to_owned(),
        (ExpectedVerdict::Reject, None) => "reject".to_owned(),
        (ExpectedVerdict::Reject, Some(violation)) => rejection(violation),
    }
}

fn rejection(violation: &ExpectedViolation) -> String {
    let class = class_name(violation.class);
    let ExpectedViolation {
        path, start, end, ..
    } = violation;
    let place = byte_range(*start, *end);
    if path.is_empty() {
        format!("reject as {class}, {place}")
    } else {
        format!("reject as {class} at {path}, {place}")
    }
}

fn hint(case: &Case, answer: &Answer, outcome: Outcome) -> Option<String> {
    let text = match (answer, outcome) {
        (
            Answer::Reject(Rejection {
                perhaps_crashed: true,
                ..
            }),
            _,
        ) => {
            "exit status 1 may also mean an uncaught exception; exit with 65, or declare the \
             status in the reader file: `statuses: {1: reject}`"
        }
        (
            Answer::Unsupported {
                feature: Some(feature),
            },
            Outcome::UndeclaredGap,
        ) => {
            return Some(gap(case, feature));
        }
        (Answer::Unsupported { .. }, Outcome::UndeclaredGap) => {
            "name the feature in the closing line, and declare it in the reader file under \
             `unsupported`"
        }
        (Answer::Broke(Breakdown::Crash(Death::Status(code), None)), _)
            if case.expected.verdict == ExpectedVerdict::Reject && *code != 0 =>
        {
            return Some(format!(
                "if the reader exits with status {code} to reject a trace, exit with 65, or declare \
                 the status in the reader file: `statuses: {{{code}: reject}}`"
            ));
        }
        (Answer::Broke(Breakdown::Protocol(Breach::NotJson(line, why))), _) => not_json(line, why),
        (Answer::Broke(Breakdown::Protocol(Breach::Twice(..))), _) => {
            "JSON parsers disagree about an object in which a member occurs twice; names that may \
             repeat belong in a list of `[name, value]` pairs"
        }
        (Answer::Broke(Breakdown::Protocol(Breach::Kind(_))), _) => {
            "`record` must be a string with the kind of the record; `tracegauge spec docs ID` lists \
             the kinds"
        }
        (Answer::Broke(Breakdown::Protocol(Breach::Neither(line))), _) if line.starts_with('[') => {
            "write each record as an object on its own line, not in a list"
        }
        (Answer::Broke(Breakdown::Protocol(Breach::AfterClosing(_))), _) => {
            "the closing line must be the last line of each answer"
        }
        _ => return None,
    };
    Some(text.to_owned())
}

/// Returns advice about a feature that the reader file does not declare as unsupported.
fn gap(case: &Case, feature: &str) -> String {
    const REJECT: &str = "answer `{\"end\":\"reject\",\"why\":\"…\"}` or exit with status 65";
    if describes_a_trace(feature) {
        return format!(
            "the reader names a feature with numbers that differ from trace to trace, so the \
             feature cannot be declared; if the reader found a fault, {REJECT}; if it does not \
             support a feature, name only the feature"
        );
    }
    let declare = format!(
        "declare the feature in the reader file: `unsupported: [{}]`",
        yaml_text(feature)
    );
    match case.expected.verdict {
        ExpectedVerdict::Reject => {
            format!("if the reader found a fault in the trace, {REJECT}; otherwise, {declare}")
        }
        ExpectedVerdict::Accept | ExpectedVerdict::Either => declare,
    }
}

/// Returns true if the name of a feature seems to be an error message about one trace: if it
/// contains several numbers, or a number that is a position.
fn describes_a_trace(feature: &str) -> bool {
    const BEFORE: [&str; 8] = [
        "at", "byte", "bytes", "offset", "position", "index", "line", "got",
    ];
    let words = feature.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let is_number = |word: &str| {
        let digits = word.trim_end_matches('.');
        let hex = digits.strip_prefix("0x").filter(|it| !it.is_empty());
        let is_hex = hex.is_some_and(|it| it.chars().all(|c| c.is_ascii_hexdigit()));
        let is_decimal = |c: char| c.is_ascii_digit() || c == '.';
        is_hex
            || (digits.starts_with(|c: char| c.is_ascii_digit()) && digits.chars().all(is_decimal))
    };
    let is_place = |pair: &[&str]| {
        let [before, number] = pair else { return false };
        is_number(number) && BEFORE.contains(&before.to_lowercase().as_str())
    };
    words.iter().filter(|word| is_number(word)).count() > 1 || words.windows(2).any(is_place)
}

/// Returns advice about a line that is not JSON.
fn not_json(line: &str, why: &str) -> &'static str {
    let is_object = line.starts_with('{');
    if line.starts_with('\u{feff}') {
        "the output begins with a byte order mark; write UTF-8 without one"
    } else if line.trim_start_matches('\u{fffd}').chars().nth(1) == Some('\0') {
        "the output seems to be UTF-16; write UTF-8"
    } else if is_object && line.contains('\u{fffd}') {
        "the line is not UTF-8; write ill-formed text as `{\"hex\": \"…\"}` with its bytes"
    } else if is_object && why.contains("hex escape") {
        "the line contains an unpaired surrogate; write ill-formed text as `{\"hex\": \"…\"}` with its \
         bytes"
    } else if is_object && why.starts_with("EOF") {
        "write each JSON object on a single line"
    } else if is_object && ["NaN", "Infinity"].iter().any(|word| line.contains(word)) {
        "JSON has no NaN and no infinities; write them as strings: \"NaN\", \"Infinity\", \
         \"-Infinity\""
    } else if is_object {
        "write lines with a JSON library"
    } else {
        "standard output is for the protocol; other text belongs on standard error"
    }
}

#[cfg(test)]
mod tests {
    use super::not_json;

    #[test]
    fn advice_fits_the_line() {
        let shown = String::from_utf8_lossy;
        let utf_16: Vec<u8> = "\u{feff}{\"end\""
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        for (line, why, advice) in [
            (
                "\u{feff}{\"end\":\"accept\"}".into(),
                "expected value",
                "byte order mark",
            ),
            (shown(&utf_16), "expected value", "UTF-16"),
            (
                shown(b"{\"record\":\"\xe9\"}"),
                "invalid unicode code point",
                "not UTF-8",
            ),
            (
                r#"{"record":"\ud800"}"#.into(),
                "unexpected end of hex escape at column 17",
                "unpaired surrogate",
            ),
            (
                "{".into(),
                "EOF while parsing an object at column 1",
                "single line",
            ),
            ("{\"a\":NaN}".into(), "expected value at column 6", "no NaN"),
            (
                "{\"a\":007}".into(),
                "invalid number at column 7",
                "JSON library",
            ),
            (
                "reading trace 1".into(),
                "expected value at column 1",
                "standard error",
            ),
        ] {
            let found = not_json(&line, why);
            assert!(found.contains(advice), "{line}: {found}");
        }
    }
}
