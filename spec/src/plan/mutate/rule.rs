//! Rules that are not judged at all.

use super::{Collector, Mutant};
use crate::plan::Plan;
use crate::schema::ReaderDuty;

/// For each rule that a reader must judge, or that says which rows end, the plan in which it
/// does not hold, with the place of the rule among the plan's.
pub fn rules_off(plan: &Plan) -> Vec<(u32, Mutant)> {
    let mut found = Vec::new();
    for (number, rule) in (0_u32..).zip(&plan.rules) {
        let mut collector = Collector::new(plan);
        let ends = ends(plan, number);
        if rule.duty != ReaderDuty::Reject && !ends {
            continue;
        }
        collector.add_named("rule-off", &rule.id, "", move |plan: &mut Plan| {
            let rule = &mut plan.rules[number as usize];
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

/// The rule says that rows end.
fn ends(plan: &Plan, rule: u32) -> bool {
    plan.effects.iter().any(|effects| {
        let removes = effects.removes.iter().filter_map(|remove| remove.rule);
        let clears = effects.clears.iter().filter_map(|clear| clear.rule);
        removes.chain(clears).any(|known| known == rule)
    })
}
