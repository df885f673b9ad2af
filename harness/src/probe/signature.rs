//! What tells one thing that a reader does wrong from another, whatever the values.

use std::fmt;

use serde_json::Value as Json;
use tracegauge_corpus::place::without_indices;
use tracegauge_reports::{CaseResult, Difference, Expectation, Outcome};

use crate::crash::without_values;
use crate::judge::Response;
use crate::protocol::{Answer, Breakdown};

/// What a reader does with a trace, without what differs from trace to trace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// How its answer was judged.
    pub outcome: Outcome,
    /// The rule that the trace breaks or shows.
    pub rule: String,
    /// The member of a record where it shows.
    pub member: String,
    /// What in the description reads the value of it, `values:I64` say: one member can show
    /// values of many types.
    pub read: String,
    /// How what was reported differs from what was expected, in words.
    pub differs: String,
    /// In the reader's words.
    pub words: String,
    /// The functions in which it crashed, innermost first, where it reported them: then nothing of
    /// the trace tells one crash from another.
    pub frames: Vec<String>,
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.outcome)?;
        if !self.rule.is_empty() {
            write!(f, ", {}", self.rule)?;
        }
        if !self.member.is_empty() {
            write!(f, " at {}", self.member)?;
        }
        let of_value = [&self.read, &self.differs].map(String::as_str);
        let of_value: Vec<&str> = of_value.into_iter().filter(|it| !it.is_empty()).collect();
        if !of_value.is_empty() {
            write!(f, " ({})", of_value.join(", "))?;
        }
        if !self.words.is_empty() {
            write!(f, ": {}", self.words)?;
        }
        if !self.frames.is_empty() {
            write!(f, " in {}", self.frames.join(" < "))?;
        }
        Ok(())
    }
}

impl Signature {
    /// Of a judged answer; `read_by` says what reads the value in which records differ.
    pub fn of(
        result: &CaseResult,
        response: &Response,
        read_by: impl FnOnce(&Difference) -> String,
    ) -> Self {
        let difference = result.detail.as_ref().and_then(|it| it.difference.as_ref());
        let difference = difference.filter(|_| result.outcome == Outcome::WrongRecords);
        let path = difference.map_or("", |it| it.path.as_str());
        let words = match &response.answer {
            Answer::Broke(broken) => death(broken, &response.stderr),
            Answer::Reject(rejection) if result.outcome != Outcome::WrongRecords => {
                without_values(rejection.why.as_deref().unwrap_or_default())
            }
            _ => String::new(),
        };
        // Valid traces show many rules by the way.
        let rule = result
            .rule()
            .filter(|_| result.expected == Expectation::Reject);
        let frames = location(&response.answer);
        let rule = rule.filter(|_| frames.is_empty());
        Self {
            outcome: result.outcome,
            frames,
            rule: rule.unwrap_or_default().to_owned(),
            member: without_indices(path),
            read: difference.map_or_else(String::new, read_by),
            differs: difference.map_or("", kind).to_owned(),
            words,
        }
    }
}

/// How the two differ, whatever they are.
fn kind(difference: &Difference) -> &'static str {
    const NOTHING: [&str; 3] = ["no such member", "the end of the list", "no further record"];
    let sort = |text: &str| match serde_json::from_str(text) {
        // Great numbers are texts in JSON.
        Ok(Json::String(text)) if text.parse::<i128>().is_ok() => 1,
        Ok(Json::Number(_)) => 1,
        Ok(Json::String(_)) => 2,
        Ok(Json::Bool(_)) => 3,
        Ok(Json::Array(_)) => 4,
        Ok(Json::Object(_)) => 5,
        Ok(Json::Null) => 6,
        Err(_) => 0,
    };
    let Difference {
        expected, actual, ..
    } = difference;
    match (sort(expected), sort(actual)) {
        _ if NOTHING.contains(&expected.as_str()) => "more than there is",
        _ if NOTHING.contains(&actual.as_str()) => "left out",
        // What is too long to be shown is cut, and no JSON any more.
        (0, _) | (_, 0) => "another value",
        (wanted, got) if wanted == got => "another value",
        _ => "another kind of value",
    }
}

/// So many frames tell one crash from another: the function, and how it came to be called.
const FRAMES: usize = 3;

/// Where a process crashed.
fn location(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Broke(Breakdown::Crash(_, Some(crash))) => {
            crash.frames.iter().take(FRAMES).cloned().collect()
        }
        _ => Vec::new(),
    }
}

/// How it died, and what it said of it.
fn death(broken: &Breakdown, stderr: &str) -> String {
    match broken {
        Breakdown::Crash(_, Some(crash)) => format!("{}: {}", crash.runtime, crash.class()),
        Breakdown::Crash(_, None) => {
            let said = without_values(telling(stderr));
            format!("{broken} {said}").trim_end().to_owned()
        }
        _ => String::new(),
    }
}

/// The line that says what went wrong: one language ends with it, another begins, and much may
/// stand around it.
fn telling(stderr: &str) -> &str {
    let lines = || {
        stderr
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
    };
    let tells = |line: &&str| {
        let lower = line.to_ascii_lowercase();
        ["error", "exception", "panicked", "abort"]
            .iter()
            .any(|word| lower.contains(word))
    };
    let last = || lines().next_back();
    lines().find(tells).or_else(last).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_of_few_kinds() {
        let kind = |expected: &str, actual: &str| {
            super::kind(&Difference {
                expected: expected.to_owned(),
                actual: actual.to_owned(),
                ..Difference::default()
            })
        };
        assert_eq!(kind("1", "\"9007199254740993\""), "another value");
        assert_eq!(kind("true", "1"), "another kind of value");
        assert_eq!(kind("\"a\"", "\"b…"), "another value");
        assert_eq!(kind("no such member", "1"), "more than there is");
        assert_eq!(kind("{\"record\":\"a\"}", "no further record"), "left out");
    }

    #[test]
    fn the_line_that_tells_is_found() {
        let script = "reader.js:3\n    throw new SyntaxError(text)\n    at main (reader.js:3)";
        assert_eq!(telling(script), "throw new SyntaxError(text)");
        let python = "Traceback:\n  File x\nValueError: no";
        assert_eq!(telling(python), "ValueError: no");
        assert_eq!(telling("one\ntwo\n\n"), "two");
        assert_eq!(telling(""), "");
    }
}
