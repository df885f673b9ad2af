//! Another dialect of a format whose readers would take a rejected trace.
//!
//! Dialects share their first bytes, so content cannot tell them; an author who tries a trace of a
//! later writer would otherwise learn only where the first dialect ends.

use std::io::Read;
use std::path::Path;

use tracegauge_corpus::formats::Formats;
use tracegauge_decoder::{Verdict, judge};
use tracegauge_spec::plan::Plan;

use super::format::FormatArgs;

/// Longer traces are not read again for a hint.
const MOST: u64 = 16 << 20;

/// What to say of a trace that `plan`, which its content named, rejects.
pub fn hint(args: &FormatArgs, plan: &Plan, path: &Path, verdict: &Verdict) -> Option<String> {
    verdict.violation()?;
    if args.format.is_some() {
        return None;
    }
    let others: Vec<String> = plan
        .schema
        .dialects
        .iter()
        .map(|dialect| dialect.id.clone())
        .filter(|id| *id != plan.format && id.contains('@'))
        .collect();
    if others.is_empty() {
        return None;
    }
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(MOST + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > MOST {
        return None;
    }
    let formats = match &args.spec {
        Some(file) => Formats::from_file(file),
        None => Formats::bundled(&others),
    };
    let formats = formats.ok()?;
    let takes = |id: &&String| {
        let plan = formats.plan(id);
        plan.is_some_and(|plan| judge(plan, &bytes).violation().is_none())
    };
    let found: Vec<&str> = others.iter().filter(takes).map(String::as_str).collect();
    let first = found.first()?;
    Some(format!(
        "hint: readers of {} take it; --format {first} judges it as such",
        found.join(" and of ")
    ))
}
