//! Counts how often generating a trace fails, and why.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use tracegauge_plan::terms::RuleId;
use tracegauge_plan::{OpId, Plan};

use crate::error::{GenerateError, described};

/// The numbers of attempts to generate traces from seeds, with the reasons why attempts failed.
#[derive(Debug, Default)]
pub struct Attempts {
    counts: Mutex<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    traces: u64,
    failed: BTreeMap<Reason, u64>,
}

/// The violated rule, if any, and the field, structure or list because of which an attempt failed.
type Reason = (Option<RuleId>, Option<OpId>);

/// How many attempts a trace took on average.
#[derive(Clone, Debug, PartialEq)]
pub struct PerTrace {
    /// The average number of attempts.
    pub attempts: f64,
    /// The most frequent reason why attempts failed, as text, and which share of the failures it has.
    pub reason: Option<(String, f64)>,
}

impl Attempts {
    pub(crate) fn succeeded(&self) {
        self.change(|counts| counts.traces += 1);
    }

    pub(crate) fn failed(&self, error: &GenerateError, op: Option<OpId>) {
        let violation = match error {
            GenerateError::Invalid(found) => found.verdict.violation(),
            _ => None,
        };
        let rule = violation.and_then(|violation| violation.rule);
        self.change(|counts| *counts.failed.entry((rule, op)).or_default() += 1);
    }

    fn change<T>(&self, change: impl FnOnce(&mut Counts) -> T) -> T {
        change(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns how many attempts a trace took, or `None` if no trace was generated. `name` returns the
    /// path of a field.
    pub(crate) fn per_trace(&self, plan: &Plan, name: &dyn Fn(OpId) -> String) -> Option<PerTrace> {
        self.change(|counts| {
            let failed: u64 = counts.failed.values().sum();
            let most = counts.failed.iter().max_by_key(|(_, count)| **count);
            let reason = most.map(|(reason, count)| {
                let share = *count as f64 / failed as f64;
                (text(plan, *reason, name), share)
            });
            (counts.traces > 0).then(|| PerTrace {
                attempts: (counts.traces + failed) as f64 / counts.traces as f64,
                reason,
            })
        })
    }
}

fn text(plan: &Plan, (rule, op): Reason, name: &dyn Fn(OpId) -> String) -> String {
    let rule = rule.and_then(|rule| plan.rules.get(rule));
    let name = match (rule, op) {
        (Some(rule), _) => format!("rule {}", rule.id),
        (None, Some(op)) => format!("field `{}`", name(op)),
        (None, None) => "a value cannot be written".to_owned(),
    };
    match op.and_then(|op| described(plan, op)) {
        Some(place) => format!("{name} ({place})"),
        None => name,
    }
}
