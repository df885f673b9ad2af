//! All that is known about a failure, as lines with a label each. Nothing in them does
//! anything to a terminal.

use crate::model::{CaseResult, Detail, Difference, Origin, OriginPart};
use crate::outcome::Expectation;
use crate::rule::RuleInfo;
use crate::text::{folded, visible};

/// Standard error of a failing reader can be a stack trace of pages.
const STDERR_LINES: usize = 8;

/// A valid trace can be about twenty rules: where there are more than so many, the first is told
/// and the others are named.
pub const TOLD: usize = 3;

/// A value that comes from many places is shown at the first of them.
const ORIGINS: usize = 2;

/// One line of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What the line is about; empty where it goes on with what the line before is about.
    pub label: &'static str,
    /// What there is to say.
    pub text: String,
}

/// The account of what a reader did with `case`, with the sentences of `rules` that it is
/// about.
pub fn account(rules: &[RuleInfo], case: &CaseResult) -> Vec<Line> {
    let mut lines = Lines(Vec::new());
    let about = case.about_difference();
    let apart = case.set_apart_by.as_slice();
    let (told, others) = match (about.len(), case.rules.len()) {
        (0, _) if !apart.is_empty() => (apart, &case.rules[..]),
        (0, 0..=TOLD) => (&case.rules[..], &[][..]),
        (0, _) => case.rules.split_at(1),
        _ => (&about[..about.len().min(TOLD)], &case.rules[..]),
    };
    let others: Vec<&str> = others
        .iter()
        .filter(|id| !told.contains(id))
        .map(String::as_str)
        .collect();
    // A valid trace breaks no rule, and which one the reader breaks is not known from a verdict.
    let label = match (case.expected, about.is_empty()) {
        (Expectation::Accept, true) => "about",
        _ => "rule",
    };
    for id in told {
        if let Some(rule) = RuleInfo::find(rules, id, &case.format) {
            lines.add(label, &format!("{id} ({})", rule.section));
            lines.add("", &rule.says);
        }
    }
    if !others.is_empty() {
        lines.add("also about", &others.join(", "));
    }
    if let Some(detail) = &case.detail {
        lines.detail(detail);
    }
    if let Some(unsteady) = &case.unsteady {
        lines.add("at first", unsteady);
    }
    lines.0
}

/// Where two sequences of records part, in words.
pub fn place(difference: &Difference) -> String {
    if difference.path.is_empty() {
        format!("record {}", difference.record)
    } else {
        format!("record {}, {}", difference.record, difference.path)
    }
}

/// The field that an expected value was read from, and its bytes, in words.
pub fn read_from(origin: &Origin) -> String {
    let path = match origin.path.as_str() {
        "" => "the whole trace",
        path => path,
    };
    let bytes = match origin.length {
        1 => format!("byte {}", origin.offset),
        _ => format!("bytes {}..{}", origin.offset, origin.end()),
    };
    let remark = match origin.part {
        OriginPart::Value => "",
        OriginPart::Elsewhere => " (not in the record itself)",
        OriginPart::Record => " (the record: it has no bytes of this value)",
    };
    format!("{path}, {bytes}{remark}")
}

struct Lines(Vec<Line>);

impl Lines {
    fn add(&mut self, label: &'static str, text: &str) {
        self.0.push(Line {
            label,
            text: visible(text).into_owned(),
        });
    }

    /// Several lines about one thing.
    fn block<'t>(&mut self, label: &'static str, lines: impl Iterator<Item = &'t str>) {
        for (index, text) in lines.enumerate() {
            self.add(if index == 0 { label } else { "" }, text);
        }
    }

    fn detail(&mut self, detail: &Detail) {
        self.add("tests", &folded(&detail.why));
        self.add("expected", &folded(&detail.expected));
        self.add("actual", &detail.actual);
        if let Some(difference) = &detail.difference {
            self.add("differs", &folded(&place(difference)));
            self.add("  expected", &difference.expected);
            self.add("  actual", &difference.actual);
            for origin in difference.origins.iter().take(ORIGINS) {
                self.add("read from", &folded(&read_from(origin)));
                let lines = origin.excerpt.lines(origin.offset, origin.end());
                self.block("bytes", lines.iter().map(String::as_str));
            }
        }
        if let (Some(fault), Some(excerpt)) = (&detail.fault, &detail.excerpt) {
            let lines = excerpt.lines(fault.start, fault.end);
            self.block("bytes", lines.iter().map(String::as_str));
        }
        if let Some(stderr) = &detail.stderr {
            let lines: Vec<&str> = stderr.lines().collect();
            let skipped = lines.len().saturating_sub(STDERR_LINES);
            self.block("stderr", lines[skipped..].iter().copied());
        }
        if let Some(hint) = &detail.hint {
            self.add("hint", hint);
        }
    }
}
