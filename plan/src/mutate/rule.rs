//! Mutants that do not enforce a rule at all.

use super::{Collector, Mutant};
use crate::Plan;
use crate::terms::{ReaderDuty, RuleId};

/// Generates one mutant for each rule that a reader must enforce or that requires rows to be
/// removed from tables. In the mutant, the rule is disabled. Each mutant comes with the index of
/// its rule in the plan.
pub fn rules_off(plan: &Plan) -> Vec<(RuleId, Mutant)> {
    let mut found = Vec::new();
    for (number, rule) in plan.rules.entries() {
        let mut collector = Collector::new(plan);
        let ends = ends(plan, number);
        if rule.duty != ReaderDuty::Reject && !ends {
            continue;
        }
        collector.add_named("rule-off", &rule.id, "", move |plan: &mut Plan| {
            let rule = &mut plan.rules[number];
            rule.duty = ReaderDuty::Accept;
            rule.continues = Vec::new();
            for effects in &mut plan.effects {
                effects.clears.retain(|clear| clear.rule != Some(number));
                let removes = effects.removes.take();
                effects.removes = removes.filter(|remove| remove.rule != Some(number));
            }
        });
        found.extend(collector.found.into_iter().map(|mutant| (number, mutant)));
    }
    found
}

/// Returns whether the rule requires rows to be removed from tables.
fn ends(plan: &Plan, rule: RuleId) -> bool {
    plan.effects.iter().any(|effects| {
        let removes = effects.removes.iter().filter_map(|remove| remove.rule);
        let clears = effects.clears.iter().filter_map(|clear| clear.rule);
        removes.chain(clears).any(|known| known == rule)
    })
}
