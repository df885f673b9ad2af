//! The first failures, each with all that is known about it.

use std::io::{self, Write};

use super::{Options, Paint, Tone};
use crate::model::{CaseResult, Detail, ReaderResult, RunResult};
use crate::outcome::Standing;
use crate::rule::RuleInfo;

/// Standard error of a failing reader can be a stack trace of pages.
const STDERR_LINES: usize = 8;

pub(super) fn render_all(
    result: &RunResult,
    reader: &ReaderResult,
    options: &Options,
    out: &mut dyn Write,
) -> io::Result<()> {
    let paint = Paint(options.color);
    // What fails the run comes first, and what does not count after it.
    let failing = reader.cases.iter().filter(|case| case.fails_the_run());
    let excused = reader.cases.iter().filter(|case| {
        case.outcome.is_failure() && case.known.is_none() && !case.standing.counts()
    });
    let shown: Vec<&CaseResult> = failing.chain(excused).collect();
    for case in shown.iter().take(options.failures) {
        writeln!(out)?;
        render(result, case, paint, out)?;
    }
    let more = shown.len().saturating_sub(options.failures);
    if more > 0 {
        writeln!(out, "\nand {more} more failures")?;
    }
    Ok(())
}

fn render(
    result: &RunResult,
    case: &CaseResult,
    paint: Paint,
    out: &mut dyn Write,
) -> io::Result<()> {
    let (label, tone) = match case.standing {
        Standing::Counts => ("FAIL", Tone::Bad),
        Standing::Warning => ("WARN", Tone::Doubt),
        Standing::Disputed => ("DISPUTED", Tone::Doubt),
        Standing::NotJudged => ("NOT JUDGED", Tone::Doubt),
    };
    let head = paint.text(tone, &format!("{label} {}", case.outcome));
    writeln!(out, "{head}  {}", paint.text(Tone::Strong, &case.case))?;
    for id in &case.rules {
        if let Some(rule) = RuleInfo::find(&result.run.rules, id, &case.format) {
            line(out, "rule", &format!("{id} ({})", rule.section))?;
            line(out, "", &rule.says)?;
        }
    }
    if let Some(detail) = &case.detail {
        details(detail, out)?;
    }
    if let Some(unsteady) = &case.unsteady {
        line(out, "at first", unsteady)?;
    }
    Ok(())
}

fn details(detail: &Detail, out: &mut dyn Write) -> io::Result<()> {
    line(out, "tests", &detail.why)?;
    line(out, "expected", &detail.expected)?;
    line(out, "actual", &detail.actual)?;
    if let Some(difference) = &detail.difference {
        let place = if difference.path.is_empty() {
            format!("record {}", difference.record)
        } else {
            format!("record {}, {}", difference.record, difference.path)
        };
        line(out, "differs", &place)?;
        line(out, "  expected", &difference.expected)?;
        line(out, "  actual", &difference.actual)?;
    }
    if let (Some(fault), Some(excerpt)) = (&detail.fault, &detail.excerpt) {
        for (index, text) in excerpt.lines(fault.start, fault.end).iter().enumerate() {
            line(out, if index == 0 { "bytes" } else { "" }, text)?;
        }
    }
    if let Some(stderr) = &detail.stderr {
        let lines: Vec<&str> = stderr.lines().collect();
        let skipped = lines.len().saturating_sub(STDERR_LINES);
        for (index, text) in lines[skipped..].iter().enumerate() {
            line(out, if index == 0 { "stderr" } else { "" }, text)?;
        }
    }
    if let Some(hint) = &detail.hint {
        line(out, "hint", hint)?;
    }
    Ok(())
}

fn line(out: &mut dyn Write, label: &str, text: &str) -> io::Result<()> {
    let text = printable(text);
    writeln!(out, "{}", format!("     {label:10} {text}").trim_end())
}

/// What a reader wrote may hold escape sequences that would reach the terminal.
fn printable(text: &str) -> String {
    if !text.chars().any(char::is_control) {
        return text.to_owned();
    }
    text.chars()
        .map(|c| {
            if c.is_control() {
                c.escape_default().to_string()
            } else {
                c.to_string()
            }
        })
        .collect()
}
