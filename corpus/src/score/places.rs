//! Finds the operations where the decoder can detect that a rule is violated or triggered.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::terms::{FaultKind, ReaderDuty, RuleId};
use tracegauge_plan::{CheckKind, CheckPlan, Kind, OpId, Plan};

use super::{Obligation, rules};

/// The kinds of faults to consider at each operation: faults in values. Truncation and unclaimed
/// bytes are not included, because they can occur at nearly every operation and have similar
/// effects everywhere.
const OF_VALUES: [FaultKind; 12] = [
    FaultKind::Encoding,
    FaultKind::Half,
    FaultKind::Terminator,
    FaultKind::Enum,
    FaultKind::Flags,
    FaultKind::Code,
    FaultKind::Overlong,
    FaultKind::Long,
    FaultKind::Wide,
    FaultKind::Range,
    FaultKind::Absent,
    FaultKind::Empty,
];

/// The operations where rules can be violated or triggered. Operations defined at the same place in
/// the description count as one, so any use of a type is sufficient.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// For each rule and operation, the first operation defined at the same place in the
    /// description.
    first: BTreeMap<(RuleId, OpId), OpId>,
}

impl Places {
    pub(super) fn new(plan: &Plan) -> Self {
        let mut found = BTreeSet::new();
        for id in (0..u32::MAX).map(OpId).take(plan.ops.len()) {
            of_operation(plan, id, &mut found);
        }
        found.retain(|(rule, _)| {
            // A rule that leaves the choice to the reader does not have to be exercised at every
            // place.
            let duty = plan.rules[*rule].duty;
            let judged = matches!(duty, ReaderDuty::Reject | ReaderDuty::Accept);
            let described = plan.description.rule(*rule);
            judged && described.is_none_or(|rule| rule.through.is_none())
        });
        let mut described: HashMap<(RuleId, SourceSpan), OpId> = HashMap::new();
        let first = found.into_iter().map(|(rule, op)| {
            let span = plan.info(op).span;
            ((rule, op), *described.entry((rule, span)).or_insert(op))
        });
        Self {
            first: first.collect(),
        }
    }

    /// Returns an obligation for each rule and each operation where the rule can be violated or
    /// triggered.
    pub(super) fn all(&self) -> Vec<Obligation> {
        let places = self.first.iter().map(|((rule, _), first)| (*rule, *first));
        let places: BTreeSet<_> = places.collect();
        let places = places.into_iter();
        places.map(|(rule, op)| Obligation::At(rule, op)).collect()
    }

    /// Returns the obligation that is met if a rule is violated or triggered at an operation.
    pub(super) fn met(&self, rule: RuleId, op: OpId) -> Option<Obligation> {
        let first = self.first.get(&(rule, op))?;
        Some(Obligation::At(rule, *first))
    }
}

fn of_operation(plan: &Plan, id: OpId, found: &mut BTreeSet<(RuleId, OpId)>) {
    let (op, info) = (plan.op(id), plan.info(id));
    let faults = &plan.faults[op.faults];
    for kind in OF_VALUES {
        if plan.raises(id, kind)
            && let Some(rule) = faults.of(kind)
        {
            found.insert((rule, id));
        }
    }
    found.extend(info.obeys.iter().map(|(rule, _)| (*rule, id)));
    of_tests(plan, id, plan.tests_of(id), found);
    let carry = info.carry.map(|index| &plan.carries[index]);
    let refs = info.refs.map(|index| &plan.refs[index]);
    let broken = [
        carry.and_then(|carry| carry.overflow),
        refs.and_then(|refs| refs.dangling),
        refs.and_then(|refs| refs.later),
    ];
    found.extend(broken.into_iter().flatten().map(|rule| (rule, id)));
    match op.kind {
        Kind::Switch(index) => {
            let switch = &plan.switches[index];
            let rule = switch.rule.filter(|_| switch.default.is_none());
            found.extend(rule.map(|rule| (rule, id)));
        }
        Kind::Repeat(index) => {
            let least = plan.repeats[index].at_least;
            found.extend(least.and_then(|(_, rule)| rule).map(|rule| (rule, id)));
        }
        _ => {}
    }
    let effects = info.effects.map(|index| &plan.effects[index]);
    if let Some(effects) = effects {
        of_tests(plan, id, &effects.checks, found);
        if let Some(define) = &effects.defines {
            let again = define.again.iter();
            let again = again.flat_map(|again| {
                let alike = again.alike.as_ref().and_then(|(_, rule)| *rule);
                [again.same, again.other, alike]
            });
            found.extend(again.flatten().map(|rule| (rule, id)));
            let unique = define.unique.iter().filter_map(|unique| unique.rule);
            found.extend(unique.map(|rule| (rule, id)));
        }
        let removed = effects.removes.as_ref().and_then(|remove| remove.dangling);
        found.extend(removed.map(|rule| (rule, id)));
    }
}

fn of_tests(plan: &Plan, id: OpId, tests: &[CheckPlan], found: &mut BTreeSet<(RuleId, OpId)>) {
    for test in tests {
        let at = test.blame.unwrap_or(id);
        found.extend(test.rule.map(|rule| (rule, at)));
        if let CheckKind::InEnum(index) = test.kind {
            let members = &plan.enums[index].members;
            found.extend(
                members
                    .iter()
                    .filter_map(|member| member.broken)
                    .map(|rule| (rule, at)),
            );
        }
        found.extend(
            rules::inside(plan, &test.kind)
                .into_iter()
                .map(|rule| (rule, at)),
        );
    }
}
