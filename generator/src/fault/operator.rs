//! The sites of faults.

use tracegauge_plan::terms::RuleId;
use tracegauge_plan::{OpId, Plan};

use super::operators::Operator;

/// A location in a plan where a rule can be violated, and the way to violate it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// The violated rule, if the description alone determines it. The rule that a wrong size
    /// violates, for example, depends on the surrounding trace.
    pub rule: Option<RuleId>,
    /// The operation whose bytes are changed.
    pub op: OpId,
    /// The operator to apply.
    pub operator: Operator,
}

impl Site {
    /// Returns `RULE/operator/path`, which identifies the case of this site. The rule is omitted if
    /// it depends on the trace.
    pub fn name(&self, plan: &Plan) -> String {
        let way = super::apply::way(plan, self);
        match self.rule.and_then(|rule| plan.rules.get(rule)) {
            Some(rule) => format!("{}/{way}", rule.id),
            None => way,
        }
    }
}
