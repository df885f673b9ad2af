//! Writes and parses the lines of the protocol.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use tracegauge_corpus::case::FaultClass;
use tracegauge_results::text::{shortened, visible};

use super::MAJOR;
use super::answer::{Answer, Breach, Rejection};
use super::bounded::{self, Members, Unparsed};

/// The maximum number of characters in the name or the version of a reader.
const NAME: usize = 200;
/// The maximum number of characters in the reason for a rejection, which is stored and printed.
const WHY: usize = 1000;
/// The maximum number of characters in the name of a feature or of a member.
const WORD: usize = 200;
/// The maximum number of bytes of an invalid line to show in messages.
const SHOWN: usize = 120;

/// Returns the greeting as a line.
pub fn hello() -> Vec<u8> {
    format!("{{\"tracegauge\":{MAJOR},\"hello\":true}}\n").into_bytes()
}

/// A request to read the trace of one case.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Request<'a> {
    /// The opaque name of the case.
    pub case: &'a str,
    /// The name of the format.
    pub format: &'a str,
    /// The absolute path of the trace.
    pub file: &'a str,
}

impl Request<'_> {
    /// Returns the request as a line.
    pub fn line(&self) -> Vec<u8> {
        // Serializing a struct of strings to JSON cannot fail.
        let mut line = serde_json::to_vec(self).unwrap_or_default();
        line.push(b'\n');
        line
    }
}

/// A reader's answer to the greeting.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// The reader's name.
    pub name: Option<String>,
    /// The reader's version.
    pub version: Option<String>,
    /// What the reader's answers contain: `verdict` or `records`.
    pub reports: Option<String>,
}

impl Greeting {
    /// Parses a greeting.
    ///
    /// # Errors
    /// Returns a message about the reader ("the reader speaks version 2 …") if the line is not a
    /// valid greeting.
    pub fn parse(line: &[u8]) -> Result<Self, String> {
        let shown = shown(line);
        let Ok(Members { members, .. }) = bounded::object(line) else {
            return Err(format!(
                "the reader answered the greeting with a line that is not a JSON object: {shown}"
            ));
        };
        if members.contains_key("hello") {
            return Err("the reader answered the greeting by repeating it".into());
        }
        match members.get("tracegauge").and_then(Json::as_u64) {
            Some(MAJOR) => {}
            Some(other) => {
                return Err(format!(
                    "the reader speaks version {other} of the protocol instead of version {MAJOR}"
                ));
            }
            None => {
                return Err(format!(
                    "the reader's greeting does not contain `\"tracegauge\":{MAJOR}`: {shown}"
                ));
            }
        }
        let text = |name: &str| members.get(name).and_then(Json::as_str).map(str::to_owned);
        let reports = text("reports");
        match reports.as_deref() {
            None | Some("verdict" | "records") => {}
            Some(_) => {
                return Err(format!(
                    "`reports` has an unknown value in the reader's greeting: {shown}"
                ));
            }
        }
        let shown =
            |name: &str| text(name).map(|text| visible(&shortened(&text, NAME)).into_owned());
        Ok(Self {
            name: shown("name"),
            version: shown("version"),
            reports,
        })
    }
}

/// A parsed line of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A record.
    Record(Map<String, Json>),
    /// The closing line of the answer.
    Closing(Closing),
    /// A line that contains only white space. Such lines are ignored.
    Blank,
}

/// The closing line of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Closing(pub Answer);

/// Parses a line of an answer.
///
/// ```
/// use tracegauge_protocol::{parse_line, Answer, Closing, Line};
/// assert_eq!(parse_line(br#"{"end":"accept"}"#), Ok(Line::Closing(Closing(Answer::Accept))));
/// assert!(parse_line(b"Reading trace...").is_err());
/// ```
///
/// # Errors
/// Returns an error if the line violates the protocol.
pub fn parse_line(line: &[u8]) -> Result<Line, Breach> {
    if line.trim_ascii().is_empty() {
        return Ok(Line::Blank);
    }
    let Members { members, twice } = match line.trim_ascii_start().first() {
        Some(b'{') => bounded::object(line).map_err(|why| unparsed(line, why))?,
        // Anything else is not a line of an answer, even if it is well-formed.
        _ => {
            bounded::check(line).map_err(|why| unparsed(line, why))?;
            return Err(Breach::Neither(shown(line)));
        }
    };
    if let Some(name) = twice {
        return Err(Breach::Twice(
            shown(line),
            shortened(&name, WORD).into_owned(),
        ));
    }
    match members {
        // A record may have a member named `end`, so `record` is checked first.
        members if members.contains_key("record") => match members["record"] {
            Json::String(_) => Ok(Line::Record(members)),
            _ => Err(Breach::Kind(shown(line))),
        },
        members if members.contains_key("end") => closing(&members)
            .map(|answer| Line::Closing(Closing(answer)))
            .map_err(|why| Breach::Closing(shown(line), why.into())),
        _ => Err(Breach::Neither(shown(line))),
    }
}

fn closing(members: &Map<String, Json>) -> Result<Answer, &'static str> {
    let text = |name: &str, most: usize, wrong: &'static str| match members.get(name) {
        None | Some(Json::Null) => Ok(None),
        Some(Json::String(text)) => Ok(Some(shortened(text, most).into_owned())),
        Some(_) => Err(wrong),
    };
    match members.get("end").and_then(Json::as_str) {
        Some("accept") => Ok(Answer::Accept),
        Some("unsupported") => Ok(Answer::Unsupported {
            feature: text("feature", WORD, "`feature` is not a string")?,
        }),
        Some("reject") => {
            let class = match text("class", WORD, "`class` is not a string")?.as_deref() {
                None => None,
                Some("malformed") => Some(FaultClass::Malformed),
                Some("incomplete") => Some(FaultClass::Incomplete),
                Some("unsupported") => Some(FaultClass::Unsupported),
                Some(_) => {
                    return Err("`class` is not `malformed`, `incomplete` or `unsupported`");
                }
            };
            let offset = match members.get("offset") {
                None | Some(Json::Null) => None,
                Some(Json::Number(number)) if number.as_u64().is_some() => number.as_u64(),
                Some(_) => return Err("`offset` is not a non-negative integer"),
            };
            let why = text("why", WHY, "`why` is not a string")?;
            Ok(Answer::Reject(Rejection {
                why,
                class,
                offset,
                perhaps_crashed: false,
            }))
        }
        _ => Err("`end` is not `accept`, `reject` or `unsupported`"),
    }
}

/// Returns the protocol violation to report for a line that cannot be parsed.
fn unparsed(line: &[u8], why: Unparsed) -> Breach {
    match why {
        Unparsed::Invalid(why) => Breach::NotJson(shown(line), shortened(&why, WORD).into_owned()),
        Unparsed::Excessive(limit) => Breach::Excessive(shown(line), limit),
    }
}

/// Returns the beginning of a line for display in messages.
pub fn shown(line: &[u8]) -> String {
    let cut = line.len() > SHOWN;
    let line = if cut { &line[..SHOWN] } else { line };
    let mut text = String::from_utf8_lossy(line).into_owned();
    if cut {
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::MOST_DEPTH;
    use super::*;

    #[test]
    fn a_record_may_have_a_member_called_end() {
        let line = parse_line(br#"{"record":"span","end":12}"#).unwrap();
        assert!(matches!(line, Line::Record(_)));
    }

    #[test]
    fn closing_lines_are_read_with_all_they_say() {
        let line = br#"{"end":"reject","why":"no","class":"incomplete","offset":123,"x":1}"#;
        let expected = Rejection {
            why: Some("no".into()),
            class: Some(FaultClass::Incomplete),
            offset: Some(123),
            perhaps_crashed: false,
        };
        let expected = Line::Closing(Closing(Answer::Reject(expected)));
        assert_eq!(parse_line(line), Ok(expected));
    }

    #[test]
    fn bad_closing_lines_are_breaches() {
        for line in [
            &br#"{"end":"maybe"}"#[..],
            br#"{"end":"reject","class":"odd"}"#,
            br#"{"end":"reject","offset":-1}"#,
            br#"{"end":"reject","offset":"12"}"#,
            br#"{"end":"reject","why":1}"#,
        ] {
            assert!(
                matches!(parse_line(line), Err(Breach::Closing(..))),
                "{}",
                shown(line)
            );
        }
        assert!(matches!(
            parse_line(br#"{"record":1,"end":"accept"}"#),
            Err(Breach::Kind(_))
        ));
        assert!(matches!(
            parse_line(br#"{"record":null}"#),
            Err(Breach::Kind(_))
        ));
        assert!(matches!(parse_line(br#"["end"]"#), Err(Breach::Neither(_))));
        assert!(matches!(
            parse_line(b"{\"end\":\"acc"),
            Err(Breach::NotJson(..))
        ));
        assert!(matches!(
            parse_line(b"{\"end\":\"\xff\"}"),
            Err(Breach::NotJson(..))
        ));
    }

    /// The advice about such lines depends on this message of the parser.
    #[test]
    fn an_unpaired_surrogate_is_told_from_other_mistakes() {
        for text in [r"\ud800", r"\ud800a", r"\ud800\u0041", r"\udc00"] {
            let line = format!("{{\"record\":\"{text}\"}}");
            match parse_line(line.as_bytes()) {
                Err(Breach::NotJson(_, why)) => assert!(why.contains("hex escape"), "{why}"),
                other => panic!("{text}: {other:?}"),
            }
        }
    }

    #[test]
    fn a_member_that_occurs_twice_is_a_breach() {
        for (line, name) in [
            (r#"{"record":"a","x":1,"x":1}"#, "x"),
            (r#"{"end":"accept","end":"reject"}"#, "end"),
            (r#"{"record":"a","record":"b"}"#, "record"),
        ] {
            let Err(Breach::Twice(_, twice)) = parse_line(line.as_bytes()) else {
                panic!("{line}");
            };
            assert_eq!(twice, name);
        }
        let number = parse_line(br#"{"record":"a","x":1e400,"y":[1.50]}"#);
        let Ok(Line::Record(members)) = number else {
            panic!("{number:?}");
        };
        assert_eq!(members["x"].to_string(), "1e+400");
        assert_eq!(members["y"].to_string(), "[1.50]");
    }

    #[test]
    fn deep_lines_are_read_as_far_as_they_go_and_never_overflow_the_stack() {
        let nested = |depth: usize| {
            format!(
                "{{\"record\":\"a\",\"x\":{}{}}}",
                "[".repeat(depth),
                "]".repeat(depth)
            )
        };
        let read = |depth: usize| match parse_line(nested(depth).as_bytes()) {
            // Unlike the parser, the serializer that this test uses is recursive, so the test runs on
            // a larger stack.
            Ok(Line::Record(members)) => {
                stacker::grow(64 << 20, move || Json::Object(members).to_string())
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(read(MOST_DEPTH - 1), nested(MOST_DEPTH - 1));
        let cut = nested(MOST_DEPTH - 1).replace("[]", "[null]");
        assert_eq!(read(MOST_DEPTH), cut);
        assert_eq!(read(1_000_000), cut);
        let beside = format!(
            "{{\"x\":{}{{\"]\":[1]}}{},\"record\":\"a]\"}}",
            "[".repeat(MOST_DEPTH),
            "]".repeat(MOST_DEPTH)
        );
        let Ok(Line::Record(members)) = parse_line(beside.as_bytes()) else {
            panic!("no record");
        };
        assert_eq!(members["record"], "a]");
        assert!(matches!(
            parse_line(&b"[".repeat(300)),
            Err(Breach::NotJson(..))
        ));
        let brackets_in_text = format!("{{\"record\":\"{}\\\"[\"}}", "[".repeat(1000));
        assert!(parse_line(brackets_in_text.as_bytes()).is_ok());
    }

    #[test]
    fn greetings_that_do_not_fit_say_why() {
        let why = |line: &str| Greeting::parse(line.as_bytes()).unwrap_err();
        assert!(why(r#"{"tracegauge":1,"hello":true}"#).contains("by repeating it"));
        assert!(why(r#"{"tracegauge":2}"#).contains("version 2"));
        assert!(why("ready").contains("not a JSON object"));
        assert!(why("{}").contains("does not contain"));
        let line = br#"{"tracegauge":1,"name":"a","version":"1","reports":"records"}"#;
        assert_eq!(
            Greeting::parse(line).unwrap().reports.as_deref(),
            Some("records")
        );
    }
}
