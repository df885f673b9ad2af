//! Suggests another dialect or format that a rejected trace may be written in.
//!
//! Dialects share their first bytes and cannot be distinguished by content. Without a hint, a user
//! who decodes a trace from a newer writer would learn only where the default dialect rejects the
//! trace, and a user who names the wrong format would learn only that the magic bytes are wrong.

use std::borrow::Cow;
use std::path::Path;

use tracegauge_corpus::formats::{Formats, Recognised, base};
use tracegauge_decoder::{Verdict, judge};
use tracegauge_harness::suggested::{with_spec, word};
use tracegauge_plan::Plan;

use super::format::{FormatArgs, HEAD};

/// Returns a hint for a trace that `plan` rejects, with a command to try instead. `command` is the
/// subcommand that the user ran. `trace` is called only if the bytes of the trace are needed.
pub fn hint<'b>(
    args: &FormatArgs,
    command: &str,
    plan: &Plan,
    path: &Path,
    verdict: &Verdict,
    trace: impl FnOnce() -> Option<Cow<'b, [u8]>>,
) -> Option<String> {
    let violation = verdict.violation()?;
    let is_named = args.format.is_some() && args.spec.is_none();
    if !is_named && others(plan).is_empty() {
        return None;
    }
    let bytes = trace()?;
    let head = &bytes[..bytes.len().min(HEAD)];
    let name = super::named(path);
    if is_named {
        match Recognised::default().recognise(head) {
            Some(other) if base(&other.format) != base(&plan.format) => {
                let remark = if takes(&other, &bytes) {
                    "the file looks like a trace in the format"
                } else {
                    "the file looks like an invalid trace in another format,"
                };
                let format = &other.format;
                return Some(format!(
                    "hint: {name}: {remark} {format}; try:\n  \
                     tracegauge {command} --format {format} {}",
                    word(path)
                ));
            }
            None if violation.span.start == 0 => {
                return Some(format!(
                    "hint: the first bytes of {name} do not match any known format; `tracegauge \
                     spec list` lists the known formats"
                ));
            }
            _ => {}
        }
    }
    let found = takers(args, plan, &bytes);
    let first = found.first()?;
    Some(format!(
        "hint: readers of {} accept this file; try:\n  \
         tracegauge {command}{} --format {first} {}",
        listed(&found),
        with_spec(args.spec.as_ref()),
        word(path)
    ))
}

/// Lists formats in a sentence.
fn listed(formats: &[String]) -> String {
    match formats {
        [first @ .., last] if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => formats.concat(),
    }
}

/// Returns the other dialects of the same format that accept the trace.
fn takers(args: &FormatArgs, plan: &Plan, bytes: &[u8]) -> Vec<String> {
    let others = others(plan);
    if others.is_empty() {
        return others;
    }
    let formats = match &args.spec {
        Some(file) => Formats::from_file(file),
        None => Formats::bundled(&others),
    };
    let Ok(formats) = formats else {
        return Vec::new();
    };
    let takes_it = |id: &String| formats.plan(id).is_some_and(|plan| takes(plan, bytes));
    others.into_iter().filter(takes_it).collect()
}

/// Returns the other dialects of the same format.
fn others(plan: &Plan) -> Vec<String> {
    let dialects = plan.description.dialects.iter().map(|dialect| &dialect.id);
    let others = dialects.filter(|id| **id != plan.format && base(id) == base(&plan.format));
    others.cloned().collect()
}

fn takes(plan: &Plan, bytes: &[u8]) -> bool {
    judge(plan, bytes).violation().is_none()
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn formats_are_listed_in_a_sentence() {
        let formats = ["tags-v1", "tags-v2", "tags-v3"].map(str::to_owned);
        assert_eq!(listed(&formats[..1]), "tags-v1");
        assert_eq!(listed(&formats[..2]), "tags-v1 and tags-v2");
        assert_eq!(listed(&formats), "tags-v1, tags-v2 and tags-v3");
    }
}
