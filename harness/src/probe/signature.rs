//! What tells one thing that a reader does wrong from another, whatever the values.

use std::fmt;

use tracegauge_reports::{CaseResult, Expectation, Outcome};

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
    /// In the reader's words.
    pub words: String,
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
        if !self.words.is_empty() {
            write!(f, ": {}", self.words)?;
        }
        Ok(())
    }
}

impl Signature {
    /// Of a judged answer.
    pub fn of(result: &CaseResult, response: &Response) -> Self {
        let difference = result.detail.as_ref().and_then(|it| it.difference.as_ref());
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
        Self {
            outcome: result.outcome,
            rule: rule.unwrap_or_default().to_owned(),
            member: without_indices(path),
            words,
        }
    }
}

/// How it died, and what it said of it.
fn death(broken: &Breakdown, stderr: &str) -> String {
    match broken {
        Breakdown::Crash(_) => {
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

/// `fields[2].value` as `fields[].value`.
fn without_indices(path: &str) -> String {
    let mut inside = false;
    path.chars()
        .filter(|c| {
            let shown = !inside || *c == ']';
            inside = (inside || *c == '[') && *c != ']';
            shown
        })
        .collect()
}

/// Numbers and quoted texts tell traces apart, not mistakes.
fn without_values(text: &str) -> String {
    let mut shown = String::new();
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(end) => {
                if c == end {
                    quote = None;
                    shown.push(c);
                }
            }
            None if c.is_ascii_digit() => {
                if !shown.ends_with('#') {
                    shown.push('#');
                }
            }
            None => {
                if matches!(c, '"' | '`') {
                    quote = Some(c);
                }
                shown.push(c);
            }
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_no_indices() {
        assert_eq!(without_indices("fields[2].value[10]"), "fields[].value[]");
        assert_eq!(without_indices("name"), "name");
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

    #[test]
    fn words_have_no_values() {
        assert_eq!(
            without_values("at byte 0x1f2: \"ab\\n\" is 17 too long"),
            "at byte #x#f#: \"\" is # too long"
        );
    }
}
