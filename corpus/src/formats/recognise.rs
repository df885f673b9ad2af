//! Detects the format of a file from its first bytes.

use std::sync::Arc;

use tracegauge_decoder::judge;
use tracegauge_spec::expression::{Expr, ExprKind};
use tracegauge_spec::plan::Plan;
use tracegauge_spec::schema::{Detect, Dialect};

use super::Formats;

impl Formats {
    /// Returns the plan of the dialect of a file that begins with `head`. If several dialects
    /// match, returns the one whose detection rules check the most bytes. A dialect without
    /// detection rules is never detected, so it must be selected by name.
    pub fn recognise(&self, head: &[u8]) -> Option<&Arc<Plan>> {
        let fits = |plan: &&Arc<Plan>| {
            dialect(plan).is_some_and(|dialect| detects(plan, &dialect.detect, head))
        };
        self.plans
            .iter()
            .filter(fits)
            .max_by_key(|plan| dialect(plan).map_or(0, |dialect| weight(&dialect.detect)))
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
    let mut dialects = plan.schema.dialects.iter();
    dialects.find(|dialect| dialect.id == plan.format)
}

fn weight(detect: &Detect) -> usize {
    let bytes = detect.bytes.iter().map(|(_, bytes)| bytes.len());
    bytes.sum::<usize>() + usize::from(detect.field.is_some())
}

fn detects(plan: &Plan, detect: &Detect, head: &[u8]) -> bool {
    if detect.bytes.is_empty() && detect.field.is_none() {
        return false;
    }
    let stands = |(offset, wanted): &(u64, Vec<u8>)| {
        let start = usize::try_from(*offset).unwrap_or(usize::MAX);
        let rest = head.get(start..);
        rest.is_some_and(|rest| rest.starts_with(wanted))
    };
    let field = detect.field.as_ref();
    detect.bytes.iter().all(stands) && field.is_none_or(|(_, field)| holds(plan, field, head))
}

/// Returns true if the field that identifies the dialect contains this dialect's value, that is, if
/// decoding `head` finds no violation at that field or at the first byte.
fn holds(plan: &Plan, field: &Expr, head: &[u8]) -> bool {
    let wanted = dotted(field);
    let verdict = judge(plan, head);
    verdict.violation().is_none_or(|violation| {
        let fails_before = violation.span.start == 0;
        !(fails_before || violation.path == wanted)
    })
}

fn dotted(expr: &Expr) -> String {
    match &expr.kind {
        ExprKind::Name(name) => name.clone(),
        ExprKind::Member { base, name } => format!("{}.{name}", dotted(base)),
        _ => String::new(),
    }
}
