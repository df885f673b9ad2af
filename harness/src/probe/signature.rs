//! Signatures, which distinguish a reader's failures from each other regardless of the values in a
//! trace.

use std::fmt;

use serde_json::Value as Json;
use tracegauge_corpus::place::without_indices;
use tracegauge_judge::Response;
use tracegauge_protocol::crash::without_values;
use tracegauge_protocol::{Answer, Breakdown};
use tracegauge_results::{CaseResult, Difference, Expectation, Outcome};

/// A reader's behavior on a trace, excluding details that vary between traces.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// The outcome of the reader's answer.
    pub outcome: Outcome,
    /// The rule that the trace violates.
    pub rule: String,
    /// The record member with the wrong value.
    pub member: String,
    /// The part of the description that decodes the member's value, such as `values:I64`. One
    /// member can have values of many types.
    pub read: String,
    /// The difference between the reported and the expected value, in words.
    pub differs: String,
    /// The reader's message, excluding details that vary between traces.
    pub words: String,
    /// The functions in which the reader crashed, innermost first, if it reported them. If the
    /// functions are known, the signature does not depend on the trace.
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
    /// Computes the signature of a judged answer. `read_by` returns the part of the description
    /// that decodes the value that differs in the records.
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
        // Valid traces exercise many rules incidentally, so only violated rules are used.
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

/// Classifies the difference regardless of the values.
fn kind(difference: &Difference) -> &'static str {
    const NOTHING: [&str; 3] = ["no such member", "the end of the list", "no further record"];
    let sort = |text: &str| match serde_json::from_str(text) {
        // Large integers are written as strings in JSON.
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
        // A value that is too long is truncated for display and is then no longer valid JSON.
        (0, _) | (_, 0) => "another value",
        (wanted, got) if wanted == got => "another value",
        _ => "another kind of value",
    }
}

/// The number of frames used to distinguish crashes: the function that crashed and its callers.
const FRAMES: usize = 3;

/// Returns the functions in which the reader crashed.
fn location(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Broke(Breakdown::Crash(_, Some(crash))) => {
            crash.frames.iter().take(FRAMES).cloned().collect()
        }
        _ => Vec::new(),
    }
}

/// Describes how a process ended and what it printed about the crash.
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

/// Returns the line of standard error that describes the problem. Some languages print this line
/// first and others last, and there may be much other output.
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
