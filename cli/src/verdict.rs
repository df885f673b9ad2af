//! Prints verdicts and maps them to exit statuses.

use std::path::Path;

use tracegauge_decoder::{Judgement, Verdict};
use tracegauge_plan::Plan;
use tracegauge_results::text::byte_range;

use super::Exit;

/// Returns the exit status of a verdict.
pub fn exit(verdict: &Verdict) -> Exit {
    match verdict.judgement {
        Judgement::Accepted | Judgement::Either { .. } => Exit::Ok,
        Judgement::Rejected(_) => Exit::Finding,
    }
}

/// Describes a verdict on one line, followed by the text of the violated rule, if any.
pub fn line(plan: &Plan, path: &Path, verdict: &Verdict) -> String {
    let name = super::named(path);
    let format = &plan.format;
    match &verdict.judgement {
        Judgement::Accepted => format!("{name}: accepted as {format}"),
        Judgement::Either { .. } => {
            let rules: Vec<&str> = verdict
                .disputed(plan)
                .map(|shown| plan.rules[shown.rule].id.as_str())
                .collect();
            if rules.is_empty() {
                return format!(
                    "{name}: neither accepted nor rejected as {format}: the data is nested too \
                     deeply to be decoded"
                );
            }
            format!(
                "{name}: accepted as {format}; readers may differ ({})",
                rules.join(", ")
            )
        }
        Judgement::Rejected(violation) => {
            let rule = violation.rule;
            let id = rule.map_or(String::new(), |rule| format!("{} ", plan.rules[rule].id));
            let described = rule.and_then(|rule| plan.description.rule(rule));
            let says = described.map_or(String::new(), |described| {
                format!("\n  {} ({})", described.says, described.sections.join("; "))
            });
            // A violation in the bytes after the root has no path, because these bytes belong to no
            // field.
            let place = match violation.path.as_str() {
                "" => String::new(),
                path => format!("at {path} "),
            };
            format!(
                "{name}: rejected as {format}: {id}{place}({}): {}{says}",
                byte_range(violation.span.start, violation.span.end),
                violation.message
            )
        }
    }
}
