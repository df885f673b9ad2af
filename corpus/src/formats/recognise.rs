//! Detects the format of a file from its first bytes.

use std::sync::Arc;

use tracegauge_decoder::judge;
use tracegauge_plan::{Detection, Dialect, Plan};

use super::Formats;

impl Formats {
    /// Returns the plan of the dialect of a file that begins with `head`. If several dialects
    /// match, returns the one whose detection rules check the most bytes. A dialect without
    /// detection rules is never detected, so it must be selected by name.
    pub fn recognise(&self, head: &[u8]) -> Option<&Arc<Plan>> {
        let fits = |plan: &&Arc<Plan>| {
            dialect(plan).is_some_and(|dialect| detects(plan, &dialect.detection, head))
        };
        self.plans
            .iter()
            .filter(fits)
            .max_by_key(|plan| dialect(plan).map_or(0, |dialect| weight(&dialect.detection)))
    }

    /// Returns true if `head` is the beginning of a trace in one of the formats. Formats that
    /// accept any first byte are ignored.
    pub fn begin_with(&self, head: &[u8]) -> bool {
        let Some((first, rest)) = head.split_first() else {
            return false;
        };
        let other: Vec<u8> = std::iter::once(!first)
            .chain(rest.iter().copied())
            .collect();
        let takes = |plan: &Plan, head: &[u8]| {
            let verdict = judge(plan, head);
            verdict.violation().is_none_or(|found| found.span.start > 0)
        };
        let begins = |plan: &Arc<Plan>| takes(plan, head) && !takes(plan, &other);
        self.recognise(head).is_some() || self.plans.iter().any(begins)
    }
}

fn dialect(plan: &Plan) -> Option<&Dialect> {
    let mut dialects = plan.description.dialects.iter();
    dialects.find(|dialect| dialect.id == plan.format)
}

fn weight(detection: &Detection) -> usize {
    let bytes = detection.bytes.iter().map(|(_, bytes)| bytes.len());
    bytes.sum::<usize>() + usize::from(detection.field.is_some())
}

fn detects(plan: &Plan, detection: &Detection, head: &[u8]) -> bool {
    let field = detection.field.as_ref();
    !detection.is_empty()
        && detection.matches_bytes(head)
        && field.is_none_or(|field| holds(plan, &field.path, head))
}

/// Returns true if the field that identifies the dialect contains this dialect's value, that is, if
/// decoding `head` finds no violation at that field or at the first byte.
fn holds(plan: &Plan, path: &[String], head: &[u8]) -> bool {
    let wanted = path.join(".");
    let verdict = judge(plan, head);
    verdict.violation().is_none_or(|violation| {
        let fails_before = violation.span.start == 0;
        !(fails_before || violation.path == wanted)
    })
}
