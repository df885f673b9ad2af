//! Prints verdicts and maps them to exit statuses.

use std::borrow::Cow;
use std::path::Path;

use tracegauge_decoder::{Judgement, Verdict};
use tracegauge_plan::Plan;
use tracegauge_results::text::{byte_range, folded};

use super::Exit;

/// Returns the exit status of a verdict.
pub fn exit(verdict: &Verdict) -> Exit {
    match verdict.judgement {
        Judgement::Accepted | Judgement::Either { .. } => Exit::Ok,
        Judgement::Rejected(_) => Exit::Finding,
    }
}

/// Shortens a path for human readers. Values can be nested thousands of levels deep.
pub fn short_path(path: &str) -> Cow<'_, str> {
    let path = folded(path);
    let count = path.chars().count();
    if count <= LONGEST_PATH {
        return path;
    }
    let half = LONGEST_PATH / 2;
    let start: String = path.chars().take(half).collect();
    let end: String = path.chars().skip(count - half).collect();
    Cow::Owned(format!("{start}…{end}"))
}

/// The maximum number of characters of a path in a message for human readers.
const LONGEST_PATH: usize = 160;

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
            let rest = match verdict.too_deep {
                true => "; values that are nested too deeply were not decoded",
                false => "",
            };
            format!(
                "{name}: accepted as {format}; readers may differ ({}){rest}",
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
                path => format!("at {} ", short_path(path)),
            };
            format!(
                "{name}: rejected as {format}: {id}{place}({}): {}{says}",
                byte_range(violation.span.start, violation.span.end),
                violation.message
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_loses_its_middle() {
        assert_eq!(short_path("a.b[0].c"), "a.b[0].c");
        assert_eq!(short_path(&"inner[0].".repeat(4000)), "inner[0]×4000.");
        let long = "left.right.".repeat(1000);
        let short = short_path(&long);
        assert!(short.starts_with("left.right.left.") && short.ends_with("left.right."));
        assert!(short.contains('…') && short.chars().count() <= LONGEST_PATH + 1);
    }
}
