//! Counts how often each slot is read, and for what purpose.

use std::collections::HashSet;

use super::pure::{each_code, slots_of};
use crate::terms::{ReaderDuty, RuleId};
use crate::{Kind, MemberPlan, MemberSource, Plan, RowSource, Slot};
use crate::{LayoutSource, OpId};

/// The number of times that each slot is read.
#[derive(Debug, Default)]
pub struct Uses {
    /// The number of times that record members read each slot.
    records: Vec<u32>,
    /// The number of reads of each slot that affect a verdict, excluding reads by record members.
    others: Vec<u32>,
    /// Operations that a later test reports as the location of a violation.
    blamed: HashSet<OpId>,
}

impl Uses {
    /// Counts the reads in `plan`. Reads that serve only coverage are not counted, because coverage
    /// is measured on operations rather than steps.
    pub fn new(plan: &Plan) -> Self {
        let mut all = vec![0; plan.slots as usize];
        for code in &plan.codes {
            for slot in slots_of(code) {
                count(&mut all, slot);
            }
        }
        for carry in &plan.carries {
            carry
                .previous
                .iter()
                .for_each(|slot| count(&mut all, *slot));
        }
        for layout in &plan.layouts {
            if let LayoutSource::Row(RowSource::Slot(slot), _) = layout.source {
                count(&mut all, slot);
            }
            if let Some((_, presence)) = &layout.optional {
                count(&mut all, plan.op(*presence).slot);
            }
        }
        let mut records = vec![0; all.len()];
        for record in &plan.records {
            each_member(plan, &record.members, &mut records);
        }
        let mut unwanted = vec![0; all.len()];
        for (rule, when) in plan.infos.iter().flat_map(|info| &info.obeys) {
            if let (false, Some(when)) = (matters(plan, *rule), when) {
                each_code(plan, *when, &mut |code| {
                    slots_of(code).for_each(|slot| count(&mut unwanted, slot));
                });
            }
        }
        let others = all.iter().zip(records.iter().zip(&unwanted));
        let others = others.map(|(all, (records, unwanted))| {
            let all: &u32 = all;
            all.saturating_sub(records + unwanted)
        });
        let late = plan.effects.iter().flat_map(|effects| &effects.checks);
        let tests = plan.checks.iter().chain(late);
        Self {
            others: others.collect(),
            records,
            blamed: tests.filter_map(|test| test.blame).collect(),
        }
    }

    /// Returns the slots with the start and end positions of an operation, or `None` if nothing
    /// reads these positions.
    pub fn spans(&self, plan: &Plan, op: OpId) -> Option<(Slot, Slot)> {
        let slots = plan.info(op).span_slots?;
        let asks = |slot: Slot| self.others(slot) + self.records(slot) > 0;
        let asked = asks(slots.0) || asks(slots.1) || self.blamed.contains(&op);
        asked.then_some(slots)
    }

    /// Returns the number of reads of the slot by expressions that affect a verdict.
    pub fn others(&self, slot: Slot) -> u32 {
        self.others.get(slot.index()).copied().unwrap_or(0)
    }

    /// Returns the number of times that record members read the slot.
    pub fn records(&self, slot: Slot) -> u32 {
        self.records.get(slot.index()).copied().unwrap_or(0)
    }
}

/// Returns whether exercising this rule can change the verdict or exclude record members from
/// comparison, or is worth a note.
pub fn matters(plan: &Plan, rule: RuleId) -> bool {
    let rule = &plan.rules[rule];
    rule.duty == ReaderDuty::Either || !rule.frees.is_empty() || rule.writer_habit
}

fn count(uses: &mut [u32], slot: Slot) {
    if let Some(uses) = uses.get_mut(slot.index()) {
        *uses += 1;
    }
}

fn each_member(plan: &Plan, members: &[MemberPlan], uses: &mut [u32]) {
    for member in members {
        match &member.source {
            MemberSource::Object(inner) => each_member(plan, inner, uses),
            MemberSource::Value(code, _) => each_code(plan, *code, &mut |code| {
                slots_of(code).for_each(|slot| count(uses, slot));
            }),
        }
    }
}

/// Returns whether any operation inside `op` changes tables or registers when that operation ends.
/// Changes made by `op` itself are not considered, because they happen after its record is
/// complete.
pub fn changes_inside(plan: &Plan, op: OpId) -> bool {
    (op.index() + 1..plan.op(op).end as usize).any(|index| {
        let defines = match plan.ops[index].kind {
            Kind::Repeat(repeat) => plan.repeats[repeat].defines.is_some(),
            _ => false,
        };
        let effects = plan.infos[index].effects;
        let effects = effects.map(|effects| &plan.effects[effects]);
        defines
            || effects.is_some_and(|effects| {
                effects.defines.is_some()
                    || effects.removes.is_some()
                    || !effects.clears.is_empty()
                    || !effects.sets.is_empty()
            })
    })
}
