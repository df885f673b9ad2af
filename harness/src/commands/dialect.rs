//! What a rejected trace may be instead: another dialect, another version or another format.
//!
//! Dialects share their first bytes, so content cannot tell them; an author who tries a trace of a
//! later writer would otherwise learn only where the first dialect ends. Who names the wrong format
//! would learn only that the magic is wrong.

use std::borrow::Cow;
use std::path::Path;

use tracegauge_corpus::formats::{Formats, base};
use tracegauge_decoder::{Verdict, judge};
use tracegauge_spec::plan::Plan;

use super::format::{FormatArgs, HEAD};
use super::suggested::with_spec;

/// What to say of a trace that `plan` rejects, and what to type instead; `command` is the one that
/// was typed. The trace is asked for only where it matters.
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
        let (all, _) = Formats::able(&[]).ok()?;
        match all.recognise(head) {
            Some(other) if base(&other.format) != base(&plan.format) => {
                let other = other.as_ref();
                let remark = if takes(other, &bytes) {
                    "seems to be a file of"
                } else {
                    "seems to be a file of another format, and not a right one:"
                };
                let format = &other.format;
                return Some(format!(
                    "hint: {name} {remark} {format}; look at it as such:\n  \
                     tracegauge {command} --format {format} {name}"
                ));
            }
            None if violation.span.start == 0 => {
                return Some(format!(
                    "hint: {name} begins as a file of no known format; `tracegauge spec list` \
                     names those that there are"
                ));
            }
            _ => {}
        }
    }
    let found = takers(args, plan, &bytes);
    let first = found.first()?;
    Some(format!(
        "hint: readers of {} take it; look at it as such:\n  \
         tracegauge {command}{} --format {first} {name}",
        found.join(" and of "),
        with_spec(args.spec.as_ref())
    ))
}

/// The other dialects of the same format whose readers take a trace.
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

/// The other dialects of the same format.
fn others(plan: &Plan) -> Vec<String> {
    let dialects = plan.schema.dialects.iter().map(|dialect| &dialect.id);
    let others = dialects.filter(|id| **id != plan.format && base(id) == base(&plan.format));
    others.cloned().collect()
}

fn takes(plan: &Plan, bytes: &[u8]) -> bool {
    judge(plan, bytes).violation().is_none()
}
