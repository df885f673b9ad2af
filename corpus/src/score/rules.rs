//! Finds the rules of a plan that traces can violate or trigger.

use std::collections::HashSet;

use tracegauge_plan::terms::{FaultKind, RuleId};
use tracegauge_plan::{CheckKind, CheckPlan, JsonShape, OpId, Plan, UniquePlan};

/// Returns the indexes of the rules that traces can violate or trigger according to `plan`.
pub(super) fn used(plan: &Plan) -> HashSet<RuleId> {
    let mut used = HashSet::new();
    for (index, op) in plan.ops.iter().enumerate() {
        let id = OpId::from(index);
        for (kind, _) in FaultKind::ALL {
            if plan.raises(id, kind) {
                used.extend(plan.faults[op.faults].of(kind));
            }
        }
        let info = plan.info(id);
        used.extend(info.obeys.iter().map(|(rule, _)| *rule));
        used.extend(info.depth.and_then(|(_, _, rule)| rule));
    }
    tests(plan, &plan.checks, &mut used);
    for switch in &plan.switches {
        used.extend(switch.rule);
    }
    for repeat in &plan.repeats {
        used.extend(repeat.at_least.and_then(|(_, rule)| rule));
        tests(plan, &repeat.first, &mut used);
        tests(plan, &repeat.last, &mut used);
        unique(&repeat.unique, &mut used);
    }
    for carry in &plan.carries {
        used.extend(carry.overflow);
    }
    for refs in &plan.refs {
        used.extend(refs.dangling);
        used.extend(refs.later);
    }
    effects(plan, &mut used);
    for layout in &plan.layouts {
        used.extend(layout.unknown);
    }
    for table in &plan.tables {
        used.extend(table.kinds.iter().filter_map(|kind| kind.signature));
        let again = table.initial.iter().filter_map(|row| row.again.as_ref());
        used.extend(again.flat_map(|again| [again.same, again.other]).flatten());
    }
    used
}

/// Returns the indexes of the rules that specify when rows are removed.
pub(super) fn ends(plan: &Plan) -> HashSet<RuleId> {
    let effects = plan.effects.iter();
    let rules = effects.flat_map(|effects| {
        let removes = effects.removes.iter().filter_map(|remove| remove.rule);
        let clears = effects.clears.iter().filter_map(|clear| clear.rule);
        removes.chain(clears)
    });
    rules.collect()
}

fn effects(plan: &Plan, used: &mut HashSet<RuleId>) {
    for effects in &plan.effects {
        tests(plan, &effects.checks, used);
        if let Some(define) = &effects.defines {
            used.extend(
                define
                    .again
                    .iter()
                    .flat_map(|again| {
                        let alike = again.alike.as_ref().and_then(|(_, rule)| *rule);
                        [again.same, again.other, alike]
                    })
                    .flatten(),
            );
            unique(&define.unique, used);
        }
        used.extend(effects.removes.as_ref().and_then(|remove| remove.dangling));
    }
}

fn tests(plan: &Plan, checks: &[CheckPlan], used: &mut HashSet<RuleId>) {
    for check in checks {
        used.extend(check.rule);
        if let CheckKind::InEnum(index) = check.kind {
            let members = &plan.enums[index].members;
            used.extend(members.iter().filter_map(|member| member.broken));
        }
        used.extend(inside(plan, &check.kind));
    }
}

/// Returns the indexes of the rules about the content of a text value.
pub(super) fn inside(plan: &Plan, kind: &CheckKind) -> HashSet<RuleId> {
    let mut used = HashSet::new();
    match kind {
        CheckKind::Json(id) => {
            let json = &plan.json[*id];
            used.extend(json.rule);
            used.extend(json.depth);
            let mut open: Vec<&JsonShape> = json.shape.iter().collect();
            while let Some(shape) = open.pop() {
                used.extend(shape.rule);
                used.extend(shape.one_of_rule.filter(|_| !shape.one_of.is_empty()));
                used.extend(shape.others);
                open.extend(shape.members.iter().map(|member| &member.shape));
            }
        }
        CheckKind::Signature(index) => {
            let signature = &plan.signatures[*index];
            let own = [
                signature.code,
                signature.missing,
                signature.rest,
                signature.blanks,
                signature.unique,
            ];
            used.extend(own.into_iter().flatten());
            used.extend(signature.holds.iter().filter_map(|(_, rule)| *rule));
            tests(plan, &signature.names, &mut used);
        }
        _ => {}
    }
    used
}

fn unique(keys: &[UniquePlan], used: &mut HashSet<RuleId>) {
    used.extend(keys.iter().filter_map(|key| key.rule));
}
