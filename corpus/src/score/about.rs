//! Finds the rules to which an obligation refers.

use tracegauge_spec::plan::{OpId, Plan};

use super::Obligation;

impl Obligation {
    /// Returns the operation to which the obligation refers, or the last one if there are several.
    pub fn op(self) -> Option<OpId> {
        match self {
            Self::Broken(_) | Self::Shown(_) | Self::Member(..) => None,
            Self::At(_, op)
            | Self::Operation(op)
            | Self::Arm(op)
            | Self::Code(op)
            | Self::Inside(_, op)
            | Self::True(op)
            | Self::False(op)
            | Self::Times(op, _)
            | Self::Value(op, _)
            | Self::Edge(_, op)
            | Self::Next(_, op)
            | Self::Third(_, _, op)
            | Self::Row(op, _)
            | Self::Carry(op, _)
            | Self::Pair(_, (op, _)) => Some(op),
        }
    }

    /// Returns the ids of the rules to which the obligation refers, most specific first: its own
    /// rule or, if it has none, the rules about its operation.
    pub fn rules(self, plan: &Plan) -> Vec<String> {
        match self {
            Self::Broken(rule) | Self::Shown(rule) | Self::At(rule, _) => {
                vec![plan.rules[rule as usize].id.clone()]
            }
            _ => self.op().map_or_else(Vec::new, |op| rules_of(plan, op)),
        }
    }
}

/// Returns the ids of the rules about an operation.
pub fn rules_of(plan: &Plan, op: OpId) -> Vec<String> {
    let rules = plan.rules_about(op, OpId(0), &|_| true).into_iter();
    rules.map(|rule| plan.rules[rule].id.clone()).collect()
}
