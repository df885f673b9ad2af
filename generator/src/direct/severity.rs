//! How serious the violation of a rule is for the generator.

use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{OpId, Plan};

/// How serious the violation of a rule is for the generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Some readers may reject the trace.
    Hard,
    /// The writer is at fault, but every reader accepts the trace.
    Soft,
    /// The violation does not matter.
    Not,
}

/// Returns how serious the violation of a rule is.
pub fn firm(plan: &Plan, rule: Option<RuleId>) -> Severity {
    if strict(plan, rule) {
        return Severity::Hard;
    }
    match rule {
        Some(rule) if plan.rules[rule].writer_fault => Severity::Soft,
        _ => Severity::Not,
    }
}

/// Returns whether some readers may reject a trace that violates the rule.
pub fn strict(plan: &Plan, rule: Option<RuleId>) -> bool {
    match rule {
        None => true,
        Some(rule) => {
            let duty = plan.rules[rule].duty;
            matches!(duty, ReaderDuty::Reject | ReaderDuty::Either)
        }
    }
}

/// Returns whether a field that readers ignore must stay empty because some readers may reject
/// other contents.
pub fn stays_empty(plan: &Plan, id: OpId) -> bool {
    let info = plan.info(id);
    info.ignore && info.obeys.iter().any(|(rule, _)| strict(plan, Some(*rule)))
}

/// Returns whether every reader rejects a trace that violates the rule.
pub fn rejected(plan: &Plan, rule: Option<RuleId>) -> bool {
    rule.is_none_or(|rule| plan.rules[rule].duty == ReaderDuty::Reject)
}
