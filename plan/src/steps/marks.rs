//! Marks work that the decoder can skip if it computes only the verdict, or only the verdict and
//! the records.

use super::live::{Uses, changes_inside, matters};
use crate::{Kind, OpId, Plan, flags};

/// Marks operations that exercise a rule that can change the verdict or exclude record members from
/// comparison, or that users want to know about. Exercising any other rule has no effect.
pub fn mark_shows(plan: &mut Plan) {
    for index in 0..plan.ops.len() {
        let obeys = &plan.infos[index].obeys;
        if obeys.iter().any(|(rule, _)| matters(plan, *rule)) {
            plan.ops[index].flags |= flags::SHOWS;
        }
    }
}

/// Marks values of the previous element that affect neither a verdict nor a record.
pub fn mark_previous(plan: &mut Plan, uses: &Uses) {
    for repeat in &mut plan.repeats {
        for previous in &mut repeat.previous {
            previous.idle = uses.others(previous.slot) + uses.records(previous.slot) == 0;
        }
    }
}

/// Marks values that are stored only for records and therefore need not be stored if no records are
/// requested. If no state changes inside a record, its members are marked to be added to the record
/// as they are read. Also marks structures that change no state when they end.
pub fn mark_records(plan: &mut Plan, uses: &Uses) {
    for index in 0..plan.ops.len() {
        let (op, info) = (&plan.ops[index], &plan.infos[index]);
        let effects = info.effects.map(|effects| &plan.effects[effects]);
        let idle = effects.is_none_or(|effects| {
            let tests = effects.checks.is_empty() && effects.removes.is_none();
            tests
                && effects.defines.is_none()
                && effects.clears.is_empty()
                && effects.sets.is_empty()
        });
        let kept = flags::CAPTURE | flags::SLOT;
        let record_only = op.flags & kept == kept && uses.others(op.slot) == 0;
        let id = OpId::from(index);
        let direct = record_only
            && uses.records(op.slot) > 0
            && record_around(plan, id).is_some_and(|record| {
                matches!(plan.op(record).kind, Kind::Structure)
                    && uses.reader(op.slot) == plan.info(record).record
                    && is_alone(plan, record)
                    && !changes_inside(plan, record)
            });
        // A record can be built in a single buffer from its start if it contains no other record.
        let starts = info.record.is_some()
            && matches!(op.kind, Kind::Structure)
            && is_alone(plan, id)
            && !changes_inside(plan, id);
        if direct || starts {
            plan.ops[index].flags |= flags::DIRECT;
        }
        if record_only {
            plan.ops[index].flags |= flags::RECORD_ONLY;
        }
        if idle && plan.ops[index].flags & flags::ENDING != 0 {
            plan.ops[index].flags |= flags::QUIET;
        }
    }
}

/// Returns the innermost record around an operation.
fn record_around(plan: &Plan, op: OpId) -> Option<OpId> {
    let mut at = plan.info(op).parent?;
    while plan.info(at).record.is_none() {
        at = plan.info(at).parent?;
    }
    Some(at)
}

/// Returns whether a record contains neither another record nor a recursive call.
fn is_alone(plan: &Plan, record: OpId) -> bool {
    (record.index() + 1..plan.op(record).end as usize).all(|index| {
        let calls = matches!(plan.ops[index].kind, Kind::Call(_));
        plan.infos[index].record.is_none() && !calls
    })
}
