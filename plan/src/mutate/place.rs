//! The part of a description that a mutant changes, and the rules about this part.

use crate::terms::{RegisterId, RuleId, TableId};
use crate::{CheckKind, OpId, Plan, SetTargetPlan};

/// The part of a description that a mutant changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The operation. `None` if no operation uses the changed part.
    pub op: Option<OpId>,
    /// The rule whose handling is changed. `None` if the mutant changes something else.
    pub rule: Option<RuleId>,
    /// The arms of a switch or the types of a layout that the mutant confuses or does not
    /// recognize.
    pub choices: [Option<OpId>; 2],
    /// Whether the mutant computes the value that the rule requires incorrectly.
    pub computes: bool,
    /// The register that the mutant sets incorrectly, if any.
    pub sets: Option<RegisterId>,
}

impl Place {
    /// Returns the rules that someone who knows the format would cite to describe a bug at this
    /// place, starting with the most specific rule. The result contains the
    /// rule whose handling is changed, the rules about the choices that are confused, the rules
    /// about how a value follows from an earlier value, the rules about the operation or, if there are
    /// none, about an enclosing operation, and the rules of checks that blame the operation.
    pub fn rules(self, plan: &Plan) -> Vec<RuleId> {
        let mut rules: Vec<RuleId> = self.rule.into_iter().collect();
        let about = |op: OpId| plan.rules_about(op, OpId(0), &|_| true);
        let mut more: Vec<RuleId> = Vec::new();
        more.extend(self.choices.into_iter().flatten().flat_map(about));
        if let Some(op) = self.op {
            more.extend(plan.rules_about_carry(op, OpId(0), &|_| true));
            more.extend(about(op));
            more.extend(plan.rules_blaming(op));
        }
        for rule in more {
            if !rules.contains(&rule) {
                rules.push(rule);
            }
        }
        rules
    }
}

impl Plan {
    /// Returns the rules that structures check at their end and whose violations are found at `op`.
    fn rules_blaming(&self, op: OpId) -> impl Iterator<Item = RuleId> {
        let checks = self.effects.iter().flat_map(|effects| &effects.checks);
        let checks = checks.filter(move |check| check.blame == Some(op));
        checks.filter_map(|check| check.rule)
    }

    /// Returns the first operation that has a test of this kind, and the rule of the test.
    pub(super) fn place_of_test(&self, is_meant: impl Fn(&CheckKind) -> bool) -> Option<Place> {
        let ops = (0..u32::MAX).map(OpId).take(self.ops.len());
        let mut tests = ops.flat_map(|op| self.tests_of(op).iter().map(move |test| (op, test)));
        let (op, test) = tests.find(|(_, test)| is_meant(&test.kind))?;
        let rule = test.rule;
        Some(Place {
            op: Some(op),
            rule,
            ..Place::default()
        })
    }

    /// Returns the rule that states the byte order of the format.
    pub fn rule_of_byte_order(&self) -> Option<RuleId> {
        let rule = self.description.rule(self.description.endian_rule?)?;
        self.rule_named(&rule.id)
    }

    /// Returns the first operation that sets a register.
    pub(super) fn place_of_register(&self, register: RegisterId) -> Place {
        let sets = |op: &OpId| {
            let effects = self.info(*op).effects;
            let mut sets = effects.iter().flat_map(|it| &self.effects[*it].sets);
            sets.any(|set| matches!(set.target, SetTargetPlan::Register(it) if it == register))
        };
        self.first(sets)
    }

    /// Returns the first operation that refers to a row of a table.
    pub(super) fn place_of_table(&self, table: TableId) -> Place {
        let refers = |op: &OpId| {
            let refs = self.info(*op).refs;
            refs.is_some_and(|refs| self.refs[refs].table == table)
        };
        self.first(refers)
    }

    /// Returns the first operation for which `is_meant` returns `true`.
    pub(super) fn first(&self, is_meant: impl Fn(&OpId) -> bool) -> Place {
        let mut ops = (0..u32::MAX).map(OpId).take(self.ops.len());
        let op = ops.find(|op| is_meant(op));
        Place {
            op,
            ..Place::default()
        }
    }
}
