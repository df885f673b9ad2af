//! Renders a human-readable description of a finding.

use std::fmt::Write as _;

use tracegauge_corpus::dump::dump;
use tracegauge_generator::mutate::Input;
use tracegauge_plan::Plan;
use tracegauge_results::text::{byte_range, visible, visible_lines};
use tracegauge_results::{CaseResult, Detail, Difference};

use super::Group;
use super::shrink::Small;
use crate::suggested::with_spec_of;

/// Maximum size in bytes of a trace that is shown byte by byte.
const MOST: usize = 4096;

/// The content of a finding's `about.md`.
pub(super) struct About<'a> {
    pub(super) plan: &'a Plan,
    pub(super) group: &'a Group,
    pub(super) seed: u64,
    /// The reader's behavior on the minimized trace, or `None` if it was not reproduced.
    pub(super) seen: Option<&'a CaseResult>,
    pub(super) input: &'a Input,
    pub(super) small: &'a Small,
    /// The file name of the minimized trace.
    pub(super) trace: &'a str,
}

impl About<'_> {
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, text: &mut String) -> std::fmt::Result {
        let Self { group, plan, .. } = self;
        writeln!(text, "# {}\n", line(&group.signature().to_string()))?;
        rule_text(text, plan, &group.rule)?;
        if self.seen.is_none() {
            let why = match self.small.again {
                None => "There was no time left to run the reader again.",
                Some(_) => {
                    "The failure did not recur: the reader's behavior may depend on earlier traces \
                     or on timing."
                }
            };
            writeln!(
                text,
                "{why} This is what happened when the input was found:\n"
            )?;
        }
        let result = self.seen.or(group.observed.as_deref());
        if let Some(detail) = result.and_then(|result| result.detail.as_deref()) {
            detail_text(text, detail)?;
        }
        let number = group.number;
        writeln!(
            text,
            "- original input: {} bytes, {}",
            self.input.bytes.len(),
            line(&self.input.made)
        )?;
        writeln!(
            text,
            "- minimized: {} bytes, `{}`{}",
            self.small.bytes.len(),
            self.trace,
            match self.small.stopped {
                true => " (minimization stopped at the time limit that `--minimize-time` sets)",
                false => "",
            }
        )?;
        writeln!(
            text,
            "- reproduce: `tracegauge fuzz{} --format {} --replay {}:{number}` with the same \
             reader, or run the reader on `{}`\n",
            line(&with_spec_of(plan)),
            line(&plan.format),
            self.seed,
            self.trace
        )?;
        write_bytes(text, plan, &self.small.bytes, self.trace)
    }
}

/// Describes what the reader did, and what it should have done.
fn detail_text(text: &mut String, detail: &Detail) -> std::fmt::Result {
    writeln!(text, "- expected: {}", line(&detail.expected))?;
    writeln!(text, "- actual: {}", line(&detail.actual))?;
    if let Some(hint) = &detail.hint {
        writeln!(text, "- hint: {}", line(hint))?;
    }
    if let Some(crash) = &detail.crash {
        writeln!(text, "- severity: {}", crash.severity)?;
    }
    match &detail.difference {
        Some(difference) => difference_text(text, difference),
        None => Ok(()),
    }
}

/// Describes the first difference between the reported and the expected records, and names the
/// bytes that encode the expected value.
fn difference_text(text: &mut String, difference: &Difference) -> std::fmt::Result {
    let Difference { record, path, .. } = difference;
    writeln!(
        text,
        "- first difference: record {record}, {}",
        code_or_whole(path)
    )?;
    writeln!(text, "  - expected: {}", line(&difference.expected))?;
    writeln!(text, "  - actual: {}", line(&difference.actual))?;
    if !difference.rules.is_empty() {
        writeln!(text, "  - about: {}", line(&difference.rules.join(", ")))?;
    }
    for origin in &difference.origins {
        let end = origin.offset + origin.length;
        writeln!(
            text,
            "  - read from: `{}`, {}",
            code(&origin.path),
            byte_range(origin.offset, end)
        )?;
    }
    Ok(())
}

fn code_or_whole(path: &str) -> String {
    match path {
        "" => "the whole record".to_owned(),
        path => format!("`{}`", code(path)),
    }
}

/// Writes the text of the rule whose id is `name`, if that rule exists.
pub(super) fn rule_text(text: &mut String, plan: &Plan, name: &str) -> std::fmt::Result {
    let rules = &plan.description.rules;
    let Some(rule) = rules.iter().find(|rule| rule.id == name) else {
        return Ok(());
    };
    let sections = rule.sections.join("; ");
    writeln!(text, "Rule {}, {}:\n", rule.id, line(&sections))?;
    writeln!(text, "> {}\n", line(&rule.says))
}

/// Writes the annotated bytes of a trace.
pub(super) fn write_bytes(
    text: &mut String,
    plan: &Plan,
    bytes: &[u8],
    trace: &str,
) -> std::fmt::Result {
    if bytes.len() > MOST {
        let spec = with_spec_of(plan);
        let format = &plan.format;
        return writeln!(
            text,
            "`tracegauge inspect{} --format {} {trace}` shows the bytes of the trace.",
            line(&spec),
            line(format)
        );
    }
    let mut shown = Vec::new();
    // Writing to a `Vec` cannot fail.
    let _ = dump(plan, bytes, &mut shown);
    let shown = String::from_utf8_lossy(&shown);
    let shown = visible_lines(&shown).into_owned();
    // The dump must not contain the fence of the code block that encloses it.
    writeln!(text, "````\n{}````", shown.replace("````", "'''' "))
}

/// Puts `text` on one line and replaces backticks, so that it can be enclosed in backticks.
pub(super) fn code(text: &str) -> String {
    visible(text).into_owned().replace('`', "'")
}

/// Puts `text` on one line and replaces characters that would affect a terminal or Markdown.
pub(super) fn line(text: &str) -> String {
    visible(text)
        .into_owned()
        .replace('<', "&lt;")
        .replace('`', "'")
}

#[cfg(test)]
mod tests {
    use tracegauge_results::{Excerpt, Origin, OriginPart};

    use super::*;

    #[test]
    fn a_difference_is_told_with_the_bytes_that_the_right_value_was_read_from() {
        let difference = Difference {
            record: 2,
            path: "fields[0].value".to_owned(),
            expected: "\"<b>\"".to_owned(),
            actual: "7".to_owned(),
            owed: Some(2),
            origins: vec![Origin {
                part: OriginPart::Value,
                path: "frames[3].body.values[0]".to_owned(),
                offset: 40,
                length: 4,
                excerpt: Excerpt::around(&[0; 50], 40, 44),
            }],
            rules: vec!["BOOL".to_owned()],
        };
        let mut text = String::new();
        difference_text(&mut text, &difference).expect("a text");
        assert_eq!(
            text,
            "- first difference: record 2, `fields[0].value`\n  - expected: \"&lt;b>\"\n  \
             - actual: 7\n  - about: BOOL\n  - read from: `frames[3].body.values[0]`, bytes 40..44\n"
        );
    }
}
