//! Which rules anything in a plan can break or show.

use std::collections::HashSet;

use tracegauge_spec::plan::{
    CheckKind, CheckPlan, Ending, Extent, JsonShape, Kind, Op, OpId, Plan, UniquePlan,
};
use tracegauge_spec::schema::{Encoding, FaultKind};

/// The rules that something in `plan` breaks or shows, by their places in it.
pub(super) fn used(plan: &Plan) -> HashSet<u32> {
    let mut used = HashSet::new();
    for (index, op) in plan.ops.iter().enumerate() {
        let id = OpId(u32::try_from(index).unwrap_or(u32::MAX));
        for (kind, _) in FaultKind::ALL {
            if raises(plan, id, op, kind) {
                used.extend(plan.faults[op.faults as usize].of(kind));
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

/// The rules that say which rows end, by their places in the plan.
pub(super) fn ends(plan: &Plan) -> HashSet<u32> {
    let effects = plan.effects.iter();
    let rules = effects.flat_map(|effects| {
        let removes = effects.removes.iter().filter_map(|remove| remove.rule);
        let clears = effects.clears.iter().filter_map(|clear| clear.rule);
        removes.chain(clears)
    });
    rules.collect()
}

fn effects(plan: &Plan, used: &mut HashSet<u32>) {
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

fn tests(plan: &Plan, checks: &[CheckPlan], used: &mut HashSet<u32>) {
    for check in checks {
        used.extend(check.rule);
        if let CheckKind::InEnum(index) = check.kind {
            let members = &plan.enums[index as usize].members;
            used.extend(members.iter().filter_map(|member| member.broken));
        }
        inside(plan, &check.kind, used);
    }
}

/// Rules of what a text holds.
fn inside(plan: &Plan, kind: &CheckKind, used: &mut HashSet<u32>) {
    match kind {
        CheckKind::Json(index) => {
            let json = &plan.json[*index as usize];
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
            let signature = &plan.signatures[*index as usize];
            let own = [
                signature.code,
                signature.missing,
                signature.rest,
                signature.blanks,
                signature.unique,
            ];
            used.extend(own.into_iter().flatten());
            used.extend(signature.holds.iter().filter_map(|(_, rule)| *rule));
            tests(plan, &signature.names, used);
        }
        _ => {}
    }
}

fn unique(keys: &[UniquePlan], used: &mut HashSet<u32>) {
    used.extend(keys.iter().filter_map(|key| key.rule));
}

/// An operation can fail in this way. Rules for faults hold from where they are written
/// inward, so that most operations have rules for faults that they never raise.
fn raises(plan: &Plan, id: OpId, op: &Op, fault: FaultKind) -> bool {
    let checked = |wanted: fn(&CheckKind) -> bool| {
        let first = op.checks.0.0 as usize;
        let checks = plan.checks.get(first..first + usize::from(op.checks.1));
        checks.is_some_and(|checks| checks.iter().any(|check| wanted(&check.kind)))
    };
    let computed = matches!(
        op.kind,
        Kind::Sized(Extent::Computed(_))
            | Kind::Bytes(Extent::Computed(_))
            | Kind::Text(Extent::Computed(_), _)
            | Kind::Repeat(_)
    );
    match fault {
        FaultKind::Eof | FaultKind::Short => {
            !matches!(op.kind, Kind::Structure | Kind::Switch(_) | Kind::Call(_))
        }
        FaultKind::Missing => matches!(op.kind, Kind::Repeat(_)),
        FaultKind::Trailing => id == OpId(0),
        FaultKind::Past => {
            matches!(
                op.kind,
                Kind::Sized(_) | Kind::Bytes(_) | Kind::Text(..) | Kind::Layout(_) | Kind::At(_)
            )
        }
        FaultKind::Rest => matches!(op.kind, Kind::Sized(_)),
        FaultKind::Negative => computed,
        FaultKind::Encoding => matches!(
            op.kind,
            Kind::Text(..)
                | Kind::Terminated(Ending {
                    encoding: Some(_),
                    ..
                })
        ),
        FaultKind::Half => match &op.kind {
            Kind::Text(_, encoding) => encoding.has_halves(),
            Kind::Terminated(ending) => ending.encoding.is_some_and(Encoding::has_halves),
            _ => false,
        },
        FaultKind::Terminator => matches!(op.kind, Kind::Terminated(_)),
        FaultKind::Enum => checked(|kind| matches!(kind, CheckKind::InEnum(_))),
        FaultKind::Flags => checked(|kind| matches!(kind, CheckKind::InFlags(_))),
        FaultKind::Code => plan.info(id).code_of.is_some() || matches!(op.kind, Kind::Layout(_)),
        FaultKind::Overlong | FaultKind::Long | FaultKind::Wide => {
            matches!(op.kind, Kind::Variable(..))
        }
        FaultKind::Depth => matches!(op.kind, Kind::Call(_)),
        FaultKind::Range | FaultKind::Absent | FaultKind::Empty => {
            op.checks.1 > 0 || plan.info(id).carry.is_some()
        }
    }
}
