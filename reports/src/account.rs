//! Describes a failure in labeled lines. The lines contain no terminal control characters.

use tracegauge_results::text::{byte_range, folded, visible};
use tracegauge_results::{
    CaseResult, Detail, Difference, Expectation, LookAt, Origin, OriginPart, RuleInfo,
};

/// The number of lines to show from the beginning and from the end of standard error. A sanitizer
/// names the crash first, most runtimes name it last, and there may be many lines of output in
/// between.
const STDERR_LINES: (usize, usize) = (5, 8);

/// The maximum number of rules to quote. If a case tests more rules, only the first rule is quoted
/// and the others are listed by id.
pub const TOLD: usize = 3;

/// The maximum number of source locations to show for one value.
const ORIGINS: usize = 3;

/// A labeled line in the description of a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The subject of the line, or an empty string if the line continues the previous subject.
    pub label: &'static str,
    /// The text of the line.
    pub text: String,
}

/// Describes the result of a reader for `case`, and quotes the sentences of the rules in `rules`
/// that the case tests.
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
    // A valid trace breaks no rule, and a wrong verdict or member does not reveal which rule the
    // reader breaks, so the rules are only labeled `about`.
    let label = match (case.expected, about.is_empty()) {
        (Expectation::Reject | Expectation::Either, true) => "rule",
        _ => "about",
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
    if !case.departures.is_empty() {
        lines.add("departures", &case.departures.join(", "));
    }
    if let Some(detail) = &case.detail {
        lines.detail(detail);
    }
    if let Some(unsteady) = &case.unsteady {
        lines.add("first run", unsteady);
    }
    lines.0
}

/// Describes the position of the first difference between two sequences of records.
pub fn place(difference: &Difference) -> String {
    if difference.path.is_empty() {
        format!("record {}", difference.record)
    } else {
        format!("record {}, {}", difference.record, difference.path)
    }
}

/// Describes the field that an expected value was read from, and the bytes of that field.
pub fn read_from(origin: &Origin) -> String {
    let path = match origin.path.as_str() {
        "" => "the whole trace",
        path => path,
    };
    let bytes = byte_range(origin.offset, origin.end());
    let remark = match origin.part {
        OriginPart::Value => "",
        OriginPart::Elsewhere => " (outside the record itself)",
        OriginPart::Record => " (the whole record, because the value itself has no bytes)",
    };
    format!("{path}, {bytes}{remark}")
}

/// Describes the bytes of a valid trace that the reader probably misreads.
pub fn look_at(place: &LookAt) -> String {
    let bytes = byte_range(place.offset, place.end());
    match &place.rule {
        Some(rule) => format!("{bytes}, where the trace first exercises {rule}"),
        None => format!("{bytes}, which the reader reports"),
    }
}

struct Lines(Vec<Line>);

impl Lines {
    fn add(&mut self, label: &'static str, text: &str) {
        self.0.push(Line {
            label,
            text: visible(text).into_owned(),
        });
    }

    /// Adds several lines about the same subject.
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
        if let Some(place) = &detail.look_at {
            self.add("look at", &look_at(place));
            let lines = place.excerpt.lines(place.offset, place.end());
            self.block("bytes", lines.iter().map(String::as_str));
        }
        if let (Some(fault), Some(excerpt)) = (&detail.fault, &detail.excerpt) {
            let lines = excerpt.lines(fault.start, fault.end);
            self.block("bytes", lines.iter().map(String::as_str));
        }
        if let Some(stderr) = &detail.stderr {
            let lines: Vec<&str> = stderr.lines().collect();
            let (head, tail) = STDERR_LINES;
            if lines.len() <= head + tail + 1 {
                self.block("stderr", lines.into_iter());
            } else {
                let gap = format!("[{} lines not shown]", lines.len() - head - tail);
                let shown = lines[..head].iter().copied();
                let shown = shown.chain([gap.as_str()]);
                self.block(
                    "stderr",
                    shown.chain(lines[lines.len() - tail..].iter().copied()),
                );
            }
        }
        if let Some(hint) = &detail.hint {
            self.add("hint", hint);
        }
    }
}
